// SPDX-License-Identifier: Apache-2.0
//
// Products. Every rule gives einsum letters; a product of two operands is one dot_general between sums and transposes.
#include "tlaloc/detail/tensor/dot.hpp"

#include "tensor/node.hpp"

#include <algorithm>

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome;

namespace {

/// A tensor whose axes are called by letters.
struct Term {
  AnyTensor x;
  std::string letters;
  std::int64_t at(char c) const { return std::int64_t(letters.find(c)); }
  bool has(char c) const { return letters.find(c) != letters.npos; }
  std::int64_t extent(char c) const { return dims_of(x)[std::size_t(at(c))]; }
};

// ii -> i, twice: both axes behind the others, as one, one row longer; then the diagonal is a column.
Term diagonal(Term t) {
  for (std::size_t i = 0; i < t.letters.size(); ++i) {
    const std::size_t j = t.letters.find(t.letters[i], i + 1);
    if (j == t.letters.npos) continue;
    ir::Ints order = ir::without(ir::axes_up_to(t.x.rank()), {std::int64_t(i), std::int64_t(j)});
    const ir::Shape front = ir::picked(dims_of(t.x), order);
    order.push_back(std::int64_t(i)), order.push_back(std::int64_t(j));
    const std::int64_t n = known("einsum: a diagonal", dims_of(t.x)[i]);
    const std::int64_t last = std::int64_t(front.size());
    ir::Ints low(front.size() + 1, 0), high = low, interior = low;
    high.back() = n;
    AnyTensor y = reshaped(permuted(t.x, order), ir::joined({front, {n * n}}));
    y = dispatch(ops::pad, {y, scalar(0, element_of(y))}, {low, high, interior});
    y = sliced(reshaped(y, ir::joined({front, {n, n + 1}})), last + 1, 0, 1);
    std::string letters;
    for (std::size_t k = 0; k < t.letters.size(); ++k)
      if (k != i && k != j) letters += t.letters[k];
    return diagonal({reshaped(y, ir::joined({front, {n}})), letters + t.letters[i]});
  }
  return t;
}
// Letters that nobody else needs are summed over.
Term summed(const Term& t, const std::string& needed) {
  ir::Ints axes;
  std::string rest;
  for (std::size_t k = 0; k < t.letters.size(); ++k) {
    if (needed.find(t.letters[k]) == needed.npos) axes.push_back(std::int64_t(k));
    else rest += t.letters[k];
  }
  return {reduced(ops::reduce_sum, t.x, axes), rest};
}
// A shared letter of extent 1 that meets another extent goes: it stretches.
Term without_stretched(const Term& t, const Term& other) {
  ir::Shape dims;
  std::string rest;
  for (char c : t.letters) {
    if (other.has(c) && t.extent(c) == 1 && other.extent(c) != 1) continue;
    dims.push_back(t.extent(c));
    rest += c;
  }
  return {reshaped(t.x, dims), rest};
}
Term product(Term a, Term b, const std::string& needed) {
  a = summed(a, needed + b.letters);
  b = summed(b, needed + a.letters);
  const Term a0 = a;
  a = without_stretched(a, b);
  b = without_stretched(b, a0);
  ir::Ints batch_a, batch_b, contract_a, contract_b;
  std::string letters;
  for (char c : a.letters) {
    if (!b.has(c)) continue;
    const bool kept = needed.find(c) != needed.npos;
    (kept ? batch_a : contract_a).push_back(a.at(c));
    (kept ? batch_b : contract_b).push_back(b.at(c));
    if (kept) letters += c;
  }
  for (char c : a.letters)
    if (!b.has(c)) letters += c;
  for (char c : b.letters)
    if (!a.has(c)) letters += c;
  return {dispatch(ops::dot_general, {a.x, b.x}, {batch_a, batch_b, contract_a, contract_b}), letters};
}

AnyTensor run(const outcome& o, std::span<const AnyTensor> in) {
  std::vector<Term> terms;
  for (std::size_t t = 0; t < in.size(); ++t) terms.push_back(diagonal({in[t], o.in[t]}));
  Term y = terms[0];
  for (std::size_t t = 1; t < terms.size(); ++t) {
    std::string needed = o.out;
    for (std::size_t u = t + 1; u < terms.size(); ++u) needed += terms[u].letters;
    y = product(y, terms[t], needed);
  }
  y = summed(y, o.out);
  ir::Ints order;
  for (const char* c = o.out; *c; ++c) order.push_back(y.at(*c));
  return named(permuted(y.x, order), o);
}

}  // namespace

AnyTensor matmul(const AnyTensor& a, const AnyTensor& b) {
  const detail::sig s[] = {sig_of(a), sig_of(b)};
  const AnyTensor in[] = {a, b};
  return run(allowed("matmul", op::matmul::apply(s)), in);
}
AnyTensor contract(const AnyTensor& a, const AnyTensor& b, const Axes& names) {
  const detail::sig s[] = {sig_of(a), sig_of(b), names};
  const AnyTensor in[] = {a, b};
  return run(allowed("contract", op::contract::apply(s)), in);
}
AnyTensor einsum(const char* spec, std::initializer_list<AnyTensor> in) { return einsum(spec, std::span(in.begin(), in.size())); }
AnyTensor einsum(const char* spec, std::span<const AnyTensor> in) {
  if (in.size() < 1 || in.size() > 3) refuse("TENSOR_SHAPE_MISMATCH", "einsum: one to three operands, not " + std::to_string(in.size()));
  detail::sig s[3];
  int n = 0;
  for (auto& x : in) s[n++] = sig_of(x);
  return run(allowed("einsum", detail::rules::einsum(s, n, spec)), in);
}

}  // namespace tlaloc::dynamic
