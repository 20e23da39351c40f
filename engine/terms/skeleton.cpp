#include "engine/terms/skeleton.h"

#include "engine/twist.h"
#include "kernels/joint_terms.h"
#include "kernels/symmetric_eigen.h"

DERMIS_NAMESPACE_BEGIN

namespace {

DERMIS_HD Affine3d About(Affine3d a, const Vec3d& origin) {
  a.translation -= origin;
  return a;
}

// The twist of every degree of freedom of an actor, and the matrix cleared to the identity in the padding.
struct PrepareSkeleton {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    if (!v.Active(world, actor)) return;
    const int slot = v.Slot(world, actor, false);
    const Vec3d origin = ActorOrigin(v, world, slot, actor);
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
      const int dofs = VisitJoint(v.frameJoint[f], [](auto kind) { return decltype(kind)::kDofs; });
      for (int k = 0; k < dofs; ++k)
        StoreTwist(v.dofTwist(world) + 6 * (v.frameDofBegin[f] + k), WorldTwist(v, world, slot, actor, f, k, origin));
    }
    const int dofs = v.Dofs(actor), size = 3 * v.Triples(actor);
    double* dense = v.dense(world) + v.actorDenseBegin[actor];
    for (int k = 0; k < size * size; ++k) dense[k] = 0;
    for (int k = dofs; k < size; ++k) dense[k * size + k] = 1;
  }
};

// The wrench and second moment of one frame: its body, and the forces on the nodes that follow it.
struct FrameWrenches {
  ViewRef v;
  DERMIS_HD void operator()(const Team& team, int world, int f) const {
    const int actor = v.frameActor[f];
    if (!v.Active(world, actor)) return;
    const IslandState& island = v.Island(world, actor);
    const Vec3d origin = ActorOrigin(v, world, island.slot, actor);
    const Affine3d frame = LoadAffine(v.slotFrame(world) + 12 * (int64_t(island.slot) * v.m.frames + f));
    const Affine3d centered = About(frame, origin);

    Wrench sum{Mat3d::Zero(), {0, 0, 0}};
    for (int k = v.frameNodeBegin[f] + team.rank; k < v.frameNodeBegin[f + 1]; k += team.size) {
      const int node = v.frameNode[k];
      const Vec3d force = v.frameNodeWeight[k] * LoadVec3(v.nodeForce(world) + 3 * node);
      const Vec3d y = LoadVec3(v.nodeRest + 3 * node) +
                      LoadVec3(v.slotDisplacement(world) + 3 * (int64_t(island.slot) * v.m.nodes + node));
      sum += WrenchOf(centered * y, force);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) sum.moment(i, j) = team.Sum(sum.moment(i, j));
      sum.force[i] = team.Sum(sum.force[i]);
    }
    if (team.rank != 0) return;

    // Body: (A - A~) J / h^2 and -m g on the centre of mass.
    const SecondMoment j = LoadSecondMoment(v.frameSecondMoment + 10 * f);
    const double inertia = 1.0 / (island.h * island.h);
    if (j.mass > 0) {
      const Affine3d predicted = LoadAffine(v.framePredicted(world) + 12 * f);
      const Mat3d lag = frame.linear - predicted.linear;
      const Vec3d lagT = frame.translation - predicted.translation;
      Mat3d g = inertia * (lag * j.Matrix() + Outer(lagT, j.first));
      Vec3d gt = inertia * (lag * j.first + j.mass * lagT);
      const Vec3d weight = v.frameHasGravity[f] * LoadVec3(v.gravity(world));
      g -= Outer(weight, j.first);
      gt -= j.mass * weight;
      sum += WrenchOf(centered, g, gt);
    }
    StoreMat3(v.frameWrench(world) + 12 * f, sum.moment);
    StoreVec3(v.frameWrench(world) + 12 * f + 9, sum.force);
    SecondMoment moment = Transformed(centered, j);
    Store(v.frameMoment(world) + 10 * f, moment);
  }
};

