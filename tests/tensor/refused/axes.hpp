// SPDX-License-Identifier: Apache-2.0
//
// What the refused programs work with. Every bad result goes through use(), which must stay silent: one mistake, one error.
#pragma once

#include <tlaloc/tensor.hpp>

using namespace tlaloc;

struct Batch : axis<> {};
struct Hidden : axis<512> {};
struct Out : axis<256> {};
struct Seq : axis<at_most{4096}> {};
struct Channel : axis<3> {};
struct Filter : axis<8> {};
struct Class : axis<10> {};

using Rows = Tensor<float, Batch, Hidden>;
using Doubles = Tensor<double, Hidden>;
using Weights = Tensor<float, dim<256>, Out>;
using Bias = Tensor<float, Out>;
using Ids = Tensor<int, Batch>;
using Mask = Tensor<bool, Batch, Hidden>;
using Tokens = Tensor<float, Batch, Seq>;
using Image = Tensor<float, Batch, Channel, dim<28>, dim<28>>;
using Square = Tensor<float, Hidden, Hidden>;

void take(const Rows&);

template <class R> void use(const R& r, const Rows& x) {
  auto t = exp(r) + x;
  take(t);
  auto s = sum(t * t).item();
  (void)s;
}
