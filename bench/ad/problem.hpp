// SPDX-License-Identifier: Apache-2.0
//
// One benchmark problem at one size: the primal, our derivative of it and what that is measured against.
#pragma once

#include "inputs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Problem {
  std::string name;                // its key in reference.json
  bool measured = true;            // false: a small size, only checked
  bool gradient = true;            // what peers compute too, not a product, Hessian or other Jacobian
  std::function<double()> primal;  // returns the objective
  std::vector<double> derivative;  // where both write, in the order of reference.json
  std::function<void(double* derivative)> ours;
  std::string against = "by hand";                // what the next one is
  std::function<void(double* derivative)> other;  // empty: the primal is the only reference
  bool same = true;                               // the other writes the same derivative
  std::size_t ours_work = 0, other_work = 0;      // doubles that the caller lends to a derivative and not to the primal
};

/// The direction of the Hessian-vector products, the same as in reference.py.
inline std::vector<double> direction(std::size_t n) { return Random(6).array(int(n), -1, 1); }

/// Our Hessian-vector product against our gradient.
inline Problem hvp_of(const Problem& gradient, std::function<void(double* derivative)> hvp) {
  Problem p = gradient;
  p.name += "_hvp";
  p.ours = std::move(hvp);
  p.against = "gradient";
  p.other = [ours = gradient.ours, room = std::vector<double>(gradient.derivative.size())](double*) mutable { ours(room.data()); };
  p.same = p.gradient = false;
  p.ours_work = 0;
  p.other_work = gradient.ours_work;
  return p;
}

// Each is defined in <problem>_bench.cpp: a small size for checking and the measured ones.
std::vector<Problem> loop_problems();
std::vector<Problem> ode_problems();
std::vector<Problem> lstm_problems();
std::vector<Problem> gmm_problems();
std::vector<Problem> ba_problems();
std::vector<Problem> hand_problems();

}  // namespace bench
