// SPDX-License-Identifier: Apache-2.0
//
// The op table's record: every fact about an op, as one constant. A column without a default that is left out does not
// compile. Whoever needs to know an op asks its record; nothing outside src/ir lists ops by hand.
#pragma once

#include "ir/builder.hpp"

#include <concepts>
#include <initializer_list>

namespace tlaloc::ir {

// --- words that several columns understand ---
struct Refused { std::string_view why; };
constexpr Refused refused(std::string_view why) { return {why}; }
inline constexpr struct ByExpansion {} by_expansion;      // expand me first
inline constexpr struct Structural {} structural;         // region and memory ops: the transform treats the structure itself
inline constexpr struct ByName {} by_name;         // C++: the function of <tlaloc/ops.hpp>, which has the op's name
inline constexpr struct None {} none;
inline constexpr struct Elementwise {} elementwise;       // batching: the same op on larger operands of one shape

// --- one small type per column; its constructors say how it may be filled ---
template <class T> struct Must { T value; constexpr Must(T v) : value(v) {} constexpr operator T() const { return value; } };
struct Text : std::string_view { constexpr Text(const char* s) : std::string_view(s) {} };

/// What running an op does besides giving its results.
enum class Effect : std::uint8_t {
  pure,        // nothing: may be dropped, shared, moved, run again
  guarded,     // nothing, but it is undefined for some operands (integer division): never moved above its condition
  allocates,   // makes a buffer: dropped when unused, never shared
  reads,       // reads its buffer operand
  writes,      // writes its buffer operand (append and pop too)
  outputs,     // is seen by the world: runs exactly as often and in the same order under every transform
};

template <class T, int N> struct Few {                    // a constexpr list with room for N
  T items[N] = {};
  int n = 0;
  constexpr const T* begin() const { return items; }
  constexpr const T* end() const { return items + n; }
  constexpr int size() const { return n; }
  constexpr const T& operator[](int i) const { return items[i]; }
};
struct Operands : Few<std::string_view, 4> {              // {"a", "b"}; a last name "init..." takes any number
  constexpr Operands(None) {}
  constexpr Operands(std::initializer_list<std::string_view> l) { for (auto x : l) items[n++] = x; }
  constexpr bool variadic() const { return n && items[n - 1].ends_with("..."); }
  constexpr int fixed() const { return n - variadic(); }
  constexpr int find(std::string_view name) const { for (int i = 0; i < n; ++i) if (items[i] == name) return i; return -1; }
};
template <class T> constexpr std::size_t attr_index() {
  return []<class... A>(std::variant<A...>*) { std::size_t i = 0; (void)((std::is_same_v<T, A> || (++i, false)) || ...); return i; }((Attr*)nullptr);
}
struct AttrSpec {
  std::string_view name;
  std::size_t type = 0;                                   // alternative of Attr
  constexpr AttrSpec() = default;
  template <class T> constexpr AttrSpec(Key<T> k) : name(k.name), type(attr_index<T>()) {}
};
struct Attrs : Few<AttrSpec, 8> {
  constexpr Attrs() = default;                            // checked against the signature in ops.def
  constexpr Attrs(std::initializer_list<AttrSpec> l) { for (auto& x : l) items[n++] = x; }
};

struct IntegerOperand { std::string_view operand; DType dtype; };
/// Operands of a real function that are integers in C++: {{"n", DType::u32}}. All others share the result's real type.
struct Integers : Few<IntegerOperand, 2> {
  constexpr Integers() = default;
  constexpr Integers(std::initializer_list<IntegerOperand> l) { for (auto& x : l) items[n++] = x; }
  constexpr const IntegerOperand* find(std::string_view name) const { for (auto& x : *this) if (x.operand == name) return &x; return nullptr; }
};
struct PassiveOperand { std::string_view operand, why; };
/// Real operands by which the op cannot be differentiated, and what the user is told; refused only where such an operand is active.
struct Passive : Few<PassiveOperand, 2> {
  constexpr Passive() = default;
  constexpr Passive(std::initializer_list<PassiveOperand> l) { for (auto& x : l) items[n++] = x; }
  constexpr const PassiveOperand* find(std::string_view name) const { for (auto& x : *this) if (x.operand == name) return &x; return nullptr; }
};

struct TypeRule {                                         // result types, or throws Error: shape, dtype and verification in one rule
  using F = std::vector<Type> (*)(const Op&);
  F of;
  template <std::convertible_to<F> T> constexpr TypeRule(T f) : of(f) {}
};

struct Kind;
using Partials = std::vector<X>;                          // one per operand; X{} = none (an integer operand, say)
using Tangent = X (*)(const Op&, std::span<const X> in, X out, std::span<const X> d);   // d: tangents of the operands, X{} = zero, not all
using Transpose = std::vector<X> (*)(const Op&, std::span<const X> in, X d);   // cotangents of the operands, X{} = none
struct Derivative {
  enum Form { pointwise, linear, multilinear, differential, by_expansion, zero, structural, refused } form;
  int arity = 0;
  union {
    Partials (*p1)(const Op&, X, X) = nullptr;            // the op (for attributes), operands, then the result
    Partials (*p2)(const Op&, X, X, X);
    Partials (*p3)(const Op&, X, X, X, X);
    Transpose transpose;                                  // differential: for the operands in which the op is linear, or null
  };
  Tangent tangent = nullptr;
  std::string_view why = {};                              // refused: what the user is told; zero: the reason
  const Kind* then = nullptr;                             // pointwise: the linear op that sums what the partials give
  constexpr Derivative(Form f, Transpose t) : form(f), transpose(t) {}
  constexpr Derivative(Form f, std::string_view w) : form(f), why(w) {}
  constexpr Derivative(Refused r) : form(refused), why(r.why) {}
  constexpr Derivative(ByExpansion) : form(by_expansion) {}
  constexpr Derivative(Structural) : form(structural) {}
  constexpr Derivative(Partials (*p)(const Op&, X, X)) : form(pointwise), arity(1), p1(p) {}
  constexpr Derivative(Partials (*p)(const Op&, X, X, X)) : form(pointwise), arity(2), p2(p) {}
  constexpr Derivative(Partials (*p)(const Op&, X, X, X, X)) : form(pointwise), arity(3), p3(p) {}
};
/// pointwise([](const Op&, X a, X b, X y) -> Partials {...}): forward multiplies by the tangents, reverse by the cotangent.
constexpr Derivative pointwise(Partials (*p)(const Op&, X, X)) { return p; }
constexpr Derivative pointwise(Partials (*p)(const Op&, X, X, X)) { return p; }
constexpr Derivative pointwise(Partials (*p)(const Op&, X, X, X, X)) { return p; }
/// Partials by each element of the one operand; the tangent is `then`, with the op's attributes, of partial times tangent.
constexpr Derivative pointwise_then(const Kind& then, Partials (*p)(const Op&, X, X)) { Derivative d = p; d.then = &then; return d; }
/// Linear in all its real operands together (others are passive): forward is the op on the tangents.
constexpr Derivative linear(Transpose t) { return {Derivative::linear, t}; }
/// Linear in each real operand alone (a product): forward is the sum of the op with one operand replaced by its tangent.
constexpr Derivative multilinear(Transpose t) { return {Derivative::multilinear, t}; }
/// Any other: the tangent of the result. Reverse mode transposes what the rule builds, which is linear in the tangents; that ends
/// at ops that are linear in the operand by which the rule uses them and say so by their transpose.
constexpr Derivative differential(Tangent t, Transpose linear_in_some = nullptr) {
  Derivative d(Derivative::differential, linear_in_some);
  d.tangent = t;
  return d;
}
constexpr Derivative zero(std::string_view why) { return {Derivative::zero, why}; }

struct Expansion {                                        // the op in terms of others
  std::vector<X> (*rule)(const Op&, std::span<const X>) = nullptr;
};

/// How the op is mapped over a new axis that stands in front in the operands marked, in at least one, and in the result.
struct Batch { std::int64_t extent; std::vector<bool> marked; };
using BatchRule = X (*)(const Op&, std::span<const X> in, const Batch&);
struct Batching {
  enum Form { elementwise, rule, by_expansion, structural, refused } form;
  BatchRule map = nullptr;
  std::string_view why = {};
  template <std::convertible_to<BatchRule> F> constexpr Batching(F f) : form(rule), map(f) {}
  constexpr Batching(Elementwise) : form(elementwise) {}
  constexpr Batching(ByExpansion) : form(by_expansion) {}
  constexpr Batching(Structural) : form(structural) {}
  constexpr Batching(Refused r) : form(refused), why(r.why) {}
};

struct Run;                                               // the interpreter as a control or memory op sees it: run.hpp
class Array;                                              // a tensor on the host: array.hpp
/// A function of numbers, and the same on whole arrays of one shape where that is worth a loop of its own; the latter may
/// decline by returning false.
struct Loops {
  Number (*number)(const Op&, std::span<const Number>);
  bool (*array)(const Op&, std::span<const Array>, Array& out);
};
struct Kernel {
  enum Form { expand, numbers, arrays, control } form;
  union {
    Number (*number)(const Op&, std::span<const Number>) = nullptr;   // pointwise ops: see real() and any() in ops/rules.hpp
    void (*whole)(const Op&, std::span<const Array>, Array& out);     // other tensor ops; out is zero
    void (*run)(Run&, const Op&);
  };
  bool (*loop)(const Op&, std::span<const Array>, Array& out) = nullptr;
  constexpr Kernel(Loops l) : form(numbers), number(l.number), loop(l.array) {}
  template <std::convertible_to<Number (*)(const Op&, std::span<const Number>)> F> constexpr Kernel(F f) : form(numbers), number(f) {}
  template <std::convertible_to<void (*)(const Op&, std::span<const Array>, Array&)> F> constexpr Kernel(F f) : form(arrays), whole(f) {}
  template <std::convertible_to<void (*)(Run&, const Op&)> F> constexpr Kernel(F f) : form(control), run(f) {}
  constexpr Kernel(ByExpansion) : form(expand) {}
};

struct Spelling {                                         // "{a} + {b}": operands and attributes by name, {type} of the result
  static constexpr std::string_view words[] = {"type"};
  std::string_view text, why = {};
  bool expands = false;
  bool by_printer = false;                                // the back end prints the structure itself
  bool by_name = false;
  constexpr Spelling(ByName) : by_name(true) {}
  constexpr Spelling(const char* t) : text(t) {}
  constexpr Spelling(Refused r) : why(r.why) {}
  constexpr Spelling(ByExpansion) : expands(true) {}
  constexpr Spelling(Structural) : by_printer(true) {}
};
/// Text of StableHLO: the right side of one line, or several lines in which {result} names the result and {0}, {1}
/// values in between; {x:type} is the type of operand x, {type} that of the result, {element} that of one of its elements,
/// {truths} that of bools for them, {signature} "(operands) -> result"; {zero}, {one}, {lowest} and {highest} are numbers of the result's dtype. A rule gives
/// the text where it depends on the op.
struct StableHlo {
  static constexpr std::string_view words[] = {"type", "element", "signature", "result", "zero", "one", "lowest", "highest", "truths", "0", "1", "2", "3"};
  std::string_view text = {}, why = {};
  std::string (*rule)(const Op&) = nullptr;
  bool expands = false;
  bool by_printer = false;
  constexpr StableHlo(const char* t) : text(t) {}
  template <std::convertible_to<std::string (*)(const Op&)> F> constexpr StableHlo(F f) : rule(f) {}
  constexpr StableHlo(Refused r) : why(r.why) {}
  constexpr StableHlo(ByExpansion) : expands(true) {}
  constexpr StableHlo(Structural) : by_printer(true) {}
};
/// C++ text that a spelling calls as math::<name> and that the standard library lacks: inline functions, which the back end
/// prints once, before their first use, within `namespace math`. They need <cmath> and <limits>.
struct Helper { std::string_view name, doc, source; };

struct Kind {
  Text name, doc;
  Operands operands;
  Attrs attrs = {};
  Integers integers = {};
  int regions = 0;
  TypeRule type;
  Expansion expansion = {};
  Derivative derivative;
  Passive passive = {};
  Batching batching;
  Kernel kernel;
  Spelling cpp;
  const Helper* helper = nullptr;
  StableHlo stablehlo;
  Must<Effect> effect;
  Must<int> cost;                                         // of one execution, add = 1
};

// What one fact says about another; a throw here is a compile error at the record.
template <class Words> constexpr void check_spelling(const Kind& k, std::string_view s, const Words& words) {
  for (auto open = s.find('{'); open != s.npos; open = s.find('{', open + 1)) {
    auto word = s.substr(open + 1, s.find('}', open) - open - 1);
    bool known = k.operands.find(word.substr(0, word.find(':'))) >= 0;
    for (auto& a : k.attrs) known |= a.name == word;
    for (auto w : words) known |= w == word;
    if (!known) throw "a spelling names neither an operand nor an attribute";
  }
}
constexpr void check(const Kind& k) {
  if (k.derivative.form == Derivative::pointwise && k.derivative.arity != k.operands.fixed()) throw "partials take (op, operands..., result)";
  const bool asks = k.derivative.form == Derivative::by_expansion || k.kernel.form == Kernel::expand || k.cpp.expands ||
                    k.batching.form == Batching::by_expansion || k.stablehlo.expands;
  if (asks && !k.expansion.rule) throw "by_expansion needs an expansion";
  check_spelling(k, k.cpp.text, Spelling::words);
  check_spelling(k, k.stablehlo.text, StableHlo::words);
  for (auto& i : k.integers) if (k.operands.find(i.operand) < 0) throw "an integer operand is none of the operands";
  for (auto& p : k.passive) if (k.operands.find(p.operand) < 0) throw "a passive operand is none of the operands";
  if (k.passive.size() && k.derivative.form != Derivative::pointwise) throw "passive operands belong to partials";
}

/// Signature<X, DType>: what ops.def declares. It is the record and the function that builds the op: cast(x, DType::f32).
template <class... S> struct Signature : Kind {
  static constexpr int arity = (0 + ... + std::is_same_v<S, X>), regions_marked = (0 + ... + std::is_same_v<S, Regions>);
  consteval Signature(const Kind& k) : Kind(k) {
    if (k.operands.fixed() != arity) throw "operands differ from ops.def";
    if (k.attrs.size() != int(sizeof...(S)) - arity - regions_marked) throw "attributes differ from ops.def";
    if ((k.regions > 0) != (regions_marked > 0)) throw "regions differ from ops.def";
    int i = 0;
    ((std::is_same_v<S, X> || std::is_same_v<S, Regions> || k.attrs[i++].type == attr_index<S>() ? void() : throw "attribute type differs from ops.def"), ...);
    check(k);
  }
  X operator()(const S&... s) const requires (regions_marked == 0 && arity > 0) {
    std::vector<X> in;
    std::vector<Attr> attrs;
    auto take = [&](const auto& v) { if constexpr (std::is_same_v<decltype(v), const X&>) in.push_back(v); else attrs.push_back(v); };
    (take(s), ...);
    return build(*this, *in[0].b, in, std::move(attrs));
  }
};

std::span<const Kind* const> all_kinds();
const Kind* find_kind(std::string_view name);
/// The op that a function of <cmath> is, by its C or C++ name and number of arguments: std::fabs is abs, sinf is sin, hypot
/// of three is hypot3. Null when there is none: functions with two results (frexp, modf, remquo) are told in ops/rounding.cpp.
const Kind* find_function(std::string_view name, int arguments);
/// The type of the result of an op with one, for operands of these types; throws Error as building it would.
Type type_of(const Kind&, std::span<const Type> operands, std::vector<Attr> = {});
[[noreturn]] void refuse(const Op&, std::string_view what);   // throws Error that names the op and its place
std::vector<Type> result_types(const Op&);                    // checks the op against its record, then applies its type rule

// --- questions that several consumers ask of a record ---
/// The type that an operand of a real function has in C++ when the function computes in `real`.
DType operand_dtype(const Kind&, int operand, DType real);
/// Throws Refusal NOT_DIFFERENTIABLE unless the op can be differentiated by this operand. Forward and reverse ask it for each
/// active operand of an op whose result is active.
void check_differentiable(const Op&, int operand);
/// The partials of a pointwise op; X{} for operands that are integers or passive.
Partials partials(const Op&, std::span<const X> in, X out);
/// Which values the adjoint of operand `operand` reads, found by running the rule on placeholders: operand numbers, -1 = the result.
const std::vector<int>& reads(const Op&, int operand);
/// The worst effect of the op and of all in its regions (an `if` of pure ops is pure).
Effect effect(const Op&);
/// Buffers that the op, or one within its regions, writes (or reads).
std::vector<Value*> written_buffers(const Op&);
std::vector<Value*> read_buffers(const Op&);
/// Ops for which `needs` holds are replaced by their expansion, in all regions too.
void expand(Function&, bool (*needs)(const Op&));
/// Does the op take or give a tensor, or ask for the extent of one?
bool of_tensors(const Op&);

}  // namespace tlaloc::ir
