// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "lstm.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>

namespace bench {

namespace {
struct LstmWork {
  LstmInput in;
  int states = lstm::state_size(in.width, in.layers);
  int weights = lstm::weight_count(in.width, in.layers);
  std::vector<double> scratch =
      std::vector<double>(lstm::scratch_size(in.width, in.layers) + 2 * states);
  std::vector<double> d_scratch =
      std::vector<double>(lstm::scratch_size(in.width, in.layers), 0.0);
  std::vector<double> tape =
      std::vector<double>(lstm::tape_size(in.width, in.layers) * (in.length - 1));
};
}  // namespace

static Problem lstm_problem(std::string name, bool measured, int width, int layers, int length) {
  auto w = std::make_shared<LstmWork>(LstmWork{.in = LstmInput(width, layers, length)});
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.derivative.resize(w->weights + 3 * width);
  p.ours_work = w->d_scratch.size();
  p.other_work = w->tape.size() + 2 * w->states;
  p.primal = [w] {
    const LstmInput& in = w->in;
    return lstm::loss<double>(in.width, in.layers, in.length, in.weights.data(), in.readout.data(),
                              in.start.data(), in.sequence.data(), w->scratch.data());
  };
  p.ours = [w](double* gradient) {
    const LstmInput& in = w->in;
    const double* weights = in.weights.data();
    const double* readout = in.readout.data();
    double* scratch = w->scratch.data();
    double* d_scratch = w->d_scratch.data();
    double* d_readout = gradient + w->weights;
    std::fill_n(gradient, w->weights + 3 * in.width, 0.0);
    auto df = tlaloc::grad<"weights", "readout">(tlaloc::fn<lstm::loss<double>>);
    df(in.width, in.layers, in.length, tlaloc::shadow(weights, gradient),
       tlaloc::shadow(readout, d_readout), in.start.data(), in.sequence.data(),
       tlaloc::shadow(scratch, d_scratch));
  };
  p.other = [w](double* gradient) {
    const LstmInput& in = w->in;
    lstm::loss_gradient(in.width, in.layers, in.length, in.weights.data(), in.readout.data(),
                        in.start.data(), in.sequence.data(), w->scratch.data(), w->tape.data(),
                        gradient, gradient + w->weights);
  };
  return p;
}

static Problem lstm_hvp(const Problem& gradient, int width, int layers, int length) {
  auto w = std::make_shared<LstmWork>(LstmWork{.in = LstmInput(width, layers, length)});
  const auto v = direction(gradient.derivative.size());
  const std::vector<double> v_weights(v.begin(), v.begin() + w->weights), v_readout(v.begin() + w->weights, v.end());
  return hvp_of(gradient, [w, v_weights, v_readout](double* out) {
    const LstmInput& in = w->in;
    auto view = [](auto& x) { return tlaloc::view(x.data(), x.size()); };
    const auto [by_weights, by_readout] = tlaloc::hvp<"weights", "readout">(tlaloc::fn<lstm::loss<double>>)(
        in.width, in.layers, in.length, view(in.weights), view(in.readout), in.start.data(), in.sequence.data(),
        tlaloc::view(w->scratch.data(), std::size_t(lstm::scratch_size(in.width, in.layers))), v_weights, v_readout);
    std::copy(by_readout.begin(), by_readout.end(), std::copy(by_weights.begin(), by_weights.end(), out));
  });
}

std::vector<Problem> lstm_problems() {
  std::vector<Problem> all;
  auto both = [&](std::string name, bool measured, int width, int layers, int length) {
    all.push_back(lstm_problem(std::move(name), measured, width, layers, length));
    all.push_back(lstm_hvp(all.back(), width, layers, length));
  };
  both("lstm_3_2_6", false, 3, 2, 6);
  both("lstm_14_2_1024", true, 14, 2, 1024);
  return all;
}

}  // namespace bench
