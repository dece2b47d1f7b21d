// SPDX-License-Identifier: Apache-2.0
//
// Functions whose derivative the user gave.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// What a derivative calls where its function has this call: another one where functions are right up to some order only (see
/// Rule::next). Throws Refusal NOT_DIFFERENTIABLE where there is no further order.
const std::string& in_derivative(const Program&, const Op& call);
/// The function that forward() makes with values and the wanted tangents, by the rule's jvp. Throws Refusal NO_JVP_RULE.
Function forward_by_rule(const Function&, const std::vector<int>& wanted, std::string name, Location call);
/// The function that reverse() makes of a callee, by the rule's vjp: no values, a cotangent of each real result. Throws
/// Refusal NO_VJP_RULE.
Function reverse_by_rule(const Function&, const std::vector<int>& wanted, std::string name, Location call);

}  // namespace tlaloc::ir
