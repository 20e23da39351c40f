// A shared reference to an immutable shape.
#pragma once

#include <memory>
#include <utility>

namespace dermis {

class Shape;

// Empty (invalid) or a reference to a shape; copies share it, and scenes may share it. The shape lives as long as any
// handle. Two handles are equal when they hold the same shape, or shapes read from the same file with the same bake.
class ShapeHandle {
 public:
  ShapeHandle() = default;
  explicit ShapeHandle(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}
  bool IsValid() const { return shape_ != nullptr; }
  explicit operator bool() const { return IsValid(); }
  // The shape; the handle must be valid.
  const Shape& operator*() const { return *shape_; }
  const Shape* operator->() const { return shape_.get(); }
  bool operator==(const ShapeHandle& other) const;

 private:
  std::shared_ptr<const Shape> shape_;
};

}  // namespace dermis
