// SPDX-License-Identifier: Apache-2.0
//
// Random well-defined programs for tests of passes: every index is inside, every loop ends, every buffer is written before
// it is read. What a run does (results, final contents of parameter buffers, outputs) is one list of numbers.
#pragma once

#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <cmath>
#include <random>

namespace tlaloc::ir::test {

struct Buffer { Value* v; std::int64_t size; bool grows = false; };   // size: a power of two, never less

class RandomProgram {
 public:
  /// Without `single` no value is f32 except the parameter z, so that differences of results can be trusted.
  explicit RandomProgram(unsigned seed, bool single = true) : rng_(seed), single_(single) {}
  /// f(x, y: f64, z: f32, n: i64, m: i32, c: bool, p: buffer f64 of 4, q: buffer i64 of 4), which calls g and h.
  Program make(int statements) {
    Program program;
    program.add(parse_function(R"(func g(%a: f64, %p: buffer f64) {
      %one = constant {value = 1:i64} : i64
      %old = load %p, %one : f64
      %s = sin %a : f64
      store %p, %one, %s
      %r = add %old, %a : f64
      yield %r
    })"));
    program.add(parse_function(R"(func h(%a: f64, %p: buffer f64) {
      %zero = constant {value = 0:i64} : i64
      %b = load %p, %zero : f64
      %r = mul %a, %b : f64
      yield %r
    })"));
    Function f("f");
    Builder b{f};
    scope_ = {};
    const DType scalars[] = {DType::f64, DType::f64, DType::f32, DType::i64, DType::i32, DType::boolean};
    const char* names[] = {"x", "y", "z", "n", "m", "c"};
    for (int i = 0; i < 6; ++i) scope_.values.push_back(param(b, Type{scalars[i]}, names[i]).v);
    scope_.buffers.push_back({param(b, buffer_of(DType::f64), "p").v, 4});
    scope_.buffers.push_back({param(b, buffer_of(DType::i64), "q").v, 4});
    block(b, statements, 0);
    show(b);
    for (DType d : {DType::f64, DType::f64, DType::f32, DType::i64, DType::i32, DType::boolean}) f.body->yields.push_back(any(b, d));
    program.add(std::move(f));
    return program;
  }

 private:
  struct Scope {
    std::vector<Value*> values;
    std::vector<Buffer> buffers;
  };
  int below(int n) { return int(rng_() % unsigned(n)); }
  bool chance(int percent) { return below(100) < percent; }
  DType dtype() {
    constexpr DType ds[] = {DType::f64, DType::f64, DType::f64, DType::f32, DType::i64, DType::i32, DType::boolean};
    const DType d = ds[below(7)];
    return d == DType::f32 && !single_ ? DType::f64 : d;
  }
  Value* keep(Value* v) {
    if (v->name.empty() && chance(50)) v->name = std::string(1, char('a' + below(26)));
    scope_.values.push_back(v);
    return v;
  }
  Value* constant_value(Builder& b, DType d) {
    constexpr double reals[] = {0.0, -0.0, 1, -1, 2, 0.5, -3.25, 1e-3};
    if (is_real(d)) return constant(b, d, reals[below(8)]).v;
    return constant(b, Number::of(d, d == DType::boolean ? below(2) : below(9) - 3)).v;
  }
  // A value in scope of the type, or a constant.
  Value* any(Builder& b, DType d) {
    std::vector<Value*> fit;
    for (auto* v : scope_.values) if (v->type == Type{d}) fit.push_back(v);
    if (fit.empty() || chance(12)) return constant_value(b, d);
    const std::size_t recent = std::min<std::size_t>(fit.size(), 6);
    return chance(70) ? fit[fit.size() - 1 - std::size_t(below(int(recent)))] : fit[std::size_t(below(int(fit.size())))];
  }
  X x(Builder& b, DType d) { return {&b, any(b, d)}; }
  X index_in(Builder& b, std::int64_t size) {
    if (chance(60)) return index(b, below(int(size)));
    const X i = chance(30) ? x(b, DType::i64) + 1 : x(b, DType::i64);
    return ops::bit_and(i, index(b, size - 1));
  }
  const Buffer& buffer(bool writable = false) {
    for (;;) {
      const Buffer& r = scope_.buffers[std::size_t(below(int(scope_.buffers.size())))];
      if (!writable || !r.v->def || r.v->def->kind == &ops::alloc) return r;
    }
  }

