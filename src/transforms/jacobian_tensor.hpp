// SPDX-License-Identifier: Apache-2.0
//
// Jacobians, Hessians and products with Hessians of functions whose parameters are tensors and
// numbers. A Jacobian is one pass of a derivative, mapped over a new axis of unit vectors. Refused
// as by forward(), reverse() and batch().
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// f has one result. Parameters: those of f. Results: for each wanted parameter a tensor with the
/// axes of f's result, then those of the parameter. `by_rows`: a reverse pass for each element of
/// the result, else a forward pass for each of the parameter.
Function tensor_jacobian(Program&, const Function& f, const std::vector<int>& wanted, bool by_rows,
                         std::string name);
/// f's result is a number. Parameters: those of f. Result: a tensor with the axes of the wanted
/// parameter twice.
Function tensor_hessian(Program&, const Function& f, int wanted, std::string name);
/// f's result is a number. Parameters: those of f, then a vector `d_<param>` for each wanted one.
/// Results: the parts of the product.
Function tensor_hessian_product(Program&, const Function& f, const std::vector<int>& wanted,
                                std::string name);

}  // namespace tlaloc::ir
