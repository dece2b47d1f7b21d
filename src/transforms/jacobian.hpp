// SPDX-License-Identifier: Apache-2.0
//
// Jacobians, gradients as functions of their own, products of Hessians and vectors.
#pragma once

#include "ir/ir.hpp"

#include <optional>

namespace tlaloc::ir {

/// A result of a function: a yield, or a buffer parameter that the function writes.
struct Output {
  bool yield = false;
  int index = 0;
};

/// How many numbers a buffer parameter holds where its type does not say it: as many as another parameter that tells, by
/// its value (`extent`), or as another buffer.
struct Lengths {
  std::map<int, int> extent = {}, like = {};
};

struct JacobianOptions {
  std::vector<std::vector<int>> columns = {};  // real parameters, by matrix
  std::vector<std::string> names = {};         // of the matrices
  std::vector<int> numbers = {};               // matrices of one number, which become results
  std::vector<Output> rows = {};
  std::vector<int> scratch = {};               // further real buffers that f writes
  std::vector<int> own = {};                   // buffers that are no parameters of the result: zeroed memory of each pass
  Lengths lengths = {};
  DType dtype = DType::f64;                    // of the matrices
  bool reverse = false;                        // a pass for each row instead of each column
  bool lanes = false;                          // several columns (or rows) in one pass: see lanes.hpp
};

/// Parameters: those of f without `own`; the length, an i64, of each buffer among columns, rows, scratch and own that
/// nothing else tells (see `told`); a buffer per matrix, row-major, of all rows by its own columns.
/// Results: the matrices that are `numbers`, in order.
/// Buffers that f writes hold afterwards what f leaves in them; effects on the world happen once.
/// Throws Refusal as forward() and reverse() do, and for a buffer that must be restored and whose length is unknown.
Function jacobian(Program&, const Function& f, const JacobianOptions&, std::string name);
/// The parameters whose lengths jacobian() takes, in order.
std::vector<int> told(const Function& f, const JacobianOptions&);

/// The gradient of f, whose shadows are its last parameters: what a Hessian is the Jacobian of.
struct Gradient {
  Function function;
  std::vector<Output> parts;                   // of each wanted parameter, in order
  std::vector<int> shadows;                    // the shadow parameters: of wanted buffers, then of scratch
  std::map<int, int> of;                       // whose
};
Gradient gradient(Program&, const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, std::string name);

/// The Hessian of f times a vector. Parameters: those of f; the length of each buffer of wanted and scratch that nothing
/// tells; the vector (a scalar or buffer for each wanted parameter); a shadow for each wanted buffer, which the product is
/// added to. Results: the product's part for each wanted scalar.
Function hessian_product(Program&, const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, const Lengths&, std::string name);
std::vector<int> told(const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, const Lengths&);

}  // namespace tlaloc::ir
