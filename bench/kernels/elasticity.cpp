// Gradient and Hessian of elastic tetrahedra: time an element on one core, results written to memory.
//
// Built once with packs of 8 (x86-64-v4) and once with packs of 4 (x86-64-v3). Results are checked against single lanes
// before anything is timed. At 5 percent of noise few elements need their scaling block projected, at 30 percent most
// packs hold one that does (44 percent of the elements; 91 percent need it in one of the planes).
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/materials/list.h"

DERMIS_NAMESPACE_BEGIN
namespace {

constexpr int kElements = 100000;
const auto kPerItem =
    benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert;  // seconds an element

// One block of elements as the engine stores it, [item][lane].
struct Input {
  LaneScalar x[4][3], g[3][3], volume;
};
struct Output {
  LaneScalar gradient[4][3], hessian[kTetHessianSize];
};

template <class S> Vec3<S> LoadVec3(const S (&p)[3]) { return {p[0], p[1], p[2]}; }

// The kernel under test: one pack of elements.
template <template <class> class Material, class S, class In, class Out>
inline void Element(const Material<S>& material, PsdStrategy strategy, const In& in, Out& out) {
  const Vec3<S> x[4] = {LoadVec3(in.x[0]), LoadVec3(in.x[1]), LoadVec3(in.x[2]), LoadVec3(in.x[3])};
  const Vec3<S> g[3] = {LoadVec3(in.g[0]), LoadVec3(in.g[1]), LoadVec3(in.g[2])};
  Mat3<S> stress;
  const auto tangent = material.Linearize(DeformationGradient(x, g), strategy, stress);
  Vec3<S> gradient[4];
  NodeGradient(stress, g, in.volume, gradient);
  for (int a = 0; a < 4; ++a) {
    out.gradient[a][0] = gradient[a].x;
    out.gradient[a][1] = gradient[a].y;
    out.gradient[a][2] = gradient[a].z;
  }
  tangent.ElementHessian(g, in.volume, out.hessian);
}

// Random tetrahedra about 1 cm in size, each with a deformation gradient 1 + noise * N(0, 1).
std::vector<Input> MakeInput(double noise) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<Input> input((kElements + kLanes - 1) / kLanes);
  for (Input& block : input)
    for (int lane = 0; lane < kLanes; ++lane) {
      Mat3d rest, f;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          rest(i, j) = 0.01 * ((i == j) + 0.2 * normal(random));
          f(i, j) = (i == j) + noise * normal(random);
        }
      if (Determinant(rest) < 1e-7) rest = 0.01 * Mat3d::Identity();
      const Mat3d g = Inverse(rest), x = f * rest;  // columns of rest: edges from node 0
      for (int i = 0; i < 3; ++i) {
        SetLane(block.x[0][i], lane, 0.0);
        for (int a = 0; a < 3; ++a) {
          SetLane(block.x[a + 1][i], lane, x(i, a));
          SetLane(block.g[a][i], lane, g(a, i));
        }
      }
      SetLane(block.volume, lane, Determinant(rest) / 6.0);
    }
  return input;
}

struct SingleInput {
  double x[4][3], g[3][3], volume;
};
struct SingleOutput {
  double gradient[4][3], hessian[kTetHessianSize];
};

template <template <class> class Material, int kCount> Material<LaneScalar> MakeMaterial(const double (&p)[kCount]) {
  LaneScalar parameters[kCount];
  for (int i = 0; i < kCount; ++i) parameters[i] = p[i];
  return Material<LaneScalar>(parameters);
}

// Every hundredth block against one lane at a time.
template <template <class> class Material, int kCount>
void Validate(const double (&p)[kCount], PsdStrategy strategy, const std::vector<Input>& input,
              const std::vector<Output>& output) {
  for (size_t b = 0; b < input.size(); b += 100)
    for (int lane = 0; lane < kLanes; ++lane) {
      SingleInput in;
      SingleOutput out;
      for (int i = 0; i < 12; ++i) (&in.x[0][0])[i] = Lane((&input[b].x[0][0])[i], lane);
      for (int i = 0; i < 9; ++i) (&in.g[0][0])[i] = Lane((&input[b].g[0][0])[i], lane);
      in.volume = Lane(input[b].volume, lane);
      Element<Material, double>(Material<double>(p), strategy, in, out);
      double size = 0, error = 0;
      for (int i = 0; i < kTetHessianSize; ++i) {
        size = std::max(size, std::abs(out.hessian[i]));
        error = std::max(error, std::abs(out.hessian[i] - Lane(output[b].hessian[i], lane)));
      }
      if (!(error <= 1e-10 * size)) {
        std::fprintf(stderr, "bench_kernels: packs differ from single lanes by %g of %g\n", error, size);
        std::abort();
      }
    }
}

