// Small linear algebra: vectors, 3x3 and 3x4 matrices, on a scalar or a pack.
#pragma once

#include "kernels/pack.h"

DERMIS_NAMESPACE_BEGIN

template <class S> struct Vec3 {
  S x, y, z;
  DERMIS_HD S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  DERMIS_HD const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

template <class S> DERMIS_HD Vec3<S> operator+(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S> DERMIS_HD Vec3<S> operator-(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S> DERMIS_HD Vec3<S> operator-(const Vec3<S>& a) { return {-a.x, -a.y, -a.z}; }
template <class S> DERMIS_HD Vec3<S> operator*(const S& s, const Vec3<S>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class S> DERMIS_HD Vec3<S>& operator+=(Vec3<S>& a, const Vec3<S>& b) { return a = a + b; }
template <class S> DERMIS_HD Vec3<S>& operator-=(Vec3<S>& a, const Vec3<S>& b) { return a = a - b; }
template <class S> DERMIS_HD S Dot(const Vec3<S>& a, const Vec3<S>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class S> DERMIS_HD Vec3<S> Cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S> DERMIS_HD S NormSquared(const Vec3<S>& a) { return Dot(a, a); }
template <class S> DERMIS_HD S Norm(const Vec3<S>& a) { return Sqrt(Dot(a, a)); }

// A 3x3 matrix by rows: m.r[i][j] is row i, column j.
template <class S> struct Mat3 {
  Vec3<S> r[3];
  DERMIS_HD S& operator()(int i, int j) { return r[i][j]; }
  DERMIS_HD const S& operator()(int i, int j) const { return r[i][j]; }
  DERMIS_HD Vec3<S> Column(int j) const { return {r[0][j], r[1][j], r[2][j]}; }
  DERMIS_HD static Mat3 Diagonal(const S& a, const S& b, const S& c) {
    const S o(0.0);
    return {{{a, o, o}, {o, b, o}, {o, o, c}}};
  }
  DERMIS_HD static Mat3 Identity() { return Diagonal(S(1.0), S(1.0), S(1.0)); }
  DERMIS_HD static Mat3 Zero() { return Diagonal(S(0.0), S(0.0), S(0.0)); }
  DERMIS_HD static Mat3 FromColumns(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }
};

template <class S> DERMIS_HD Mat3<S> operator+(const Mat3<S>& a, const Mat3<S>& b) {
  return {{a.r[0] + b.r[0], a.r[1] + b.r[1], a.r[2] + b.r[2]}};
}
template <class S> DERMIS_HD Mat3<S> operator-(const Mat3<S>& a, const Mat3<S>& b) {
  return {{a.r[0] - b.r[0], a.r[1] - b.r[1], a.r[2] - b.r[2]}};
}
template <class S> DERMIS_HD Mat3<S> operator*(const S& s, const Mat3<S>& a) {
  return {{s * a.r[0], s * a.r[1], s * a.r[2]}};
}
template <class S> DERMIS_HD Mat3<S>& operator+=(Mat3<S>& a, const Mat3<S>& b) { return a = a + b; }
template <class S> DERMIS_HD Mat3<S>& operator-=(Mat3<S>& a, const Mat3<S>& b) { return a = a - b; }
template <class S> DERMIS_HD Vec3<S> operator*(const Mat3<S>& a, const Vec3<S>& v) {
  return {Dot(a.r[0], v), Dot(a.r[1], v), Dot(a.r[2], v)};
}
template <class S> DERMIS_HD Mat3<S> Transpose(const Mat3<S>& a) { return {{a.Column(0), a.Column(1), a.Column(2)}}; }
// a^T v
template <class S> DERMIS_HD Vec3<S> TransposeTimes(const Mat3<S>& a, const Vec3<S>& v) {
  return v.x * a.r[0] + v.y * a.r[1] + v.z * a.r[2];
}
// v^T b as a row
template <class S> DERMIS_HD Vec3<S> RowTimes(const Vec3<S>& v, const Mat3<S>& b) {
  return v.x * b.r[0] + v.y * b.r[1] + v.z * b.r[2];
}
template <class S> DERMIS_HD Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  return {{RowTimes(a.r[0], b), RowTimes(a.r[1], b), RowTimes(a.r[2], b)}};
}
// a b^T
template <class S> DERMIS_HD Mat3<S> TimesTranspose(const Mat3<S>& a, const Mat3<S>& b) {
  return {{b * a.r[0], b * a.r[1], b * a.r[2]}};
}
// a^T b
template <class S> DERMIS_HD Mat3<S> TransposeTimes(const Mat3<S>& a, const Mat3<S>& b) {
  return {{RowTimes(a.Column(0), b), RowTimes(a.Column(1), b), RowTimes(a.Column(2), b)}};
}
template <class S> DERMIS_HD Mat3<S> Outer(const Vec3<S>& a, const Vec3<S>& b) { return {{a.x * b, a.y * b, a.z * b}}; }
// The matrix of the cross product: Skew(w) v = w x v.
template <class S> DERMIS_HD Mat3<S> Skew(const Vec3<S>& w) {
  const S o(0.0);
  return {{{o, -w.z, w.y}, {w.z, o, -w.x}, {-w.y, w.x, o}}};
}
// The vector w of the skew part of a: Skew(w) = (a - a^T)/2.
template <class S> DERMIS_HD Vec3<S> Axial(const Mat3<S>& a) {
  const S h(0.5);
  return {h * (a.r[2].y - a.r[1].z), h * (a.r[0].z - a.r[2].x), h * (a.r[1].x - a.r[0].y)};
}
template <class S> DERMIS_HD S Trace(const Mat3<S>& a) { return a.r[0].x + a.r[1].y + a.r[2].z; }
template <class S> DERMIS_HD S Determinant(const Mat3<S>& a) { return Dot(a.r[0], Cross(a.r[1], a.r[2])); }
// The cofactor matrix, dJ/dF.
template <class S> DERMIS_HD Mat3<S> Cofactor(const Mat3<S>& a) {
  return {{Cross(a.r[1], a.r[2]), Cross(a.r[2], a.r[0]), Cross(a.r[0], a.r[1])}};
}
template <class S> DERMIS_HD Mat3<S> Inverse(const Mat3<S>& a) {
  return (S(1.0) / Determinant(a)) * Transpose(Cofactor(a));
}
// The Frobenius product and norm.
template <class S> DERMIS_HD S Inner(const Mat3<S>& a, const Mat3<S>& b) {
  return Dot(a.r[0], b.r[0]) + Dot(a.r[1], b.r[1]) + Dot(a.r[2], b.r[2]);
}
template <class S> DERMIS_HD S NormSquared(const Mat3<S>& a) { return Inner(a, a); }

// A symmetric 3x3 matrix by its upper triangle.
template <class S> struct Sym3 {
  S xx, xy, xz, yy, yz, zz;
  DERMIS_HD static Sym3 Diagonal(const S& a, const S& b, const S& c) { return {a, S(0.0), S(0.0), b, S(0.0), c}; }
};
template <class S> DERMIS_HD Sym3<S> operator+(const Sym3<S>& a, const Sym3<S>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class S> DERMIS_HD Sym3<S> operator-(const Sym3<S>& a, const Sym3<S>& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
template <class S> DERMIS_HD Sym3<S> operator*(const S& s, const Sym3<S>& a) {
  return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
template <class S> DERMIS_HD Vec3<S> operator*(const Sym3<S>& a, const Vec3<S>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class S> DERMIS_HD S Trace(const Sym3<S>& a) { return a.xx + a.yy + a.zz; }
template <class S> DERMIS_HD S Inner(const Sym3<S>& a, const Sym3<S>& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + S(2.0) * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
template <class S> DERMIS_HD Mat3<S> Full(const Sym3<S>& a) {
  return {{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}
// (a + a^T)/2
template <class S> DERMIS_HD Sym3<S> SymmetricPart(const Mat3<S>& a) {
  const S h(0.5);
  return {a.r[0].x, h * (a.r[0].y + a.r[1].x), h * (a.r[0].z + a.r[2].x),
          a.r[1].y, h * (a.r[1].z + a.r[2].y), a.r[2].z};
}
// a^T a
template <class S> DERMIS_HD Sym3<S> Gram(const Mat3<S>& a) {
  const Vec3<S> x = a.Column(0), y = a.Column(1), z = a.Column(2);
  return {Dot(x, x), Dot(x, y), Dot(x, z), Dot(y, y), Dot(y, z), Dot(z, z)};
}
// v v^T
template <class S> DERMIS_HD Sym3<S> OuterSquare(const Vec3<S>& v) {
  return {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
}
template <class S> DERMIS_HD Vec3<S> Select(const MaskOf<S>& m, const Vec3<S>& a, const Vec3<S>& b) {
  return {Select(m, a.x, b.x), Select(m, a.y, b.y), Select(m, a.z, b.z)};
}
template <class S> DERMIS_HD Sym3<S> Select(const MaskOf<S>& m, const Sym3<S>& a, const Sym3<S>& b) {
  return {Select(m, a.xx, b.xx), Select(m, a.xy, b.xy), Select(m, a.xz, b.xz),
          Select(m, a.yy, b.yy), Select(m, a.yz, b.yz), Select(m, a.zz, b.zz)};
}

// An affine map y -> linear y + translation: the transform of a frame.
template <class S> struct Affine {
  Mat3<S> linear;
  Vec3<S> translation;
  DERMIS_HD static Affine Identity() { return {Mat3<S>::Identity(), {S(0.0), S(0.0), S(0.0)}}; }
};
template <class S> DERMIS_HD Vec3<S> operator*(const Affine<S>& a, const Vec3<S>& y) {
  return a.linear * y + a.translation;
}
template <class S> DERMIS_HD Affine<S> operator*(const Affine<S>& a, const Affine<S>& b) {
  return {a.linear * b.linear, a * b.translation};
}
// The inverse of a rigid transform.
template <class S> DERMIS_HD Affine<S> RigidInverse(const Affine<S>& a) {
  return {Transpose(a.linear), -TransposeTimes(a.linear, a.translation)};
}

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;
using Affine3d = Affine<double>;

DERMIS_NAMESPACE_END
