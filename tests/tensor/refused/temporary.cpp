// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

auto gone(const Rows& x) {
  auto d = (x + x).data();                // refused: deleted data
  auto a = AnyTensor(1.0).data<double>(); // refused: deleted data
  return d.size() + a.size() + x.data().size();
}
