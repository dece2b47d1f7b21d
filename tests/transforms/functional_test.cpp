// SPDX-License-Identifier: Apache-2.0
//
// What batching and the reverse of tensor programs refuse, calls among tensors, and that work which does not depend on the
// batch is done once. Values are tests/jax's matter.
#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"
#include "transforms/batch.hpp"
#include "transforms/reverse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

using testing::HasSubstr;

template <class F> void refused(F f, const std::string& code, const char* message) {
  try {
    f();
    ADD_FAILURE() << "accepted, not " << code;
  } catch (const Refusal& e) {
    EXPECT_EQ(e.code, code);
    EXPECT_THAT(e.what(), HasSubstr(message));
  }
}

TEST(Functional, BatchRefuses) {
  Program p;
  const Function buffers = parse_function("func f(%x: f64) {\n  %n = constant {value = 2:i64} : i64\n  %b = alloc %n {dtype = f64} : buffer f64\n  %z = constant {value = 0:i64} : i64\n  store %b, %z, %x\n  %y = load %b, %z : f64\n  yield %y\n}\n");
  refused([&] { batch(p, buffers, {.in_axes = {0}, .extent = 2}, "g"); }, "VMAP_NO_BATCHING_RULE", "a buffer has no batch axis");
  const Function parameter = parse_function("func f(%x: buffer f64) {\n  %z = constant {value = 0:i64} : i64\n  %y = load %x, %z : f64\n  yield %y\n}\n");
  refused([&] { batch(p, parameter, {.in_axes = {0}, .extent = 2}, "g"); }, "VMAP_NO_BATCHING_RULE", "the buffer 'x'");
  const Function plain = parse_function("func f(%x: f64[3]) {\n  %y = exp %x : f64[3]\n  yield %y\n}\n");
  EXPECT_THROW(batch(p, plain, {.in_axes = {2}, .extent = 2}, "g"), Error);
  EXPECT_THROW(batch(p, plain, {.in_axes = {0, 0}, .extent = 2}, "g"), Error);
}
TEST(Functional, BatchKeepsWhatDoesNotDependOnIt) {
  Program p;
  const Function f = parse_function(
      "func f(%x: f64[3], %w: f64[3,4]) {\n"
      "  %e = exp %w : f64[3,4]\n"
      "  %y = dot_general %x, %e {batch_a = [], batch_b = [], contract_a = [0], contract_b = [0]} : f64[4]\n"
      "  yield %y\n}\n");
  const Function g = batch(p, f, {.in_axes = {0, -1}, .extent = 8}, "g");
  EXPECT_EQ(print(g),
            "func g(%x: f64[8,3], %w: f64[3,4]) {\n"
            "  %e = exp %w : f64[3,4]\n"
            "  %y = dot_general %x, %e {batch_a = [], batch_b = [], contract_a = [1], contract_b = [0]} : f64[8,4]\n"
            "  yield %y\n}\n");
}
TEST(Functional, ReverseRefuses) {
  Program p;
  p.add(parse_function("func again(%x: f64[2]) {\n  %y = call %x {callee = \"again\", results = [f64[2]]} : f64[2]\n  yield %y\n}\n"));
  refused([&] { reverse(p, *p.find("again"), {.wanted = {0}, .seeds = true}, "g"); }, "NOT_DIFFERENTIABLE", "'again' calls itself");
  p.add(parse_function("func ruled(%x: f64) {\n  yield %x\n}\n")).rule = Rule{"", "ruled_vjp", 1};
  const Function calls = parse_function("func f(%x: f64[2]) {\n  %s = reduce_sum %x {axes = [0]} : f64\n  %y = call %s {callee = \"ruled\", results = [f64]} : f64\n  yield %y\n}\n");
  refused([&] { reverse(p, calls, {.wanted = {0}}, "g"); }, "NOT_DIFFERENTIABLE", "'ruled' has a rule");
  const Function mixed = parse_function("func f(%x: f64[2], %b: buffer f64) {\n  %s = reduce_sum %x {axes = [0]} : f64\n  %z = constant {value = 0:i64} : i64\n  store %b, %z, %s\n  yield %s\n}\n");
  refused([&] { reverse(p, mixed, {.wanted = {0}}, "g"); }, "NOT_DIFFERENTIABLE", "a buffer or an effect in a program of tensors");
}
TEST(Functional, CallsAmongTensorsAreInlined) {
  Program p;
  p.add(parse_function("func square(%x: f64[2]) {\n  %y = mul %x, %x : f64[2]\n  yield %y\n}\n"));
  const Function f = parse_function("func f(%x: f64[2]) {\n  %y = call %x {callee = \"square\", results = [f64[2]]} : f64[2]\n  %s = reduce_sum %y {axes = [0]} : f64\n  yield %s\n}\n");
  const Function g = reverse(p, f, {.wanted = {0}, .value = true}, "g");
  EXPECT_EQ(g.result_names, (std::vector<std::string>{"", "d_x"}));
  Array x(Type{DType::f64, {2}});
  x.set(0, Number::of(DType::f64, 3)), x.set(1, Number::of(DType::f64, -1.5));
  const Array in[] = {x};
  const auto out = run(p, g, in);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].at(0).real, 11.25);
  const Array d = out[1];
  EXPECT_EQ(d.at(0).real, 6);
  EXPECT_EQ(d.at(1).real, -3);
}

}  // namespace
}  // namespace tlaloc::ir
