// SPDX-License-Identifier: Apache-2.0
//
// Programs that went wrong, or could, in one mode or another: each in all mixes of modes and means.
#include "ir/ops.hpp"
#include "transforms/cost.hpp"
#include "transforms/reverse_support.hpp"
#include "transforms/simplify.hpp"

#include <random>

using namespace tlaloc::ir;

namespace {

/// f(n: i32, x: buffer f64) with the idioms of numeric code at hand; the body gives the result.
struct Make {
  Function f{"f"};
  Builder top{f};
  Value *n = nullptr, *x = nullptr;
  Builder* b = &top;

  using Turn = std::function<std::vector<X>(X i, std::vector<X> carried)>;
  Make() { n = param(top, {DType::i32}, "n").v, x = param(top, buffer_of(DType::f64), "x").v; }
  X at(Value* v) { return {b, v}; }
  X real(double c) { return constant(*b, DType::f64, c); }
  X integer(int c) { return constant(*b, Number::of(DType::i32, c)); }
  Value* array(const char* name) { return ops::alloc(convert(at(n), index_type), DType::f64).named(name).v; }
  X load(Value* a, X i) { return ops::load(at(a), convert(at(i.v), index_type)); }
  X xs(X i) { return load(x, i); }
  void store(Value* a, X i, X v) { ops::store(at(a), convert(at(i.v), index_type), at(v.v)); }
  void accum(Value* a, X i, X v) { ops::accum(at(a), convert(at(i.v), index_type), at(v.v)); }
  template <class F> auto inside_of(Builder& inner, F body) {
    Builder* outer = std::exchange(b, &inner);
    auto r = body();
    b = outer;
    return r;
  }
  std::vector<X> loop(X from, X to, std::vector<X> init, const Turn& turn) {
    return tlaloc::ir::loop(*b, at(from.v), at(to.v), 1, init, [&](Builder& in, std::span<const X> xs_) {
      return inside_of(in, [&] { return turn(X(xs_[0]).named("i"), {xs_.begin() + 1, xs_.end()}); });
    });
  }
  void each(X from, X to, const std::function<void(X)>& turn) { loop(from, to, {}, [&](X i, std::vector<X>) { turn(i); return std::vector<X>{}; }); }
  void each(const std::function<void(X)>& turn) { each(integer(0), at(n), turn); }
  std::vector<X> when(X c, const std::function<std::vector<X>()>& yes, const std::function<std::vector<X>()>& no) {
    return branch(*b, c, [&](Builder& in, std::span<const X>) { return inside_of(in, yes); }, [&](Builder& in, std::span<const X>) { return inside_of(in, no); });
  }
  X total(Value* a, const std::function<X(X)>& of = [](X v) { return v; }) {
    return at(loop(integer(0), at(n), {real(0)}, [&](X i, std::vector<X> s) { return std::vector<X>{s[0] + of(load(a, i))}; })[0].v);
  }
  Value* copied(const char* name) {
    Value* y = array(name);
    each([&](X i) { store(y, i, xs(i)); });
    return y;
  }
};
using Body = std::function<X(Make&)>;

void check(const Body& body) {
  Make m;
  const X result = body(m);
  m.f.body->yields = {result.v};
  const std::vector<double> x{-0.52, 0.09, -0.26, 0.21, 0.68};
  for (int mode = 0; mode < 7; ++mode) for (int means = 0; means < 4; ++means) {
    if (mode > 1 && means) continue;
    std::mt19937 rng(unsigned(mode * 4 + means));
    ReverseTuning t;
    t.replay = [&](int) { return mode == 0 ? false : mode == 1 ? true : bool(rng() % 2); };
    t.keep_expensive = means != 1, t.expand = means != 2, t.undo = means != 3;
    ReverseOptions o;
    o.value = rng() % 2;
    Program p;
    try {
      EXPECT_TRUE(agrees(p, m.f, {5.0, x}, {1}, o, mode == 6 ? nullptr : &t)) << "mode " << mode << " means " << means;
    } catch (Refusal& r) { EXPECT_TRUE(mode != 0 && mode != 6) << r.what(); }
  }
}

TEST(ReversePitfalls, OverwriteInPlace) {
  check([](Make& m) {
    Value* y = m.copied("y");
    m.each(m.integer(0), m.integer(3), [&](X) { m.each([&](X i) { m.store(y, i, ops::sin(m.load(y, i)) * m.load(y, i)); }); });
    return m.total(y);
  });
}
TEST(ReversePitfalls, ChainThroughMemory) {
  check([](Make& m) {
    Value* y = m.array("y");
    m.store(y, m.integer(0), m.xs(m.integer(0)));
    m.each(m.integer(1), m.at(m.n), [&](X i) { m.store(y, i, ops::sin(m.load(y, i - m.integer(1))) * m.xs(i)); });
    return m.load(y, m.at(m.n) - m.integer(1)) * m.load(y, m.integer(0));
  });
}
TEST(ReversePitfalls, PrivateScratch) {
  check([](Make& m) {
    Value* y = m.array("y");
    return m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> s) {
      m.each([&](X j) { m.store(y, j, m.xs(j) * m.xs(i)); });
      return std::vector<X>{s[0] + m.total(y, [](X v) { return v * v * v; })};
    })[0];
  });
}
// Element 0 survives from one iteration to the next: the scratch is not private. The last op of the loop feeds the next one.
TEST(ReversePitfalls, OneElementSurvives) {
  check([](Make& m) {
    Value* y = m.copied("y");
    return m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> s) {
      m.each(m.integer(1), m.at(m.n), [&](X j) { m.store(y, j, m.load(y, m.integer(0)) * m.xs(i) + m.xs(j)); });
      X t = s[0] + m.total(y, [](X v) { return v * v; });
      m.store(y, m.integer(0), ops::sin(m.load(y, m.at(m.n) - m.integer(1))));
      return std::vector<X>{t};
    })[0];
  });
}
TEST(ReversePitfalls, ScratchWrittenUnderIf) {
  check([](Make& m) {
    Value* y = m.copied("y");
    return m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> s) {
      m.when(m.xs(i) > 0.1, [&] { m.each([&](X j) { m.store(y, j, m.load(y, j) * m.xs(i)); }); return std::vector<X>{}; }, [] { return std::vector<X>{}; });
      return std::vector<X>{s[0] + m.total(y, [](X v) { return v * v; })};
    })[0];
  });
}
TEST(ReversePitfalls, NestedCarried) {
  check([](Make& m) {
    return m.loop(m.integer(0), m.at(m.n), {m.real(1), m.real(0)}, [&](X i, std::vector<X> c) {
      X v = m.loop(m.integer(0), m.at(m.n), {c[0]}, [&](X j, std::vector<X> w) { return std::vector<X>{ops::sin(w[0] * m.xs(j)) + m.at(c[0].v) * m.xs(i)}; })[0];
      return std::vector<X>{v * 0.9, c[1] + v * c[0]};
    })[1];
  });
}
TEST(ReversePitfalls, TriangularCounter) {
  check([](Make& m) {
    Value* y = m.copied("y");
    m.loop(m.integer(0), m.at(m.n), {m.integer(0)}, [&](X j, std::vector<X> c) {
      return m.loop(j + m.integer(1), m.at(m.n), {c[0]}, [&](X i, std::vector<X> at) {
        m.accum(y, i, m.xs(j) * m.xs(i) * m.load(y, j) * convert(at[0], DType::f64));
        return std::vector<X>{at[0] + m.integer(1)};
      });
    });
    return m.total(y, [](X v) { return v * v; });
  });
}
TEST(ReversePitfalls, Maximum) {
  check([](Make& m) {
    X p = m.loop(m.integer(1), m.at(m.n), {m.xs(m.integer(0))}, [&](X i, std::vector<X> peak) {
      X v = m.xs(i) * m.xs(i);
      return m.when(v > peak[0], [&] { return std::vector<X>{v}; }, [&] { return std::vector<X>{peak[0]}; });
    })[0];
    return p + ops::log(m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> s) { return std::vector<X>{s[0] + ops::exp(m.xs(i) - m.at(p.v))}; })[0]);
  });
}
// An index whose step depends on data, by a branch and by a sum.
TEST(ReversePitfalls, CounterUnderIf) {
  check([](Make& m) {
    Value* y = m.array("y");
    m.each([&](X i) { m.store(y, i, m.real(0.5)); });
    m.loop(m.integer(0), m.at(m.n), {m.integer(0)}, [&](X i, std::vector<X> at) {
      return m.when(m.xs(i) > 0.0, [&] { m.store(y, at[0], m.xs(i) * m.xs(at[0])); return std::vector<X>{m.at(at[0].v) + m.integer(1)}; }, [&] { return at; });
    });
    return m.total(y, [](X v) { return v * v; });
  });
}
TEST(ReversePitfalls, StepFromData) {
  check([](Make& m) {
    return m.loop(m.integer(0), m.at(m.n), {m.integer(0), m.real(0)}, [&](X i, std::vector<X> c) {
      X step = m.when(m.xs(i) > 0.0, [&] { return std::vector<X>{m.integer(2)}; }, [&] { return std::vector<X>{m.integer(1)}; })[0];
      X j = ops::rem(c[0], m.at(m.n));
      return std::vector<X>{c[0] + step, c[1] + m.xs(j) * m.xs(j) * m.xs(i)};
    })[1];
  });
}
// ... from a table at the counter itself, which is not known before the replay.
TEST(ReversePitfalls, StepFromTableAtTheCounter) {
  check([](Make& m) {
    Numbers steps;
    for (int s : {1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1, 1, 1, 1}) steps.push_back(Number::of(DType::i32, s));
    Value* t = m.top.append(ops::table, {}, {DType::i32, steps})->results[0];
    return m.loop(m.integer(0), m.at(m.n), {m.integer(0), m.real(1)}, [&](X i, std::vector<X> c) {
      X j = ops::rem(c[0], m.at(m.n));
      return std::vector<X>{c[0] + ops::load(m.at(t), convert(c[0], index_type)), ops::sin(c[1] * m.xs(j)) + m.xs(i)};
    })[1];
  });
}
TEST(ReversePitfalls, ReadThenOverwrittenLater) {
  check([](Make& m) {
    Value* y = m.copied("y");
    X s = m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> c) { return std::vector<X>{c[0] + m.load(y, i) * m.xs(i) * m.load(y, i)}; })[0];
    m.each([&](X i) { m.store(y, i, m.real(7)); });
    return s + m.total(y);
  });
}
TEST(ReversePitfalls, ZeroTrips) {
  check([](Make& m) {
    return m.loop(m.at(m.n), m.at(m.n), {m.xs(m.integer(0))}, [&](X i, std::vector<X> v) { return std::vector<X>{v[0] * m.xs(i)}; })[0] * m.xs(m.integer(1));
  });
}
TEST(ReversePitfalls, LoopUnderIfInLoop) {
  check([](Make& m) {
    return m.loop(m.integer(0), m.at(m.n), {m.real(1)}, [&](X i, std::vector<X> s) {
      return m.when(m.xs(i) > -0.2,
          [&] { return m.loop(m.integer(0), m.at(i.v) + m.integer(1), {m.at(s[0].v)}, [&](X j, std::vector<X> v) { return std::vector<X>{v[0] * m.xs(j) + m.xs(i)}; }); },
          [&] { return std::vector<X>{m.at(s[0].v) * 0.5}; });
    })[0];
  });
}
TEST(ReversePitfalls, AccumulatedCellReadNonlinearly) {
  check([](Make& m) {
    Value* y = m.array("y");
    m.store(y, m.integer(0), m.real(0));
    return m.loop(m.integer(0), m.at(m.n), {m.real(0)}, [&](X i, std::vector<X> s) {
      m.accum(y, m.integer(0), m.xs(i));
      return std::vector<X>{s[0] + m.load(y, m.integer(0)) * m.load(y, m.integer(0))};
    })[0];
  });
}
// A carried sum that another carried value reads is no pure accumulation.
TEST(ReversePitfalls, SumThatIsRead) {
  check([](Make& m) {
    return m.loop(m.integer(0), m.at(m.n), {m.real(0), m.real(1)}, [&](X i, std::vector<X> c) {
      return std::vector<X>{c[0] + m.xs(i), m.when(m.xs(i) > 0.0, [&] { return std::vector<X>{m.at(c[0].v)}; }, [&] { return std::vector<X>{m.at(c[1].v) * m.xs(i)}; })[0]};
    })[1];
  });
}
TEST(ReversePitfalls, SharedCellEveryIteration) {
  check([](Make& m) {
    Value* y = m.array("y");
    m.store(y, m.integer(0), m.real(1));
    m.each([&](X i) { m.store(y, m.integer(0), m.load(y, m.integer(0)) * m.xs(i)); });
    return m.load(y, m.integer(0));
  });
}
// Anti-diagonals: the same element is met in different turns of both loops.
TEST(ReversePitfalls, SumOfCountersAsIndex) {
  check([](Make& m) {
    Value* y = ops::alloc(convert(m.at(m.n), index_type) * index(m.top, 2), DType::f64).named("y").v;
    m.each([&](X i) { m.store(y, i, m.xs(i)); m.store(y, i + m.at(m.n), m.xs(i) * 0.5); });
    m.each([&](X i) { m.each([&](X j) { X k = m.at(i.v) + j; m.store(y, k, ops::sin(m.load(y, k)) * m.xs(i) + m.xs(j)); }); });
    return m.total(y, [](X v) { return v * v; });
  });
}
TEST(ReversePitfalls, StageBufferReused) {
  check([](Make& m) {
    Value *y = m.copied("y"), *k = m.array("k"), *at = m.array("at");
    m.each(m.integer(0), m.integer(3), [&](X) {
      for (double c : {0.3, 0.2}) {
        Value* from = c == 0.3 ? y : at;
        m.each([&](X i) { m.store(k, i, m.xs(i) * ops::sin(m.load(from, i))); });
        m.each([&](X i) { m.store(at, i, m.load(y, i) + c * m.load(k, i)); });
      }
      m.each([&](X i) { m.store(y, i, m.load(at, i) * m.load(y, i)); });
    });
    return m.total(y);
  });
}
// A copy per iteration that does not settle every conflict is memory wasted: `output` is kept where it is loaded instead.
TEST(ReversePitfalls, NoCopiesThatDoNotHelp) {
  Make m;
  Value* y = m.copied("output");
  m.each(m.integer(0), m.at(m.n), [&](X) {
    m.each([&](X i) { m.store(y, i, ops::sin(m.load(y, i)) * m.load(y, i)); });
    m.each([&](X i) { m.store(y, i, m.load(y, i) * m.load(y, i)); });
  });
  m.f.body->yields = {m.total(y).v};
  Program p;
  ReverseOptions o;
  o.wanted = {1};
  const Function g = reverse(p, m.f, o, "g");
  walk(*g.body, [&](Op* op) {
    if (op->kind != &ops::alloc || op->results[0]->name != "output") return;
    EXPECT_NE(op->operands[0]->def->kind, &ops::mul) << print(g);    // n elements, not n times as many
  });
}
// However deep the nest, the gradient costs a small multiple of the function: no level is run again by each level around it.
TEST(ReversePitfalls, CostOfNests) {
  for (int depth = 1; depth <= 6; ++depth) {
    Make m;
    std::function<X(int, X)> nest = [&](int d, X s) -> X {
      if (!d) return s;
      return m.at(m.loop(m.integer(0), m.integer(10), {s}, [&](X, std::vector<X> c) { return std::vector<X>{nest(d - 1, ops::sin(c[0] * m.xs(m.integer(d - 1 > 4 ? 4 : d - 1))))}; })[0].v);
    };
    X s = nest(depth, m.real(0.3));
    m.f.body->yields = {s.v};
    Program p;
    simplify(m.f, &p);
    ReverseOptions o;
    o.wanted = {1};
    const Function g = reverse(p, m.f, o, "g");
    EXPECT_LE(cost(*g.body), 5 * cost(*m.f.body)) << depth << "\n" << print(g);
  }
}

}  // namespace
