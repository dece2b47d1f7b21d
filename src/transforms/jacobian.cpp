// SPDX-License-Identifier: Apache-2.0
//
// A Jacobian is a loop of passes: each seeds one column (or row; with lanes several), runs the forward (or reverse) function
// in place, and writes what it gives. Without lanes the loop holds plain numbers and can be differentiated again; lanes are
// for what is printed. A Hessian is the Jacobian of the gradient.
#include "transforms/jacobian.hpp"

#include "transforms/forward.hpp"
#include "transforms/lanes.hpp"
#include "transforms/reverse.hpp"
#include "transforms/reverse_plan.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>
#include <set>

namespace tlaloc::ir {
namespace {

constexpr int usual_lanes = 8, most_lanes = 16;   // that many in one pass where the count is known to be no more

const Type& type_of(const Function& f, int param) { return f.body->params.at(std::size_t(param))->type; }
bool is_buffer(const Function& f, int param) { return type_of(f, param).buffer; }
bool has(const std::vector<int>& v, int x) { return std::find(v.begin(), v.end(), x) != v.end(); }

std::optional<std::int64_t> known_length(const Type& t) {
  if (!t.buffer) return 1;
  if (t.dims.empty()) return {};
  std::int64_t n = 1;
  for (auto d : t.dims) n *= d;
  return n;
}
std::vector<int> unknown_lengths(const Function& f, const std::set<int>& buffers, const Lengths& lengths) {
  std::set<int> r;
  for (int p : buffers) {
    for (auto it = lengths.like.find(p); it != lengths.like.end(); it = lengths.like.find(p)) p = it->second;
    if (is_buffer(f, p) && !known_length(type_of(f, p)) && !lengths.extent.contains(p)) r.insert(p);
  }
  return {r.begin(), r.end()};
}

/// Makes a function that has f's parameters, but for some, and calls something like f in place.
class Around {
 public:
  Around(const Function& f, const Lengths& lengths, std::string name) : f_(f), lengths_(lengths), out_(std::move(name)) {}

 protected:
  void take_params(const std::vector<int>& without, const std::vector<int>& told) {
    for (int i = 0; i < int(f_.body->params.size()); ++i) {
      const Value* p = f_.body->params[std::size_t(i)];
      given_.push_back(has(without, i) ? nullptr : param(top_, p->type, p->name).v);
    }
    for (int i : told) told_[i] = param(top_, {index_type}, f_.body->params[std::size_t(i)]->name + "_length").v;
  }
  X length(Builder& b, int p) const {
    if (auto it = lengths_.like.find(p); it != lengths_.like.end()) return length(b, it->second);
    if (auto n = known_length(type_of(f_, p))) return index(b, *n);
    if (auto it = lengths_.extent.find(p); it != lengths_.extent.end()) return {&b, given_.at(std::size_t(it->second))};
    if (auto it = told_.find(p); it != told_.end()) return {&b, it->second};
    throw Refusal("NOT_DIFFERENTIABLE", {}, "'" + f_.body->params.at(std::size_t(p))->name + "' is written in every pass and must be restored, but its length is not known; give it as tlaloc::view(p, n)");
  }
  static X zeros(Builder& b, X size, DType d, const std::string& name) {
    X made{&b, b.append(ops::alloc, {size.v}, {d})->results[0]};
    made.named(name);
    ops::fill(made, constant(b, d, 0));
    return made;
  }
  static std::string tangent_name(const Value* v) { return v->name.empty() ? "" : "d_" + v->name; }