  void block(Builder& b, int statements, int depth) { for (int i = 0; i < statements; ++i) statement(b, depth); }
  void statement(Builder& b, int depth) {
    const int kind = below(100);
    if (kind < 32) number(b);
    else if (kind < 48) read(b);
    else if (kind < 62) write(b);
    else if (kind < 67) allocate(b);
    else if (kind < 69) grow(b);
    else if (kind < 71) output(b);
    else if (kind < 75) call(b);
    else if (depth >= 3) number(b);
    else if (kind < 85) branch(b, depth);
    else if (kind < 94) counted(b, depth);
    else while_loop(b, depth);
  }
  void number(Builder& b) {
    const DType d = dtype();
    if (d == DType::boolean) return truth(b);
    if (chance(12)) { keep(ops::cast(x(b, dtype()), d).v); return; }
    if (chance(8)) { keep(ops::select(x(b, DType::boolean), x(b, d), x(b, d)).v); return; }
    const X p = x(b, d), q = x(b, d);
    if (is_real(d)) {
      switch (below(9)) {
        case 0: case 1: keep(ops::add(p, q).v); break;
        case 2: keep(ops::sub(p, q).v); break;
        case 3: case 4: keep(ops::mul(p, q).v); break;
        case 5: keep(ops::div(p, q).v); break;
        case 6: keep(ops::neg(p).v); break;
        case 7: keep(ops::sin(p).v); break;
        default: keep(ops::tanh(p).v); break;
      }
      return;
    }
    const X positive = ops::add(ops::bit_and(q, like(q, 3)), like(q, 1));
    switch (below(10)) {
      case 0: case 1: keep(ops::add(p, q).v); break;
      case 2: case 3: keep(ops::sub(p, q).v); break;
      case 4: keep(ops::mul(p, q).v); break;
      case 5: keep(ops::rem(p, positive).v); break;
      case 6: keep(ops::div(p, positive).v); break;
      case 7: keep(ops::bit_xor(p, q).v); break;
      case 8: keep(ops::shift_right(p, positive).v); break;
      default: keep(ops::neg(p).v); break;
    }
  }
  void truth(Builder& b) {
    const DType d = chance(50) ? DType::i64 : dtype();
    switch (below(6)) {
      case 0: keep(ops::logical_not(x(b, DType::boolean)).v); break;
      case 1: keep(ops::bit_and(x(b, DType::boolean), x(b, DType::boolean)).v); break;
      case 2: keep(ops::bit_or(x(b, DType::boolean), x(b, DType::boolean)).v); break;
      default: keep(ops::compare(x(b, d), x(b, d), Compare(below(6))).v); break;
    }
  }
  void read(Builder& b) {
    const Buffer t = buffer();
    const X buf{&b, t.v};
    keep((t.grows && chance(20) ? ops::length(buf) : ops::load(buf, index_in(b, t.size))).v);
  }
  void write(Builder& b) {
    const Buffer t = buffer(true);
    const X buf{&b, t.v};
    const DType d = t.v->type.dtype;
    switch (below(6)) {
      case 0: ops::fill(buf, x(b, d)); break;
      case 1: case 2: ops::accum(buf, index_in(b, t.size), x(b, d)); break;
      default: ops::store(buf, index_in(b, t.size), x(b, d)); break;
    }
  }
  void allocate(Builder& b) {
    const DType d = dtype();
    if (chance(15)) {
      Numbers ns;
      for (int i = 0; i < 4; ++i) ns.push_back(Number::of(d, below(5) - 1));
      scope_.buffers.push_back({b.append(ops::table, {}, {d, ns})->results[0], 4});
      return;
    }
    const std::int64_t size = std::int64_t(1) << below(3);
    const X buf = ops::alloc(index(b, size), d);
    if (chance(50)) buf.v->name = "v";
    ops::fill(buf, x(b, d));
    scope_.buffers.push_back({buf.v, size});
  }
  void grow(Builder& b) {
    for (auto t : scope_.buffers) {
      if (!t.grows) continue;
      const X buf{&b, t.v};
      if (chance(50)) { ops::append(buf, x(b, t.v->type.dtype)); return; }
      const X longer = ops::add(ops::bit_and(x(b, DType::i64), index(b, 3)), index(b, t.size));
      ops::resize(buf, longer, x(b, t.v->type.dtype));
      if (chance(50)) { ops::append(buf, x(b, t.v->type.dtype)); keep(ops::pop(buf).v); }
      return;
    }
    const X buf = ops::alloc(index(b, 2), DType::f64);
    ops::fill(buf, x(b, DType::f64));
    scope_.buffers.push_back({buf.v, 2, true});
  }
  void output(Builder& b) { b.append(ops::output, {any(b, dtype()), any(b, DType::f64)}, {std::string("log"), std::string()}); }
  // Makes much of the program live: what every buffer holds, and some values.
  void show(Builder& b) {
    auto out = [&](Value* v) { b.append(ops::output, {v}, {std::string("show"), std::string()}); };
    for (auto& t : scope_.buffers) for (std::int64_t i = 0; i < t.size; ++i) out(ops::load(X{&b, t.v}, index(b, i)).v);
    for (int i = 0; i < 6; ++i) out(any(b, dtype()));
  }
  void call(Builder& b) {
    for (auto& t : scope_.buffers) {
      if (t.v->type.dtype != DType::f64 || t.size < 2 || (t.v->def && t.v->def->kind == &ops::table) || chance(50)) continue;
      keep(b.append(ops::call, {any(b, DType::f64), t.v}, {std::string(chance(50) ? "g" : "h"), Types{Type{DType::f64}}})->results[0]);
      return;
    }
  }

