# The program, run as its users run it.
if(TARGET dermis_cli)
  dermis_add_tests(bindings dermis fmt::fmt-header-only)
  add_dependencies(test_bindings dermis_cli)
  target_compile_definitions(test_bindings PRIVATE DERMIS_PROGRAM="$<TARGET_FILE:dermis_cli>")
endif()
