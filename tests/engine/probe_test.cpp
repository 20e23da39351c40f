// The incremental potential: differences against gradient, gradient against Hessian product, for all terms and
// domains. And the motion of points against that of coordinates.
#include "tests/engine/simulations.h"

using namespace dermis;

namespace {

// Where a probe is taken, and along what.
struct Directions {
  std::vector<double> offset, direction;
};

// Random motions: of joint coordinates up to `angle`, of free nodes up to `length`. Padding and prescribed nodes stay.
std::vector<double> RandomMotion(const CompiledModel& m, Randoms& random, double angle, double length) {
  std::vector<double> rows(3 * size_t(m.m.rows), 0.0);
  for (int a = 0; a < m.m.actors; ++a) {
    const int dofs = m.actorDofBegin[a + 1] - m.actorDofBegin[a], row0 = m.actorRowBegin[a];
    for (int k = 0; k < dofs; ++k) rows[3 * size_t(row0) + k] = angle * random();
    for (int n = m.actorNodeBegin[a]; n < m.actorNodeBegin[a + 1]; ++n)
      for (int i = 0; i < 3; ++i)
        if (!m.nodeFixed[n]) rows[3 * size_t(row0 + (dofs + 2) / 3 + n - m.actorNodeBegin[a]) + i] = length * random();
  }
  return rows;
}

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double AbsoluteDot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}
std::vector<double> Scaled(double s, std::vector<double> a) {
  for (double& x : a) x *= s;
  return a;
}

// The derivative of the gradient as it is given at a moved point, by the left rotations there, is that of the
// retraction's second derivative plus half the commutator: exp(a) exp(b) = exp(a + b + [a, b]/2 + ...), so every
// rotation adds (d x g)/2.
void AddCommutators(const CompiledModel& m, const std::vector<double>& direction, const std::vector<double>& gradient,
                    std::vector<double>& product) {
  for (int f = 0; f < m.m.frames; ++f) {
    const int actor = m.frameActor[f];
    const int rotation = VisitJoint(m.frameJoint[f], [](auto kind) { return decltype(kind)::kRotation; });
    if (rotation < 0) continue;
    const size_t first = 3 * size_t(m.actorRowBegin[actor]) + m.frameDofBegin[f] + rotation - m.actorDofBegin[actor];
    const Vec3d d{direction[first], direction[first + 1], direction[first + 2]};
    const Vec3d g{gradient[first], gradient[first + 1], gradient[first + 2]};
    const Vec3d half = 0.5 * Cross(d, g);
    for (int i = 0; i < 3; ++i) product[first + i] += half[i];
  }
}

// The rows of nodes, or of joint coordinates; the others are 0.
std::vector<double> Part(const CompiledModel& m, std::vector<double> rows, bool ofNodes) {
  for (int a = 0; a < m.m.actors; ++a) {
    const int triples = (m.actorDofBegin[a + 1] - m.actorDofBegin[a] + 2) / 3;
    for (int row = m.actorRowBegin[a]; row < m.actorRowBegin[a + 1]; ++row)
      if ((row >= m.actorRowBegin[a] + triples) != ofNodes)
        rows[3 * size_t(row)] = rows[3 * size_t(row) + 1] = rows[3 * size_t(row) + 2] = 0;
  }
  return rows;
}

struct ProbeErrors {
  double gradient = 0;  // over the sum of the moduli of its summands
  double product = 0;   // over the largest entry of the product, among coordinates and among nodes
};

ProbeErrors ProbeAt(Simulation& simulation, const CompiledModel& m, const Directions& at, double step) {
  const auto plus = simulation.ProbeStep(kStep, 0, at.offset, Scaled(step, at.direction), true);
  const auto minus = simulation.ProbeStep(kStep, 0, at.offset, Scaled(-step, at.direction), true);
  ProbeErrors e;
  const double slope = (plus.difference - minus.difference) / (2 * step);
  e.gradient = std::abs(slope - Dot(plus.gradient, at.direction)) / (AbsoluteDot(plus.gradient, at.direction) + 1e-300);

  std::vector<double> product = Scaled(1 / step, plus.product), difference = plus.gradientMoved;
  AddCommutators(m, at.direction, plus.gradient, product);
  for (size_t i = 0; i < difference.size(); ++i)
    difference[i] = (plus.gradientMoved[i] - minus.gradientMoved[i]) / (2 * step);
  // Torques and forces are of different sizes; one that is 1000 times smaller than the other is compared with that.
  for (const bool ofNodes : {false, true}) {
    const std::vector<double> a = Part(m, product, ofNodes), b = Part(m, difference, ofNodes);
    e.product = std::max(e.product, LargestDifference(a, b) / std::max(LargestOf(b), 1e-3 * LargestOf(difference)));
  }
  return e;
}