  // --- regions: what they define stays in them ---
  std::vector<X> carried(Builder& b) {
    std::vector<X> init;
    for (int i = below(4); i > 0; --i) init.push_back(x(b, dtype()));
    return init;
  }
  std::vector<X> body(Builder& b, std::span<const X> params, std::span<const X> like_these, int depth) {
    const Scope outer = scope_;
    for (auto p : params) keep(p.v);
    block(b, 1 + below(5), depth + 1);
    if (chance(20)) output(b);
    std::vector<X> yields;
    for (auto p : like_these) yields.push_back(x(b, p.type().dtype));
    scope_ = outer;
    return yields;
  }
  void keep_all(const std::vector<X>& xs) { for (auto v : xs) keep(v.v); }
  void branch(Builder& b, int depth) {
    const std::vector<X> types = carried(b);
    auto side = [&](Builder& inner, std::span<const X>) { return body(inner, {}, types, depth); };
    keep_all(ir::branch(b, x(b, DType::boolean), side, side));
  }
  void counted(Builder& b, int depth) {
    const std::vector<X> init = carried(b);
    auto bound = [&] { return chance(60) ? index(b, below(5)) : ops::bit_and(x(b, DType::i64), index(b, 3)); };
    const X from = bound(), to = bound();
    constexpr std::int64_t steps[] = {1, 1, 1, 2, -1, -2};
    keep_all(loop(b, from, to, steps[below(6)], init, [&](Builder& inner, std::span<const X> in) {
      return body(inner, in, init, depth);
    }));
  }
  // A counter that goes down or up, perhaps with a flag, perhaps in a test that writes.
  void while_loop(Builder& b, int depth) {
    std::vector<X> init = carried(b);
    const bool up = chance(50), flagged = chance(40), counts_in_test = chance(30), writes = chance(30);
    init.insert(init.begin(), up ? index(b, 0) : ops::bit_and(x(b, DType::i64), index(b, 3)));
    init.insert(init.begin() + 1, flagged ? x(b, DType::boolean) : X{&b, constant(b, Number::of(DType::boolean, 1)).v});
    const X limit = up ? ops::bit_and(x(b, DType::i64), index(b, 3)) : index(b, 0);
    const X noted = ops::alloc(index(b, 1), DType::i64);
    ops::store(noted, index(b, 0), index(b, 0));
    scope_.buffers.push_back({noted.v, 1});
    auto test = [&](Builder& inner, std::span<const X> in) -> std::vector<X> {
      const X i{&inner, in[0].v};
      if (writes) ops::store(X{&inner, noted.v}, index(inner, 0), i);
      const X more = ops::compare(i, X{&inner, limit.v}, up ? Compare::lt : Compare::gt);
      return {flagged || counts_in_test ? ops::bit_and(X{&inner, in[1].v}, more) : more};
    };
    keep_all(loop_while(b, init, test, [&](Builder& inner, std::span<const X> in) {
      auto yields = body(inner, in.subspan(2), std::span(init).subspan(2), depth);
      const X next = up ? ops::add(in[0], index(inner, 1)) : ops::sub(in[0], index(inner, 1));
      yields.insert(yields.begin(), {next, flagged && chance(50) ? ops::compare(next, index(inner, 2), Compare(below(6))) : in[1]});
      return yields;
    }));
  }

  std::mt19937 rng_;
  bool single_;
  Scope scope_;
};

/// Everything that the world sees of a run of the program's last function, as numbers; NaNs are all one.
inline Numbers observe(const Program& p, const Function& f, unsigned seed) {
  std::mt19937 rng(seed);
  auto real = [&] { return std::uniform_real_distribution<double>(-2, 2)(rng); };
  auto whole = [&](int n) { return std::int64_t(rng() % unsigned(n)); };
  auto doubles = buffer(std::vector<double>{real(), real(), real(), real()});
  auto integers = std::make_shared<Memory>(Memory{DType::i64, {}});
  for (int i = 0; i < 4; ++i) integers->data.push_back(Number::of(DType::i64, whole(9) - 4));
  const std::vector<Argument> args{number(real()), number(real()), Number::of(DType::f32, real()), integer(whole(6) - 1, DType::i64),
                                   integer(whole(7) - 2), integer(whole(2), DType::boolean), doubles, integers};
  Numbers seen;
  const auto results = interpret(p, f, args, [&](const Op&, std::span<const Number> in) { seen.insert(seen.end(), in.begin(), in.end()); });
  seen.insert(seen.end(), results.begin(), results.end());
  seen.insert(seen.end(), doubles->data.begin(), doubles->data.end());
  seen.insert(seen.end(), integers->data.begin(), integers->data.end());
  for (auto& n : seen) if (std::isnan(n.real)) n.real = std::nan("");
  return seen;
}

}  // namespace tlaloc::ir::test
