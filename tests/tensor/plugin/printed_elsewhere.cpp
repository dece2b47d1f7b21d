// SPDX-License-Identifier: Apache-2.0
//
// The derivatives as the plugin printed them for printed_by_clang.cpp, compiled without it.
#include "tensor/plugin/model.hpp"

#include TLALOC_PRINTED

using namespace model;
namespace made = tlaloc::generated;

int main() {
  const Mlp m = mlp();
  for (extent_t n : {1, 4}) {
    const auto r = made::model_loss_value_and_grad_m(m.first.weight, m.first.bias, m.weight, m.bias, m.counts, images(n), labels(n));
    show("value", r.value);
    show("weight1", r.d_m_first_weight), show("bias1", r.d_m_first_bias), show("weight2", r.d_m_weight), show("bias2", r.d_m_bias);
  }
  try {
    made::model_loss_value_and_grad_m(m.first.weight, m.first.bias, m.weight, m.bias, m.counts, images(4), labels(3));
    return 1;
  } catch (const tensor_error& e) {
    if (std::string_view(e.code()) != "TENSOR_SHAPE_MISMATCH") return 1;
  }
  const auto x = filled<Tensor<double, Hidden>>({5}, 7);
  const auto r = made::model_relaxed_grad(x, 0.25, 5);
  show("relaxed", r.d_x), show("rate", r.d_rate);
}