template <template <class> class Material, int kCount>
void Run(benchmark::State& state, const double (&p)[kCount], PsdStrategy strategy, double noise) {
  const std::vector<Input> input = MakeInput(noise);
  std::vector<Output> output(input.size());
  const Material<LaneScalar> material = MakeMaterial<Material>(p);
  const auto sweep = [&] {
    for (size_t b = 0; b < input.size(); ++b) Element<Material, LaneScalar>(material, strategy, input[b], output[b]);
  };
  sweep();
  Validate<Material>(p, strategy, input, output);
  for (auto _ : state) {
    sweep();
    benchmark::ClobberMemory();
  }
  state.counters["per_tet"] = benchmark::Counter(double(kElements), kPerItem);
}

// The energy differences that a line search asks for.
template <template <class> class Material, int kCount>
void RunDifference(benchmark::State& state, const double (&p)[kCount], double noise) {
  const std::vector<Input> input = MakeInput(noise);
  const Material<LaneScalar> material = MakeMaterial<Material>(p);
  const auto difference = [&](const Input& in) {
    const Vec3<LaneScalar> x[4] = {LoadVec3(in.x[0]), LoadVec3(in.x[1]), LoadVec3(in.x[2]), LoadVec3(in.x[3])};
    const Vec3<LaneScalar> g[3] = {LoadVec3(in.g[0]), LoadVec3(in.g[1]), LoadVec3(in.g[2])};
    const Mat3<LaneScalar> f = DeformationGradient(x, g);
    return in.volume * material.Difference(f, LaneScalar(1.01) * f);
  };
  // Checked against the energies themselves.
  for (size_t b = 0; b < input.size(); b += 100)
    for (int lane = 0; lane < kLanes; ++lane) {
      Vec3d x[4], g[3];
      for (int i = 0; i < 12; ++i) x[i / 3][i % 3] = Lane(input[b].x[i / 3][i % 3], lane);
      for (int i = 0; i < 9; ++i) g[i / 3][i % 3] = Lane(input[b].g[i / 3][i % 3], lane);
      const Mat3d f = DeformationGradient(x, g);
      const Material<double> single(p);
      const double expected = Lane(input[b].volume, lane) * (single.Energy(1.01 * f) - single.Energy(f));
      const double error = std::abs(Lane(difference(input[b]), lane) - expected);
      if (!(error <= 1e-8 * Lane(input[b].volume, lane) * single.LameMu())) {
        std::fprintf(stderr, "bench_kernels: an energy difference is off by %g\n", error);
        std::abort();
      }
    }
  for (auto _ : state) {
    LaneScalar sum(0.0);
    for (const Input& in : input) sum += difference(in);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["per_tet"] = benchmark::Counter(double(kElements), kPerItem);
}

constexpr double kSoft[] = {1e5, 0.45}, kStiffness[] = {1e5};

void NeoHookeanProjected(benchmark::State& state) {
  Run<NeoHookean>(state, kSoft, PsdStrategy::Projection, 0.01 * state.range(0));
}
void NeoHookeanNone(benchmark::State& state) {
  Run<NeoHookean>(state, kSoft, PsdStrategy::None, 0.01 * state.range(0));
}
void NeoHookeanFast(benchmark::State& state) {
  Run<NeoHookean>(state, kSoft, PsdStrategy::Fast, 0.01 * state.range(0));
}
void ArapProjected(benchmark::State& state) {
  Run<Arap>(state, kStiffness, PsdStrategy::Projection, 0.01 * state.range(0));
}
void ArapNone(benchmark::State& state) { Run<Arap>(state, kStiffness, PsdStrategy::None, 0.01 * state.range(0)); }
void NeoHookeanDifference(benchmark::State& state) { RunDifference<NeoHookean>(state, kSoft, 0.01 * state.range(0)); }
void ArapDifference(benchmark::State& state) { RunDifference<Arap>(state, kStiffness, 0.01 * state.range(0)); }

#define DERMIS_STRING_(x) #x
#define DERMIS_STRING(x) DERMIS_STRING_(x)
#define DERMIS_KERNEL_BENCHMARK(f) BENCHMARK(f)->Name(DERMIS_STRING(DERMIS_BACKEND) "/" #f)->ArgName("noise_percent")
DERMIS_KERNEL_BENCHMARK(NeoHookeanProjected)->Arg(5)->Arg(30);
DERMIS_KERNEL_BENCHMARK(NeoHookeanNone)->Arg(30);
DERMIS_KERNEL_BENCHMARK(NeoHookeanFast)->Arg(30);
DERMIS_KERNEL_BENCHMARK(ArapProjected)->Arg(30);
DERMIS_KERNEL_BENCHMARK(ArapNone)->Arg(30);
DERMIS_KERNEL_BENCHMARK(NeoHookeanDifference)->Arg(30);
DERMIS_KERNEL_BENCHMARK(ArapDifference)->Arg(30);

}  // namespace
DERMIS_NAMESPACE_END
