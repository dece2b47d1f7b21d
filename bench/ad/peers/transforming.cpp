// SPDX-License-Identifier: Apache-2.0
//
// The problems for a tool that transforms the primals: TLALOC_BENCH_PEER is the header with the gradients in namespace peer.
// They add to what is behind the pointers that begin with d_.
#include "hand.hpp"
#include "loop.hpp"
#include "ode.hpp"
#include "peer.hpp"

#include TLALOC_BENCH_PEER

#include <algorithm>
#include <memory>

namespace {

using bench::Problem;
using Room = std::vector<double>;

/// f: the result, cleared; scratch memory; its shadow, cleared.
template <class F> Problem problem(std::string name, std::size_t inputs, int room, F f) {
  Problem p;
  p.name = std::move(name);
  p.derivative.resize(inputs);
  p.ours_work = std::size_t(room);
  p.ours = [f, inputs, scratch = Room(std::size_t(room)), d_scratch = Room(std::size_t(room))](double* d) mutable {
    std::fill_n(d, inputs, 0.0);
    std::fill(d_scratch.begin(), d_scratch.end(), 0.0);
    f(d, scratch.data(), d_scratch.data());
  };
  return p;
}

Problem loop(std::string name, int n) {
  const bench::LoopInput in{n};
  return problem(std::move(name), 3, 0, [in](double* d, double*, double*) { peer::loop(in.n, in.a, in.b, in.start, d, d + 1, d + 2); });
}
Problem ode(std::string name, int n, int steps) {
  auto in = std::make_shared<bench::OdeInput>(n, steps);
  return problem(std::move(name), in->x.size(), bench::ode::scratch_size(n), [=](double* d, double* scratch, double* d_scratch) {
    peer::ode(n, steps, in->x.data(), scratch, d, d_scratch);
  });
}
Problem lstm(std::string name, int width, int layers, int length) {
  auto in = std::make_shared<bench::LstmInput>(width, layers, length);
  return problem(std::move(name), in->weights.size() + in->readout.size(), bench::lstm::scratch_size(width, layers),
                 [=](double* d, double* scratch, double* d_scratch) {
                   peer::lstm(width, layers, length, in->weights.data(), in->readout.data(), in->start.data(), in->sequence.data(),
                              scratch, d, d + in->weights.size(), d_scratch);
                 });
}
Problem gmm(std::string name, int d, int k, int n) {
  auto in = std::make_shared<bench::GmmInput>(d, k, n);
  return problem(std::move(name), std::size_t(bench::gmm::parameter_count(d, k)), bench::gmm::scratch_size(d, k),
                 [=](double* to, double* scratch, double* d_scratch) {
                   peer::gmm(d, k, n, in->alpha.data(), in->mu.data(), in->q.data(), in->l.data(), in->x.data(), in->gamma, in->m,
                             scratch, to, to + k, to + k + k * d, to + k + 2 * k * d, d_scratch);
                 });
}
Problem hand(std::string name, int vertices, int count) {
  auto in = std::make_shared<bench::HandInput>(vertices, count);
  return problem(std::move(name), bench::hand::kTheta, bench::hand::scratch_size(vertices) + 3 * count,
                 [=](double* d, double* scratch, double* d_scratch) {
                   peer::hand(in->theta.data(), in->model, count, in->matches.data(), in->points.data(), scratch, d, d_scratch);
                 });
}
Problem ba(std::string name, int cameras, int points, int observations) {
  namespace ba = bench::ba;
  auto in = std::make_shared<bench::BaInput>(cameras, points, observations);
  return problem(std::move(name), std::size_t(2 * ba::kInputs * observations), 0, [=](double* d, double*, double*) {
    const double rows[2][ba::kResiduals] = {{1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < observations; ++i)
      for (auto& row : rows) {
        peer::ba(in->camera.data() + ba::kCamera * in->pairs[2 * i], in->point.data() + ba::kPoint * in->pairs[2 * i + 1],
                 in->weight.data() + i, in->feature.data() + 2 * i, row, d, d + ba::kCamera, d + ba::kCamera + ba::kPoint);
        d += ba::kInputs;
      }
  });
}

}  // namespace

void tlaloc_bench_peer(std::vector<Problem>& all) {
  all = {loop("loop_50", 50), loop("loop_1000000", 1000000), ode("ode_3_7", 3, 7), ode("ode_20_2500", 20, 2500),
         lstm("lstm_3_2_6", 3, 2, 6), lstm("lstm_14_2_1024", 14, 2, 1024), gmm("gmm_2_3_10", 2, 3, 10),
         gmm("gmm_10_25_1000", 10, 25, 1000), gmm("gmm_32_50_1000", 32, 50, 1000), ba("ba_5", 3, 4, 5),
         ba("ba_10000", 20, 1000, 10000), hand("hand_50_10", 50, 10), hand("hand_500_200", 500, 200)};
}