// User coordinates and motion since the base state of one joint, and its terms.
template <class Joint> struct JointState {
  double user[Joint::kDofs + 1], baseUser[Joint::kDofs + 1], moved[Joint::kDofs + 1];
  DofParameters parameters[Joint::kDofs + 1];

  DERMIS_HD JointState(const View& v, int world, int f, int slot) {
    const int begin = v.frameConfigBegin[f], dof = v.frameDofBegin[f];
    const double* config = v.slotConfig(world) + int64_t(slot) * v.m.configs + begin;
    const double* base = v.slotConfig(world) + int64_t(kBaseSlot) * v.m.configs + begin;
    Joint::ToUser(config, user);
    Joint::ToUser(base, baseUser);
    Joint::Delta(base, config, moved);
    for (int k = 0; k < Joint::kDofs; ++k) {
      const int d = dof + k;
      parameters[k] = {v.dofArmature(world)[d],       v.dofMinLimit(world)[d],       v.dofMaxLimit(world)[d],
                       v.dofLimitStiffness(world)[d], v.dofLimitDamping(world)[d],   v.dofViscous(world)[d],
                       v.dofCoulomb(world)[d],        v.dofFalloffVelocity(world)[d]};
    }
  }
  DERMIS_HD JointTerms<Joint> Terms(const View& v, int world, int f, double h) const {
    return {parameters, h, v.dofPredicted(world) + v.frameDofBegin[f], baseUser};
  }
};

struct SkeletonGradient {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    const int size = 3 * v.Triples(actor);
    if (!v.Active(world, actor) || size == 0) return;
    const IslandState& island = v.Island(world, actor);
    const int frameBegin = v.actorFrameBegin[actor], frameEnd = v.actorFrameBegin[actor + 1],
              dof0 = v.actorDofBegin[actor];
    double* gradient = v.rowGradient(world) + 3 * int64_t(v.actorRowBegin[actor]);
    double* dense = v.dense(world) + v.actorDenseBegin[actor];
    const double* twists = v.dofTwist(world);
    for (int k = 0; k < size; ++k) gradient[k] = 0;
    // Second derivatives of the frames go straight into the matrix, or their positive part does at the end.
    double* geometric = island.geometric ? dense : v.denseFactor(world) + v.actorDenseBegin[actor];
    if (!island.geometric)
      for (int k = 0; k < size * size; ++k) geometric[k] = 0;
    AddLoops(world, actor, island.slot, dense, size);

    // Sum wrenches and moments of everything behind a joint; children come after parents.
    for (int f = frameEnd - 1; f >= frameBegin; --f) {
      const int parent = v.frameParent[f];
      if (parent < 0) continue;
      for (int i = 0; i < 12; ++i) v.frameWrench(world)[12 * parent + i] += v.frameWrench(world)[12 * f + i];
      for (int i = 0; i < 10; ++i) v.frameMoment(world)[10 * parent + i] += v.frameMoment(world)[10 * f + i];
    }

