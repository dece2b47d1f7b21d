// SPDX-License-Identifier: Apache-2.0
//
// Keys projected where queries are meant: the last product has no axis to sum over. It must not compile.
#include <tlaloc/tensor.hpp>

using namespace tlaloc;

struct Batch : axis<> {};
struct Seq : axis<> {};
struct Model : axis<8> {};
struct Hidden : axis<32> {};

auto layer(const Tensor<float, Batch, Seq, Model>& x, const Tensor<float, Model, Hidden>& up) {
  auto h = contract(x, up);                        // [Batch, Seq, Hidden]
  return contract<Model>(h, up);
}