// A Hessian without projections.
void MakeExact(CompiledModel& m) {
  std::fill(m.softPsdStrategy.begin(), m.softPsdStrategy.end(), int(PsdStrategy::None));
}

// The largest errors at some points around a state, at coordinates moved by `angle` and nodes by `length`.
ProbeErrors ProbeAround(Simulation& simulation, const CompiledModel& m, int seed, double angle, double length,
                        double step = 1e-5, int count = 3) {
  Randoms random(seed);
  ProbeErrors worst;
  for (int i = 0; i < count; ++i) {
    const Directions at{RandomMotion(m, random, angle, length), RandomMotion(m, random, 1, std::max(length, 0.01))};
    const ProbeErrors e = ProbeAt(simulation, m, at, step);
    worst.gradient = std::max(worst.gradient, std::isfinite(e.gradient) ? e.gradient : INFINITY);
    worst.product = std::max(worst.product, std::isfinite(e.product) ? e.product : INFINITY);
  }
  return worst;
}

void Show(const std::string& what, const ProbeErrors& e) {
  DERMIS_SHOW(what << ": gradient " << e.gradient << ", product " << e.product);
}

// Terms of rotations by their logarithm have Gauss-Newton and secant Hessians (kernels/joint_terms.h).
void DropTermsOfRotations(CompiledModel& m) {
  for (int f = 0; f < m.m.frames; ++f) {
    const int rotation = VisitJoint(m.frameJoint[f], [](auto kind) { return decltype(kind)::kRotation; });
    if (rotation < 0) continue;
    for (int d = m.frameDofBegin[f] + rotation; d < m.frameDofBegin[f] + rotation + 3; ++d)
      m.dofArmature[d] = m.dofViscous[d] = m.dofCoulomb[d] = m.dofLimitStiffness[d] = m.dofLimitDamping[d] = 0;
  }
}

}  // namespace

TEST_CASE("Probe: differences, gradients and Hessians agree in every reference scene") {
  // Central differences with steps of 1e-5 of coordinates of size 1 and of 1e-7 m of nodes. Energies are summed from
  // differences, so that round-off is 1e-16/1e-5 of them; third derivatives leave 1e-10 of the first, times 10 to 100.
  // Found: 2.4e-9 for gradients, 1.8e-9 for Hessians. Damping is probed where nothing has moved: elsewhere its Hessian
  // is Gauss-Newton.
  for (const std::string& name : ReferenceNames()) {
    CAPTURE(name);
    CompiledModel m = CompileReference(name);
    MakeExact(m);
    DropTermsOfRotations(m);
    const Trajectory t = LoadTrajectory(name);
    SimulationOptions options;
    if (t.isBdf2) options.integration = TimeIntegration::BDF2;
    const auto simulation = Start(Cpu(), m, options);
    // At the start, and in motion; with BDF2 the second step has a history.
    for (const int steps : {0, 3}) {
      CAPTURE(steps);
      Steps(*simulation, steps);
      const bool isDamped = LargestOf(m.softStiffnessDamping) > 0;
      const ProbeErrors e = ProbeAround(*simulation, m, 1, isDamped ? 0 : 0.1, isDamped ? 0 : 1e-3);
      Show(name, e);
      CHECK(e.gradient <= 2e-8);
      CHECK(e.product <= 2e-8);
    }
  }
}

