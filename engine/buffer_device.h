// Buffer on a device: device memory, trivially copyable items only.
//
// Copies run on the default stream, which waits for launches on the streams of Exec and they for it; Upload() and
// Download() return when the host memory may be used again. Resize() allocates, which stops the device: not in a step.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "engine/device_runtime.h"

DERMIS_NAMESPACE_BEGIN

template <class T> class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(size_t size) { Resize(size); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { Free(); }

  // Changes the size; the content is lost and zero.
  void Resize(size_t size) {
    Free();
    if (size == 0) return;
    DERMIS_CUDA_CHECK(cudaMalloc(&data_, size * sizeof(T)));
    size_ = size;
    DERMIS_CUDA_CHECK(cudaMemset(data_, 0, size * sizeof(T)));
  }
  void Upload(const T* source, size_t count, size_t offset = 0) {
    if (count) DERMIS_CUDA_CHECK(cudaMemcpy(data_ + offset, source, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  void Upload(const std::vector<T>& source) {
    if (source.size() != size_) Resize(source.size());
    Upload(source.data(), source.size());
  }
  void Download(T* target, size_t count, size_t offset = 0) const {
    if (count) DERMIS_CUDA_CHECK(cudaMemcpy(target, data_ + offset, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  std::vector<T> Download() const {
    std::vector<T> result(size_);
    Download(result.data(), size_);
    return result;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  // An error here is that of an earlier launch, and is reported by the next checked call.
  void Free() {
    if (data_) (void)cudaFree(data_);
    data_ = nullptr;
    size_ = 0;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
};

DERMIS_NAMESPACE_END
