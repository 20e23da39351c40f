// What the vendor module offers: cuSOLVER and cuSPARSE behind plain functions, in a library of its own.
//
// The engine loads it after it has found a device (engine/vendor.h), so that a program starts without these libraries
// and does not wait for them. All pointers are device memory; all calls are queued on the stream. Functions return 0,
// or a status that ErrorText() explains.
#pragma once

extern "C" {

inline constexpr int kVendorAbi = 1;

struct VendorTable {
  int abi;

  // A context holds the libraries' handles: one a simulation. Takes some 100 ms the first time.
  int (*create)(void** context);
  void (*destroy)(void* context);
  const char* (*errorText)(int status);

  // Dense Cholesky of `batch` systems in double, each row-major [n, n], of which the lower triangle is read and
  // replaced by L. matrices: device array of pointers. failed: 0, or the first pivot that is not positive, from 1.
  int (*choleskyFactor)(void* context, void* stream, int n, double** matrices, int* failed, int batch);
  // Replaces each rhs [n] by the solution of L L^T x = rhs. status: device memory for one int.
  int (*choleskySolve)(void* context, void* stream, int n, double** matrices, double** rhs, int* status, int batch);

  // y = A x for 3x3 block-sparse rows in double: rowBegin [rows + 1], column [blocks], values [blocks, 3, 3] by rows.
  int (*multiplyBlocks)(void* context, void* stream, int rows, int columns, int blocks, const int* rowBegin,
                        const int* column, const double* values, const double* x, double* y);
};

}  // extern "C"
