// SPDX-License-Identifier: Apache-2.0
//
// What is printed parses back to the same program: every op of the table, in random programs that are built from the table
// alone; a copy prints the same text; and both run to the same numbers.
#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tlaloc::ir {
namespace {

/// All ops but those that only tensors have: their programs are read and printed in tests/tensor.
const std::vector<const Kind*>& scalar_kinds() {
  static const auto kinds = [] {
    std::vector<const Kind*> r;
    for (auto* k : all_kinds()) if (k->cpp.by_printer || k->cpp.expands || !k->cpp.text.empty()) r.push_back(k);
    return r;
  }();
  return kinds;
}

/// Grows a function of random ops. An op whose operands do not fit is tried again with others: the table is the judge.
class RandomFunction {
 public:
  RandomFunction(unsigned seed, std::map<const Kind*, int>& count) : random_(seed), count_(count) {}
  Function make(const std::string& name) {
    Function f(name);
    Builder b{f};
    std::vector<X> seen;
    for (int d = 0; d <= int(DType::f64); ++d) seen.push_back(param(b, {DType(d)}, pick(names)));
    for (int d = 0; d <= int(DType::f64); ++d) seen.push_back(param(b, buffer_of(DType(d)), pick(names)));
    grow(b, seen, 30, 0);
    for (X x : seen) if (!x.type().buffer && below(8) == 0) f.body->yields.push_back(x.v);
    if (below(2)) for (std::size_t i = 0; i < f.body->yields.size(); ++i) f.result_names.push_back(pick(names));
    return f;
  }

 private:
  static inline const std::vector<std::string> names = {"", "", "x", "t", "value", "x", "_a1", "d_x", "größe", "p.y", "2fast"};
  template <class T> const T& pick(const std::vector<T>& from) { return from[std::size_t(below(int(from.size())))]; }
  int below(int n) { return int(random_() % unsigned(n)); }

