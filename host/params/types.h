// The plain value types of the public interface. All lengths are in metres, all angles in radians.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace dermis {

using Real = double;
using String = std::string;
template <class T> using DynamicArray = std::vector<T>;
template <class T> using Optional = std::optional<T>;

// A literal of type Real: 1e4_r, 500.0_r, 3_r.
constexpr Real operator""_r(long double value) { return static_cast<Real>(value); }
constexpr Real operator""_r(unsigned long long value) { return static_cast<Real>(value); }

// A vector or a point.
struct Real3 {
  Real x = 0;
  Real y = 0;
  Real z = 0;
  constexpr Real& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const Real& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  bool operator==(const Real3&) const = default;
};

constexpr Real3 operator+(const Real3& a, const Real3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Real3 operator-(const Real3& a, const Real3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Real3 operator-(const Real3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Real3 operator*(Real s, const Real3& a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr Real Dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Real3 Cross(const Real3& a, const Real3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real Norm(const Real3& a) { return std::sqrt(Dot(a, a)); }

// A 3x3 matrix by rows: m[i][j] is row i, column j.
using Real3x3 = std::array<Real3, 3>;

// A unit quaternion, x y z w: rotates by 2 acos(w) about (x, y, z).
struct Quaternion {
  Real x = 0;
  Real y = 0;
  Real z = 0;
  Real w = 1;
  bool operator==(const Quaternion&) const = default;
};

// A rigid transform: y -> rotation y + translation.
struct TransformRT {
  Quaternion rotation;
  Real3 translation;
  bool operator==(const TransformRT&) const = default;
};

// The rotated vector; q must be of unit length.
constexpr Real3 Rotate(const Quaternion& q, const Real3& v) {
  const Real3 u{q.x, q.y, q.z};
  const Real3 t = 2.0 * Cross(u, v);
  return v + q.w * t + Cross(u, t);
}
constexpr Quaternion Conjugate(const Quaternion& q) { return {-q.x, -q.y, -q.z, q.w}; }
// The rotation b followed by the rotation a.
constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
          a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline Real Norm(const Quaternion& q) { return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }
inline Quaternion Normalized(const Quaternion& q) {
  const Real n = Norm(q);
  return {q.x / n, q.y / n, q.z / n, q.w / n};
}
// The rotation matrix of a unit quaternion.
constexpr Real3x3 RotationMatrix(const Quaternion& q) {
  const Real3 a = Rotate(q, {1, 0, 0}), b = Rotate(q, {0, 1, 0}), c = Rotate(q, {0, 0, 1});
  return {Real3{a.x, b.x, c.x}, Real3{a.y, b.y, c.y}, Real3{a.z, b.z, c.z}};
}

constexpr Real3 operator*(const TransformRT& t, const Real3& y) { return Rotate(t.rotation, y) + t.translation; }
constexpr TransformRT operator*(const TransformRT& a, const TransformRT& b) {
  return {a.rotation * b.rotation, a * b.translation};
}
constexpr TransformRT Inverse(const TransformRT& t) {
  const Quaternion r = Conjugate(t.rotation);
  return {r, -Rotate(r, t.translation)};
}

}  // namespace dermis
