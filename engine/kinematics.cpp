#include "engine/kinematics.h"

#include "engine/simulation.h"
#include "engine/twist.h"
#include "kernels/joints/list.h"
#include "kernels/rotation.h"

DERMIS_NAMESPACE_BEGIN

namespace {

// Transforms of the frames of one actor from the configuration in a slot.
DERMIS_HD void EvaluateFrames(const View& v, int world, int actor, int slot) {
  const double* config = v.slotConfig(world) + int64_t(slot) * v.m.configs;
  double* links = v.slotLink(world) + int64_t(slot) * 12 * v.m.frames;
  double* frames = v.slotFrame(world) + int64_t(slot) * 12 * v.m.frames;
  for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
    const int parent = v.frameParent[f];
    const Affine3d before = LoadAffine(parent < 0 ? v.actorRoot(world) + 12 * actor : links + 12 * parent);
    const Vec3d axis = LoadVec3(v.frameAxis + 3 * f);
    const double* c = config + v.frameConfigBegin[f];
    const Affine3d joint = VisitJoint(v.frameJoint[f], [&](auto kind) { return decltype(kind)::Transform(c, axis); });
    const Affine3d link =
        before * LoadAffine(v.frameParentFromJoint + 12 * f) * joint * LoadAffine(v.frameJointFromLink + 12 * f);
    StoreAffine(links + 12 * f, link);
    StoreAffine(frames + 12 * f, link * LoadAffine(v.frameLinkFromRest + 12 * f));
  }
}

// sum_f w_f A_f y
DERMIS_HD Vec3d Posed(const double* frames, const int32_t* frame, const double* weight, int begin, int end,
                      const Vec3d& y) {
  if (begin == end) return y;
  Vec3d x{0, 0, 0};
  for (int k = begin; k < end; ++k) x += weight[k] * (LoadAffine(frames + 12 * frame[k]) * y);
  return x;
}
DERMIS_HD Vec3d PosedNode(const View& v, int world, int slot, int node, const Vec3d& u) {
  const double* frames = v.slotFrame(world) + int64_t(slot) * 12 * v.m.frames;
  return Posed(frames, v.nodeFrame, v.nodeWeight, v.nodeInfluenceBegin[node], v.nodeInfluenceBegin[node + 1],
               LoadVec3(v.nodeRest + 3 * node) + u);
}

// BDF2 combines the last two states, 4/3 c1 - 1/3 c0 = c1 + 1/3 (c1 - c0); backward Euler takes the last.
DERMIS_HD bool UsesBdf2(const View& v, int world, int actor, double dt) {
  return v.integration == 1 && v.history(world)[actor] >= 1 && v.lastTimeStep(world)[actor] == dt;
}
DERMIS_HD double Combined(bool bdf2, double now, double before) { return bdf2 ? now + (now - before) / 3.0 : now; }
DERMIS_HD Vec3d Combined(bool bdf2, const double* now, const double* before) {
  return {Combined(bdf2, now[0], before[0]), Combined(bdf2, now[1], before[1]), Combined(bdf2, now[2], before[2])};
}