  double real() {
    constexpr double some[] = {0, -0.0, 1, 0.1, -1e300, 5e-324, 3.141592653589793, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
    return below(2) ? some[below(int(std::size(some)))] : std::ldexp(double(random_()), below(200) - 100);
  }
  Number number(DType d) { return is_real(d) ? Number::of(d, real()) : Number::of(d, std::int64_t(std::uint64_t(random_()) << below(40)) - below(1000)); }
  DType dtype() { return DType(below(int(DType::f64) + 1)); }
  std::string text() { return pick<std::string>({"", "f", "ns::g<int>", "a \"quoted\" word", "back\\slash", "two\nlines", "%d {, }\t"}); }
  Location place() {
    if (below(3) == 0) return {};
    return {intern(pick<std::string>({"user.cpp", "dir with space/a\"b.cpp"})), 1 + below(99), 1 + below(99), intern(below(2) ? "" : "y = f(x)[i] + \"s\";")};
  }
  Attr attr(std::size_t type) {
    switch (type) {
      case attr_index<std::int64_t>(): return std::int64_t(1 + below(9));
      case attr_index<Number>(): return number(dtype());
      case attr_index<DType>(): return dtype();
      case attr_index<Compare>(): return Compare(below(6));
      case attr_index<Ints>(): return Ints{1, -below(5)};
      case attr_index<Types>(): return below(2) ? Types{} : Types{{dtype()}, {dtype()}};
      case attr_index<std::string>(): return text();
    }
    throw Error("an attribute type that this test does not know");
  }
  std::vector<Attr> attrs(const Kind& k) {
    std::vector<Attr> all;
    for (auto& a : k.attrs) {
      if (a.type == attr_index<Numbers>()) {                          // of the type given before
        Numbers ns;
        for (int i = below(4); i > 0; --i) ns.push_back(number(std::get<DType>(all.back())));
        all.push_back(ns);
      } else {
        all.push_back(attr(a.type));
      }
    }
    return all;
  }
  std::vector<Block*> regions(Builder& b, const Kind& k, const std::vector<X>& operands, const std::vector<X>& seen, int depth) {
    std::vector<Block*> all;
    for (int i = 0; i < k.regions; ++i) {
      Builder inner{b.function, b.function.new_block()};
      std::vector<X> visible;
      for (X x : seen) visible.push_back({&inner, x.v});
      std::vector<X> params;
      const bool loop = &k == &ops::for_ || &k == &ops::while_;
      if (&k == &ops::for_) params.push_back(param(inner, operands[0].type(), pick(names)));
      if (loop) for (std::size_t j = std::size_t(k.operands.fixed()); j < operands.size(); ++j) params.push_back(param(inner, operands[j].type(), pick(names)));
      visible.insert(visible.end(), params.begin(), params.end());
      grow(inner, visible, 6, depth + 1);
      auto yield = [&](const Type& t) {                               // something of the type, a parameter at least
        std::vector<X> fit;
        for (X x : visible) if (x.type() == t) fit.push_back(x);
        inner.block->yields.push_back(pick(fit).v);
      };
      if (&k == &ops::while_ && i == 0) yield({DType::boolean});
      else if (&k == &ops::if_) for (DType d : {DType::f64, DType::i32}) yield({d});
      else if (loop) for (std::size_t j = &k == &ops::for_; j < params.size(); ++j) yield(params[j].type());
      all.push_back(inner.block);
    }
    return all;
  }
  /// Anything, but preferably what operands tend to be: of the first one's type, an index, an integer that the record names.
  X candidate(const Kind& k, int operand, const std::vector<X>& before, const std::vector<X>& seen) {
    auto* integer = operand < k.operands.size() ? k.integers.find(k.operands[operand]) : nullptr;
    const int taste = below(4);
    std::vector<X> fit;
    for (X x : seen) {
      const bool like_first = !before.empty() && x.type() == Type{before[0].type().dtype}, is_index = x.type() == Type{index_type};
      if (integer ? x.type() == Type{integer->dtype} : taste < 2 ? like_first : taste == 2 && is_index) fit.push_back(x);
    }
    return fit.empty() ? pick(seen) : pick(fit);
  }
  /// Appends the op with random operands; false when they do not fit.
  bool append(Builder& b, const Kind& k, std::vector<X>& seen, int depth) {
    std::vector<X> in;
    const int count = k.operands.fixed() + (k.operands.variadic() ? below(3) : 0);
    for (int i = 0; i < count; ++i) in.push_back(candidate(k, i, in, seen));
    if (&k == &ops::for_ && (!in[0].type().integer() || in[0].type() != in[1].type())) return false;      // before a region is built
    if (&k == &ops::if_ && in[0].type() != Type{DType::boolean}) return false;
    for (X x : in) if (k.regions && x.type().buffer) return false;
    b.where = place();
    std::vector<Value*> operands;
    for (X x : in) operands.push_back(x.v);
    try {
      Op* op = b.append(k, operands, attrs(k), regions(b, k, in, seen, depth));
      for (auto* r : op->results) { r->name = pick(names); seen.push_back({&b, r}); }
    } catch (const Error&) { return false; }
    ++count_[&k];
    return true;
  }
  void grow(Builder& b, std::vector<X>& seen, int n, int depth) {
    for (int i = 0; i < n; ++i) {
      const Kind* k = nullptr;
      do {                                                            // the rarer of two, to meet every op
        const auto& kinds = scalar_kinds();
        const Kind *one = kinds[std::size_t(below(int(kinds.size())))], *other = kinds[std::size_t(below(int(kinds.size())))];
        k = count_[one] <= count_[other] ? one : other;
      } while (k->regions && depth > 2);
      for (int attempt = 0; attempt < 60 && !append(b, *k, seen, depth); ++attempt) {}
    }
  }
  std::mt19937 random_;
  std::map<const Kind*, int>& count_;
};

TEST(Text, RandomProgramsOfEveryOpRoundTrip) {
  std::map<const Kind*, int> count;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Function f = RandomFunction(seed, count).make(seed % 2 ? "f" : "ns::f(int)");
    ASSERT_NO_THROW(verify(f)) << print(f);
    const std::string text = print(f);
    Function back("");
    ASSERT_NO_THROW(back = parse_function(text)) << text;
    ASSERT_NO_THROW(verify(back)) << text;
    EXPECT_EQ(print(back), text);
    EXPECT_EQ(print(copy(f, f.name)), text);
    EXPECT_EQ(back.body->ops.size(), f.body->ops.size());
  }
  for (auto* k : scalar_kinds()) EXPECT_GE(count[k], 3) << k->name;
}

TEST(Text, KeepsPlacesNamesAndNumbers) {
  Function f("f");
  Builder b{f, f.body, {"user.cpp", 3, 7, "y = \"a\\n\";"}};
  const X x = param(b, {DType::f64}, "t");
  const X y = (x * 0x1.23456789abcdep-7).named("t"), z = y * constant(b, Number::of(DType::f64, -0.0));
  f.body->yields = {y.v, z.v, constant(b, Number::of(DType::u64, std::uint64_t(-1))).v, constant(b, Number::of(DType::f64, std::nan(""))).v};
  f.result_names = {"first"};
  const Function back = parse_function(print(f));
  ASSERT_EQ(print(back), print(f));
  EXPECT_EQ(back.body->params[0]->name, "t");
  EXPECT_EQ(back.body->yields[0]->name, "t");
  EXPECT_EQ(back.body->yields[1]->name, "");
  EXPECT_EQ(back.body->yields[0]->def->where, y.v->def->where);
  EXPECT_EQ(*constant_of(back.body->yields[2]), Number::of(DType::u64, std::uint64_t(-1)));
  EXPECT_TRUE(std::isnan(constant_of(back.body->yields[3])->real));
  EXPECT_EQ(back.result_names, f.result_names);
}

TEST(Text, KeepsRulesAndDefinitionsElsewhere) {
  for (const auto& rule : {Rule{}, Rule{.jvp = "f_jvp", .known = 2}, Rule{.vjp = "a \"quoted\" rule", .known = 1}, Rule{.jvp = "j", .vjp = "v", .known = 3, .next = "f_1"}, Rule{.next = ""}}) {
    Function f("f");
    Builder b{f};
    f.body->yields = {param(b, {DType::f64}, "x").v};
    f.rule = rule;
    if (rule.known == 1) f.external = "ns::f", f.declaration = "namespace ns { double f(double); }";
    const Function back = parse_function(print(f));
    ASSERT_TRUE(back.rule);
    EXPECT_EQ(back.rule->jvp, rule.jvp);
    EXPECT_EQ(back.rule->vjp, rule.vjp);
    EXPECT_EQ(back.rule->known, rule.known);
    EXPECT_EQ(back.rule->next, rule.next);
    EXPECT_EQ(back.external, f.external);
    EXPECT_EQ(back.declaration, f.declaration);
    EXPECT_EQ(print(back), print(f));
  }
  EXPECT_THROW(parse_function("func f(%x: f64) rule(1, other \"g\") {\n  yield %x\n}"), Error);
}

TEST(Text, ProgramsRunTheSameAfterARoundTrip) {
  const Program p = parse(R"(
    func power(%x: f64, %n: i32) {
      %zero = constant {value = 0:i32} : i32
      %one = constant {value = 1:f64} : f64
      %stop = compare %n, %zero {direction = le} : bool
      %r = if %stop () {
        yield %one
      } () {
        %less = constant {value = 1:i32} : i32
        %m = sub %n, %less : i32
        %rest = call %x, %m {callee = "power", results = [f64]} : f64
        %y = mul %x, %rest : f64
        yield %y
      } : f64
      yield %r
    }
    func main(%x: f64, %out: buffer f64) {
      %five = constant {value = 5:i32} : i32
      %zero = constant {value = 0:i64} : i64
      %y = call %x, %five {callee = "power", results = [f64]} : f64
      store %out, %zero, %y
    })");
  const Program back = parse(print(p));
  EXPECT_EQ(print(back), print(p));
  for (auto* program : {&p, &back}) {
    auto out = buffer(std::vector<double>{0});
    const std::vector<Argument> args{number(3.0), out};
    interpret(*program, *program->find("main"), args);
    EXPECT_EQ(contents(*out)[0], 243);
  }
}

}  // namespace
}  // namespace tlaloc::ir