  const Function& f_;
  const Lengths& lengths_;
  Function out_;
  Builder top_{out_};
  std::vector<Value*> given_;                     // the result's parameters for those of f; null for its own
  std::map<int, Value*> told_;
};

X least(X a, X b) {
  if (auto *m = constant_of(a.v), *n = constant_of(b.v); m && n) return m->as_int() < n->as_int() ? a : b;
  return ops::select(a < b, a, b);
}
X most(X a, X b) {
  if (auto *m = constant_of(a.v), *n = constant_of(b.v); m && n) return m->as_int() > n->as_int() ? a : b;
  return ops::select(a > b, a, b);
}
void times(Builder& b, const char* counter, X from, X to, const std::function<void(Builder&, X)>& body) {
  const Number *m = constant_of(from.v), *n = constant_of(to.v);
  if (m && n && n->as_int() - m->as_int() == 1) return body(b, from);
  loop(b, from, to, 1, {}, [&](Builder& in, std::span<const X> p) -> std::vector<X> { body(in, p[0].named(counter)); return {}; });
}
void when(Builder& b, X condition, const std::function<void(Builder&)>& yes) {
  branch(b, condition, [&](Builder& in, std::span<const X>) -> std::vector<X> { yes(in); return {}; },
         [](Builder&, std::span<const X>) -> std::vector<X> { return {}; });
}
X at(Builder& b, X x) { return {&b, x.v}; }

class Jacobian : Around {
 public:
  Jacobian(Program& program, const Function& f, const JacobianOptions& o, std::string name)
      : Around(f, o.lengths, std::move(name)), program_(program), o_(o) {}

  Function run() {
    list();
    try {
      choose_lanes();
      make_pass();
    } catch (const NotLinear&) {                  // a rule of the user's that tests what it is given: one after the other
      lanes_ = 1;
      make_pass();
    }
    return whole();
  }

 private:
  void list() {
    take_params(o_.own, told(f_, o_));
    list_items();
    count_ = end_of(o_.reverse ? rows_ : columns_);
  }
  void choose_lanes() {
    const Number* known = constant_of(count_.v);
    lanes_ = !o_.lanes ? 1 : known && known->as_int() <= most_lanes ? int(std::max<std::int64_t>(1, known->as_int())) : usual_lanes;
  }
  Function whole() {
    const Number* known = constant_of(count_.v);
    const bool once = known && known->as_int() <= lanes_;
    matrices();
    if (!once) save();
    const bool loud = effects(inner_);
    if (once || loud) pass(top_, index(top_, 0));
    if (loud) without_outputs(program_, *inner_.body);
    if (!once)
      loop(top_, index(top_, loud ? lanes_ : 0), count_, lanes_, {}, [&](Builder& b, std::span<const X> c) -> std::vector<X> {
        restore(b);
        pass(b, c[0].named(o_.reverse ? "first_row" : "first_column"));
        return {};
      });
    for (std::size_t m = 0; m < matrices_.size(); ++m) {
      if (!single(m)) continue;
      out_.body->yields.push_back(ops::load(at(top_, matrices_[m].to), index(top_, 0)).v);
      out_.result_names.push_back(o_.names.at(m));
    }
    simplify(out_, &program_);
    return std::move(out_);
  }

  struct Item {
    int param = -1, yield = -1;
    X start, length;                              // among all columns, or all rows
    std::size_t matrix = 0;
  };
  struct Matrix { X start, end, to; };

  void list_items() {
    X at = index(top_, 0);
    for (std::size_t m = 0; m < o_.columns.size(); ++m) {
      const X start = at;
      for (int p : o_.columns[m]) {
        columns_.push_back({p, -1, at, length(top_, p), m});
        at = at + columns_.back().length;
      }
      matrices_.push_back({start, at, {}});
    }
    at = index(top_, 0);
    for (auto& r : o_.rows) {
      rows_.push_back({r.yield ? -1 : r.index, r.yield ? r.index : -1, at, r.yield ? index(top_, 1) : length(top_, r.index), 0});
      at = at + rows_.back().length;
    }
  }
  X end_of(const std::vector<Item>& items) { return items.empty() ? index(top_, 0) : items.back().start + items.back().length; }
  bool single(std::size_t m) const { return has(o_.numbers, int(m)); }
  void matrices() {
    for (std::size_t m = 0; m < matrices_.size(); ++m) {
      if (single(m)) matrices_[m].to = {&top_, top_.append(ops::alloc, {index(top_, 1).v}, {o_.dtype})->results[0]};
      else matrices_[m].to = param(top_, buffer_of(o_.dtype), o_.names.at(m));
      const X rows = end_of(rows_), columns = matrices_[m].end - matrices_[m].start;
      if (const Number *r = constant_of(rows.v), *c = constant_of(columns.v); r && c && !single(m))
        matrices_[m].to.v->type.dims = {r->as_int() * c->as_int()};
    }
  }

