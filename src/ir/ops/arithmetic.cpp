// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, comparison, selection and conversion, with the meaning of C++: integers wrap, division truncates.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {

std::vector<Type> same_number(const Op& op) {
  for (auto* v : op.operands) if (v->type != in(op, 0) || v->type.buffer) refuse(op, "operands must have one number type");
  return {in(op, 0)};
}
std::vector<Type> same_real(const Op& op) {
  const Kind& k = *op.kind;
  const Type* result = nullptr;
  for (int i = 0; i < k.operands.size(); ++i) {
    if (auto* n = k.integers.find(k.operands[i])) {
      if (in(op, i).dtype != n->dtype || in(op, i).buffer) refuse(op, std::string(n->operand) + " must be " + text(n->dtype));
      continue;
    }
    if (!in(op, i).real() || in(op, i).buffer) refuse(op, "needs floating operands");
    if (result && in(op, i) != *result) refuse(op, "operands must have one number type");
    result = &in(op, i);
  }
  for (auto* v : op.operands) if (v->type.dims != result->dims) refuse(op, "operands must have one shape");
  return {*result};
}
std::vector<Type> same_integer(const Op& op) {
  if (in(op, 0).real()) refuse(op, "needs integer operands");
  return same_number(op);
}

FACTS(neg) {
  .name = "neg", .doc = "-x.",
  .operands = {"x"},
  .type = same_number,
  .derivative = linear([](const Op&, std::span<const X>, X d) -> std::vector<X> { return {-d}; }),
  .batching = elementwise,
  .kernel = any<1>([](auto x) { return -x; }),
  .cpp = "-{x}",
  .stablehlo = "stablehlo.negate {x} : {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(add) {
  .name = "add", .doc = "a + b.",
  .operands = {"a", "b"},
  .type = same_number,
  .derivative = linear([](const Op&, std::span<const X>, X d) -> std::vector<X> { return {d, d}; }),
  .batching = elementwise,
  .kernel = any<2>([](auto a, auto b) { return a + b; }),
  .cpp = "{a} + {b}",
  .stablehlo = "stablehlo.add {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(sub) {
  .name = "sub", .doc = "a - b.",
  .operands = {"a", "b"},
  .type = same_number,
  .derivative = linear([](const Op&, std::span<const X>, X d) -> std::vector<X> { return {d, -d}; }),
  .batching = elementwise,
  .kernel = any<2>([](auto a, auto b) { return a - b; }),
  .cpp = "{a} - {b}",
  .stablehlo = "stablehlo.subtract {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(mul) {
  .name = "mul", .doc = "a * b.",
  .operands = {"a", "b"},
  .type = same_number,
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials { return {b, a}; }),
  .batching = elementwise,
  .kernel = any<2>([](auto a, auto b) { return a * b; }),
  .cpp = "{a} * {b}",
  .stablehlo = "stablehlo.multiply {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 1,
};

namespace {
Number divide(const Op& op, std::span<const Number> x, bool remainder) {
  if (is_real(x[0].dtype)) return mixed<Real, Real>([](auto a, auto b) { return a / b; })(op, x);
  if (x[1].bits == 0) refuse(op, "integer division by zero");
  if (remainder) return integer<2>([](auto a, auto b) { return b == decltype(b)(-1) ? decltype(a)(std::is_signed_v<decltype(a)> ? 0 : a % b) : a % b; })(op, x);
  return integer<2>([](auto a, auto b) { return std::is_signed_v<decltype(a)> && b == decltype(b)(-1) ? decltype(a)(0 - std::uint64_t(a)) : a / b; })(op, x);
}
}  // namespace

