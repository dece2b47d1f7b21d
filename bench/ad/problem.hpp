// SPDX-License-Identifier: Apache-2.0
//
// One benchmark problem at one size: the primal, our gradient of it and the gradient written by hand.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Problem {
  std::string name;                // its key in reference.json
  bool measured = true;            // false: a small size, only checked
  std::function<double()> primal;  // returns the objective
  std::vector<double> gradient;    // where both gradients write, in the order of reference.json
  std::function<void(double* gradient)> ours;
  std::function<void(double* gradient)> by_hand;  // empty where nobody wrote one
  std::size_t ours_work = 0, by_hand_work = 0;    // doubles that the caller lends to a gradient and not to the primal
};

// Each is defined in <problem>_bench.cpp: a small size for checking and the measured ones.
std::vector<Problem> loop_problems();
std::vector<Problem> ode_problems();
std::vector<Problem> lstm_problems();
std::vector<Problem> gmm_problems();
std::vector<Problem> ba_problems();
std::vector<Problem> hand_problems();

}  // namespace bench