  // --- the pass ---
  void make_pass() {
    wanted_.clear(), values_ = 0;
    for (auto& c : columns_) wanted_.push_back(c.param);
    auto add = [&](int p) { if (p >= 0 && is_buffer(f_, p) && type_of(f_, p).real() && !has(wanted_, p)) wanted_.push_back(p); };
    for (auto& r : rows_) add(r.param);
    for (int p : o_.scratch) add(p);
    for (int p : o_.own) add(p);
    const bool written = std::any_of(rows_.begin(), rows_.end(), [](auto& r) { return r.param >= 0; });
    const std::string name = out_.name + "_pass";
    inner_ = o_.reverse ? ir::reverse(program_, f_, {.wanted = wanted_, .value = written, .seeds = true}, name)
                        : ir::forward(program_, f_, {.wanted = wanted_}, name);
    if (o_.reverse && written)                    // widened, only the real ones are left
      for (auto* y : f_.body->yields) values_ += lanes_ == 1 || y->type.real();
    if (lanes_ == 1) return;
    std::vector<int> wide;
    for (std::size_t i = f_.body->params.size(); i < inner_.body->params.size(); ++i) wide.push_back(int(i));
    inner_ = widen(program_, inner_, wide, lanes_, name);
  }
  bool effects(const Function& g) {
    bool r = false;
    walk(*g.body, [&](Op* op) { r |= op->kind->effect == Effect::outputs || (op->kind == &ops::call && has_outputs(program_, op->at(key::callee))); });
    return r;
  }
  void save() {
    const Geometry g(program_, f_);
    for (int i = 0; i < int(f_.body->params.size()); ++i) {
      Value* p = f_.body->params[std::size_t(i)];
      if (!p->type.buffer || has(o_.own, i)) continue;
      const auto& all = g.touching(p);
      if (std::none_of(all.begin(), all.end(), [&](Op* op) { return g.writes(op, p); }) || written_before_read(g, p)) continue;
      const X n = length(top_, i);
      Value* copy = top_.append(ops::alloc, {n.v}, {p->type.dtype})->results[0];
      copy->name = p->name.empty() ? "" : "old_" + p->name;
      saved_.push_back({i, copy, n});
      move(top_, copy, given_[std::size_t(i)], n);
    }
  }
  void restore(Builder& b) { for (auto& s : saved_) move(b, given_[std::size_t(s.param)], s.copy, s.length); }
  static void move(Builder& b, Value* to, Value* from, X n) {
    times(b, "", index(b, 0), n, [&](Builder& in, X i) { ops::store(X{&in, to}, i, ops::load(X{&in, from}, i)); });
  }

  /// Where number `i` of a buffer has its lane.
  X lane_of(X i, X lane) const { return lanes_ == 1 ? i : i * index(*i.b, lanes_) + lane; }
  /// The lanes of the pass at `c` that lie within [start, end), relative to c.
  std::pair<X, X> lanes_in(Builder& b, X c, X start, X end) const {
    const X from = is_constant(start.v, 0) ? index(b, 0) : most(index(b, 0), at(b, start) - c);
    return {from, least(index(b, lanes_), at(b, end) - c)};
  }
  X seeded(Builder& b, const Item& item, const std::vector<Item>& all, X c, DType d, bool buffer, const std::string& name) {
    const X end = item.start + item.length;
    const bool alone = all.size() == 1;
    if (lanes_ == 1 && !buffer) {
      if (is_constant(count_.v, 1)) return constant(b, d, 1);
      return ops::select(c == at(b, item.start), constant(b, d, 1), constant(b, d, 0));
    }
    X shadow = zeros(b, at(b, item.length) * index(b, lanes_), d, name);
    if (lanes_ == 1) {
      auto set = [&](Builder& in) { ops::store(at(in, shadow), at(in, c) - at(in, item.start), constant(in, d, 1)); };
      if (alone) set(b);
      else when(b, ops::bit_and(at(b, item.start) <= c, c < at(b, end)), set);
      return shadow;
    }
    const auto [from, to] = lanes_in(b, c, item.start, end);
    times(b, "lane", from, to, [&](Builder& in, X lane) {
      const X i = at(in, c) + lane - at(in, item.start);
      ops::store(at(in, shadow), lane_of(i, lane), constant(in, d, 1));
    });
    return shadow;
  }