    const double inertia = 1.0 / (island.h * island.h);
    for (int f = frameBegin; f < frameEnd; ++f) {
      const Wrench wrench{LoadMat3(v.frameWrench(world) + 12 * f), LoadVec3(v.frameWrench(world) + 12 * f + 9)};
      const SecondMoment moment = LoadSecondMoment(v.frameMoment(world) + 10 * f);
      const int dofs = VisitJoint(v.frameJoint[f], [](auto kind) { return decltype(kind)::kDofs; });
      for (int a = 0; a < dofs; ++a) {
        const int l = v.frameDofBegin[f] + a;
        const Twist inner = LoadTwist(twists + 6 * l);
        gradient[l - dof0] += Gradient(inner, wrench);
        const int orderL = Order(f, a);
        for (int outerFrame = f; outerFrame >= 0; outerFrame = v.frameParent[outerFrame]) {
          const int outerDofs =
              outerFrame == f ? a + 1
                              : VisitJoint(v.frameJoint[outerFrame], [](auto kind) { return decltype(kind)::kDofs; });
          for (int b = 0; b < outerDofs; ++b) {
            const int k = v.frameDofBegin[outerFrame] + b;
            const Twist outer = LoadTwist(twists + 6 * k);
            AddSymmetric(dense, size, k - dof0, l - dof0, inertia * Inertia(outer, moment, inner));
            AddSymmetric(geometric, size, k - dof0, l - dof0,
                         outerFrame == f && Order(f, b) == orderL
                             ? 0.5 * (SecondDerivative(outer, inner, wrench) + SecondDerivative(inner, outer, wrench))
                             : SecondDerivative(outer, inner, wrench));
          }
        }
      }
      VisitJoint(v.frameJoint[f],
                 [&](auto kind) { AddJointTerms<decltype(kind)>(world, f, island, gradient, dense, size, dof0); });
    }
    if (!island.geometric) AddPositivePart(geometric, v.denseVectors(world) + v.actorDenseBegin[actor], dense, size);
  }

 private:
  DERMIS_HD static void AddSymmetric(double* matrix, int size, int k, int l, double value) {
    matrix[l * size + k] += value;
    if (k != l) matrix[k * size + l] += value;
  }
  DERMIS_HD int Order(int f, int k) const {
    return VisitJoint(v.frameJoint[f], [k](auto kind) { return decltype(kind)::Order(k); });
  }

  template <class Joint>
  DERMIS_HD void AddJointTerms(int world, int f, const IslandState& island, double* gradient, double* dense, int size,
                               int dof0) const {
    if constexpr (Joint::kDofs > 0) {
      const JointState<Joint> state(v, world, f, island.slot);
      double gq[Joint::kDofs], hq[Joint::kDofs], gm[Joint::kDofs], hm[Joint::kDofs];
      state.Terms(v, world, f, island.h).Derivatives(state.user, state.moved, gq, hq, gm, hm);
      const int first = v.frameDofBegin[f] - dof0;
      constexpr int scalars = JointCoordinates<Joint>::Scalars();
      for (int k = 0; k < scalars; ++k) {
        gradient[first + k] += gq[k] + gm[k];
        dense[(first + k) * size + first + k] += hq[k] + hm[k];
      }
      if constexpr (Joint::kRotation >= 0) {
        AddRotation(first + Joint::kRotation, gq + Joint::kRotation, hq + Joint::kRotation,
                    state.user + Joint::kRotation, gradient, dense, size);
        AddRotation(first + Joint::kRotation, gm + Joint::kRotation, hm + Joint::kRotation,
                    state.moved + Joint::kRotation, gradient, dense, size);
      }
    }
  }

  // A gradient and a diagonal Hessian by a rotation vector w, pulled back to left rotations of it.
  DERMIS_HD static void AddRotation(int first, const double* g, const double* diagonal, const double* w,
                                    double* gradient, double* dense, int size) {
    if (g[0] == 0 && g[1] == 0 && g[2] == 0 && diagonal[0] == 0 && diagonal[1] == 0 && diagonal[2] == 0) return;
    const Mat3d jacobian = InverseLeftJacobian({w[0], w[1], w[2]});
    const Vec3d pulled = TransposeTimes(jacobian, Vec3d{g[0], g[1], g[2]});
    const Mat3d hessian = TransposeTimes(jacobian, Mat3d::Diagonal(diagonal[0], diagonal[1], diagonal[2]) * jacobian);
    for (int i = 0; i < 3; ++i) {
      gradient[first + i] += pulled[i];
      for (int j = 0; j < 3; ++j) dense[(first + i) * size + first + j] += hessian(i, j);
    }
  }

  // Motion of the gap of a loop closure by one degree of freedom.
  DERMIS_HD Vec3d LoopField(int world, int k, int frameA, const Vec3d& a, int frameB, const Vec3d& b) const {
    const Twist twist = LoadTwist(v.dofTwist(world) + 6 * k);
    Vec3d motion{0, 0, 0};
    for (int f = frameB; f >= 0; f = v.frameParent[f])
      if (f == v.dofFrame[k]) motion += twist * b;
    for (int f = frameA; f >= 0; f = v.frameParent[f])
      if (f == v.dofFrame[k]) motion -= twist * a;
    return motion;
  }

  // stiffness/2 |b - a|^2 of points that should coincide.
  DERMIS_HD void AddLoops(int world, int actor, int slot, double* dense, int size) const {
    const Vec3d origin = ActorOrigin(v, world, slot, actor);
    const double* frames = v.slotFrame(world) + 12 * int64_t(slot) * v.m.frames;
    const int dof0 = v.actorDofBegin[actor];
    for (int loop = v.actorLoopBegin[actor]; loop < v.actorLoopBegin[actor + 1]; ++loop) {
      const int frameA = v.loopFrameA[loop], frameB = v.loopFrameB[loop];
      const Vec3d a = LoadAffine(frames + 12 * frameA) * LoadVec3(v.loopPointA + 3 * loop) - origin;
      const Vec3d b = LoadAffine(frames + 12 * frameB) * LoadVec3(v.loopPointB + 3 * loop) - origin;
      const double stiffness = v.loopStiffness(world)[loop];
      AddWrench(world, frameB, WrenchOf(b, stiffness * (b - a)));
      AddWrench(world, frameA, WrenchOf(a, stiffness * (a - b)));
      for (int k = 0; k < v.Dofs(actor); ++k) {
        const Vec3d motion = stiffness * LoopField(world, dof0 + k, frameA, a, frameB, b);
        for (int l = 0; l < v.Dofs(actor); ++l)
          dense[k * size + l] += Dot(motion, LoopField(world, dof0 + l, frameA, a, frameB, b));
      }
    }
  }
  DERMIS_HD void AddWrench(int world, int f, const Wrench& wrench) const {
    double* target = v.frameWrench(world) + 12 * f;
    StoreMat3(target, LoadMat3(target) + wrench.moment);
    StoreVec3(target + 9, LoadVec3(target + 9) + wrench.force);
  }
};

