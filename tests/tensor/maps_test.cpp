// SPDX-License-Identifier: Apache-2.0
//
// vmap of every case, wherever the new axis stands and whichever operands have it, alone and nested with derivatives: two
// examples at once are the two examples one by one, which JAX confirmed.
#include "tensor/cases.hpp"

namespace {

using namespace cases;

/// x beside another along a new axis.
AnyTensor beside(const AnyTensor& x, const AnyTensor& y, int at) { return dynamic::stack({x, y}, at); }
AnyTensor example(const AnyTensor& y, int at, int i) { return squeeze(slice(y, at, i, i + 1), {at}); }
AnyTensor other(const AnyTensor& x) { return x * 0.75; }

struct Mapped {
  List first, second, both;                       // operands of each example, and of the map
  std::vector<int> axes;
  /// `at` for an operand of a rank, or none.
  Mapped(const List& operands, const std::function<int(std::size_t, int)>& at) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const AnyTensor& x = operands[k];
      axes.push_back(at(k, x.rank()));
      first.push_back(x);
      second.push_back(axes.back() == none ? x : other(x));
      both.push_back(axes.back() == none ? x : beside(x, second.back(), axes.back()));
    }
  }
};
void expect_near(const AnyTensor& got, const AnyTensor& want, const std::string& what) {
  ASSERT_EQ(got.shape(), want.shape()) << what;
  const auto g = doubles(got), w = doubles(want);
  for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(g[i], w[i], 1e-12 * std::max(1.0, std::fabs(w[i]))) << what << " at " << i;
}
template <class F> void for_each_case(F f) {
  for (auto& c : all()) {
    if (c.operands.empty()) continue;
    try {
      f(c);
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}

TEST(Maps, WhereverTheAxisStands) {
  using At = std::function<int(std::size_t, int)>;
  const std::pair<const char*, At> places[] = {
      {"first", [](std::size_t, int) { return 0; }}, {"last", [](std::size_t, int rank) { return rank; }},
      {"only the first operand", [](std::size_t k, int rank) { return k ? none : rank / 2; }},
      {"all but the first operand", [](std::size_t k, int rank) { return k ? rank / 2 : none; }},
      {"here and there", [](std::size_t k, int rank) { return k % 2 ? rank : 0; }}};
  int n = 0;
  for_each_case([&](const Case& c) {
    const Program p = recorded(c);
    const int rank = c.f(c.operands).rank();
    for (auto& [name, at] : places) {
      const Mapped m(c.operands, at);
      if (std::count(m.axes.begin(), m.axes.end(), none) == std::ptrdiff_t(m.axes.size())) continue;
      for (const int to : rank ? std::vector{0, rank} : std::vector{0}) {
        const AnyTensor y = p.vmap(2, m.axes, {to}).run(m.both)[0];
        expect_near(example(y, to, 0), c.f(m.first), c.name + ", " + name);
        expect_near(example(y, to, 1), c.f(m.second), c.name + ", " + name);
        ++n;
      }
    }
  });
  EXPECT_GT(n, 500);
}

// vmap(grad), vjp(vmap) and jvp(vmap): each example has its own derivatives.
TEST(Maps, NestWithDerivatives) {
  for_each_case([](const Case& c) {
    if (!has_gradient(c)) return;
    const std::size_t n = c.operands.size();
    const Mapped m(c.operands, [](std::size_t, int) { return 0; });
    const Program gradient = weighted(c).grad(), map = recorded(c).vmap(2, m.axes);
    const auto one = gradient.run(m.first), two = gradient.run(m.second);
    const auto mapped = gradient.vmap(2, m.axes).run(m.both);
    const AnyTensor seed = numbers(40, c.f(c.operands).shape());
    List in = m.both;
    in.push_back(beside(seed, seed, 0));
    const auto pulled = map.vjp().run(in);
    double along = 0, scale = 1;
    List tangents = m.both;
    for (std::size_t k = 0; k < n; ++k) {
      expect_near(mapped[k], beside(one[k], two[k], 0), "vmap of grad: " + c.name);
      expect_near(pulled[k], beside(one[k], two[k], 0), "vjp of vmap: " + c.name);
      tangents.push_back(numbers(70 + int(k), m.both[k].shape()));
      const auto g = doubles(pulled[k]), t = doubles(tangents.back());
      for (std::size_t i = 0; i < g.size(); ++i) along += g[i] * t[i], scale += std::fabs(g[i] * t[i]);
    }
    const AnyTensor pushed = map.jvp().run(tangents)[0];
    EXPECT_NEAR(sum(pushed * in.back()).item<double>(), along, 1e-13 * scale) << "jvp of vmap: " << c.name;
  });
}

// A Jacobian by columns is a map of jvp over the directions, one by rows a map of vjp: they are one matrix.
TEST(Maps, OfDirectionsAreJacobians) {
  for_each_case([](const Case& c) {
    if (!has_gradient(c) || c.operands[0].size() > 40) return;
    const Program p = recorded(c);
    const AnyTensor x = c.operands[0], y = c.f(c.operands);
    auto unit = [](const AnyTensor& like) {       // all directions, along a new axis in front
      const extent_t n = extent_t(like.size());
      Shape shape = like.shape();
      for (int k = shape.rank++; k > 0; --k) shape.at[k] = shape.at[k - 1];
      shape.at[0] = n;
      return reshape(one_hot(dynamic::arange(dtype::i32, n), n, dtype::f64), shape);
    };
    std::vector<int> axes(c.operands.size() + 1, none);
    axes.back() = 0;
    List by_columns = c.operands, by_rows = c.operands;
    by_columns.push_back(unit(x)), by_rows.push_back(unit(y));
    const extent_t m = extent_t(y.size()), n = extent_t(x.size());
    const AnyTensor columns = p.jvp({0}).vmap(n, axes).run(by_columns)[0], rows = p.vjp({0}).vmap(m, axes).run(by_rows)[0];
    expect_near(transpose(reshape(columns, {n, m}), {1, 0}), reshape(rows, {m, n}), c.name);
  });
}

}  // namespace