  void pass(Builder& b, X c) {
    Cloner run{b};
    auto bind = [&](std::size_t i, X x) { run.map[inner_.body->params.at(i)] = x.v; };
    const std::size_t n = f_.body->params.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Value* p = f_.body->params[i];
      if (given_[i]) bind(i, {&b, given_[i]});
      else bind(i, zeros(b, length(b, int(i)), p->type.dtype, p->name));
    }
    std::size_t next = n;
    std::vector<X> of_yields(f_.body->yields.size());
    if (o_.reverse)
      for (std::size_t k = 0; k < of_yields.size(); ++k) {
        const Value* y = f_.body->yields[k];
        if (!y->type.real()) continue;
        auto row = std::find_if(rows_.begin(), rows_.end(), [&](auto& r) { return r.yield == int(k); });
        const std::string name = inner_.body->params.at(next)->name;
        if (row != rows_.end()) bind(next++, seeded(b, *row, rows_, c, y->type.dtype, false, name));
        else if (lanes_ == 1) bind(next++, constant(b, y->type.dtype, 0));
        else bind(next++, zeros(b, index(b, lanes_), y->type.dtype, name));
      }
    std::map<int, X> shadow;
    const auto& seeds = o_.reverse ? rows_ : columns_;
    for (int w : wanted_) {
      const Value* p = f_.body->params[std::size_t(w)];
      if (o_.reverse && !p->type.buffer) continue;
      auto item = std::find_if(seeds.begin(), seeds.end(), [&](auto& s) { return s.param == w; });
      X d;
      if (item != seeds.end()) d = seeded(b, *item, seeds, c, p->type.dtype, p->type.buffer, tangent_name(p));
      else d = zeros(b, length(b, w) * index(b, lanes_), p->type.dtype, tangent_name(p));
      bind(next++, d);
      shadow[w] = d;
    }
    std::vector<X> results;
    for (; next < inner_.body->params.size(); ++next) {
      const Value* p = inner_.body->params[next];
      X r{&b, b.append(ops::alloc, {index(b, lanes_).v}, {p->type.dtype})->results[0]};
      bind(next, r.named(p->name));
      results.push_back(r);
    }
    run.block(*inner_.body);
    if (lanes_ == 1) for (auto* y : inner_.body->yields) results.push_back({&b, run.at(y)});
    results.erase(results.begin(), results.begin() + std::ptrdiff_t(std::min(values_, results.size())));

    std::size_t scalar = 0;
    if (o_.reverse) {
      for (auto& item : columns_) write_column(b, c, item, is_buffer(f_, item.param) ? shadow.at(item.param) : results.at(scalar++));
      return;
    }
    for (std::size_t k = 0; k < of_yields.size(); ++k) if (f_.body->yields[k]->type.real()) of_yields[k] = results.at(scalar++);
    for (auto& item : rows_) write_row(b, c, item, item.yield >= 0 ? of_yields.at(std::size_t(item.yield)) : shadow.at(item.param));
  }
  X number(X from, X i, X lane) { return from.type().buffer ? ops::load(from, lane_of(i, lane)) : from; }
  /// Forward: the pass gives some columns of each row.
  void write_row(Builder& b, X c, const Item& row, X from) {
    for (auto& m : matrices_) {
      auto put = [&](Builder& in, X i, X lane) {
        const X columns = at(in, m.end) - at(in, m.start), column = at(in, c) - at(in, m.start) + lane;
        ops::store(at(in, m.to), (at(in, row.start) + i) * columns + column, convert(number(at(in, from), i, lane), o_.dtype));
      };
      auto every = [&](Builder& outer) {
        times(outer, "row", index(outer, 0), at(outer, row.length), [&](Builder& in, X i) {
          if (lanes_ == 1) return put(in, i, index(in, 0));
          const auto [first, last] = lanes_in(in, at(in, c), m.start, m.end);
          times(in, "lane", first, last, [&](Builder& l, X lane) { put(l, at(l, i), lane); });
        });
      };
      if (lanes_ == 1 && matrices_.size() > 1) when(b, ops::bit_and(at(b, m.start) <= c, c < at(b, m.end)), every);
      else every(b);
    }
  }
  /// Reverse: the pass gives some rows of each column.
  void write_column(Builder& b, X c, const Item& column, X from) {
    auto& m = matrices_[column.matrix];
    times(b, "lane", index(b, 0), least(index(b, lanes_), at(b, count_) - c), [&](Builder& outer, X lane) {
      times(outer, "column", index(outer, 0), at(outer, column.length), [&](Builder& in, X i) {
        const X columns = at(in, m.end) - at(in, m.start), row = at(in, c) + at(in, lane);
        ops::store(at(in, m.to), row * columns + (at(in, column.start) - at(in, m.start)) + i, convert(number(at(in, from), i, at(in, lane)), o_.dtype));
      });
    });
  }

