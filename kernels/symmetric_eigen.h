// The positive semidefinite part of a small dense symmetric matrix, by cyclic Jacobi rotations (Golub and Van Loan,
// Matrix Computations, 8.5). Serial; cost n^3 a sweep, about six sweeps. For 3x3 packs see eigen3.h.
#pragma once

#include "kernels/scalar.h"

DERMIS_NAMESPACE_BEGIN

// Adds the positive part of a [n, n] (destroyed) to `target` [n, n]. vectors: [n, n] of scratch.
DERMIS_HD void AddPositivePart(double* a, double* vectors, double* target, int n) {
  for (int i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (int sweep = 0; sweep < 12; ++sweep) {
    double off = 0, diagonal = 0;
    for (int i = 0; i < n; ++i) {
      diagonal += a[i * n + i] * a[i * n + i];
      for (int j = 0; j < i; ++j) off += a[i * n + j] * a[i * n + j];
    }
    if (off <= 1e-28 * diagonal || off == 0) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double apq = a[p * n + q];
        if (apq == 0) continue;
        const double theta = 0.5 * (a[q * n + q] - a[p * n + p]) / apq;
        const double t = (theta < 0 ? -1.0 : 1.0) / (Abs(theta) + Sqrt(1.0 + theta * theta));
        const double c = 1.0 / Sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double akp = a[k * n + p], akq = a[k * n + q];
          a[k * n + p] = c * akp - s * akq;
          a[k * n + q] = s * akp + c * akq;
        }
        for (int k = 0; k < n; ++k) {
          const double apk = a[p * n + k], aqk = a[q * n + k];
          a[p * n + k] = c * apk - s * aqk;
          a[q * n + k] = s * apk + c * aqk;
          const double vpk = vectors[p * n + k], vqk = vectors[q * n + k];  // row p of `vectors` is eigenvector p
          vectors[p * n + k] = c * vpk - s * vqk;
          vectors[q * n + k] = s * vpk + c * vqk;
        }
      }
  }
  for (int e = 0; e < n; ++e) {
    const double value = a[e * n + e];
    if (!(value > 0)) continue;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) target[i * n + j] += value * vectors[e * n + i] * vectors[e * n + j];
  }
}

DERMIS_NAMESPACE_END