struct BeginSkeleton {
  ViewRef v;
  double dt;
  DERMIS_HD void operator()(int world, int actor) const {
    const bool bdf2 = UsesBdf2(v, world, actor, dt);
    IslandState island;
    island.active = 1;
    island.h = bdf2 ? dt * 2.0 / 3.0 : dt;
    v.Island(world, actor) = island;

    // Base configuration, and the configuration that the iteration starts from.
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
      const int begin = v.frameConfigBegin[f], dof = v.frameDofBegin[f];
      const double* now = v.config(world) + begin;
      const double* before = v.configPrevious(world) + begin;
      double* base = v.slotConfig(world) + int64_t(kBaseSlot) * v.m.configs + begin;
      double* current = v.slotConfig(world) + begin;
      VisitJoint(v.frameJoint[f], [&](auto kind) {
        using Joint = decltype(kind);
        double delta[Joint::kDofs + 1];
        Joint::Delta(before, now, delta);
        for (int k = 0; k < Joint::kDofs; ++k) delta[k] = bdf2 ? delta[k] / 3.0 : 0.0;
        for (int k = 0; k < Joint::Size(); ++k) base[k] = current[k] = now[k];
        if (bdf2) Joint::Retract(now, delta, base);
      });
      for (int k = dof; k < dof + DofsOf(f); ++k)
        v.dofPredicted(world)[k] = island.h * Combined(bdf2, v.dofVelocity(world)[k], v.dofVelocityPrevious(world)[k]);
    }
    EvaluateFrames(v, world, actor, kBaseSlot);
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f)
      Predict(world, actor, f, bdf2, island.h);
  }

 private:
  DERMIS_HD int DofsOf(int f) const {
    return (f + 1 < v.actorFrameBegin[v.frameActor[f] + 1] ? v.frameDofBegin[f + 1]
                                                           : v.actorDofBegin[v.frameActor[f] + 1]) -
           v.frameDofBegin[f];
  }
  // A~: rotation part (1 + h W) R, centre of mass moved by h v.
  DERMIS_HD void Predict(int world, int actor, int f, bool bdf2, double h) const {
    const Affine3d base = LoadAffine(v.slotFrame(world) + 12 * (int64_t(kBaseSlot) * v.m.frames + f));
    const Vec3d center = LoadVec3(v.frameCenter + 3 * f);
    double* spin = v.frameSpin(world) + 9 * f;
    Mat3d w;
    if (v.history(world)[actor] == 0) {
      // Velocities were set: only the skew part is known. The symmetric part makes 1 + h W the rotation by
      // asin(h |w|) about w, whose skew part is h [w]. Beyond h |w| = 1 there is none: a quarter turn is the limit.
      const Vec3d angular = Axial(LoadMat3(spin));
      const double speed = Norm(angular);
      w = Mat3d::Zero();
      if (speed > 0) {
        const double angle = asin(Min(1.0, h * speed));
        w = (1.0 / h) * (RotationAbout((1.0 / speed) * angular, angle) - Mat3d::Identity());
      }
      StoreMat3(spin, w);
    } else {
      for (int i = 0; i < 3; ++i) w.r[i] = Combined(bdf2, spin + 3 * i, v.frameSpinPrevious(world) + 9 * f + 3 * i);
    }
    const Vec3d velocity = Combined(bdf2, v.frameVelocity(world) + 3 * f, v.frameVelocityPrevious(world) + 3 * f);
    Affine3d predicted;
    predicted.linear = base.linear + h * (w * base.linear);
    predicted.translation = base * center + h * velocity - predicted.linear * center;
    StoreAffine(v.framePredicted(world) + 12 * f, predicted);
  }
};

struct BeginNodes {
  ViewRef v;
  double dt;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft];
    const bool bdf2 = UsesBdf2(v, world, actor, dt);
    const double h = v.Island(world, actor).h;
    const Vec3d base = Combined(bdf2, v.displacement(world) + 3 * node, v.displacementPrevious(world) + 3 * node);
    const int64_t slots = 3 * int64_t(v.m.nodes);
    StoreVec3(v.slotDisplacement(world) + kBaseSlot * slots + 3 * node, base);
    const Vec3d x = PosedNode(v, world, kBaseSlot, node, base);
    StoreVec3(v.slotNode(world) + kBaseSlot * slots + 3 * node, x);
    const Vec3d velocity = Combined(bdf2, v.nodeVelocity(world) + 3 * node, v.nodeVelocityPrevious(world) + 3 * node);
    const bool posed = v.softInertia[soft] == int(TermDomain::Posed);
    StoreVec3(v.nodePredicted(world) + 3 * node, (posed ? x : base) + h * velocity);
    // The iteration starts from the last state; prescribed nodes are moved at once.
    const double* start = v.nodeFixed(world)[node] ? v.nodeTarget(world) : v.displacement(world);
    StoreVec3(v.slotDisplacement(world) + 3 * node, LoadVec3(start + 3 * node));
  }
};

struct GuessDofs {
  ViewRef v;
  double dt;
  DERMIS_HD void operator()(int world, int actor) const {
    double* step = v.rowStep(world) + 3 * int64_t(v.actorRowBegin[actor]);
    const int begin = v.actorDofBegin[actor], dofs = v.Dofs(actor);
    for (int k = 0; k < 3 * v.Triples(actor); ++k) step[k] = k < dofs ? dt * v.dofVelocity(world)[begin + k] : 0.0;
  }
};