  struct Saved { int param; Value* copy; X length; };
  Program& program_;
  const JacobianOptions& o_;
  std::vector<Item> columns_, rows_;
  std::vector<Matrix> matrices_;
  std::vector<int> wanted_;
  std::vector<Saved> saved_;
  Function inner_{""};
  std::size_t values_ = 0;                        // results of the pass that are f's own
  X count_;
  int lanes_ = 1;
};

class Product : Around {
 public:
  using Around::Around;
  Function run(Program& program, const std::vector<int>& wanted, const std::vector<int>& scratch, const std::vector<int>& told) {
    const Gradient g = gradient(program, f_, wanted, scratch, out_.name + "_gradient");
    std::vector<int> along = wanted;
    along.insert(along.end(), scratch.begin(), scratch.end());
    along.insert(along.end(), g.shadows.begin(), g.shadows.end());
    const Function h = forward(program, g.function, {.wanted = along}, out_.name);
    take_params({}, told);
    Cloner run{top_};
    auto bind = [&](std::size_t i, X x) { run.map[h.body->params.at(i)] = x.v; };
    auto local = [&](std::size_t i, int p) { bind(i, zeros(top_, length(top_, p), type_of(f_, p).dtype, h.body->params.at(i)->name)); };
    std::size_t next = 0;
    for (auto* p : given_) bind(next++, {&top_, p});
    for (int s : g.shadows) local(next++, g.of.at(s));
    for (int w : wanted) bind(next++, param(top_, type_of(f_, w), tangent_name(f_.body->params[std::size_t(w)])));
    for (int s : scratch) local(next++, s);
    for (int s : g.shadows) {
      const int p = g.of.at(s);
      if (has(wanted, p)) bind(next++, param(top_, type_of(f_, p), "product_" + f_.body->params[std::size_t(p)]->name));
      else local(next++, p);
    }
    run.block(*h.body);
    run.yields(*h.body);
    out_.result_names = h.result_names;
    simplify(out_, &program);
    return std::move(out_);
  }
};

}  // namespace

std::vector<int> told(const Function& f, const JacobianOptions& o) {
  std::set<int> buffers(o.scratch.begin(), o.scratch.end());
  buffers.insert(o.own.begin(), o.own.end());
  for (auto& m : o.columns) buffers.insert(m.begin(), m.end());
  for (auto& r : o.rows) if (!r.yield) buffers.insert(r.index);
  return unknown_lengths(f, buffers, o.lengths);
}
std::vector<int> told(const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, const Lengths& lengths) {
  std::set<int> buffers(wanted.begin(), wanted.end());
  buffers.insert(scratch.begin(), scratch.end());
  return unknown_lengths(f, buffers, lengths);
}

Function jacobian(Program& program, const Function& f, const JacobianOptions& o, std::string name) {
  return Jacobian(program, f, o, std::move(name)).run();
}

Gradient gradient(Program& program, const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, std::string name) {
  std::vector<int> all = wanted;
  all.insert(all.end(), scratch.begin(), scratch.end());
  Gradient g{reverse(program, f, {.wanted = all}, std::move(name)), {}, {}, {}};
  int shadow = int(f.body->params.size()), yield = 0;
  for (int p : all) {
    const bool buffer = is_buffer(f, p);
    if (has(wanted, p)) g.parts.push_back({!buffer, buffer ? shadow : yield++});
    if (!buffer) continue;
    g.of[shadow] = p;
    g.shadows.push_back(shadow++);
  }
  return g;
}

Function hessian_product(Program& program, const Function& f, const std::vector<int>& wanted, const std::vector<int>& scratch, const Lengths& lengths, std::string name) {
  return Product(f, lengths, std::move(name)).run(program, wanted, scratch, told(f, wanted, scratch, lengths));
}

}  // namespace tlaloc::ir
