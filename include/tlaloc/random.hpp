// SPDX-License-Identifier: Apache-2.0
//
// Random numbers for tensors: docs/tensors.md#random-numbers.
#pragma once

#include "tlaloc/detail/tensor/random.hpp"
#include "tlaloc/tensor.hpp"
