// SPDX-License-Identifier: Apache-2.0
//
// The problems for a tool with a number type of its own: TLALOC_BENCH_PEER is the header with peer::Real and peer::jacobian.
#include "hand.hpp"
#include "loop.hpp"
#include "ode.hpp"
#include "peer.hpp"

#include TLALOC_BENCH_PEER

#include <array>
#include <memory>

namespace {

using bench::Problem;
using peer::Real;

std::vector<double> joined(std::initializer_list<std::vector<double>> parts) {
  std::vector<double> all;
  for (auto& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}
/// f: where the inputs are, and room to work in -> an array of outputs.
template <class F> Problem problem(std::string name, std::vector<double> x, int room, F f) {
  Problem p;
  p.name = std::move(name);
  p.derivative.resize(x.size());
  auto z = std::make_shared<std::vector<Real>>(x.size()), scratch = std::make_shared<std::vector<Real>>(std::size_t(room));
  p.ours = [x = std::move(x), z, scratch, f](double* out) {
    peer::jacobian(x, *z, [&] { return f(z->data(), scratch->data()); }, out);
  };
  return p;
}

Problem loop(std::string name, int n) {
  const bench::LoopInput in{n};
  return problem(std::move(name), {in.a, in.b, in.start}, 0,
                 [n](const Real* z, Real*) { return std::array{bench::loop::mean_of_orbit<Real>(n, z[0], z[1], z[2])}; });
}
Problem ode(std::string name, int n, int steps) {
  return problem(std::move(name), bench::OdeInput(n, steps).x, bench::ode::scratch_size(n),
                 [=](const Real* z, Real* scratch) { return std::array{bench::ode::final_component<Real>(n, steps, z, scratch)}; });
}
Problem lstm(std::string name, int width, int layers, int length) {
  auto in = std::make_shared<bench::LstmInput>(width, layers, length);
  return problem(std::move(name), joined({in->weights, in->readout}), bench::lstm::scratch_size(width, layers), [=](const Real* z, Real* scratch) {
    return std::array{bench::lstm::loss<Real>(width, layers, length, z, z + in->weights.size(), in->start.data(), in->sequence.data(), scratch)};
  });
}
Problem gmm(std::string name, int d, int k, int n) {
  auto in = std::make_shared<bench::GmmInput>(d, k, n);
  return problem(std::move(name), joined({in->alpha, in->mu, in->q, in->l}), bench::gmm::scratch_size(d, k), [=](const Real* z, Real* scratch) {
    return std::array{bench::gmm::log_posterior<Real>(d, k, n, z, z + k, z + k + k * d, z + k + 2 * k * d, in->x.data(), in->gamma, in->m, scratch)};
  });
}
Problem hand(std::string name, int vertices, int count) {
  auto in = std::make_shared<bench::HandInput>(vertices, count);
  return problem(std::move(name), in->theta, bench::hand::scratch_size(vertices) + 3 * count, [=](const Real* z, Real* scratch) {
    return std::array{bench::hand::half_squared_error<Real>(z, in->model, count, in->matches.data(), in->points.data(), scratch)};
  });
}
Problem ba(std::string name, int cameras, int points, int observations) {
  namespace ba = bench::ba;
  auto in = std::make_shared<bench::BaInput>(cameras, points, observations);
  Problem p;
  p.name = std::move(name);
  p.derivative.resize(std::size_t(2 * ba::kInputs * observations));
  p.ours = [in, z = std::vector<Real>(ba::kInputs), x = std::vector<double>(ba::kInputs)](double* out) mutable {
    for (int i = 0; i < in->observations; ++i, out += 2 * ba::kInputs) {
      std::copy_n(in->camera.data() + ba::kCamera * in->pairs[2 * i], ba::kCamera, x.begin());
      std::copy_n(in->point.data() + ba::kPoint * in->pairs[2 * i + 1], ba::kPoint, x.begin() + ba::kCamera);
      x.back() = in->weight[i];
      peer::jacobian(x, z, [&] {
        Real r[ba::kResiduals];
        ba::residuals<Real>(z.data(), z.data() + ba::kCamera, z.data() + ba::kCamera + ba::kPoint, in->feature.data() + 2 * i, r);
        return std::array{r[0], r[1]};
      }, out);
    }
  };
  return p;
}

}  // namespace

void tlaloc_bench_peer(std::vector<Problem>& all) {
  all = {loop("loop_50", 50), loop("loop_1000000", 1000000), ode("ode_3_7", 3, 7), ode("ode_20_2500", 20, 2500),
         lstm("lstm_3_2_6", 3, 2, 6), lstm("lstm_14_2_1024", 14, 2, 1024), gmm("gmm_2_3_10", 2, 3, 10),
         gmm("gmm_10_25_1000", 10, 25, 1000), gmm("gmm_32_50_1000", 32, 50, 1000), ba("ba_5", 3, 4, 5),
         ba("ba_10000", 20, 1000, 10000), hand("hand_50_10", 50, 10), hand("hand_500_200", 500, 200)};
}
