// Derivatives of a chain of frames, composed from twists, wrenches and second moments, against differences.
#include "kernels/skeleton.h"

#include "tests/catch.h"
#include "tests/kernels/joints.h"

using namespace dermis;

namespace {

// A chain of frames, one joint each; the last one carries an energy.
struct Chain {
  static constexpr int kFrames = 4;
  int kind[kFrames];
  Vec3d axis[kFrames];
  Affine3d before[kFrames];  // joint in the frame before
  JointNumbers config[kFrames];

  explicit Chain(Random& random) {
    for (int f = 0; f < kFrames; ++f) {
      kind[f] = int(random() % 5);
      axis[f] = RandomAxis(random);
      before[f] = {RandomRotation(random), RandomVector(random)};
      config[f] = VisitJoint(kind[f], [&](auto joint) { return RandomConfig<decltype(joint)>(random); });
    }
  }
  int Dofs(int f) const {
    return VisitJoint(kind[f], [](auto joint) { return decltype(joint)::kDofs; });
  }
  Affine3d Transform(int frames) const {
    Affine3d a = Affine3d::Identity();
    for (int f = 0; f < frames; ++f)
      a = a * before[f] *
          VisitJoint(kind[f], [&](auto joint) { return decltype(joint)::Transform(config[f], axis[f]); });
    return a;
  }
  // The twist of degree of freedom k of frame f in world axes.
  Twist WorldTwist(int f, int k) const {
    const Affine3d a = Transform(f) * before[f];
    const Twist local =
        VisitJoint(kind[f], [&](auto joint) { return decltype(joint)::MotionOf(config[f], axis[f], k); });
    const Vec3d angular = a.linear * local.angular;
    return {angular, a.linear * local.linear - Cross(angular, a.translation)};
  }
  Chain MovedBy(const std::vector<double>& d, double scale) const {
    Chain moved = *this;
    int first = 0;
    for (int f = 0; f < kFrames; ++f) {
      moved.config[f] =
          VisitJoint(kind[f], [&](auto joint) { return Moved<decltype(joint)>(config[f], d.data() + first, scale); });
      first += Dofs(f);
    }
    return moved;
  }
};

struct Dof {
  int frame, k, order;
  Twist twist;
};
std::vector<Dof> DofsOf(const Chain& chain) {
  std::vector<Dof> dofs;
  for (int f = 0; f < Chain::kFrames; ++f)
    for (int k = 0; k < chain.Dofs(f); ++k) {
      const int order = VisitJoint(chain.kind[f], [k](auto joint) { return decltype(joint)::Order(k); });
      dofs.push_back({f, k, order, chain.WorldTwist(f, k)});
    }
  return dofs;
}

SecondMoment RandomMoment(Random& random) {
  // Of four point masses.
  SecondMoment j{0, 0, 0, 0, 0, 0, {0, 0, 0}, 0};
  for (int i = 0; i < 4; ++i) {
    const double m = Uniform(random, 0.5, 2);
    const Vec3d x = RandomVector(random);
    j.xx += m * x.x * x.x, j.xy += m * x.x * x.y, j.xz += m * x.x * x.z;
    j.yy += m * x.y * x.y, j.yz += m * x.y * x.z, j.zz += m * x.z * x.z;
    j.first += m * x;
    j.mass += m;
  }
  return j;
}

// tr(A J B^T) of 3x4 matrices.
double Product(const Affine3d& a, const SecondMoment& j, const Affine3d& b) {
  return Inner(a.linear * j.Matrix() + Outer(a.translation, j.first), b.linear) +
         Dot(a.linear * j.first + j.mass * a.translation, b.translation);
}

}  // namespace

