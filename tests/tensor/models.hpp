// SPDX-License-Identifier: Apache-2.0
//
// Small programs as people write them, of any real dtype: models, filters, samplers. golden.py has each in JAX.
#pragma once

#include <tlaloc/linalg.hpp>
#include <tlaloc/random.hpp>
#include <tlaloc/sparse.hpp>
#include <tlaloc/trace.hpp>

#include <vector>

namespace models {

using namespace tlaloc;
using List = std::vector<AnyTensor>;
using Shape = dynamic::Shape;

inline AnyTensor integers(std::vector<int> v, const Shape& s) { return AnyTensor(dtype::i32, s, v.data()); }
inline AnyTensor constants(const AnyTensor& like, std::vector<double> v, const Shape& s) { return cast(AnyTensor(dtype::f64, s, v.data()), like.type()); }
inline AnyTensor row(const AnyTensor& x, extent_t i) { return squeeze(slice(x, 0, i, i + 1), {0}); }
inline AnyTensor eye(const AnyTensor& like, extent_t n) { return linalg::diag(dynamic::full(like.type(), {n}, 1)); }
inline AnyTensor t(const AnyTensor& x) { return transpose(x, {1, 0}); }

/// x, wq, wk, wv
inline AnyTensor masked_attention(const List& a) {
  const AnyTensor q = matmul(a[0], a[1]), k = matmul(a[0], a[2]), v = matmul(a[0], a[3]), scores = matmul(q, t(k)) / 2;
  const AnyTensor mask = linalg::tril(dynamic::full(dtype::f32, {5, 5}, 1)) > 0;
  return matmul(softmax(where(mask, scores, -1e9)), v);
}
/// images, kernels, weights
inline AnyTensor conv_net(const List& a) {
  const AnyTensor h = max_pool(relu(conv(a[0], a[1], {.pad = 1})));
  return cross_entropy(matmul(flatten(h, 1), a[2]), one_hot(integers({2, 0}, {2}), 3, a[0].type()));
}
/// x, means, log scales, logits
inline AnyTensor mixture(const List& a) {
  const AnyTensor d = (expand_dims(a[0], 1) - a[1]) * exp(-a[2]);
  return -mean(logsumexp(sum(d * d, {-1}) * -0.5 - sum(a[2], {-1}) + log_softmax(a[3]), {-1}));
}
/// dynamics, measurements, noise
inline AnyTensor kalman(const List& a) {
  const AnyTensor f = a[0] * 0.25 + eye(a[0], 2), h = constants(a[0], {1, 0.5}, {1, 2}), noise = linalg::diag(a[2] * a[2] + 0.1);
  AnyTensor m = dynamic::full(a[0].type(), {2}, 0), p = eye(a[0], 2), likelihood = sum(m);
  for (int i = 0; i < 4; ++i) {
    m = matmul(f, m);
    p = matmul(matmul(f, p), t(f)) + noise;
    const AnyTensor hp = matmul(h, p), s = matmul(hp, t(h)) + 0.5, e = row(a[1], i) - matmul(h, m);
    const AnyTensor gain = t(linalg::solve(s, hp));
    m = m + matmul(gain, e);
    p = p - matmul(matmul(gain, s), t(gain));
    likelihood = likelihood - (linalg::slogdet(s).log_abs + sum(e * linalg::solve(s, e))) * 0.5;
  }
  return likelihood;
}
/// inputs, wx, wh, first state
inline AnyTensor recurrent(const List& a) {
  AnyTensor h = a[3];
  std::vector<AnyTensor> states;
  for (int i = 0; i < 5; ++i) states.push_back(h = tanh(matmul(row(a[0], i), a[1]) + matmul(h, a[2]) * 0.25));
  return mean(concat({states[0], states[2], states[4]}, 0)) + sum(h * h);
}
/// points
inline AnyTensor principal_components(const List& a) {
  const AnyTensor c = a[0] - mean(a[0], {0}, true);
  const auto f = linalg::svd(c);
  const AnyTensor basis = slice(f.vt, 0, 0, 2), off = c - matmul(matmul(c, t(basis)), basis);
  return sum(off * off) + row(f.s, 0) / sum(f.s);
}
/// places, values, logarithms of scale and noise
inline AnyTensor gaussian_process(const List& a) {
  const AnyTensor d = a[0] - t(a[0]);
  const AnyTensor k = exp(d * d * exp(row(a[2], 0)) * -0.5) + eye(d, 5) * (exp(row(a[2], 1)) * 0.1 + 0.1);
  const AnyTensor l = linalg::cholesky(k), z = linalg::solve_triangular(l, a[1]);
  return sum(z * z) * 0.5 + sum(log(linalg::diagonal(l)));
}
/// logits; the draw is of their values in single precision
inline AnyTensor policy(const List& a) {
  const AnyTensor action = random::categorical(random::key(3), cast(a[0], dtype::f32));
  const AnyTensor log_p = take_along_axis(log_softmax(a[0]), expand_dims(action, -1), 1);
  return -mean(squeeze(log_p, {1}) * constants(a[0], {1, -0.5, 2, 0.25}, {4}));
}
/// table
inline AnyTensor embedding_bag(const List& a) {
  const AnyTensor rows = embedding(a[0], integers({0, 3, 3, 1, 4, 0}, {6}));
  const AnyTensor sums = scatter_add(dynamic::full(a[0].type(), {3, 3}, 0), integers({0, 0, 1, 1, 1, 2}, {6}), rows, 0);
  return tanh(sums / constants(a[0], {2, 3, 1}, {3, 1}));
}
/// weights of links
inline AnyTensor page_rank(const List& a) {
  const sparse::Stored links{sparse::Pattern(4, 4, {0, 2, 3, 5, 6}, {1, 2, 3, 0, 3, 0}), softplus(a[0])};
  AnyTensor r = dynamic::full(a[0].type(), {4}, 0.25);
  for (int i = 0; i < 6; ++i) {
    r = sparse::product(sparse::transposed(links), r) * 0.85 + 0.0375;
    r = r / sum(r);
  }
  return r;
}
/// x, w1, w2, scale, shift
inline AnyTensor transformer_block(const List& a) { return a[0] + matmul(gelu(matmul(layer_norm(a[0], a[3], a[4]), a[1])), a[2]); }
/// weights, inputs, targets: the loss after a step down its own gradient
inline AnyTensor learned_step(const List& a) {
  auto loss = [](const List& w) {
    const AnyTensor e = matmul(w[1], w[0]) - w[2];
    return mean(e * e * e * e);
  };
  const AnyTensor g = trace(loss, spec<List>(a)).grad({0}).run(a)[0];
  return loss({a[0] - g * 0.01, a[1], a[2]});
}
/// scores
inline AnyTensor margin(const List& a) {
  const AnyTensor best = top_k(a[0], 2);
  return mean(relu(1 - (slice(best, 1, 0, 1) - slice(best, 1, 1, 2))));
}
/// weights, inputs: a step of Newton's method for a logistic regression
inline AnyTensor newton(const List& a) {
  const AnyTensor p = sigmoid(matmul(a[1], a[0])), y = constants(a[0], {1, 0, 1, 1}, {4});
  const AnyTensor g = matmul(t(a[1]), p - y) + a[0];
  return a[0] - linalg::solve(matmul(t(a[1]), a[1] * expand_dims(p * (1 - p), 1)) + eye(p, 3), g);
}
/// logits of moves and of what is seen
inline AnyTensor hidden_markov(const List& a) {
  const AnyTensor move = log_softmax(a[0]), seen = log_softmax(a[1]);
  AnyTensor alpha = row(t(seen), 1);
  for (int o : {0, 2, 3, 1}) alpha = logsumexp(expand_dims(alpha, 1) + move, {0}) + row(t(seen), o);
  return -logsumexp(alpha);
}
/// x, encoder, decoder
inline AnyTensor autoencoder(const List& a) {
  const auto [mu, log_var] = split<2>(matmul(a[0], a[1]), 1);
  const AnyTensor noise = cast(random::normal(random::key(5), dtype::f64, {4, 2}), a[0].type());
  const AnyTensor off = a[0] - matmul(mu + exp(log_var * 0.5) * noise, a[2]);
  return mean(off * off) - mean(1 + log_var - mu * mu - exp(log_var)) * 0.5;
}

}  // namespace models
