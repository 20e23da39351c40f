// One row of the node matrix times a vector: the inner loop of conjugate gradients.
//
// A 3x3 block is nine numbers by rows. On the CPU the first eight (or twice four) are one load, multiplied by the
// vector spread to the pattern 0 1 2 0 1 2 0 1; the sums of a row are taken apart once, at the end.
#pragma once

#include "kernels/linalg.h"

DERMIS_NAMESPACE_BEGIN

#if DERMIS_LANES == 8
// sum over entries [begin, end) of matrix[e] p[node[e]]; p may be read one number past its end.
DERMIS_HD Vec3d RowProduct(const double* matrix, const int32_t* node, int begin, int end, const double* p) {
  using V8 = PackVectors<8>::Vector;
  using V4 = PackVectors<4>::Vector;
  V8 sum{};
  double last = 0;
  for (int e = begin; e < end; ++e) {
    V8 m;
    V4 x;
    __builtin_memcpy(&m, matrix + 9 * int64_t(e), sizeof m);
    __builtin_memcpy(&x, p + 3 * int64_t(node[e]), sizeof x);
    const V8 spread = __builtin_shufflevector(x, x, 0, 1, 2, 0, 1, 2, 0, 1);
    sum += m * spread;
    last += matrix[9 * int64_t(e) + 8] * x[2];
  }
  return {sum[0] + sum[1] + sum[2], sum[3] + sum[4] + sum[5], sum[6] + sum[7] + last};
}
#elif DERMIS_LANES == 4
DERMIS_HD Vec3d RowProduct(const double* matrix, const int32_t* node, int begin, int end, const double* p) {
  using V4 = PackVectors<4>::Vector;
  V4 first{}, second{};
  double last = 0;
  for (int e = begin; e < end; ++e) {
    V4 a, b, x;
    __builtin_memcpy(&a, matrix + 9 * int64_t(e), sizeof a);
    __builtin_memcpy(&b, matrix + 9 * int64_t(e) + 4, sizeof b);
    __builtin_memcpy(&x, p + 3 * int64_t(node[e]), sizeof x);
    first += a * __builtin_shufflevector(x, x, 0, 1, 2, 0);
    second += b * __builtin_shufflevector(x, x, 1, 2, 0, 1);
    last += matrix[9 * int64_t(e) + 8] * x[2];
  }
  return {first[0] + first[1] + first[2], first[3] + second[0] + second[1], second[2] + second[3] + last};
}
#else
DERMIS_HD Vec3d RowProduct(const double* matrix, const int32_t* node, int begin, int end, const double* p) {
  Vec3d sum{0, 0, 0};
  for (int e = begin; e < end; ++e) {
    const double* m = matrix + 9 * int64_t(e);
    const double* x = p + 3 * int64_t(node[e]);
    sum += Vec3d{m[0] * x[0] + m[1] * x[1] + m[2] * x[2], m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
                 m[6] * x[0] + m[7] * x[1] + m[8] * x[2]};
  }
  return sum;
}
#endif

DERMIS_NAMESPACE_END