FACTS(div) {
  .name = "div", .doc = "a / b; integers truncate towards zero.",
  .operands = {"a", "b"},
  .type = same_number,
  .derivative = pointwise([](const Op&, X, X b, X y) -> Partials { const X r = 1 / b; return {r, -(y * r)}; }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number { return divide(op, x, false); },
  .cpp = "{a} / {b}",
  .stablehlo = "stablehlo.divide {a}, {b} : {type}",
  .effect = Effect::guarded, .cost = 8,           // effect(op) answers pure for reals
};

FACTS(rem) {
  .name = "rem", .doc = "a % b of integers, with the sign of a.",
  .operands = {"a", "b"},
  .type = same_integer,
  .derivative = zero("an integer"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number { return divide(op, x, true); },
  .cpp = "{a} % {b}",
  .stablehlo = "stablehlo.remainder {a}, {b} : {type}",
  .effect = Effect::guarded, .cost = 8,
};

#define BITS(NAME, DOC, SPELLING, EXPRESSION, HLO)                                \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"a", "b"}, .type = same_integer,      \
    .derivative = zero("an integer"),                                             \
    .batching = elementwise,                                                      \
    .kernel = integer<2>([](auto a, auto b) { return EXPRESSION; }),              \
    .cpp = SPELLING, .stablehlo = HLO, .effect = Effect::pure, .cost = 1,         \
  }
BITS(bit_and, "Bits set in both; logical and of bools that are both known.", "{a} & {b}", a & b, "stablehlo.and {a}, {b} : {type}");
BITS(bit_or, "Bits set in either; logical or of bools that are both known.", "{a} | {b}", a | b, "stablehlo.or {a}, {b} : {type}");
BITS(bit_xor, "Bits set in one of the two.", "{a} ^ {b}", a ^ b, "stablehlo.xor {a}, {b} : {type}");
#undef BITS

FACTS(bit_not) {
  .name = "bit_not", .doc = "Every bit inverted.",
  .operands = {"x"},
  .type = same_integer,
  .derivative = zero("an integer"),
  .batching = elementwise,
  .kernel = integer<1>([](auto x) { if constexpr (std::is_same_v<decltype(x), bool>) return !x; else return ~x; }),
  .cpp = "~{x}",
  .stablehlo = "stablehlo.not {x} : {type}",
  .effect = Effect::pure, .cost = 1,
};

namespace {
// C++ leaves a shift by the width or more, or by a negative number, undefined.
void check_shift(const Op& op, const Number& by) {
  if (by.bits >= std::uint64_t(bit_width(by.dtype))) refuse(op, "shifts by " + (is_signed(by.dtype) ? std::to_string(by.as_int()) : std::to_string(by.bits)) + " places");
}
}  // namespace

FACTS(shift_left) {
  .name = "shift_left", .doc = "a times two to the power b, wrapping.",
  .operands = {"a", "b"},
  .type = same_integer,
  .derivative = zero("an integer"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    check_shift(op, x[1]);
    return integer<2>([](auto a, auto b) { return std::uint64_t(a) << b; })(op, x);
  },
  .cpp = "{a} << {b}",
  .stablehlo = "stablehlo.shift_left {a}, {b} : {type}",
  .effect = Effect::guarded, .cost = 1,
};

FACTS(shift_right) {
  .name = "shift_right", .doc = "a divided by two to the power b, rounded down; keeps the sign.",
  .operands = {"a", "b"},
  .type = same_integer,
  .derivative = zero("an integer"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    check_shift(op, x[1]);
    return integer<2>([](auto a, auto b) { return a >> b; })(op, x);
  },
  .cpp = "{a} >> {b}",
  .stablehlo = [](const Op& op) -> std::string {
    return std::string("stablehlo.shift_right_") + (is_signed(in(op, 0).dtype) ? "arithmetic" : "logical") + " {a}, {b} : {type}";
  },
  .effect = Effect::guarded, .cost = 1,
};

FACTS(logical_not) {
  .name = "logical_not", .doc = "Not x, a bool.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> { if (in(op, 0).dtype != DType::boolean || in(op, 0).buffer) refuse(op, "needs a bool"); return {in(op, 0)}; },
  .derivative = zero("a truth value"),
  .batching = elementwise,
  .kernel = integer<1>([](auto x) { return !x; }),
  .cpp = "!{x}",
  .stablehlo = "stablehlo.not {x} : {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(compare) {
  .name = "compare", .doc = "Whether the relation `direction` holds between a and b.",
  .operands = {"a", "b"}, .attrs = {key::direction},
  .type = [](const Op& op) -> std::vector<Type> { Type t = same_number(op)[0]; t.dtype = DType::boolean; return {t}; },
  .derivative = zero("a comparison is piecewise constant"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    const bool holds = with_type(x[0].dtype, [&]<class T>(T) {
      const T a = as<T>(x[0]), b = as<T>(x[1]);
      const bool is[] = {a == b, a != b, a < b, a <= b, a > b, a >= b};
      return is[int(op.at(key::direction))];
    });
    return Number::of(DType::boolean, std::uint64_t(holds));
  },
  .cpp = "{a} {direction} {b}",
  .stablehlo = "stablehlo.compare {direction}, {a}, {b} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(select) {
  .name = "select", .doc = "a where mask holds, else b; both are computed.",
  .operands = {"mask", "a", "b"},
  .type = [](const Op& op) -> std::vector<Type> {
    if (in(op, 1) != in(op, 2) || in(op, 1).buffer || in(op, 0).dtype != DType::boolean || in(op, 0).dims != in(op, 1).dims)
      refuse(op, "needs a bool mask and two numbers of one type");
    return {in(op, 1)};
  },
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> {
    return {{}, select(in[0], d, like(d, 0)), select(in[0], like(d, 0), d)};
  }),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Number> x) -> Number { return x[0].bits ? x[1] : x[2]; },
  .cpp = "{mask} ? {a} : {b}",
  .stablehlo = "stablehlo.select {mask}, {a}, {b} : {mask:type}, {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(cast) {
  .name = "cast", .doc = "x converted to another number type as C++ does it.",
  .operands = {"x"}, .attrs = {key::dtype},
  .type = [](const Op& op) -> std::vector<Type> {
    if (in(op, 0).buffer) refuse(op, "needs a number");
    Type t = in(op, 0);
    t.dtype = op.at(key::dtype);
    return {t};
  },
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> {
    return {d.type().real() && in[0].type().real() ? cast(d, in[0].type().dtype) : X{}};     // an integer cuts the dependence
  }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    const DType to = op.at(key::dtype);
    if (is_real(x[0].dtype)) return to == DType::boolean ? Number::of(to, std::uint64_t(x[0].real != 0)) : Number::of(to, x[0].real);
    return is_signed(x[0].dtype) ? Number::of(to, x[0].as_int()) : Number::of(to, x[0].bits);
  },
  .cpp = "{type}({x})",
  .stablehlo = "stablehlo.convert {x} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(bitcast) {
  .name = "bitcast", .doc = "The bits of x as a number of another type of the same width.",
  .operands = {"x"}, .attrs = {key::dtype},
  .type = [](const Op& op) -> std::vector<Type> {
    Type t = in(op, 0);
    if (t.buffer) refuse(op, "needs a number");
    if (bit_width(t.dtype) != bit_width(op.at(key::dtype))) refuse(op, "the types differ in width");
    t.dtype = op.at(key::dtype);
    return {t};
  },
  .derivative = zero("bits are no numbers"),
  .batching = elementwise,
  .kernel = Loops{[](const Op& op, std::span<const Number> x) { return Array(Type{op.at(key::dtype)}, Array::of(x[0]).bytes).at(0); },
                  [](const Op&, std::span<const Array> x, Array& y) { return y = Array(y.type, x[0].bytes), true; }},
  .cpp = by_name,
  .stablehlo = "stablehlo.bitcast_convert {x} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

}  // namespace tlaloc::ir
