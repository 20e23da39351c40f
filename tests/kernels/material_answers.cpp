// Numbers known beforehand: Hooke's law, uniaxial stretch, and the energies of a reference engine.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/kernels/samples.h"

using namespace dermis;

namespace {

struct Uniaxial {
  double stress, lateral;
};

// Stretch along x with free sides: the lateral stretch t with P_yy(diag(s, t, t)) = 0, by Newton, and P_xx.
template <class Material> Uniaxial StretchUniaxially(const Material& material, double s) {
  double t = 1;
  Mat3d stress;
  for (int i = 0; i < 50; ++i) {
    const auto tangent = material.Linearize(Mat3d::Diagonal(s, t, t), PsdStrategy::None, stress);
    t -= stress(1, 1) / tangent.Apply(Mat3d::Diagonal(0.0, 1.0, 1.0))(1, 1);
  }
  return {material.Stress(Mat3d::Diagonal(s, t, t))(0, 0), t};
}

NeoHookean<double> MakeNeoHookean(double youngsModulus, double poissonRatio) {
  return NeoHookean<double>({youngsModulus, poissonRatio});
}

// NeoHookean -> NEO_HOOKEAN
std::string UpperSnake(const std::string& name) {
  std::string result;
  for (char c : name) {
    if (std::isupper(c) && !result.empty()) result += '_';
    result += char(std::toupper(c));
  }
  return result;
}

}  // namespace

TEST_CASE("NeoHookean: the tangent at rest is Hooke's law") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const double e = Uniform(random, 1, 1e7), nu = Uniform(random, -0.99, 0.49);
    const double mu = e / (2 * (1 + nu)), lambda = e * nu / ((1 + nu) * (1 - 2 * nu));
    const NeoHookean<double> material = MakeNeoHookean(e, nu);
    CHECK(material.LameMu() == Approx(mu).epsilon(1e-14));
    CHECK(material.LameLambda() == Approx(lambda).epsilon(1e-13));
    Mat3d stress;
    const auto tangent = material.Linearize(Mat3d::Identity(), PsdStrategy::None, stress);
    const Mat3d d = RandomMatrix(random);
    const Mat3d hooke = mu * (d + Transpose(d)) + (lambda * Trace(d)) * Mat3d::Identity();
    CHECK(Size(tangent.Apply(d) - hooke) <= 1e-13 * (mu + std::abs(lambda)));
  }
}

TEST_CASE("NeoHookean: uniaxial stretch with free sides") {
  // Computed independently for E = 1e5 Pa, nu = 0.45, to the digits given: nominal stress and lateral stretch.
  const double known[][3] = {{0.5, -110935.10, 1.331937}, {1.5, 37542.79, 0.828994}, {2.0, 66717.12, 0.722881}};
  for (const auto& [s, stress, lateral] : known) {
    const Uniaxial u = StretchUniaxially(MakeNeoHookean(1e5, 0.45), s);
    CHECK(std::abs(u.stress - stress) <= 0.0051);
    CHECK(std::abs(u.lateral - lateral) <= 0.51e-6);
  }
}

TEST_CASE("NeoHookean: small stretch shows the Young's modulus and Poisson ratio asked for") {
  // With the Lame constants put into the energy unmapped it would show 75,461 Pa and 0.459.
  for (const auto& [e, nu] : {std::pair{1e5, 0.45}, std::pair{1e6, 0.3}}) {
    const double strain = 1e-6;
    const Uniaxial u = StretchUniaxially(MakeNeoHookean(e, nu), 1 + strain);
    CHECK(u.stress / strain == Approx(e).epsilon(1e-5));
    CHECK((1 - u.lateral) / strain == Approx(nu).epsilon(1e-5));
  }
}

TEST_CASE("Arap: uniaxial stretch is linear, the sides stay") {
  const Arap<double> material({3e4});
  for (double s : {0.25, 0.5, 0.9, 1.0, 1.1, 2.0}) {
    const Uniaxial u = StretchUniaxially(material, s);
    CHECK(u.lateral == Approx(1.0).epsilon(1e-14));
    CHECK(std::abs(u.stress - 3e4 * (s - 1)) <= 1e-10);
  }
}

TEST_CASE("Materials: energies of a reference engine over 30 deformation gradients") {
  // One tetrahedron of volume 1/6 in SuperDex Physics 1.0.1, double precision; its own round-off is 1e-14 of the
  // largest.
  std::ifstream file(DERMIS_SOURCE_DIR "/tests/reference/material_energies.json");
  REQUIRE(file.good());
  const nlohmann::ordered_json reference = nlohmann::ordered_json::parse(file);
  const double volume = reference["volume"];
  int compared = 0;  // materials that the reference has; ours may be more
  ForEachMaterial([&]<template <class> class M>() {
    int found = 0;
    for (const auto& entry : reference["cases"]) {
      if (entry["material"] != UpperSnake(M<double>::kName)) continue;
      ++found;
      double p[M<double>::kParameters] = {};
      int i = 0;
      REQUIRE(entry["params"].size() == size_t(M<double>::kParameters));
      for (const auto& value : entry["params"]) p[i++] = value;  // in the order of the file, which is ours
      const M<double> material(p);
      const std::vector<double> energy = entry["energy"];
      double largest = 0;
      for (double e : energy) largest = std::max(largest, std::abs(e));
      for (size_t k = 0; k < energy.size(); ++k) {
        Mat3d f;
        for (int j = 0; j < 9; ++j) f(j / 3, j % 3) = reference["F"][k][j / 3][j % 3];
        CAPTURE(M<double>::kName, k);
        CHECK(std::abs(volume * material.Energy(f) - energy[k]) <= 1e-12 * largest);
      }
    }
    compared += found > 0;
  });
  CHECK(compared >= 2);
}
