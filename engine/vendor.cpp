#include "engine/vendor.h"

#include "engine/backend_info.h"

#if defined(__CUDACC__)
#include <dlfcn.h>
#endif

DERMIS_NAMESPACE_BEGIN

#if defined(__CUDACC__)

namespace {

struct Loaded {
  const VendorTable* table = nullptr;
  std::string reason;
};

// The folder of the library that this code is in: the module is installed beside it.
std::string OwnFolder() {
  static const char anchor = 0;
  Dl_info own{};
  if (!dladdr(&anchor, &own) || !own.dli_fname) return "";
  const std::string path = own.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

Loaded Load() {
  Loaded result;
  if (!BackendAvailable(result.reason)) return result;
  const std::string path = OwnFolder() + "libdermis_cuda_vendor.so";
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* error = dlerror();  // names the library that is missing: the module, or one that it needs
    result.reason = error ? error : "the vendor module did not load";
    return result;
  }
  auto entry = reinterpret_cast<const VendorTable* (*)()>(dlsym(module, "dermis_cuda_vendor"));
  const VendorTable* table = entry ? entry() : nullptr;
  if (!table || table->abi != kVendorAbi) {
    result.reason = path + " is of another version";
    dlclose(module);
    return result;
  }
  result.table = table;
  return result;
}

}  // namespace

const VendorTable* LoadVendor(std::string& reason) {
  static const Loaded loaded = Load();
  if (!loaded.table) reason = loaded.reason;
  return loaded.table;
}

#else

const VendorTable* LoadVendor(std::string& reason) {
  reason = "cuSOLVER and cuSPARSE are for the CUDA backend";
  return nullptr;
}

#endif

DERMIS_NAMESPACE_END
