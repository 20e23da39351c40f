#include "kernels/pack.h"

#include <limits>

#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

template <int N> void CheckFunctions() {
  Random random(1);
  double worstLog = 0, worstRoot = 0;
  for (int i = 0; i < 100000; ++i) {
    Pack<N> a, b;
    for (int lane = 0; lane < N; ++lane) {
      // both signs near zero, near -1, and everything up to 1e30
      const double magnitude = std::pow(10.0, Uniform(random, -20, 30));
      const double value = i % 3 == 0   ? magnitude
                           : i % 3 == 1 ? Uniform(random, -1, 1)
                                        : -std::min(magnitude, 1 - 1e-12 / magnitude);
      SetLane(a, lane, value > -1 ? value : -0.5);
      SetLane(b, lane, std::pow(10.0, Uniform(random, -290, 290)));
    }
    const Pack<N> logarithm = Log1p(a), root = Rsqrt(b);
    for (int lane = 0; lane < N; ++lane) {
      const long double log = log1pl(Lane(a, lane)), inverse = 1 / sqrtl(Lane(b, lane));
      worstLog = std::max(worstLog, double(std::abs((Lane(logarithm, lane) - log) / log)));
      worstRoot = std::max(worstRoot, double(std::abs((Lane(root, lane) - inverse) / inverse)));
    }
  }
  CHECK(worstLog <= 2 * 2.3e-16);
  CHECK(worstRoot <= 2 * 2.3e-16);
  CHECK(Lane(Log1p(Pack<N>(0.0)), 0) == 0.0);
  CHECK(std::isnan(Lane(Log1p(Pack<N>(std::numeric_limits<double>::quiet_NaN())), 0)));
}

}  // namespace

TEST_CASE("Pack: Log1p and Rsqrt are good to two units in the last place") {
  CheckFunctions<4>();
  CheckFunctions<8>();
}

TEST_CASE("Pack: lanes are added pairwise, in fixed order") {
  Pack<4> a;
  for (int i = 0; i < 4; ++i) SetLane(a, i, i == 0 ? 1e16 : 1.0);
  CHECK(SumLanes(a) == (1e16 + 1.0) + (1.0 + 1.0));
}