TEST_CASE("Skeleton: gradient and second derivatives of a linear function of a frame") {
  // E = g : A of the last frame. First derivatives by central differences (steps of 1e-5), second ones by second
  // differences along random directions (1e-4): 1e-9 and 1e-6 of the size of frame and forces, about 10.
  Random random(1);
  for (int sample = 0; sample < 40; ++sample) {
    const Chain chain(random);
    const Mat3d g = RandomMatrix(random);
    const Vec3d gt = RandomVector(random);
    const auto energy = [&](const Chain& c) {
      const Affine3d a = c.Transform(Chain::kFrames);
      return Inner(g, a.linear) + Dot(gt, a.translation);
    };
    const Wrench wrench = WrenchOf(chain.Transform(Chain::kFrames), g, gt);
    const std::vector<Dof> dofs = DofsOf(chain);
    const int n = int(dofs.size());
    std::vector<double> d(n + 1);
    for (int trial = 0; trial < 3; ++trial) {
      for (double& value : d) value = Uniform(random, -1, 1);
      double slope = 0, curvature = 0;
      for (int k = 0; k < n; ++k) {
        slope += d[k] * Gradient(dofs[k].twist, wrench);
        for (int l = k; l < n; ++l) {
          const bool oneRotation = dofs[k].frame == dofs[l].frame && dofs[k].order == dofs[l].order;
          const double kl = SecondDerivative(dofs[k].twist, dofs[l].twist, wrench);
          const double lk = SecondDerivative(dofs[l].twist, dofs[k].twist, wrench);
          curvature += (k == l ? 1 : 2) * d[k] * d[l] * (oneRotation ? 0.5 * (kl + lk) : kl);
        }
      }
      const double h1 = 1e-5, h2 = 1e-4, now = energy(chain);
      REQUIRE(std::abs((energy(chain.MovedBy(d, h1)) - energy(chain.MovedBy(d, -h1))) / (2 * h1) - slope) <= 1e-7);
      REQUIRE(std::abs((energy(chain.MovedBy(d, h2)) - 2 * now + energy(chain.MovedBy(d, -h2))) / (h2 * h2) -
                       curvature) <= 1e-4);
    }
  }
}

TEST_CASE("Skeleton: the Gauss-Newton inertia of two twists is the product of their motions in the second moment") {
  // tr(S_k J' S_l^T), J' in world axes, against tr((S_k A) J (S_l A)^T) by matrices. Round-off of sums of size 100.
  Random random(2);
  for (int sample = 0; sample < 100; ++sample) {
    const SecondMoment j = RandomMoment(random);
    const Affine3d a{RandomMatrix(random), RandomVector(random)};  // frames need not be rigid
    const Twist k{RandomVector(random), RandomVector(random)}, l{RandomVector(random), RandomVector(random)};
    const double expected = Product(Applied(k, a, 1), j, Applied(l, a, 1));
    REQUIRE(std::abs(Inertia(k, Transformed(a, j), l) - expected) <= 1e-13);
    REQUIRE(std::abs(Inertia(l, Transformed(a, j), k) - expected) <= 1e-13);
    REQUIRE(Inertia(k, Transformed(a, j), k) >= 0);
  }
}

TEST_CASE("Skeleton: a force on a point does the work of its motion") {
  // Gradient(S, x g^T) = g . (S x): the pull is the transpose of the push. Round-off.
  Random random(3);
  for (int sample = 0; sample < 100; ++sample) {
    const Vec3d x = RandomVector(random), g = RandomVector(random);
    const Twist s{RandomVector(random), RandomVector(random)}, o{RandomVector(random), RandomVector(random)};
    REQUIRE(std::abs(Gradient(s, WrenchOf(x, g)) - Dot(g, s * x)) <= 2e-15);
    // The second derivative: the outer angular velocity turns the inner motion.
    REQUIRE(std::abs(SecondDerivative(o, s, WrenchOf(x, g)) - Dot(g, Cross(o.angular, s * x))) <= 4e-15);
    // A frame's gradient that comes from forces on its points is their wrench.
    const Affine3d frame{RandomRotation(random), RandomVector(random)};
    const Vec3d y = RandomVector(random);
    const Wrench a = WrenchOf(frame * y, g), b = WrenchOf(frame, Outer(g, y), g);
    REQUIRE(Size(a.moment - b.moment) + Norm(a.force - b.force) <= 5e-15);
  }
}
