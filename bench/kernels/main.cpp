#include <benchmark/benchmark.h>

#include <cstdio>

// An AVX-512 program on a machine without it reports that, and is no failure.
int main(int argc, char** argv) {
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) {
    std::puts("This machine has no AVX-512; run bench_kernels_v3.");
    return 0;
  }
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