TEST_CASE("Probe: every combination of posed and unposed terms has its gradient and Hessian") {
  // Elasticity, inertia and gravity each off, at rest or posed, on a skin that follows two links with blended weights.
  CompiledModel m = CompileReference("elastic_skin");
  MakeExact(m);
  for (const auto& options : {SimulationOptions{}, SimulationOptions{.integration = TimeIntegration::BDF2}})
    for (int combination = 0; combination < 27; ++combination) {
      m.softStress[0] = combination % 3;
      m.softInertia[0] = combination / 3 % 3;
      m.softGravity[0] = combination / 9;
      CAPTURE(m.softStress[0], m.softInertia[0], m.softGravity[0], int(options.integration));
      m.softMassDamping[0] = 0.5;  // its Hessian is exact
      m.dofVelocity[0] = 3;
      m.dofVelocity[1] = -2;
      const auto simulation = Start(Cpu(), m, options);
      // Without elasticity and inertia of the nodes there is no step to take.
      if (m.softStress[0] && m.softInertia[0]) Steps(*simulation, 2);
      const ProbeErrors e = ProbeAround(*simulation, m, 2, 0.2, 1e-3, 1e-5, 1);
      Show("combination", e);
      CHECK(e.gradient <= 2e-8);
      CHECK(e.product <= 2e-8);
    }
}

TEST_CASE("Probe: damping of the stiffness") {
  // Value and gradient are exact everywhere. The Hessian drops the damping stress times second derivatives of the
  // strain: nothing where the strain has not changed since the base state, of the order of the change elsewhere.
  for (const TermDomain domain : {TermDomain::Rest, TermDomain::Posed}) {
    CompiledModel m = CompileReference("elastic_skin");
    MakeExact(m);
    m.softStress[0] = int(domain);
    m.softStiffnessDamping[0] = 0.02;
    const auto simulation = Start(Cpu(), m);
    CAPTURE(int(domain));
    const ProbeErrors still = ProbeAround(*simulation, m, 3, 0, 0);
    Show("still", still);
    CHECK(still.gradient <= 2e-8);
    CHECK(still.product <= 2e-8);
    // Nodes 1e-4 m from where they were, in elements of about 0.025 m: strains of 1e-2.
    const ProbeErrors moved = ProbeAround(*simulation, m, 3, 1e-4, 1e-4);
    Show("moved", moved);
    CHECK(moved.gradient <= 2e-8);
    CHECK(moved.product <= 0.05);
  }
}

TEST_CASE("Probe: limits, friction and armature of joints, away from where they begin") {
  // Of scalar joints everything is exact; of rotations the gradient is. Limits open on one side or the other, or not;
  // 0.2 rad from their kinks. Friction below and beyond its falloff.
  for (const std::string name : {"pendulum_seed", "joint_terms", "chain_free", "cycle", "chain_spherical"})
    for (int variant = 0; variant < 4; ++variant) {
      CompiledModel m = CompileReference(name);
      MakeExact(m);
      for (int d = 0; d < m.m.dofs; ++d) {
        m.dofArmature[d] = 0.01;
        m.dofViscous[d] = 0.02;
        m.dofCoulomb[d] = 0.1;
        m.dofFalloffVelocity[d] = variant % 2 ? 0.1 : 100;  // motions of 0.1 in 1/120 s: 12 a second
        m.dofMinLimit[d] = variant < 2 ? -0.4 : 0.3;        // closed, or open by 0.3
        m.dofMaxLimit[d] = variant < 2 ? 0.4 : 0.5;
        m.dofLimitStiffness[d] = 50;
        m.dofLimitDamping[d] = 0.5;
      }
      CAPTURE(name, variant);
      const auto simulation = Start(Cpu(), m);
      const ProbeErrors e = ProbeAround(*simulation, m, 4 + variant, 0.1, 1e-3);
      Show(name, e);
      CHECK(e.gradient <= 2e-8);
      bool hasRotations = false;
      for (int f = 0; f < m.m.frames; ++f)
        hasRotations |= VisitJoint(m.frameJoint[f], [](auto kind) { return decltype(kind)::kRotation >= 0; });
      // Secants and second derivatives of the logarithm are of the order of the motion, 0.1, of a part of the sum.
      CHECK(e.product <= (hasRotations ? 0.02 : 2e-8));
    }
}

TEST_CASE("Probe: armature of a rotation has its Hessian where little has moved") {
  // a/(2 h^2) |log(R R0^T) - h w|^2: Gauss-Newton drops second derivatives of the logarithm: the lag, 1e-3,
  // times the angle, 1e-3.
  CompiledModel m = CompileReference("chain_spherical");
  MakeExact(m);
  DropTermsOfRotations(m);
  std::fill(m.dofArmature.begin(), m.dofArmature.end(), 1.0);  // outweighs the links
  const auto simulation = Start(Cpu(), m);
  const ProbeErrors e = ProbeAround(*simulation, m, 5, 1e-3, 0);
  Show("armature", e);
  CHECK(e.gradient <= 2e-8);
  CHECK(e.product <= 1e-5);
}