struct GuessNodes {
  ViewRef v;
  double dt;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = v.softActor[v.nodeSoft[node]];
    const double last = v.lastTimeStep(world)[actor];
    Vec3d step{0, 0, 0};
    if (last > 0 && !v.nodeFixed(world)[node])
      step = (dt / last) *
             (LoadVec3(v.displacement(world) + 3 * node) - LoadVec3(v.displacementPrevious(world) + 3 * node));
    StoreVec3(v.rowStep(world) + 3 * int64_t(v.Row(actor, node)), step);
  }
};

// Whether an actor takes part: searching islands for the trial, active ones for the current iterate.
DERMIS_HD bool TakesPart(const View& v, int world, int actor, bool trial) {
  const IslandState& island = v.Island(world, actor);
  return trial ? island.searching : island.active;
}

struct EvaluateSkeleton {
  ViewRef v;
  bool trial;
  DERMIS_HD void operator()(int world, int actor) const {
    if (!TakesPart(v, world, actor, trial)) return;
    const IslandState& island = v.Island(world, actor);
    const int slot = island.slot ^ int(trial);
    if (trial) {
      const double* from = v.slotConfig(world) + int64_t(island.slot) * v.m.configs;
      double* to = v.slotConfig(world) + int64_t(slot) * v.m.configs;
      const double* step = v.rowStep(world) + 3 * int64_t(v.actorRowBegin[actor]) - v.actorDofBegin[actor];
      for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
        const int begin = v.frameConfigBegin[f], dof = v.frameDofBegin[f];
        VisitJoint(v.frameJoint[f], [&](auto kind) {
          using Joint = decltype(kind);
          double delta[Joint::kDofs + 1];
          for (int k = 0; k < Joint::kDofs; ++k) delta[k] = island.alpha * step[dof + k];
          Joint::Retract(from + begin, delta, to + begin);
        });
      }
    }
    EvaluateFrames(v, world, actor, slot);
  }
};

struct EvaluateNodes {
  ViewRef v;
  bool trial;
  DERMIS_HD void operator()(int world, int node) const {
    const int actor = v.softActor[v.nodeSoft[node]];
    if (!TakesPart(v, world, actor, trial)) return;
    const IslandState& island = v.Island(world, actor);
    const int slot = island.slot ^ int(trial);
    const int64_t slots = 3 * int64_t(v.m.nodes);
    Vec3d u = LoadVec3(v.slotDisplacement(world) + island.slot * slots + 3 * node);
    if (trial) {
      if (!v.nodeFixed(world)[node]) u += island.alpha * LoadVec3(v.rowStep(world) + 3 * int64_t(v.Row(actor, node)));
      StoreVec3(v.slotDisplacement(world) + slot * slots + 3 * node, u);
    }
    StoreVec3(v.slotNode(world) + slot * slots + 3 * node, PosedNode(v, world, slot, node, u));
  }
};

struct EvaluatePoints {
  ViewRef v;
  bool trial;
  DERMIS_HD void operator()(int world, int point) const {
    const int actor = v.pointActor[point];
    if (!TakesPart(v, world, actor, trial)) return;
    const int slot = v.Slot(world, actor, trial);
    const double* displacement = v.slotDisplacement(world) + slot * 3 * int64_t(v.m.nodes);
    Vec3d y = LoadVec3(v.pointRest + 3 * point);
    for (int s = v.pointSourceBegin[point]; s < v.pointSourceBegin[point + 1]; ++s)
      y += v.pointSourceWeight[s] * LoadVec3(displacement + 3 * v.pointSource[s]);
    const double* frames = v.slotFrame(world) + int64_t(slot) * 12 * v.m.frames;
    const Vec3d x =
        Posed(frames, v.pointFrame, v.pointWeight, v.pointInfluenceBegin[point], v.pointInfluenceBegin[point + 1], y);
    StoreVec3(v.slotPoint(world) + (int64_t(slot) * v.m.points + point) * 3, x);
  }
};

void Evaluate(const Exec& exec, int worlds, const View& v, bool trial) {
  Launch(exec, worlds, v.m.actors, EvaluateSkeleton{v, trial}, 64);
  Launch(exec, worlds, v.m.nodes, EvaluateNodes{v, trial}, 2);
  Launch(exec, worlds, v.m.points, EvaluatePoints{v, trial}, 2);
}

