// SPDX-License-Identifier: Apache-2.0
//
// Random structured programs (nested, triangular and early-ended loops, branches, overwritten and accumulated buffers,
// scratch, carried values, recursion), each with its loops in several mixes of modes, against central differences.
#include "ir/ops.hpp"
#include "transforms/reverse_support.hpp"

#include <cstdlib>
#include <random>

using namespace tlaloc::ir;

namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : rng_(seed) {}
  /// f(n: i32, x, z: buffer f64, a: f64, w: buffer f64): x is read, z is read and written; three more arrays of n are local
  /// or carved out of w.
  Program make() {
    Program p;
    p.add(parse_function(R"(func power(%x: f64, %n: i32, %z: buffer f64[5]) {
      %zero = constant {value = 0:i32} : i32
      %first = constant {value = 0:i64} : i64
      %c = compare %n, %zero {direction = gt} : bool
      %r = if %c () {
        %one = constant {value = 1:i32} : i32
        %m = sub %n, %one : i32
        %e = load %z, %first : f64
        %q = mul %e, %x : f64
        %s = sin %q : f64
        store %z, %first, %s
        %y = call %s, %m, %z {callee = "power", results = [f64]} : f64
        %p = mul %y, %x : f64
        yield %p
      } () {
        %s = sin %x : f64
        yield %s
      } : f64
      yield %r
    })"));
    Function f("f");
    Builder b{f};
    n32_ = param(b, {DType::i32}, "n").v;
    x_ = param(b, buffer_of(DType::f64), "x").v;
    z_ = param(b, buffer_of(DType::f64), "z").v;
    z_->type.dims = {n};
    Value* a = param(b, {DType::f64}, "a").v;
    Value* w = param(b, buffer_of(DType::f64), "w").v;
    n_ = convert({&b, n32_}, index_type).v;
    const bool carved = chance(50);
    for (int i = 0; i < 3; ++i) {
      const Array y = carved ? Array{w, i} : Array{ops::alloc({&b, n_}, DType::f64).named("y" + std::to_string(i)).v};
      const bool copy = chance(60);
      counted(b, constant(b, Number::of(DType::i32, 0)), {}, 1, [&](Builder& in, X i32, std::span<const X>) -> std::vector<X> {
        X k = convert(i32, index_type);
        ops::store({&in, y.v}, place(in, y, k), copy ? ops::load({&in, x_}, k) : constant(in, DType::f64, 0.3));
        return {};
      });
      buffers_.push_back(y);
    }
    buffers_.push_back({z_});
    Env env{{a}, {}};
    statements(b, env, 3, 5);
    X sum = constant(b, DType::f64, 0);
    for (int which = 0; which < 4; ++which)
      sum = counted(b, constant(b, Number::of(DType::i32, 0)), {sum}, 1, [&](Builder& in, X i, std::span<const X> s) -> std::vector<X> {
        X v = load(in, buffers_[std::size_t(which)], convert(i, index_type));
        return {X{&in, s[0].v} + (which == 0 ? ops::sin(v) : v * v)};
      })[0];
    f.body->yields.push_back((sum + X{&b, env.reals.back()}).v);
    p.add(std::move(f));
    return p;
  }
  static constexpr int n = 5;

 private:
  struct Array { Value* v; int part = 0; };       // elements part * n and on
  struct Env { std::vector<Value*> reals, counters; };
  using Turn = std::function<std::vector<X>(Builder&, X, std::span<const X>)>;
  int below(int k) { return int(rng_() % unsigned(k)); }
  bool chance(int percent) { return below(100) < percent; }

  std::vector<X> counted(Builder& b, X from, std::vector<X> init, std::int64_t step, const Turn& body) {
    X to{&b, n32_};
    if (step < 0) { X last = to - constant(b, Number::of(DType::i32, 1)); to = from - constant(b, Number::of(DType::i32, 1)), from = last; }
    return loop(b, from, to, step, std::move(init), [&](Builder& in, std::span<const X> xs) { return body(in, xs[0].named("i"), xs.subspan(1)); });
  }
  X place(Builder& b, const Array& y, X k) { return y.part ? k + X{&b, n_} * index(b, y.part) : k; }
  X load(Builder& b, const Array& y, X k) { return ops::load({&b, y.v}, place(b, y, k)); }
  X at(Builder& b, const Env& env) {
    if (!env.counters.empty() && chance(80)) {
      X i{&b, env.counters[std::size_t(below(int(env.counters.size())))]};
      i = convert(i, index_type);
      if (chance(75)) return i;
      return ops::rem(i + index(b, 1 + below(2)), {&b, n_});
    }
    return index(b, below(3));
  }
  X expr(Builder& b, const Env& env, int depth = 2) {
    const int k = below(100);
    if (depth == 0 || k < 25) {
      if (env.reals.empty() || chance(45)) {
        const int which = below(5);
        return load(b, which == 4 ? Array{x_} : buffers_[std::size_t(which)], at(b, env));
      }
      return {&b, env.reals[std::size_t(below(int(env.reals.size())))]};
    }
    X e = expr(b, env, depth - 1);
    if (k < 45) return 0.5 * e + expr(b, env, depth - 1) * 0.5;
    if (k < 65) return e * expr(b, env, depth - 1);
    if (k < 78) return ops::sin(e);
    if (k < 88) return ops::exp(0.3 * ops::sin(e));
    if (k < 92) return convert(convert(e, DType::f32), DType::f64) * 0.0 + e;
    return e / (2.0 + ops::cos(expr(b, env, depth - 1)));
  }
  void put(Builder& b, const Env& env, const Array& y, X i, bool sum) {
    if (sum) ops::accum({&b, y.v}, place(b, y, i), 0.3 * expr(b, env));
    else ops::store({&b, y.v}, place(b, y, i), ops::sin(expr(b, env)));
  }
  void statements(Builder& b, Env& env, int depth, int count) { for (int i = 0; i < count; ++i) statement(b, env, depth); }
  void statement(Builder& b, Env& env, int depth) {
    const int k = below(100);
    const Array y = buffers_[std::size_t(below(4))];
    if (k < 25) put(b, env, y, at(b, env), false);
    else if (k < 38) put(b, env, y, at(b, env), true);
    else if (k < 48 && depth) {                    // overwrites all of it
      counted(b, constant(b, Number::of(DType::i32, 0)), {}, chance(80) ? 1 : -1, [&](Builder& in, X i, std::span<const X>) -> std::vector<X> {
        Env e = env;
        e.counters.push_back(i.v);
        put(in, e, y, convert(i, index_type), false);
        return {};
      });
    } else if (k < 66 && depth) for_loop(b, env, depth);
    else if (k < 76 && depth) branch_(b, env, depth);
    else if (k < 84 && depth) while_(b, env, depth);
    else if (k < 88 && depth) scratch(b, env, depth);
    else if (k < 91) {
      X v = expr(b, env);
      Op* call = b.append(ops::call, {v.v, constant(b, Number::of(DType::i32, below(3))).v, z_}, {std::string("power"), Types{{DType::f64}}});
      env.reals.push_back(call->results[0]);
    } else env.reals.push_back(expr(b, env).v);
  }
  std::vector<X> carried(Builder& b, Env& e, std::span<const X> cs) {
    std::vector<X> next;
    for (X c : cs) {
      X v{&b, c.v};
      next.push_back(chance(40) ? v + 0.2 * expr(b, e) : ops::sin(expr(b, e) + 0.3 * v));
    }
    return next;
  }
  std::vector<X> inits(Builder& b, const Env& env) {
    std::vector<X> r;
    for (int k = below(3); k > 0; --k) r.push_back(expr(b, env, 1));
    return r;
  }
  void for_loop(Builder& b, Env& env, int depth) {
    X from = constant(b, Number::of(DType::i32, below(3) == 0));
    if (!env.counters.empty() && chance(30)) from = {&b, env.counters.back()};
    const std::int64_t step = chance(75) ? 1 : chance(50) ? 2 : -1;
    for (X r : counted(b, from, inits(b, env), step, [&](Builder& in, X i, std::span<const X> cs) {
           Env e = env;
           e.counters.push_back(i.v);
           for (X c : cs) e.reals.push_back(c.v);
           statements(in, e, depth - 1, 1 + below(3));
           return carried(in, e, cs);
         })) env.reals.push_back(r.v);
  }
  void branch_(Builder& b, Env& env, int depth) {
    X c = expr(b, env, 1) > 0.1;
    const int m = below(2);
    auto side = [&](Builder& in, std::span<const X>) {
      Env e = env;
      statements(in, e, depth - 1, below(3));
      std::vector<X> ys;
      for (int k = 0; k < m; ++k) ys.push_back(ops::sin(expr(in, e)));
      return ys;
    };
    for (X r : branch(b, c, side, side)) env.reals.push_back(r.v);
  }
  /// Counts up to n, by a step that depends on data, and may stop early.
  void while_(Builder& b, Env& env, int depth) {
    auto init = inits(b, env);
    init.insert(init.begin(), {constant(b, Number::of(DType::i32, 0)), constant(b, Number::of(DType::boolean, 1))});
    auto test = [&](Builder& in, std::span<const X> xs) -> std::vector<X> { return {ops::bit_and(xs[0] < X{&in, n32_}, xs[1])}; };
    auto body = [&](Builder& in, std::span<const X> xs) {
      Env e = env;
      e.counters.push_back(xs[0].named("at").v);
      for (X c : xs.subspan(2)) e.reals.push_back(c.v);
      statements(in, e, depth - 1, 1 + below(2));
      std::vector<X> ys{xs[0] + ops::select(expr(in, e, 1) > 0.0, like(xs[0], 2), like(xs[0], 1)), expr(in, e, 1) < 0.8};
      for (X c : carried(in, e, xs.subspan(2))) ys.push_back(c);
      return ys;
    };
    const auto out = loop_while(b, init, test, body);
    for (std::size_t k = 2; k < out.size(); ++k) env.reals.push_back(out[k].v);
  }
  /// An array that is written before it is read, made here.
  void scratch(Builder& b, Env& env, int depth) {
    const Array s{ops::alloc({&b, n_}, DType::f64).named("s").v};
    counted(b, constant(b, Number::of(DType::i32, 0)), {}, 1, [&](Builder& in, X i, std::span<const X>) -> std::vector<X> {
      Env e = env;
      e.counters.push_back(i.v);
      put(in, e, s, convert(i, index_type), false);
      return {};
    });
    buffers_.push_back(s);
    std::swap(buffers_[0], buffers_.back());
    Env e = env;
    statements(b, e, depth - 1, 2);
    env.reals.push_back(load(b, s, index(b, below(n))).v);
    std::swap(buffers_[0], buffers_.back());
    buffers_.pop_back();
  }

  std::mt19937 rng_;
  Value *n32_ = nullptr, *n_ = nullptr, *x_ = nullptr, *z_ = nullptr;
  std::vector<Array> buffers_;
};

