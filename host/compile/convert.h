// From the host's value types to those of the kernels and to the rows of the flat model.
#pragma once

#include <vector>

#include "host/params/types.h"
#include "kernels/linalg.h"

namespace dermis {

inline Vec3d ToVec3(const Real3& a) { return {a.x, a.y, a.z}; }
inline Affine3d ToAffine(const TransformRT& t) {
  const Real3x3 r = RotationMatrix(Normalized(t.rotation));
  return {{{ToVec3(r[0]), ToVec3(r[1]), ToVec3(r[2])}}, ToVec3(t.translation)};
}
inline void Append(std::vector<double>& out, const Vec3d& v) { out.insert(out.end(), {v.x, v.y, v.z}); }
inline void Append(std::vector<double>& out, const Affine3d& a) {
  for (int i = 0; i < 3; ++i) {
    Append(out, a.linear.r[i]);
    out.push_back(a.translation[i]);
  }
}

}  // namespace dermis