struct EndSkeleton {
  ViewRef v;
  double dt;
  DERMIS_HD void operator()(int world, int actor) const {
    const IslandState& island = v.Island(world, actor);
    if (island.flags & int(StepFlag::Diverged)) return;
    const double h = island.h;
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
      const Affine3d base = LoadAffine(v.slotFrame(world) + 12 * (int64_t(kBaseSlot) * v.m.frames + f));
      const Affine3d now = LoadAffine(v.slotFrame(world) + 12 * (int64_t(island.slot) * v.m.frames + f));
      const Vec3d center = LoadVec3(v.frameCenter + 3 * f);
      for (int i = 0; i < 9; ++i) v.frameSpinPrevious(world)[9 * f + i] = v.frameSpin(world)[9 * f + i];
      for (int i = 0; i < 3; ++i) v.frameVelocityPrevious(world)[3 * f + i] = v.frameVelocity(world)[3 * f + i];
      StoreMat3(v.frameSpin(world) + 9 * f, (1.0 / h) * TimesTranspose(now.linear - base.linear, now.linear));
      StoreVec3(v.frameVelocity(world) + 3 * f, (1.0 / h) * (now * center - base * center));

      const int begin = v.frameConfigBegin[f], dof = v.frameDofBegin[f];
      const double* baseConfig = v.slotConfig(world) + int64_t(kBaseSlot) * v.m.configs + begin;
      const double* nowConfig = v.slotConfig(world) + int64_t(island.slot) * v.m.configs + begin;
      VisitJoint(v.frameJoint[f], [&](auto kind) {
        using Joint = decltype(kind);
        double velocity[Joint::kDofs + 1];
        Joint::Velocity(baseConfig, nowConfig, h, velocity);
        for (int k = 0; k < Joint::kDofs; ++k) {
          v.dofVelocityPrevious(world)[dof + k] = v.dofVelocity(world)[dof + k];
          v.dofVelocity(world)[dof + k] = velocity[k];
        }
        for (int k = 0; k < Joint::Size(); ++k) {
          v.configPrevious(world)[begin + k] = v.config(world)[begin + k];
          v.config(world)[begin + k] = nowConfig[k];
        }
      });
    }
    v.lastTimeStep(world)[actor] = dt;
    int32_t& history = v.history(world)[actor];
    history = history < 2 ? history + 1 : 2;
  }
};

struct EndNodes {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    const int soft = v.nodeSoft[node];
    const IslandState& island = v.Island(world, v.softActor[soft]);
    if (island.flags & int(StepFlag::Diverged)) return;
    const int64_t slots = 3 * int64_t(v.m.nodes);
    const double* position =
        v.softInertia[soft] == int(TermDomain::Posed) ? v.slotNode(world) : v.slotDisplacement(world);
    for (int i = 3 * node; i < 3 * node + 3; ++i) {
      v.nodeVelocityPrevious(world)[i] = v.nodeVelocity(world)[i];
      v.nodeVelocity(world)[i] = (position[island.slot * slots + i] - position[kBaseSlot * slots + i]) / island.h;
      v.displacementPrevious(world)[i] = v.displacement(world)[i];
      v.displacement(world)[i] = v.slotDisplacement(world)[island.slot * slots + i];
    }
  }
};

// The world velocity field of a frame, from the joint velocities.
DERMIS_HD Twist FrameTwist(const View& v, int world, int actor, int frame, const Vec3d& origin) {
  Twist sum{{0, 0, 0}, {0, 0, 0}};
  for (int f = frame; f >= 0; f = v.frameParent[f]) {
    const double* rate = v.dofVelocity(world) + v.frameDofBegin[f];
    VisitJoint(v.frameJoint[f], [&](auto kind) {
      for (int k = 0; k < decltype(kind)::kDofs; ++k) {
        const Twist twist = WorldTwist(v, world, 0, actor, f, k, origin);
        sum.angular += rate[k] * twist.angular;
        sum.linear += rate[k] * twist.linear;
      }
    });
  }
  return sum;
}