TEST_CASE("Probe: the emulated device has the same differences, gradients and products") {
  // The same kernels in another order of sums: round-off of the largest entry.
  for (const std::string name : {"pendulum_seed", "elastic_skin", "chain_free", "cycle"}) {
    CAPTURE(name);
    const CompiledModel m = CompileReference(name);
    Randoms random(6);
    const std::vector<double> offset = RandomMotion(m, random, 0.1, 1e-3),
                              direction = RandomMotion(m, random, 1e-3, 1e-4);
    const auto cpu = Start(Cpu(), m)->ProbeStep(kStep, 0, offset, direction, true);
    const auto emulated = Start(*dermis_backend_emu(), m)->ProbeStep(kStep, 0, offset, direction, true);
    CHECK(std::abs(cpu.difference - emulated.difference) <= 1e-12 * AbsoluteDot(cpu.gradient, direction));
    CHECK(LargestDifference(cpu.gradient, emulated.gradient) <= 1e-12 * LargestOf(cpu.gradient));
    CHECK(LargestDifference(cpu.product, emulated.product) <= 1e-12 * LargestOf(cpu.product));
    CHECK(LargestDifference(cpu.gradientMoved, emulated.gradientMoved) <= 1e-12 * LargestOf(cpu.gradientMoved));
  }
}

TEST_CASE("Probe: points and frames move as the joint velocities say") {
  // The push forward: velocities of nodes with posed inertia and of centres of mass, against central differences of
  // positions of size 1 with steps of 1e-5.
  for (const std::string name :
       {"pendulum_seed", "elastic_skin", "chain_free", "chain_spherical", "chain_revolute", "blended_skin"}) {
    CompiledModel m = CompileReference(name);
    Randoms random(7);
    for (double& v : m.dofVelocity) v = random();
    const auto simulation = Start(Cpu(), m);
    Steps(*simulation, 5);
    const std::vector<double> config = simulation->GetState("config", 0), rate = simulation->GetState("dofVelocity", 0);
    simulation->VelocitiesFromJoints(0);
    const auto moved = [&](double step) {
      std::vector<double> to = config;
      for (int f = 0; f < m.m.frames; ++f)
        VisitJoint(m.frameJoint[f], [&](auto kind) {
          using Joint = decltype(kind);
          double delta[Joint::kDofs + 1];
          for (int k = 0; k < Joint::kDofs; ++k) delta[k] = step * rate[m.frameDofBegin[f] + k];
          Joint::Retract(config.data() + m.frameConfigBegin[f], delta, to.data() + m.frameConfigBegin[f]);
        });
      simulation->SetState("config", 0, to);
      return std::pair(simulation->NodePositions(0), simulation->FrameTransforms(0));
    };
    CAPTURE(name);
    const std::vector<double> nodeVelocity = simulation->GetState("nodeVelocity", 0),
                              frameVelocity = simulation->GetState("frameVelocity", 0);
    const double h = 1e-5;
    const auto plus = moved(h), minus = moved(-h);
    for (int n = 0; n < m.m.nodes; ++n)
      for (int i = 3 * n; i < 3 * n + 3; ++i)
        if (m.softInertia[m.nodeSoft[n]] == int(TermDomain::Posed))
          REQUIRE(std::abs((plus.first[i] - minus.first[i]) / (2 * h) - nodeVelocity[i]) <= 1e-8);
    for (int f = 0; f < m.m.frames; ++f)
      for (int i = 0; i < 3; ++i) {
        const auto center = [&](const std::vector<double>& frames) {
          const double* a = &frames[12 * size_t(f) + 4 * i];
          const double* c = &m.frameCenter[3 * size_t(f)];
          return a[0] * c[0] + a[1] * c[1] + a[2] * c[2] + a[3];
        };
        REQUIRE(std::abs((center(plus.second) - center(minus.second)) / (2 * h) - frameVelocity[3 * f + i]) <= 1e-8);
      }
  }
}
