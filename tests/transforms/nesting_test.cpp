// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives in every order of the modes, against second differences of the function itself.
#include "transforms/forward.hpp"
#include "transforms/reverse_support.hpp"

namespace tlaloc::ir {
namespace {

class Nesting : public testing::TestWithParam<Sample> {
 protected:
  Program program = parse(GetParam().text);
  const Function& f() { return *program.find("f"); }
  const Point at{GetParam().x, GetParam().y}, along{0.3, -1.7};
  Point run(const Function& g, const Point& xs) { return doubles(interpret(program, g, make(g, {xs.begin(), xs.end()}))); }
  // The last two of what was got must be the Hessian times `along`.
  void compare(const Point& got) {
    const Point want = curvature([&](const Point& p) { return run(f(), p)[0]; }, at, along);
    ASSERT_GE(got.size(), 2u);
    for (std::size_t i : {0u, 1u}) EXPECT_NEAR(got[got.size() - 2 + i], want[i], 2e-6 * (1 + std::fabs(want[i])));
  }
};

TEST_P(Nesting, ForwardOfReverse) {
  const Function gradient = reverse(program, f(), {{0, 1}}, "g");
  const Function second = forward(program, gradient, {{0, 1}}, "h");
  verify(second, &program);
  compare(run(second, {at[0], at[1], along[0], along[1]}));
}
TEST_P(Nesting, ReverseOfForward) {
  const Function tangent = forward(program, f(), {{0, 1}}, "g");
  const Function second = reverse(program, tangent, {{0, 1}}, "h");
  verify(second, &program);
  compare(run(second, {at[0], at[1], along[0], along[1]}));
}
TEST_P(Nesting, ForwardOfForward) {
  const Function tangent = forward(program, f(), {{0, 1}}, "g");
  const Function second = forward(program, tangent, {{0, 1}}, "h");
  verify(second, &program);
  Point got;
  for (const Point& e : {unit(2, 0), unit(2, 1)}) got.push_back(run(second, {at[0], at[1], along[0], along[1], e[0], e[1]}).back());
  compare(got);
}
TEST_P(Nesting, ReverseOfReverse) {
  const Function gradient = reverse(program, f(), {{0, 1}}, "g");
  const Function second = reverse(program, gradient, {{0, 1}, false, true}, "h");
  verify(second, &program);
  compare(run(second, {at[0], at[1], along[0], along[1]}));
}
INSTANTIATE_TEST_SUITE_P(All, Nesting, testing::ValuesIn(samples), [](auto& p) { return std::string(p.param.name); });

// A buffer parameter: the shadow that reverse mode adds to is a parameter of the gradient, and has a tangent itself.
TEST(NestingOfBuffers, ForwardOfReverse) {
  Program program = parse(R"(func f(%p: buffer f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %k = constant {value = 0.0:f64} : f64
    %s = for %one, %n, %k {step = 1} (%i: i64, %s: f64) {
      %h = sub %i, %one : i64
      %a = load %p, %h : f64
      %b = load %p, %i : f64
      %c = mul %a, %b : f64
      %d = sin %c : f64
      %e = add %s, %d : f64
      yield %e
    } : f64
    yield %s
  })");
  const Function gradient = reverse(program, program.functions[0], {{0}}, "g");        // (p, n, d_p)
  const Function second = forward(program, gradient, {{0, 2}}, "h");                   // (..., dp, d d_p)
  verify(second, &program);
  const Point p{0.5, 1.5, -0.7}, v{0.3, -1.1, 0.9}, zeros{0, 0, 0};
  auto shadow = buffer(zeros), tangent = buffer(zeros);
  const std::vector<Argument> args{buffer(p), integer(3, DType::i64), shadow, buffer(v), tangent};
  interpret(program, second, args);
  auto value = [](const Point& q) { return std::sin(q[0] * q[1]) + std::sin(q[1] * q[2]); };
  const Point expected = curvature(value, p, v);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(contents(*tangent)[i], expected[i], 1e-6) << i;
    EXPECT_NEAR(contents(*shadow)[i], slope([&](double h) { return value(moved(p, h, unit(3, i))); }), 1e-7) << i;
  }
}

}  // namespace
}  // namespace tlaloc::ir
