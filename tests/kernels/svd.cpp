#include "kernels/svd.h"

#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

// Ordinary, degenerate and badly scaled matrices.
std::vector<Mat3d> Inputs() {
  Random random(7);
  std::vector<Mat3d> inputs{Mat3d::Zero(),
                            Mat3d::Identity(),
                            -1.0 * Mat3d::Identity(),
                            {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
                            {{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                            {{{0, 0, 0}, {0, 0, 0}, {3, 0, 0}}}};
  for (int i = 0; i < 400; ++i) inputs.push_back(RandomMatrix(random));
  const double values[] = {0,     1,     1,     1,     -1,        2,         1e-3,     1e-7, 1e-8, 1e-9,
                           1e-12, 1e-15, 1e-16, 1e-17, 1 + 1e-15, 1 + 1e-12, 1 + 1e-8, 1e3,  1e12};
  for (int i = 0; i < 20000; ++i) {
    auto pick = [&] { return values[random() % std::size(values)]; };
    const Mat3d core = Mat3d::Diagonal(pick(), pick(), pick());
    const Mat3d u = i % 5 == 0 ? Mat3d::Identity() : RandomRotation(random);
    const Mat3d v = i % 7 == 0 ? Mat3d::Identity() : RandomRotation(random);
    inputs.push_back(u * TimesTranspose(core, v));
  }
  for (int i = 0; i < 400; ++i) {  // entries of very different size
    Mat3d m;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        m(r, c) = std::pow(10.0, Uniform(random, -12, 12)) * (random() % 2 ? 1 : -1) * (random() % 4 ? 1 : 0);
    inputs.push_back(m);
  }
  for (double scale : {1e-60, 1e-12, 1e12, 1e60})
    for (int i = 0; i < 50; ++i) inputs.push_back(scale * RandomMatrix(random));
  return inputs;
}

double OrthogonalityError(const Mat3d& q) { return std::sqrt(NormSquared(TransposeTimes(q, q) - Mat3d::Identity())); }

}  // namespace

TEST_CASE("Svd: U diag(s) V^T is F, U and V are proper rotations, s is ordered") {
  // The tolerance is that of the interface: 1e-14, some 50 units of round-off.
  double reconstruction = 0, orthogonality = 0, determinant = 0, order = 0;
  for (const Mat3d& f : Inputs()) {
    const Svd3<double> d = Svd(f);
    const double size = Size(f);
    const Mat3d product = d.u * TimesTranspose(Mat3d::Diagonal(d.s.x, d.s.y, d.s.z), d.v);
    reconstruction = std::max(reconstruction, Size(product - f) / std::max(size, 1e-100));
    orthogonality = std::max({orthogonality, OrthogonalityError(d.u), OrthogonalityError(d.v)});
    determinant = std::max({determinant, std::abs(Determinant(d.u) - 1), std::abs(Determinant(d.v) - 1)});
    order =
        std::max({order, (d.s.y - d.s.x) / std::max(size, 1e-100), (std::abs(d.s.z) - d.s.y) / std::max(size, 1e-100)});
    if (!(Size(product - f) <= 1e-14 * size)) {
      CAPTURE(f.r[0].x, f.r[0].y, f.r[0].z, f.r[1].x, f.r[1].y, f.r[1].z, f.r[2].x, f.r[2].y, f.r[2].z, d.s.x, d.s.y,
              d.s.z);
      REQUIRE(Size(product - f) <= 1e-14 * size);
    }
  }
  INFO("reconstruction " << reconstruction << " orthogonality " << orthogonality << " order " << order);
  CHECK(reconstruction <= 1e-14);
  CHECK(orthogonality <= 1e-14);
  CHECK(determinant <= 1e-14);
  CHECK(order <= 1e-14);
}

TEST_CASE("Svd: a reflection puts its sign on the smallest singular value") {
  const Svd3<double> d = Svd(Mat3d::Diagonal(-3.0, 2.0, 0.5));
  CHECK(d.s.x == Approx(3.0).epsilon(1e-15));
  CHECK(d.s.y == Approx(2.0).epsilon(1e-15));
  CHECK(d.s.z == Approx(-0.5).epsilon(1e-15));
}

TEST_CASE("EigenDecomposition: vectors diag(values) vectors^T is A, descending") {
  double reconstruction = 0, orthogonality = 0;
  for (const Mat3d& f : Inputs()) {
    const Sym3<double> a = SymmetricPart(f);
    const double size = Size(Full(a));
    const Eigen3<double> e = EigenDecomposition(a);
    const Mat3d product = e.vectors * TimesTranspose(Mat3d::Diagonal(e.values.x, e.values.y, e.values.z), e.vectors);
    reconstruction = std::max(reconstruction, Size(product - Full(a)) / std::max(size, 1e-100));
    orthogonality = std::max(orthogonality, OrthogonalityError(e.vectors));
    REQUIRE(e.values.x >= e.values.y - 1e-14 * size - 1e-100);
    REQUIRE(e.values.y >= e.values.z - 1e-14 * size - 1e-100);
    REQUIRE(Determinant(e.vectors) > 0);
  }
  CHECK(reconstruction <= 1e-14);
  CHECK(orthogonality <= 1e-14);
}

TEST_CASE("ProjectPsd: clamps or reflects negative eigenvalues and leaves the others") {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    const Mat3d q = RandomRotation(random);
    const double values[] = {Uniform(random, -1, 1), i % 3 ? Uniform(random, -1, 1) : 0.0, Uniform(random, 0, 1)};
    for (bool reflect : {false, true}) {
      double wanted[3];
      for (int k = 0; k < 3; ++k) wanted[k] = values[k] >= 0 ? values[k] : reflect ? -values[k] : 0.0;
      const Sym3<double> a = SymmetricPart(q * TimesTranspose(Mat3d::Diagonal(values[0], values[1], values[2]), q));
      const Mat3d expected = q * TimesTranspose(Mat3d::Diagonal(wanted[0], wanted[1], wanted[2]), q);
      REQUIRE(Size(Full(ProjectPsd(a, reflect)) - expected) <= 1e-14);
    }
  }
}
