// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

std::string stablehlo_dtype(DType);
/// A literal that reads back to the same number; what is not finite as its bits.
std::string stablehlo_number(const Number&);
/// dense<[[1.0, 2.0], [3.0, 4.0]]> without the type.
std::string stablehlo_dense(const Shape&, const Numbers&);
Number lowest_number(DType);                      // minus infinity of reals
Number highest_number(DType);

}  // namespace tlaloc::ir
