# dermis_add_backend(NAME sources...): the engine compiled once for one backend, as a shared library of its own with a
# single visible symbol. Hidden symbols keep a copy of an inline function that was compiled for one instruction set
# from being used by another.
#
# NAME is cpu_v3, cpu_v4 (g++, packs), cuda (nvcc) or emu (g++, device kernels on fibers; tests only).
function(dermis_add_backend name)
  set(target dermis_${name})
  set(sources)
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    if(name STREQUAL cuda)
      # The language is a property of the source file in CMake, not of the target: hence one wrapper a file.
      string(REGEX REPLACE "[/.]" "_" stem ${source})
      set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/cuda/${stem}.cu)
      file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${path}\"\n")
      list(APPEND sources ${wrapper})
    else()
      list(APPEND sources ${path})
    endif()
  endforeach()
  add_library(${target} SHARED ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE DERMIS_BACKEND=${name})
  target_link_libraries(${target} PRIVATE Eigen3::Eigen)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/backend.map INSTALL_RPATH "$ORIGIN")
  target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/backend.map -Wl,-Bsymbolic)

  if(name STREQUAL cpu_v3)
    target_compile_definitions(${target} PRIVATE DERMIS_LANES=4)
    target_compile_options(${target} PRIVATE -march=x86-64-v3 -O3 -fno-math-errno -fno-trapping-math)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  elseif(name STREQUAL cpu_v4)
    target_compile_definitions(${target} PRIVATE DERMIS_LANES=8)
    target_compile_options(${target} PRIVATE -march=x86-64-v4 -mprefer-vector-width=512 -O3 -fno-math-errno -fno-trapping-math)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  elseif(name STREQUAL emu)
    target_compile_definitions(${target} PRIVATE DERMIS_EMULATED=1)
    target_compile_options(${target} PRIVATE -march=x86-64-v3 -O2)
  elseif(name STREQUAL cuda)
    target_compile_options(${target} PRIVATE --expt-relaxed-constexpr -Werror=cross-execution-space-call
      --generate-line-info -Xcompiler=-fPIC)
    set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static CUDA_STANDARD 20)
  endif()
endfunction()
