// Buffer on the CPU: 64-byte aligned host memory, trivially copyable items only.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/backend.h"

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
  ~Buffer() { std::free(data_); }

  // Changes the size; the content is lost and zero.
  void Resize(size_t size) {
    std::free(data_);
    data_ = nullptr;
    size_ = size;
    if (size == 0) return;
    const size_t bytes = (size * sizeof(T) + 63) / 64 * 64;
    data_ = static_cast<T*>(std::aligned_alloc(64, bytes));
    if (!data_) throw std::bad_alloc();
    std::memset(static_cast<void*>(data_), 0, bytes);
  }
  void Upload(const T* source, size_t count, size_t offset = 0) {
    if (count) std::memcpy(static_cast<void*>(data_ + offset), source, count * sizeof(T));
  }
  void Upload(const std::vector<T>& source) {
    if (source.size() != size_) Resize(source.size());
    Upload(source.data(), source.size());
  }
  void Download(T* target, size_t count, size_t offset = 0) const {
    if (count) std::memcpy(static_cast<void*>(target), data_ + offset, count * sizeof(T));
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
  T* data_ = nullptr;
  size_t size_ = 0;
};

DERMIS_NAMESPACE_END