TEST(ReverseRandom, AgreesWithDifferences) {
  const char *first = std::getenv("TLALOC_SEED"), *count = std::getenv("TLALOC_COUNT");
  const unsigned from = first ? unsigned(std::atoi(first)) : 1, to = from + (count ? unsigned(std::atoi(count)) : 10);
  int ran = 0, refused = 0;
  for (unsigned s = from; s < to; ++s) {
    const Program program = Generator(s).make();
    ASSERT_NO_THROW(verify(program)) << s;
    for (int mode = 0; mode < 5; ++mode) {
      std::mt19937 rng(s * 4 + unsigned(mode));
      Program p = copy_of(program);
      std::vector<double> x, z, w(3 * Generator::n, 0.7);
      for (int i = 0; i < Generator::n; ++i) x.push_back(std::sin(1.7 * i + s)), z.push_back(std::cos(2.3 * i + s));
      ReverseOptions o;
      o.value = rng() % 2, o.seeds = rng() % 2;
      ReverseTuning t;
      t.replay = [&](int) { return mode == 0 ? false : mode == 1 ? true : bool(rng() % 2); };
      t.keep_expensive = rng() % 3, t.expand = rng() % 3, t.undo = rng() % 4;
      try {
        const auto ok = agrees(p, *p.find("f"), {double(Generator::n), x, z, 0.4, w}, {1, 2, 3, 4}, o, mode == 4 ? nullptr : &t);
        EXPECT_TRUE(ok) << "seed " << s << " mode " << mode;
        if (!ok && std::getenv("TLALOC_STOP")) return;
        ++ran;
      } catch (Refusal& r) {
        // A replay may be impossible; to save everything and to choose always work.
        EXPECT_TRUE(mode != 0 && mode != 4) << r.what() << " seed " << s << " mode " << mode;
        if (std::getenv("TLALOC_WHY")) std::cout << "refused: " << r.what() << "\n";
        ++refused;
      } catch (Error& e) { ADD_FAILURE() << e.what() << " seed " << s << " mode " << mode; }
    }
  }
  RecordProperty("ran", ran);
  std::cout << ran << " ran, " << refused << " refused\n";
}

}  // namespace
