// SPDX-License-Identifier: Apache-2.0
//
// Typed tensors: dtypes, extents and axis names in the type, result types computed, mistakes refused where they stand.
// docs/tensors.md is the tour. Nothing here includes <memory>, <string> or a stream: they would cost more than all of it.
#pragma once

#include "tlaloc/detail/tensor/activations.hpp"
#include "tlaloc/detail/tensor/dot.hpp"
#include "tlaloc/detail/tensor/elementwise.hpp"
#include "tlaloc/detail/tensor/losses.hpp"
#include "tlaloc/detail/tensor/pieces.hpp"
#include "tlaloc/detail/tensor/reduce.hpp"
#include "tlaloc/detail/tensor/select.hpp"
#include "tlaloc/detail/tensor/shape.hpp"
#include "tlaloc/detail/tensor/typed.hpp"
#include "tlaloc/detail/tensor/window.hpp"
