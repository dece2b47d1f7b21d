// SPDX-License-Identifier: Apache-2.0
//
// Random functions of the whole representation that are well defined in C++: no signed overflow, no index outside, no
// conversion out of range.
#pragma once

#include "ir/ops.hpp"

#include <random>

namespace tlaloc::ir::test {

class RandomFunction {
 public:
  explicit RandomFunction(unsigned seed) : random_(seed) {}

  Function make(const std::string& name) {
    Function f(name);
    Builder b{f};
    std::vector<X> scope;
    for (auto* n : {"n", "k"}) scope.push_back(param(b, {DType::i32}, n));
    for (auto* n : {"a", "b", "y1"}) scope.push_back(param(b, {DType::f64}, n));
    scope.push_back(param(b, {DType::f32}, "s"));
    scope.push_back(param(b, {DType::u8}, "byte"));
    buffers_ = {param(b, buffer_of(DType::f64), "x"), param(b, buffer_of(DType::f64), "out"), param(b, buffer_of(DType::i32), "table")};
    sizes_ = {5, 5, 5};
    growing_ = {};
    if (chance(50)) growing_.push_back(ops::alloc(index(b, 0), DType::f64).named("kept"));
    body(b, scope, 0, 12);
    f.result_names.clear();
    for (int i = pick(4); i > 0; --i) f.body->yields.push_back(any(scope, b).v);
    return f;
  }

