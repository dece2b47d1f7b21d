// SPDX-License-Identifier: Apache-2.0
//
// Random bits as a function of a key and a counter: Threefry-2x32 with 20 rounds (Salmon et al., SC 2011). Most distributions
// are compositions (ir/random.hpp); the gamma distribution has a derivative that its rejections hide.
#include "ir/ops/tensors.hpp"
#include "ir/random.hpp"

#include <bit>

namespace tlaloc::ir {
namespace {

constexpr std::uint32_t parity = 0x1BD11BDA;
constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};

// Word is a number or a tensor; `number` makes one of a constant, `rotate` turns bits to the left.
template <class Word, class Constant, class Rotate> std::pair<Word, Word> threefry(Word k0, Word k1, Word x0, Word x1, Constant number, Rotate rotate) {
  const Word keys[3] = {k0, k1, k0 ^ k1 ^ number(parity)};
  x0 = x0 + keys[0], x1 = x1 + keys[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int r : rotations[group % 2]) {
      x0 = x0 + x1;
      x1 = rotate(x1, r) ^ x0;
    }
    x0 = x0 + keys[(group + 1) % 3];
    x1 = x1 + keys[(group + 2) % 3] + number(group + 1);
  }
  return {x0, x1};
}
struct Bits { X x; };                             // so that ^ is the op
Bits operator^(Bits a, Bits b) { return {ops::bit_xor(a.x, b.x)}; }
Bits operator+(Bits a, Bits b) { return {ops::add(a.x, b.x)}; }

std::vector<X> expanded(const Op&, std::span<const X> in) {
  auto number = [&](std::uint32_t n) { return Bits{like(in[0], n)}; };
  auto rotate = [&](Bits b, int r) { return Bits{ops::bit_or(ops::shift_left(b.x, like(b.x, r)), ops::shift_right(b.x, like(b.x, 32 - r)))}; };
  const auto [a, b] = threefry(Bits{in[0]}, Bits{in[1]}, Bits{in[2]}, Bits{in[3]}, number, rotate);
  const Shape one(joined({{1}, in[0].type().dims}));
  const X words[] = {reshape(a.x, one), reshape(b.x, one)};
  return {concatenate(words, 0)};
}
void kernel(const Op&, std::span<const Array> in, Array& y) {
  const std::size_t n = in[0].size();
  auto word = [&](int i, std::size_t k) { return in[std::size_t(i)].data<std::uint32_t>()[k]; };
  for (std::size_t k = 0; k < n; ++k) {
    const auto [a, b] = threefry(word(0, k), word(1, k), word(2, k), word(3, k), [](std::uint32_t c) { return c; }, [](std::uint32_t x, int r) { return std::rotl(x, r); });
    y.data<std::uint32_t>()[k] = a, y.data<std::uint32_t>()[n + k] = b;
  }
}

}  // namespace

FACTS(threefry2x32) {
  .name = "threefry2x32", .doc = "The two words of a Threefry-2x32 block, along a new first axis, for the words of key and counter, all u32.",
  .operands = {"key_0", "key_1", "counter_0", "counter_1"},
  .type = [](const Op& op) -> std::vector<Type> {
    if (in(op, 0).dtype != DType::u32) refuse(op, "needs u32");
    const Type t = same_number(op)[0];
    return {Type{t.dtype, joined({{2}, t.dims})}};
  },
  .expansion = {expanded},
  .derivative = zero("random bits are integers"),
  .batching = [](const Op&, std::span<const X> in, const Batch& b) -> X {
    std::vector<X> xs;
    for (std::size_t i = 0; i < in.size(); ++i) xs.push_back(with_batch(in[i], b.marked[i], b.extent));
    return moved(threefry2x32(xs[0], xs[1], xs[2], xs[3]), 1, 0);
  },
  .kernel = kernel,
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 100,
};

namespace {
double smallest(DType d) { return d == DType::f64 ? 0x1p-1022 : d == DType::f16 ? 0x1p-14 : 0x1p-126; }   // normal number
}  // namespace

FACTS(random_gamma) {
  .name = "random_gamma", .doc = "A draw from Gamma(alpha, 1) for each key, two u32 along the last axis; its logarithm where `log_space` is 1.",
  .operands = {"keys", "alpha"}, .attrs = {key::log_space, key::partitionable},
  .type = [](const Op& op) -> std::vector<Type> {
    const Type &keys = in(op, 0), &alpha = in(op, 1);
    need_tensor(op, 0), need_tensor(op, 1);
    if (keys.dtype != DType::u32 || !alpha.real() || keys.dims != joined({alpha.dims, {2}})) refuse(op, "needs a key of two u32 for each real alpha");
    return {alpha};
  },
  .expansion = {[](const Op& op, std::span<const X> x) -> std::vector<X> {
    return {random_gamma_by_rejection(x[0], x[1], op.at(key::log_space), Stream(op.at(key::partitionable)))};
  }},
  // The derivative at a fixed quantile (Figurnov et al., NeurIPS 2018).
  .derivative = pointwise([](const Op& op, X, X alpha, X y) -> Partials {
    if (!op.at(key::log_space)) return {X{}, random_gamma_grad(alpha, y)};
    const X draw = maximum(exp(y), like(y, smallest(y.type().dtype)));
    return {X{}, random_gamma_grad(alpha, draw) / draw};
  }),
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

}  // namespace tlaloc::ir
