# The engine's tests: on every backend through its table, and of the emulator and the CPU primitives directly.
dermis_add_tests(engine dermis_registry dermis_emu OpenMP::OpenMP_CXX)
target_sources(test_engine PRIVATE ${PROJECT_SOURCE_DIR}/engine/prims.cpp ${PROJECT_SOURCE_DIR}/engine/prims_cpu.cpp)
set_source_files_properties(engine/cuda_emu_test.cpp PROPERTIES
  COMPILE_DEFINITIONS "DERMIS_EMULATED=1;DERMIS_BACKEND=emu_test")
if(TARGET dermis)
  target_link_libraries(test_engine PRIVATE dermis)
endif()

# A library for a newer instruction set must run no code when it is loaded, and show one symbol.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT DERMIS_SANITIZE) # a sanitizer adds initialisers of its own
  foreach(backend IN ITEMS cpu_v3 cpu_v4 emu)
    add_test(NAME backend_library_${backend} COMMAND ${Python3_EXECUTABLE}
      ${PROJECT_SOURCE_DIR}/cmake/check_backend_library.py $<TARGET_FILE:dermis_${backend}>)
  endforeach()
endif()
if(Python3_FOUND)
  add_test(NAME cmake_scripts COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/cmake/scripts_test.py)
endif()
