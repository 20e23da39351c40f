// The vendor module: the only file that sees cuSOLVER and cuSPARSE.
#include <cusolverDn.h>
#include <cusparse.h>

#include <new>

#include "engine/vendor/vendor_table.h"

namespace {

struct Context {
  cusolverDnHandle_t solver = nullptr;
  cusparseHandle_t sparse = nullptr;
  cusparseMatDescr_t general = nullptr;  // the description of a general matrix with indices from 0
};

// cuSPARSE's statuses start here, so that one number says which library failed.
constexpr int kSparseStatus = 1000;
constexpr int kNoMemory = 2000;

int SolverStatus(cusolverStatus_t status) { return int(status); }
int SparseStatus(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_SUCCESS ? 0 : kSparseStatus + int(status);
}

void Destroy(void* pointer) {
  auto* context = static_cast<Context*>(pointer);
  if (!context) return;
  if (context->general) cusparseDestroyMatDescr(context->general);
  if (context->sparse) cusparseDestroy(context->sparse);
  if (context->solver) cusolverDnDestroy(context->solver);
  delete context;
}

int Create(void** result) {
  *result = nullptr;
  auto* context = new (std::nothrow) Context;
  if (!context) return kNoMemory;
  int status = SolverStatus(cusolverDnCreate(&context->solver));
  if (status == 0) status = SparseStatus(cusparseCreate(&context->sparse));
  if (status == 0) status = SparseStatus(cusparseCreateMatDescr(&context->general));
  if (status != 0)
    Destroy(context);
  else
    *result = context;
  return status;
}

const char* ErrorText(int status) {
  if (status == 0) return "no error";
  if (status == kNoMemory) return "out of host memory";
  if (status >= kSparseStatus) return cusparseGetErrorString(cusparseStatus_t(status - kSparseStatus));
  switch (cusolverStatus_t(status)) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "cuSOLVER did not start";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "cuSOLVER: out of device memory";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "cuSOLVER: invalid argument";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "cuSOLVER does not support this device";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "cuSOLVER: a kernel failed";
    default:
      return "cuSOLVER: internal error";
  }
}

// Row-major lower is column-major upper: with A = U^T U, U's storage by columns is that of L by rows.
constexpr cublasFillMode_t kLowerByRows = CUBLAS_FILL_MODE_UPPER;

int CholeskyFactor(void* pointer, void* stream, int n, double** matrices, int* failed, int batch) {
  auto* context = static_cast<Context*>(pointer);
  if (const int status = SolverStatus(cusolverDnSetStream(context->solver, cudaStream_t(stream)))) return status;
  return SolverStatus(cusolverDnDpotrfBatched(context->solver, kLowerByRows, n, matrices, n, failed, batch));
}

int CholeskySolve(void* pointer, void* stream, int n, double** matrices, double** rhs, int* status, int batch) {
  auto* context = static_cast<Context*>(pointer);
  if (const int error = SolverStatus(cusolverDnSetStream(context->solver, cudaStream_t(stream)))) return error;
  return SolverStatus(cusolverDnDpotrsBatched(context->solver, kLowerByRows, n, 1, matrices, n, rhs, n, status, batch));
}

int MultiplyBlocks(void* pointer, void* stream, int rows, int columns, int blocks, const int* rowBegin,
                   const int* column, const double* values, const double* x, double* y) {
  auto* context = static_cast<Context*>(pointer);
  if (const int status = SparseStatus(cusparseSetStream(context->sparse, cudaStream_t(stream)))) return status;
  const double one = 1, zero = 0;
  return SparseStatus(cusparseDbsrmv(context->sparse, CUSPARSE_DIRECTION_ROW, CUSPARSE_OPERATION_NON_TRANSPOSE, rows,
                                     columns, blocks, &one, context->general, values, rowBegin, column, 3, x, &zero,
                                     y));
}

constexpr VendorTable kTable = {kVendorAbi, Create, Destroy, ErrorText, CholeskyFactor, CholeskySolve, MultiplyBlocks};

}  // namespace

extern "C" __attribute__((visibility("default"))) const VendorTable* dermis_cuda_vendor() { return &kTable; }
