// SPDX-License-Identifier: Apache-2.0
//
// What the plugin's derivatives give, to the bit. printed_elsewhere.cpp must print the same.
#include "tensor/plugin/model.hpp"

using namespace model;

int main() {
  const Mlp m = mlp();
  for (extent_t n : {1, 4}) {
    const auto [value, g] = value_and_grad<0>(loss)(m, images(n), labels(n));
    show("value", value);
    show("weight1", g.first.weight), show("bias1", g.first.bias), show("weight2", g.weight), show("bias2", g.bias);
    if (value.item() != loss(m, images(n), labels(n)).item()) return std::puts("the value is not that of the function, to the bit"), 1;
  }
  const auto x = filled<Tensor<double, Hidden>>({5}, 7);
  const Deep d = deep(2);
  const auto [dd, deep_dx] = grad(through)(d, x);
  show("layer0", dd.layers[0].weight), show("layer1", dd.layers[1].weight),
      show("bias0", dd.layers[0].bias), show("bias1", dd.layers[1].bias);
  show("scale2", dd.scales[2]), show("deep_dx", deep_dx);
  show("likelihood",
       grad(likelihood)(filled<Matrix<double>>({3, 3}, 5), filled<Vector<double>>({3}, 6)));
  const auto [dx, d_rate] = grad<0, 1>(relaxed)(x, 0.25, 5);
  show("relaxed", dx), show("rate", d_rate);
}
