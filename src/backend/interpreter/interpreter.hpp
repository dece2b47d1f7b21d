// SPDX-License-Identifier: Apache-2.0
//
// Reference semantics: runs a function of a program op by op. Unwritten memory is NaN, every index is checked.
#pragma once

#include "ir/run.hpp"

namespace tlaloc::ir {

/// The function's results. Buffers among the arguments are changed in place. Throws Error where C++ would be undefined.
/// `output`, when given, receives each `output` op with its arguments.
std::vector<Number> interpret(const Program&, const Function&, std::span<const Argument>,
                              std::function<void(const Op&, std::span<const Number>)> output = {});

/// The same for a function of tensors: its symbols are bound by the arguments. A scalar is an array of rank 0.
std::vector<Array> run(const Program&, const Function&, std::span<const Array>);

/// Shorthands for tests.
inline Argument number(double x) { return Number::of(DType::f64, x); }
inline Argument integer(std::int64_t x, DType d = DType::i32) { return Number::of(d, x); }
std::shared_ptr<Memory> buffer(std::span<const double>);                // f64
std::vector<double> contents(const Memory&);

}  // namespace tlaloc::ir
