// Qualifiers and the inline namespace that let one source be compiled once per backend and instruction set.
//
// Every engine source is compiled with -DDERMIS_BACKEND=cpu_v3, cpu_v4, cuda or emu. The code then lives in
// dermis::<backend>, so that the linker never merges two compilations of one inline function. Without the macro
// (host code, tests of kernels) the namespace is dermis::host.
#pragma once

#ifndef DERMIS_BACKEND
#define DERMIS_BACKEND host
#endif

// Opens and closes the namespace of the backend.
#define DERMIS_NAMESPACE_BEGIN \
  namespace dermis {           \
  inline namespace DERMIS_BACKEND {
#define DERMIS_NAMESPACE_END \
  }                          \
  }

// Marks a function that runs on the host and on the device; it is always inlined into its kernel.
#if defined(__CUDACC__)
#define DERMIS_HD __host__ __device__ __forceinline__
#else
#define DERMIS_HD inline __attribute__((always_inline))
#endif

// DERMIS_LANES is the number of items in one pack: 8 for x86-64-v4, 4 for x86-64-v3, 1 on devices and in host code.
#ifndef DERMIS_LANES
#define DERMIS_LANES 1
#endif

// True where kernels run on (emulated) device threads.
#if defined(__CUDACC__) || defined(DERMIS_EMULATED)
#define DERMIS_DEVICE_BACKEND 1
#else
#define DERMIS_DEVICE_BACKEND 0
#endif
