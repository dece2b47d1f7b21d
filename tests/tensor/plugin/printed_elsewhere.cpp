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
  const Deep d = deep(2);
  const auto weights = detail::stacked(d.layers, [](auto& l) -> auto& { return l.weight; });
  const auto biases = detail::stacked(d.layers, [](auto& l) -> auto& { return l.bias; });
  const auto deeper = made::model_through_grad(
      weights, biases, detail::stacked(d.scales, [](auto& s) -> auto& { return s; }), x);
  for (std::size_t k : {0, 1})
    show(k ? "layer1" : "layer0", detail::row(deeper.d_d_layers_weight, k));
  for (std::size_t k : {0, 1})
    show(k ? "bias1" : "bias0", detail::row(deeper.d_d_layers_bias, k));
  show("scale2", detail::row(deeper.d_d_scales, 2)), show("deep_dx", deeper.d_x);
  const auto by = made::model_likelihood_grad(filled<Matrix<double>>({3, 3}, 5),
                                              filled<Vector<double>>({3}, 6));
  show("likelihood.0", by.d_m), show("likelihood.1", by.d_y);
  const auto r = made::model_relaxed_grad(x, 0.25, 5);
  show("relaxed", r.d_x), show("rate", r.d_rate);
}