struct SkeletonVelocities {
  ViewRef v;
  int world;
  DERMIS_HD void operator()(int, int actor) const {
    double* current = v.slotConfig(world);
    for (int k = v.actorConfigBegin[actor]; k < v.actorConfigBegin[actor + 1]; ++k) current[k] = v.config(world)[k];
    EvaluateFrames(v, world, actor, 0);
    for (int f = v.actorFrameBegin[actor]; f < v.actorFrameBegin[actor + 1]; ++f) {
      const Vec3d origin = ActorOrigin(v, world, 0, actor);
      const Twist twist = FrameTwist(v, world, actor, f, origin);
      const Vec3d center = LoadAffine(v.slotFrame(world) + 12 * f) * LoadVec3(v.frameCenter + 3 * f);
      StoreMat3(v.frameSpin(world) + 9 * f, Skew(twist.angular));
      StoreVec3(v.frameVelocity(world) + 3 * f, twist * (center - origin));
    }
    v.history(world)[actor] = 0;
  }
};

struct NodeVelocities {
  ViewRef v;
  int world;
  DERMIS_HD void operator()(int, int node) const {
    const int soft = v.nodeSoft[node], actor = v.softActor[soft];
    if (v.softInertia[soft] != int(TermDomain::Posed)) return;  // u keeps its own velocity
    const Vec3d y = LoadVec3(v.nodeRest + 3 * node) + LoadVec3(v.displacement(world) + 3 * node);
    const Vec3d origin = ActorOrigin(v, world, 0, actor);
    Vec3d velocity{0, 0, 0};
    for (int k = v.nodeInfluenceBegin[node]; k < v.nodeInfluenceBegin[node + 1]; ++k) {
      const int f = v.nodeFrame[k];
      velocity += v.nodeWeight[k] *
                  (FrameTwist(v, world, actor, f, origin) * (LoadAffine(v.slotFrame(world) + 12 * f) * y - origin));
    }
    StoreVec3(v.nodeVelocity(world) + 3 * node, velocity);
  }
};

struct ShowSkeleton {
  ViewRef v;
  DERMIS_HD void operator()(int world, int actor) const {
    IslandState& island = v.Island(world, actor);
    island.slot = 0;
    island.active = 1;
    for (int k = v.actorConfigBegin[actor]; k < v.actorConfigBegin[actor + 1]; ++k)
      v.slotConfig(world)[k] = v.config(world)[k];
  }
};
struct ShowNodes {
  ViewRef v;
  DERMIS_HD void operator()(int world, int node) const {
    for (int k = 3 * node; k < 3 * node + 3; ++k) v.slotDisplacement(world)[k] = v.displacement(world)[k];
  }
};

}  // namespace

void ShowState(const Exec& exec, int worlds, const View& v) {
  Launch(exec, worlds, v.m.actors, ShowSkeleton{v}, 16);
  Launch(exec, worlds, v.m.nodes, ShowNodes{v});
  EvaluateCurrent(exec, worlds, v);
}

void BeginStep(const Exec& exec, int worlds, const View& v, double dt) {
  Launch(exec, worlds, v.m.actors, BeginSkeleton{v, dt}, 64);
  Launch(exec, worlds, v.m.nodes, BeginNodes{v, dt}, 2);
}

void PredictedMotion(const Exec& exec, int worlds, const View& v, double dt) {
  Launch(exec, worlds, v.m.actors, GuessDofs{v, dt});
  Launch(exec, worlds, v.m.nodes, GuessNodes{v, dt});
}

void EvaluateCurrent(const Exec& exec, int worlds, const View& v) { Evaluate(exec, worlds, v, false); }
void EvaluateTrial(const Exec& exec, int worlds, const View& v) { Evaluate(exec, worlds, v, true); }

void EndStep(const Exec& exec, int worlds, const View& v, double dt) {
  Launch(exec, worlds, v.m.actors, EndSkeleton{v, dt}, 32);
  Launch(exec, worlds, v.m.nodes, EndNodes{v}, 1);
}

void VelocitiesFromJoints(const Exec& exec, const View& v, int world) {
  Launch(exec, 1, v.m.actors, SkeletonVelocities{v, world}, 64);
  Launch(exec, 1, v.m.nodes, NodeVelocities{v, world}, 16);
}

DERMIS_NAMESPACE_END