struct SkeletonDifference {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    const IslandState& island = v.Island(world, actor);
    if (!island.searching) return;
    const double inertia = 1.0 / (island.h * island.h);
    double difference = 0, magnitude = 0;
    const double* nowFrames = v.slotFrame(world) + 12 * int64_t(island.slot) * v.m.frames;
    const double* trialFrames = v.slotFrame(world) + 12 * int64_t(island.slot ^ 1) * v.m.frames;
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
      const SecondMoment j = LoadSecondMoment(v.frameSecondMoment + 10 * f);
      if (j.mass > 0) {
        // 1/(2 h^2) (|A1 - A~|_J^2 - |A0 - A~|_J^2) = 1/h^2 <A1 - A0, ((A1 + A0)/2 - A~) J>
        const Affine3d now = LoadAffine(nowFrames + 12 * f), trial = LoadAffine(trialFrames + 12 * f);
        const Affine3d predicted = LoadAffine(v.framePredicted(world) + 12 * f);
        const Mat3d moved = trial.linear - now.linear;
        const Vec3d movedT = trial.translation - now.translation;
        const Mat3d lag = 0.5 * (trial.linear + now.linear) - predicted.linear;
        const Vec3d lagT = 0.5 * (trial.translation + now.translation) - predicted.translation;
        const Vec3d weight = v.frameHasGravity[f] * LoadVec3(v.gravity(world));
        const Mat3d g = inertia * (lag * j.Matrix() + Outer(lagT, j.first)) - Outer(weight, j.first);
        const Vec3d gt = inertia * (lag * j.first + j.mass * lagT) - j.mass * weight;
        difference += Inner(moved, g) + Dot(movedT, gt);
        // Entries of a transform are known to their last digit; those of its linear part are of size 1.
        magnitude += Sqrt(NormSquared(g)) + Norm(weight) * Norm(j.first) +
                     Norm(trial.translation) * (Norm(gt) + j.mass * Norm(weight));
      }
      VisitJoint(v.frameJoint[f], [&](auto kind) {
        using Joint = decltype(kind);
        if constexpr (Joint::kDofs > 0) {
          const JointState<Joint> now(v, world, f, island.slot), trial(v, world, f, island.slot ^ 1);
          const double before = now.Terms(v, world, f, island.h).Energy(now.user, now.moved);
          const double after = trial.Terms(v, world, f, island.h).Energy(trial.user, trial.moved);
          difference += after - before;
          magnitude += Abs(after) + Abs(before);
        }
      });
    }
    for (int loop = v.actorLoopBegin[actor]; loop < v.actorLoopBegin[actor + 1]; ++loop) {
      const Vec3d now = LoopGap(nowFrames, loop), trial = LoopGap(trialFrames, loop);
      const double part = 0.5 * v.loopStiffness(world)[loop] * Dot(trial - now, trial + now);
      difference += part;
      magnitude += v.loopStiffness(world)[loop] * Norm(now) *
                   Norm(LoadAffine(nowFrames + 12 * v.loopFrameA[loop]) * LoadVec3(v.loopPointA + 3 * loop));
    }
    v.skeletonDifference(world)[actor] = difference;
    v.skeletonMagnitude(world)[actor] = magnitude;
  }
  DERMIS_HD Vec3d LoopGap(const double* frames, int loop) const {
    return LoadAffine(frames + 12 * v.loopFrameB[loop]) * LoadVec3(v.loopPointB + 3 * loop) -
           LoadAffine(frames + 12 * v.loopFrameA[loop]) * LoadVec3(v.loopPointA + 3 * loop);
  }
};

}  // namespace

void SkeletonGradients(const Exec& exec, int worlds, const View& v) {
  if (v.m.frames == 0) return;
  Launch(exec, worlds, v.m.actors, PrepareSkeleton{v}, 64);
  LaunchTeams(exec, worlds, v.m.frames, FrameWrenches{v}, 64);
  Launch(exec, worlds, v.m.actors, SkeletonGradient{v}, 256);
}

void SkeletonDifferences(const Exec& exec, int worlds, const View& v) {
  Launch(exec, worlds, v.m.actors, SkeletonDifference{v}, 64);
}

DERMIS_NAMESPACE_END
