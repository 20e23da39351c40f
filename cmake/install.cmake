# cmake --install: the program, the libraries, the headers and a CMake package with the target Dermis::dermis. What is
# installed can be moved as a whole: programs look for the libraries beside themselves.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(DERMIS_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Dermis)

# The headers include each other as "host/...", so their folder is include/dermis, not include.
target_include_directories(dermis INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/dermis>)
target_compile_features(dermis INTERFACE cxx_std_20)
install(TARGETS dermis EXPORT DermisTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The backends are loaded at run time: nobody links against them. The emulated one is for tests only.
foreach(backend cpu_v3 cpu_v4 cuda cuda_vendor)
  if(TARGET dermis_${backend})
    install(TARGETS dermis_${backend} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

file(RELATIVE_PATH DERMIS_LIB_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(dermis_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${DERMIS_LIB_FROM_BIN}")
install(TARGETS dermis_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(DIRECTORY host engine kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dermis
  FILES_MATCHING PATTERN *.h PATTERN cuda_emu EXCLUDE)
install(EXPORT DermisTargets NAMESPACE Dermis:: DESTINATION ${DERMIS_PACKAGE_DIR})
configure_package_config_file(cmake/DermisConfig.cmake.in DermisConfig.cmake INSTALL_DESTINATION ${DERMIS_PACKAGE_DIR})
write_basic_package_version_file(DermisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/DermisConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/DermisConfigVersion.cmake
  DESTINATION ${DERMIS_PACKAGE_DIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
