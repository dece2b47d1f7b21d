// SPDX-License-Identifier: Apache-2.0
//
// An operation by way of the plugin against JAX: its value, and the gradients of sum(op(x...) * c)
// by each operand.
#pragma once

#include "tensor/cases.hpp"

#include <tlaloc/jit.hpp>

namespace judged {

using namespace cases;

using V = Vector<double>;
using M = Matrix<double>;
using T3 = Tensor<double, dim<>, dim<>, dim<>>;
using S33 = Tensor<double, dim<3>, dim<3>>;
using S34 = Tensor<double, dim<3>, dim<4>>; // for what needs extents in the type

inline const M x34 = typed<double, dim<>, dim<>>(numbers(1, {3, 4})),
               p34 = typed<double, dim<>, dim<>>(positive(5, {3, 4}));
inline const V r4 = typed<double, dim<>>(numbers(3, {4})),
               v3 = typed<double, dim<>>(numbers(4, {3}));

template <class G> void compare(const std::string& name, const G& g) {
  if constexpr (detail::is_typed<G>) {
    EXPECT_LE(distance(name + ".grad0", g.any()), 1e-12) << name;
  } else {
    int k = 0;
    auto one = [&](const AnyTensor& d) {
      EXPECT_LE(distance(name + ".grad" + std::to_string(k), d), 1e-12)
          << name << " by operand " << k;
      ++k;
    };
    std::apply([&](auto&... d) { (one(d.any()), ...); }, g);
  }
}
template <class Y> Y cotangent(const Y& y) {
  if constexpr (Y::rank == 0)
    return Y::adopt(numbers(40, {}));
  else
    return Y::adopt(dynamic::checked(numbers(40, y.any().shape()), detail::sig_of<Y>));
}

// The derivative's value is the function's own, to the bit.
#define EXPECT_OP(name, function, ...)                                                             \
  do {                                                                                             \
    auto f = function;                                                                             \
    const auto y = f(__VA_ARGS__);                                                                 \
    EXPECT_LE(distance(name, y.any()), 1e-12) << name;                                             \
    const auto [value, g] = value_and_vjp(f)(__VA_ARGS__, cotangent(y));                           \
    EXPECT_EQ(doubles(value.any()), doubles(y.any())) << name;                                     \
    compare(name, g);                                                                              \
  } while (0)

}  // namespace judged
