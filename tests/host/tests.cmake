# The host library through its headers.
if(TARGET dermis)
  dermis_add_tests(host dermis fmt::fmt-header-only Eigen3::Eigen)
endif()
