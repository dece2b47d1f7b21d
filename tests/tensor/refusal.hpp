// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlaloc/tensor.hpp>

#include <string>

/// What the call throws; "nothing" if it does not.
template <class F> std::string refusal(F f) {
  try {
    f();
  } catch (const tlaloc::tensor_error& e) {
    return e.what();
  }
  return "nothing";
}
