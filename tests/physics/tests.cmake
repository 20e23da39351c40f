# Known answers and hard inputs, on whole scenes.
if(TARGET dermis)
  dermis_add_tests(physics dermis fmt::fmt-header-only)
endif()
