// SPDX-License-Identifier: Apache-2.0
//
// Linear algebra for tensors: docs/tensors.md#linear-algebra.
#pragma once

#include "tlaloc/detail/tensor/linalg.hpp"
#include "tlaloc/tensor.hpp"