 private:
  int pick(int n) { return int(random_() % unsigned(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  std::string name() {
    static constexpr const char* names[] = {"", "", "", "", "y", "x", "t", "sum", "d_y", "class", "y_2", "this->m", "n", "signgam", "at"};
    return names[pick(15)];
  }
  // A few types are common, so that values meet.
  DType type() {
    static constexpr DType all[] = {DType::f64, DType::f64, DType::f64, DType::i32, DType::i32, DType::i64, DType::u32, DType::u64,
                                    DType::f32, DType::i8, DType::i16, DType::u8, DType::u16, DType::boolean};
    return all[pick(14)];
  }
  X tamed(X x) {                                  // signed numbers stay small, so that nothing overflows
    if (!is_signed(x.type().dtype)) return x;
    return ops::rem(x, constant(*x.b, Number::of(x.type().dtype, std::int64_t(bit_width(x.type().dtype) < 32 ? 11 : 1000))));
  }
  X any(std::vector<X>& scope, Builder& b) {
    X x = scope[std::size_t(pick(int(scope.size())))];
    return {&b, x.v};
  }
  X of(DType d, std::vector<X>& scope, Builder& b) {
    std::vector<X> fit;
    for (X x : scope) if (x.type().dtype == d) fit.push_back(x);
    if (!fit.empty() && chance(85)) return {&b, fit[std::size_t(pick(int(fit.size())))].v};
    if (chance(50)) return constant(b, Number::of(d, std::int64_t(pick(4)) - (is_unsigned(d) || d == DType::boolean ? 0 : 2)));
    X x = any(scope, b);
    return to(x, d);
  }
  X to(X x, DType d) {                            // a conversion in range
    const DType from = x.type().dtype;
    if (from == d) return x;
    if (is_real(from) && !is_real(d) && d != DType::boolean) {
      X big = ops::compare(x, constant(*x.b, from, 100), Compare::lt);
      X small = ops::compare(x, constant(*x.b, from, 0), Compare::gt);
      x = ops::select(ops::bit_and(big, small), x, constant(*x.b, from, 7));
    }
    return tamed(ops::cast(x, d));
  }
  X condition(std::vector<X>& scope, Builder& b) {
    if (chance(20)) return of(DType::boolean, scope, b);
    const DType d = type() == DType::boolean ? DType::f64 : type();
    if (d == DType::boolean) return of(d, scope, b);
    return ops::compare(of(d, scope, b), of(d, scope, b), Compare(pick(6)));
  }
  X where(std::vector<X>& scope, Builder& b, std::int64_t size) {          // an index below size
    X i = of(chance(70) ? DType::i32 : DType::u32, scope, b);
    X u = ops::rem(ops::cast(i, DType::u32), constant(b, Number::of(DType::u32, size)));
    return ops::cast(u, index_type);
  }
  X arithmetic(std::vector<X>& scope, Builder& b) {
    const DType d = type();
    X x = of(d, scope, b), y = of(d, scope, b);
    if (d == DType::boolean) {
      switch (pick(7)) {
        case 0: return ops::bit_and(x, y);
        case 1: return ops::bit_or(x, y);
        case 2: return ops::bit_xor(x, y);
        case 3: return ops::logical_not(x);
        case 4: return ops::bit_not(x);
        case 5: return ops::compare(x, y, chance(50) ? Compare::eq : Compare::ne);
        default: return ops::select(x, y, of(d, scope, b));
      }
    }
    if (is_real(d)) {
      switch (pick(16)) {
        case 0: case 1: case 2: return ops::add(x, y);
        case 3: case 4: return ops::sub(x, y);
        case 5: case 6: case 7: return ops::mul(x, y);
        case 8: return ops::div(x, y);
        case 9: return ops::neg(x);
        case 10: return ops::exp(x);
        case 11: return ops::sin(x);
        case 12: return ops::cos(x);
        case 13: return ops::tanh(x);
        case 14: return ops::sqrt(x);
        default: return ops::select(condition(scope, b), x, y);
      }
    }
    X positive = chance(50) ? constant(b, Number::of(d, std::int64_t(1 + pick(5)))) : ops::add(ops::bit_and(y, constant(b, Number::of(d, std::int64_t(7)))), constant(b, Number::of(d, std::int64_t(1))));
    switch (pick(12)) {
      case 0: case 1: return tamed(ops::add(x, y));
      case 2: return tamed(ops::sub(x, y));
      case 3: return tamed(ops::mul(x, y));
      case 4: return ops::div(x, positive);
      case 5: return ops::rem(x, positive);
      case 6: return ops::neg(x);
      case 7: return ops::bit_and(x, y);
      case 8: return tamed(ops::bit_xor(x, y));
      case 9: return tamed(ops::bit_not(x));
      case 10: return tamed(ops::shift_left(x, constant(b, Number::of(d, std::int64_t(pick(4))))));
      default: return ops::shift_right(x, constant(b, Number::of(d, std::int64_t(pick(4)))));
    }
  }
  void memory(std::vector<X>& scope, Builder& b) {
    const auto i = std::size_t(pick(int(buffers_.size())));
    const X buffer{&b, buffers_[i].v};
    const DType d = buffer.type().dtype;
    switch (pick(5)) {
      case 0: case 1: scope.push_back(ops::load(buffer, where(scope, b, sizes_[i])).named(name())); break;
      case 2: case 3: ops::store(buffer, where(scope, b, sizes_[i]), tamed(of(d, scope, b))); break;
      default:
        if (is_real(d)) ops::accum(buffer, where(scope, b, sizes_[i]), of(d, scope, b));
        else ops::store(buffer, where(scope, b, sizes_[i]), tamed(of(d, scope, b)));
    }
  }
  void grow(std::vector<X>& scope, Builder& b) {
    const X buffer{&b, growing_[std::size_t(pick(int(growing_.size())))].v};
    switch (pick(5)) {
      case 0: case 1: ops::append(buffer, of(DType::f64, scope, b)); break;
      case 2:
        ops::append(buffer, of(DType::f64, scope, b));
        if (chance(50)) ops::append(buffer, of(DType::f64, scope, b));
        scope.push_back(ops::pop(buffer));
        break;
      case 3: ops::resize(buffer, index(b, 1 + pick(3)), of(DType::f64, scope, b)); break;
      default: scope.push_back(ops::length(buffer).named(name()));
    }
  }
  void allocate(std::vector<X>& scope, Builder& b) {
    const int n = 1 + pick(6);
    const bool fixed = chance(50);
    X size = fixed ? index(b, n) : ops::add(ops::cast(ops::bit_and(of(DType::u32, scope, b), constant(b, Number::of(DType::u32, std::int64_t(3)))), index_type), index(b, n));
    X buffer = ops::alloc(size, chance(70) ? DType::f64 : DType::i32).named(name());
    ops::fill(buffer, of(buffer.type().dtype, scope, b));
    buffers_.push_back(buffer), sizes_.push_back(n);
    if (chance(30)) scope.push_back(ops::length(buffer));
  }
  std::vector<X> carried(std::vector<X>& scope, Builder& b) {
    std::vector<X> init;
    for (int i = pick(4); i > 0; --i) init.push_back(any(scope, b));
    return init;
  }
  /// Values of the types of `like` at the end of a region.
  std::vector<X> ends(Builder& b, std::vector<X>& scope, const std::vector<X>& like) {
    std::vector<X> out;
    for (X x : like) {
      const DType d = x.type().dtype;
      X y = of(d, scope, b);
      if (chance(40)) y = is_real(d) ? ops::add(y, of(d, scope, b)) : d == DType::boolean ? y : tamed(ops::add(y, of(d, scope, b)));
      out.push_back(y.named(chance(30) ? x.v->name : ""));
    }
    return out;
  }
  /// for (i = 0; !broken && i < 3; ++i), as a front end writes a break.
  template <class Inner> void leave_early(Builder& b, std::vector<X>& scope, const Inner& inner) {
    const std::vector<X> like = carried(scope, b);
    auto init = like;
    init.insert(init.begin(), {constant(b, Number::of(DType::i32, std::int64_t(0))), constant(b, Number::of(DType::boolean, std::int64_t(0)))});
    const bool nested = chance(50), once_more = chance(50);
    auto rs = loop_while(b, init,
      [&](Builder& r, std::span<const X> p) -> std::vector<X> {
        if (!nested) return {ops::bit_and(ops::logical_not(X{&r, p[1].v}), X{&r, p[0].v} < 3)};
        return branch(r, {&r, p[1].v}, [](Builder& t, std::span<const X>) { return std::vector<X>{constant(t, Number::of(DType::boolean, std::int64_t(0)))}; },
                      [&](Builder& t, std::span<const X>) { return std::vector<X>{X{&t, p[0].v} < 3}; });
      },
      [&](Builder& r, std::span<const X> p) {
        p[1].named("broken");
        std::vector<X> wanted = like;
        wanted.push_back({&r, p[1].v});           // some bool of the body
        auto out = inner(r, p, wanted);
        X stop = out.back();
        out.pop_back();
        if (once_more) stop = ops::bit_or(X{&r, stop.v}, X{&r, p[1].v});
        out.insert(out.begin(), {ops::add(X{&r, p[0].v}, constant(r, Number::of(DType::i32, std::int64_t(1)))), X{&r, stop.v}});
        return out;
      });
    for (std::size_t i = chance(80) ? 2 : 0; i < rs.size(); ++i) scope.push_back(rs[i]);
  }
  void name_all(std::vector<X> xs) { for (X x : xs) if (chance(60)) x.named(name()); }

  void body(Builder& b, std::vector<X>& scope, int depth, int length) {
    const auto buffers = buffers_;
    const auto sizes = sizes_;
    auto inner = [&](Builder& r, std::span<const X> params, const std::vector<X>& like) {
      std::vector<X> s = scope;
      for (X x : params) s.push_back(x);
      name_all({params.begin(), params.end()});
      body(r, s, depth + 1, 5);
      return ends(r, s, like);
    };
    for (int i = 0; i < length; ++i) {
      b.where = chance(30) ? Location{intern("dir/f.cpp"), 1 + pick(9), 1, intern("y = f(x);"), chance(60)} : Location{};
      const int what = pick(100);
      if (what < 55 || depth > 2) scope.push_back(arithmetic(scope, b).named(name()));
      else if (what < 70) memory(scope, b);
      else if (what < 74) allocate(scope, b);
      else if (what < 80 && !growing_.empty()) grow(scope, b);
      else if (what < 87) {
        const auto like = carried(scope, b);
        auto side = [&](Builder& r, std::span<const X>) { return inner(r, {}, like); };
        const X c = condition(scope, b);
        auto rs = branch(b, c, side, chance(30) ? [&](Builder& r, std::span<const X>) { std::vector<X> same; for (X x : like) same.push_back({&r, x.v}); return same; } : Body(side));
        name_all(rs);
        for (X r : rs) scope.push_back(r);
      } else if (what < 95) {
        const auto init = carried(scope, b);
        const bool down = chance(40);
        const DType d = chance(70) ? DType::i32 : chance(50) ? DType::u32 : DType::i64;
        const std::int64_t step = (1 + pick(2)) * (down ? -1 : 1), low = is_signed(d) && down ? -1 : 0;
        X n = ops::bit_and(of(d, scope, b), constant(b, Number::of(d, std::int64_t(3))));
        X zero = constant(b, Number::of(d, low));
        auto rs = loop(b, down ? n : zero, down ? zero : n, step, init, [&](Builder& r, std::span<const X> p) { return inner(r, p, init); });
        name_all(rs);
        for (X r : rs) scope.push_back(r);
      } else if (chance(50)) {
        leave_early(b, scope, inner);
      } else {
        auto init = carried(scope, b);
        init.insert(init.begin(), constant(b, Number::of(DType::i32, std::int64_t(0))));
        auto rs = loop_while(b, init,
          [&](Builder& r, std::span<const X> p) {
            std::vector<X> s = scope;
            for (X x : p) s.push_back(x);
            const X few = p[0] < 3;
            return std::vector<X>{chance(50) ? ops::bit_and({&r, few.v}, condition(s, r)) : few};
          },
          [&](Builder& r, std::span<const X> p) {
            std::vector<X> like(init.begin() + 1, init.end());
            auto out = inner(r, p, like);
            out.insert(out.begin(), ops::add(X{&r, p[0].v}, constant(r, Number::of(DType::i32, std::int64_t(1)))));
            return out;
          });
        name_all(rs);
        for (X r : rs) scope.push_back(r);
      }
    }
    buffers_ = buffers, sizes_ = sizes;
  }

  std::mt19937 random_;
  std::vector<X> buffers_, growing_;
  std::vector<std::int64_t> sizes_;
};

}  // namespace tlaloc::ir::test
