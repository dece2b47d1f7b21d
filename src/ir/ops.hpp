// SPDX-License-Identifier: Apache-2.0
//
// Every op, by name: ops::mul(a, b) builds one, op.kind == &ops::mul asks. The facts stand in ops/<family>.cpp.
#pragma once

#include "ir/kind.hpp"

namespace tlaloc::ir::ops {
#define OP(name, ...) extern const Signature<__VA_ARGS__> name;
#include "ir/ops.def"
#undef OP
}  // namespace tlaloc::ir::ops
