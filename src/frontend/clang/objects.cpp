// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/objects.hpp"

#include "ir/tensor.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tlaloc::frontend {

using namespace ir;

namespace {
// Stands for a target that does not exist (yet) in this attempt: out of scope everywhere.
Node nowhere{.key = null_key - 1};
constexpr std::int64_t unroll_limit = 16;         // elements of an array that are copied one by one
}  // namespace

// --- nodes ---
Node* Objects::make(Node::Kind kind, std::string name) {
  const auto key = facts.keys.try_emplace({origin_.first, origin_.second, children_[origin_]++}, int(facts.keys.size())).first->second;
  Node* n = &nodes_.emplace_back(Node{.kind = kind, .key = key, .name = std::move(name)});
  by_key_[key] = n;
  return n;
}
Node* Objects::make_pointer(std::string name, std::int64_t count) {
  Node* n = make(Node::pointer, std::move(name));
  if (auto it = facts.candidates.find(n->key); it != facts.candidates.end()) n->candidates = it->second;
  n->tag = b.append(ops::alloc, {index(b, count).v}, {index_type})->results[0];
  n->at = b.append(ops::alloc, {index(b, count).v}, {index_type})->results[0];
  n->tag->name = n->name + "_which", n->at->name = n->name;
  return n;
}
Node* Objects::make_tensor(std::string name) {
  Node* n = make(Node::tensor, std::move(name));
  n->buffer = b.append(ops::cell, {}, {Types{Type{}}})->results[0];
  n->buffer->name = n->name;
  return n;
}
Node* Objects::find(int key) {
  if (key == null_key) return nullptr;
  auto it = by_key_.find(key);
  return it == by_key_.end() ? &nowhere : it->second;
}
Node* Objects::nobody() { return &nowhere; }
std::vector<Node*> Objects::targets(const Node* slot) {
  std::vector<Node*> r;
  for (int key : slot->candidates) r.push_back(find(key));
  return r;
}
void Objects::leaves(Node* n, const std::function<void(Node*)>& visit) {
  if (n->kind == Node::scalar || n->kind == Node::pointer || n->kind == Node::tensor) visit(n);
  for (auto& [key, child] : n->fields) leaves(child, visit);
  if (n->start) visit(n->start), visit(n->size), visit(n->room);
  if (n->element) leaves(n->element, visit);
}
void Objects::columns(Node* n, const std::function<void(Node*)>& visit) {
  if (n->start) return visit(n->start), visit(n->size), visit(n->room);
  if (n->kind == Node::scalar || n->kind == Node::pointer) visit(n);
  for (auto& [key, child] : n->fields) columns(child, visit);
  if (n->element) columns(n->element, visit);
}
bool Objects::has_rows(Node* n) {
  return n->start || (n->element && has_rows(n->element)) || std::any_of(n->fields.begin(), n->fields.end(), [](auto& f) { return has_rows(f.second); });
}
void Objects::clear_rows(Node* n) {
  if (n->start) for (auto* c : {n->start, n->size, n->room}) ops::fill(X{&b, c->buffer}, index(b, 0));
  if (n->element) clear_rows(n->element);
  for (auto& [key, child] : n->fields) clear_rows(child);
}
Node* Objects::first_leaf(Node* n) {
  Node* found = nullptr;
  leaves(n, [&](Node* l) { if (!found && l->kind == Node::scalar) found = l; });
  return found;
}
bool Objects::alive(const Node* n) const {
  if (n == &nowhere) return false;
  if (!n) return true;
  bool all = true;
  leaves(const_cast<Node*>(n), [&](Node* l) {
    const Value* buffer = l->kind == Node::pointer ? l->at : l->buffer;
    if (buffer && !inside(b.block, buffer->block)) all = false;
  });
  return all;
}

// --- places ---
X Objects::by_target(const Pointer& p, const std::function<std::int64_t(Node*)>& value) {
  std::optional<std::int64_t> usual;
  X r = index(b, 0);
  for (std::size_t i = 0; i < p.targets.size(); ++i) {
    if (!p.targets[i] || p.targets[i] == &nowhere) continue;
    const auto v = value(p.targets[i]);
    if (!usual) usual = v, r = index(b, v);
    else if (v != *usual) r = ops::select(p.tag == index(b, std::int64_t(i)), index(b, v), r);
  }
  return r;
}
Pointer Objects::field(const Pointer& p, const void* member) {
  auto child = [&](Node* t) {
    auto it = std::find_if(t->fields.begin(), t->fields.end(), [&](auto& f) { return f.first == member; });
    if (it == t->fields.end()) throw PointerError{"a pointer that is read as another type than that of its object"};
    return it->second;
  };
  Pointer r = p;
  r.index = r.index + by_target(p, [&](Node* t) { return child(t)->offset; });
  for (auto*& t : r.targets) if (t && t != &nowhere) t = child(t);
  return r;
}
Pointer Objects::outer(const Pointer& p, const void* member) {
  Pointer r = p;
  r.index = r.index - by_target(p, [&](Node* t) { return t->offset; });
  for (auto*& t : r.targets) {
    if (!t || t == &nowhere) continue;
    Node* record = t->parent;
    if (!record || std::none_of(record->fields.begin(), record->fields.end(), [&](auto& f) { return f.first == member && f.second == t; }))
      throw PointerError{"a cast to a derived class that the object does not have"};
    t = record;
  }
  return r;
}
Pointer Objects::element(const Pointer& p, X j) {
  for (auto* t : p.targets) if (t && t != &nowhere && !t->element) throw PointerError{"a pointer that is read as another type than that of its object"};
  auto unit = [](Node* t) { return t->element->unit; };
  Pointer r = p;
  if (std::any_of(p.targets.begin(), p.targets.end(), [](auto* t) { return t && t->start; }))
    r.index = each(p, [&](Node* n, X i) -> std::vector<X> {
      const X from = n->start ? ops::load(X{&b, n->start->buffer}, i) : i * index(b, n->scale);
      return {from + j * index(b, unit(n))};
    }, {index_type})[0];
  else r.index = r.index * by_target(p, [](Node* t) { return t->scale; }) + j * by_target(p, unit);
  for (auto*& t : r.targets) if (t && t != &nowhere) t = t->element;
  return r;
}
Pointer Objects::advance(const Pointer& p, X n) {
  if (is_constant(n.v, 0)) return p;
  for (auto* t : p.targets)
    if (t && t->member && !is_constant(n.v, 1)) throw PointerError{"arithmetic on the address of the single member '" + t->name + "'"};
  Pointer r = p;
  r.index = r.index + n * by_target(p, [](Node* t) { return t->unit; });
  return r;
}
X Objects::difference(const Pointer& p, const Pointer& q) {
  return (p.index - q.index) / by_target(p, [](Node* t) { return t->unit; });
}
X Objects::tag_among(const Pointer& p, const std::vector<Node*>& targets) {
  auto position = [&](Node* t) { return std::int64_t(std::find(targets.begin(), targets.end(), t) - targets.begin()); };
  if (!p.tag) return index(b, position(p.targets[0]));
  bool same = true;
  for (std::size_t i = 0; i < p.targets.size(); ++i) same &= position(p.targets[i]) == std::int64_t(i);
  if (same) return p.tag;
  X r = index(b, position(p.targets.back()));
  for (std::size_t i = p.targets.size() - 1; i-- > 0;) r = ops::select(p.tag == index(b, std::int64_t(i)), index(b, position(p.targets[i])), r);
  return r;
}
Pointer Objects::choose(X condition, const Pointer& yes, const Pointer& no) {
  Pointer r;
  r.targets = yes.targets;
  for (auto* t : no.targets) if (std::find(r.targets.begin(), r.targets.end(), t) == r.targets.end()) r.targets.push_back(t);
  if (r.targets.size() > 1) r.tag = ops::select(condition, tag_among(yes, r.targets), tag_among(no, r.targets));
  r.index = yes.index.v == no.index.v ? yes.index : ops::select(condition, yes.index, no.index);
  return r;
}
void Objects::outlive(const Pointer& p) {
  auto& ops = b.block->ops;
  auto move = [&](Value* buffer) {
    if (!buffer || inside(b.block, buffer->block)) return;
    Op* made = buffer->def;
    const bool cell = made && made->kind == &ir::ops::cell;
    const Number* size = made && made->kind == &ir::ops::alloc ? constant_of(made->operands[0]) : nullptr;
    if (!size && !cell) throw PointerError{"a pointer to a temporary of one arm of a conditional whose size is not constant"};
    const auto branch = std::ptrdiff_t(ops.size()) - 1;
    if (size) made->operands[0] = constant(b, *size).v;
    std::erase(made->block->ops, made);
    made->block = buffer->block = b.block;
    ops.push_back(made);
    std::rotate(ops.begin() + branch, ops.begin() + branch + 1, ops.end());
  };
  for (auto* target : p.targets) {
    if (!target || target == &nowhere) continue;
    leaves(target, [&](Node* l) { for (Value* buffer : {l->buffer, l->tag, l->at}) move(buffer); });
  }
}
X Objects::same(const Pointer& p, const Pointer& q) {
  std::vector<Node*> all = p.targets;
  for (auto* t : q.targets) if (std::find(all.begin(), all.end(), t) == all.end()) all.push_back(t);
  const bool meet = all.size() < p.targets.size() + q.targets.size();
  if (!meet) return truth(false);
  if (all.size() == 1) return all[0] ? p.index == q.index : truth(true);
  const X tag_equal = tag_among(p, all) == tag_among(q, all);
  const bool with_null = (p.targets.size() == 1 && !p.targets[0]) || (q.targets.size() == 1 && !q.targets[0]);
  return with_null ? tag_equal : ops::bit_and(tag_equal, p.index == q.index);
}
X Objects::compare(const Pointer& p, const Pointer& q, Compare how) {
  if (how == Compare::eq) return same(p, q);
  if (how == Compare::ne) {
    const X s = same(p, q);
    if (auto* n = constant_of(s.v)) return truth(!n->bits);
    return ops::logical_not(s);
  }
  return ops::compare(p.index, q.index, how);
}

// --- structure ---
Block* Objects::region(const std::function<std::vector<X>()>& body) {
  Block* made = b.function.new_block();
  Block* before = std::exchange(b.block, made);
  // The region's owner is not known before it is complete; until then it hangs in the block around it.
  Op* holder = b.function.new_op(ops::if_, before);
  made->owner = holder;
  std::vector<X> results;
  try { results = body(); } catch (...) { b.block = before; throw; }
  for (X x : results) made->yields.push_back(x.v);
  b.block = before;
  return made;
}
std::vector<X> Objects::branch(X condition, const std::function<std::vector<X>()>& yes, const std::function<std::vector<X>()>& no) {
  if (auto* known = constant_of(condition.v)) return known->bits ? yes() : no();
  Block* first = region(yes);
  Block* second = region(no);
  std::vector<X> r;
  for (auto* v : b.append(ops::if_, {condition.v}, {}, {first, second})->results) r.push_back({&b, v});
  return r;
}
void Objects::when(X condition, const std::function<void()>& yes) {
  branch(condition, [&] { yes(); return std::vector<X>{}; }, [] { return std::vector<X>{}; });
}
void Objects::loop(X from, X to, const std::function<void(X)>& body) {
  Block* r = region([&] {
    body(param(b, from.type(), ""));
    return std::vector<X>{};
  });
  b.append(ops::for_, {from.v, to.v}, {std::int64_t(1)}, {r});
}
void Objects::repeat(const std::function<X()>& test, const std::function<void()>& body) {
  Block* first = region([&] { return std::vector<X>{test()}; });
  Block* second = region([&] { body(); return std::vector<X>{}; });
  b.append(ir::ops::while_, {}, {}, {first, second});
}
std::vector<X> Objects::each_from(const Pointer& p, std::size_t first, const std::vector<std::size_t>& live,
                                  const std::function<std::vector<X>(Node*, X)>& visit) {
  Node* t = p.targets[live[first]];
  if (first + 1 == live.size()) return visit(t, p.index);
  return branch(p.tag == index(b, std::int64_t(live[first])), [&] { return visit(t, p.index); },
                [&] { return each_from(p, first + 1, live, visit); });
}
std::vector<X> Objects::each(const Pointer& p, const std::function<std::vector<X>(Node*, X)>& visit, const std::vector<DType>& types) {
  std::vector<std::size_t> live;
  for (std::size_t i = 0; i < p.targets.size(); ++i) if (p.targets[i] && alive(p.targets[i])) live.push_back(i);
  if (!live.empty()) return each_from(p, 0, live, visit);
  // Points nowhere: code that cannot run (or that C++ does not define).
  std::vector<X> r;
  for (auto d : types) r.push_back(constant(b, Number::of(d, 0)));
  return r;
}

// --- numbers ---
X Objects::load(const Pointer& p, DType type) {
  return each(p, [&](Node* n, X i) -> std::vector<X> {
    if (n->kind != Node::scalar) throw PointerError{"a pointer that is read as another type than that of its object"};
    if (auto* known = constant_of(i.v); known && n->table && known->as_int() >= 0 && std::size_t(known->as_int()) < n->table->size())
      return {constant(b, (*n->table)[std::size_t(known->as_int())])};
    if (n->dtype != type) throw PointerError{"a pointer that is read as another type than that of its object"};
    return {ops::load(X{&b, n->buffer}, i)};
  }, {type})[0];
}
void Objects::store(const Pointer& p, X x) {
  each(p, [&](Node* n, X i) -> std::vector<X> {
    if (n->kind != Node::scalar || n->dtype != x.type().dtype) throw PointerError{"a pointer that is written as another type than that of its object"};
    if (n->table) throw PointerError{"writing to the constant '" + n->name + "'"};
    ops::store(X{&b, n->buffer}, i, x);
    return {};
  });
}

// --- tensors ---
namespace {
/// Where the tensor i of a cell of several starts.
std::vector<X> start_of(X all, X i) {
  std::vector<X> at(all.type().dims.size(), index(*all.b, 0));
  at[0] = i;
  return at;
}
} // namespace
X Objects::load_tensor(const Pointer& p) {
  const auto r = each(p, [&](Node* n, X i) -> std::vector<X> {
    if (n->kind != Node::tensor || !n->typed) throw PointerError{"a tensor that has no value yet"};
    const X all = ops::load(X{&b, n->buffer}, index(b, 0));
    if (n->rows.empty())
      return {all};
    const ir::Shape one{all.type().dims.begin() + 1, all.type().dims.end()};
    return {reshape(dynamic_slice(all, start_of(all, i), ir::joined({{1}, one})), one)};
  });
  if (r.empty()) throw PointerError{"a tensor that has no value"};
  return r[0];
}
void Objects::store_tensor(const Pointer& p, X x) {
  each(p, [&](Node* n, X i) -> std::vector<X> {
    if (n->kind != Node::tensor) throw PointerError{"a pointer that is written as another type than that of its object"};
    if (n->fixed) throw PointerError{"giving the caller's tensor '" + n->name + "' another value"};
    const Type given{x.type().dtype, ir::joined({n->rows, x.type().dims})};
    const Types& held = n->buffer->def->at(key::results);
    const X cell{&b, n->buffer};
    if (!n->typed) {
      type_cell(n, given);
      if (!n->rows.empty())
        ops_after(n->buffer->def, [&] { ops::store(cell, index(b, 0), splat(b, given, 0)); });
    } else if (held[0] != given) {
      unify(n->name, held[0], given);
    }
    if (n->rows.empty()) {
      ops::store(cell, index(b, 0), x);
    } else {
      const X all = ops::load(cell, index(b, 0));
      ops::store(cell, index(b, 0),
                 dynamic_update_slice(all, reshape(x, ir::joined({{1}, x.type().dims})),
                                      start_of(all, i)));
    }
    return {};
  });
    }
void Objects::store_tensors(Node* n, X all) {
  type_cell(n, all.type());
  ops::store(X{&b, n->buffer}, index(b, 0), all);
}
void Objects::type_cell(Node* n, const Type& type) {
  n->typed = true;
  n->buffer->def->set("results", Types{type});
  n->buffer->type = buffer_of(type.dtype);
  }
/// Writes operations right behind one that is there already.
void Objects::ops_after(Op* op, const std::function<void()>& emit) {
  Block* const here = b.block;
  b.block = op->block;
  auto& list = op->block->ops;
  const std::size_t before = list.size();
  emit();
  const auto place = std::find(list.begin(), list.end(), op) + 1;
  std::rotate(place, list.begin() + std::ptrdiff_t(before), list.end());
  b.block = here;
}

// --- pointers ---
Pointer Objects::load_pointer(const Pointer& place) {
  // All that any of the slots may point to, in one list; each slot's tags are translated into it.
  std::vector<Node*> targets;
  for (auto* slot : place.targets) {
    if (!slot || !alive(slot)) continue;
    if (slot->kind != Node::pointer) throw PointerError{"a pointer that is read as another type than that of its object"};
    slot->loaded = true;
    for (int key : slot->candidates) if (Node* t = find(key); std::find(targets.begin(), targets.end(), t) == targets.end()) targets.push_back(t);
  }
  if (targets.empty()) targets.push_back(&nowhere);
  auto r = each(place, [&](Node* slot, X i) -> std::vector<X> {
    const std::vector<Node*> own = this->targets(slot);
    if (own.empty()) return {index(b, 0), index(b, 0)};
    Pointer p{own, {}, ops::load(X{&b, slot->at}, i)};
    if (own.size() > 1) p.tag = ops::load(X{&b, slot->tag}, i);
    return {tag_among(p, targets), p.index};
  }, {index_type, index_type});
  return {targets, targets.size() > 1 ? r[0] : X{}, r[1]};
}
void Objects::store_pointer(const Pointer& place, const Pointer& value) {
  for (auto* slot : place.targets) {
    if (!slot || !alive(slot)) continue;
    if (slot->kind != Node::pointer) throw PointerError{"a pointer that is written as another type than that of its object"};
    if (slot->fixed) throw PointerError{"pointing the caller's '" + slot->name + "' elsewhere"};
    for (auto* t : value.targets) {
      if (t == &nowhere) continue;
      const int key = t ? t->key : null_key;
      if (std::find(slot->candidates.begin(), slot->candidates.end(), key) != slot->candidates.end()) continue;
      slot->candidates.push_back(key);
      if (slot->loaded) facts.stale = true;       // what was lowered before knew too few
    }
    facts.candidates[slot->key] = slot->candidates;
  }
  each(place, [&](Node* slot, X i) -> std::vector<X> {
    const std::vector<Node*> own = targets(slot);
    ops::store(X{&b, slot->tag}, i, own.empty() ? index(b, 0) : tag_among(value, own));
    ops::store(X{&b, slot->at}, i, value.index);
    return {};
  });
}

// --- whole objects ---
X Objects::length(const Pointer& v) {
  return each(v, [&](Node* n, X i) -> std::vector<X> {
    if (n->length) return {n->length};
    if (n->size) return {ops::load(X{&b, n->size->buffer}, i)};
    Node* leaf = first_leaf(n->element);
    if (!leaf) throw PointerError{"a vector whose elements hold no number"};
    const X n_numbers = ops::length(X{&b, leaf->buffer});
    return {n_numbers / index(b, leaf->extent)};
  }, {index_type})[0];
}
void Objects::resize(const Pointer& v, X length) {
  each(v, [&](Node* n, X i) -> std::vector<X> {
    if (n->start) return resize_row(n, i, length), std::vector<X>{};
    if (n->length && n->owner) { facts.written[n->owner] = facts.stale = true; return {}; }
    if (n->length) throw PointerError{"changing the length of '" + n->name + "', which belongs to the caller"};
    columns(n->element, [&](Node* l) {
      if (l->kind != Node::scalar) throw PointerError{"a vector of pointers"};
      ops::resize(X{&b, l->buffer}, length * index(b, l->extent), constant(b, Number::of(l->dtype, 0)));
    });
    return {};
  });
}
/// A row that outgrows its room moves to the end of what all rows share.
void Objects::resize_row(Node* n, X row, X length) {
  if (n->fixed && n->owner) { facts.written[n->owner] = facts.stale = true; return; }
  if (n->fixed) throw PointerError{"changing the length of a row of '" + n->name + "', which belongs to the caller"};
  auto load_of = [&](Node* c) { return ops::load(X{&b, c->buffer}, row); };
  auto store_to = [&](Node* c, X x) { ops::store(X{&b, c->buffer}, row, x); };
  const X old = load_of(n->size), room = load_of(n->room), unit = index(b, n->element->unit);
  when(length > room, [&] {
    const X twice = room + room, more = ops::select(length > twice, length, twice);
    Node* lead = first_leaf(n->element);
    if (!lead) throw PointerError{"a vector whose elements hold no number"};
    const X end = ops::length(X{&b, lead->buffer}) / index(b, lead->extent), from = load_of(n->start);
    columns(n->element, [&](Node* l) {
      if (l->kind != Node::scalar) throw PointerError{"a vector of pointers"};
      ops::resize(X{&b, l->buffer}, (end + more) * index(b, l->extent), constant(b, Number::of(l->dtype, 0)));
    });
    loop(index(b, 0), old, [&](X k) { copy({{n->element}, {}, (end + k) * unit}, {{n->element}, {}, (from + k) * unit}); });
    store_to(n->start, end);
    store_to(n->room, more);
  });
  const X from = load_of(n->start);
  loop(old, length, [&](X k) { zero({{n->element}, {}, (from + k) * unit}); });
  store_to(n->size, length);
}
void Objects::copy(const Pointer& to, const Pointer& from) {
  Node* shape = nullptr;
  for (auto* t : to.targets) if (t && alive(t)) shape = t;
  if (!shape) return;
  switch (shape->kind) {
    case Node::scalar: store(to, load(from, shape->dtype)); break;
    case Node::pointer:
      if (shape->callable) throw PointerError{"copying an object that holds a std::function"};
      store_pointer(to, load_pointer(from));
      break;
    case Node::tensor:
      store_tensor(to, load_tensor(from));
      if (Node *a = to.only(), *z = from.only(); a && z) {
        a->weak = z->weak;
        if (!a->axes) a->axes = z->axes;
      }
      break;
    case Node::function: break;                   // known at compile time; the front end binds it
    case Node::record: for (auto& [member, child] : shape->fields) copy(field(to, member), field(from, member)); break;
    case Node::array:
      if (shape->extent <= unroll_limit) for (std::int64_t i = 0; i < shape->extent; ++i) copy(element(to, index(b, i)), element(from, index(b, i)));
      else loop(index(b, 0), index(b, shape->extent), [&](X i) { copy(element(to, i), element(from, i)); });
      break;
    case Node::vector: {
      const X n = length(from);
      resize(to, n);
      loop(index(b, 0), n, [&](X i) { copy(element(to, i), element(from, i)); });
      break;
    }
  }
}
void Objects::moved_from(const Pointer& p) {
  Node* shape = nullptr;
  for (auto* t : p.targets) if (t && alive(t)) shape = t;
  if (!shape) return;
  if (shape->kind == Node::vector) resize(p, index(b, 0));
  else if (shape->kind == Node::record) for (auto& [member, child] : shape->fields) moved_from(field(p, member));
  else if (shape->kind == Node::array && has_rows(shape)) loop(index(b, 0), index(b, shape->extent), [&](X i) { moved_from(element(p, i)); });
}
void Objects::zero(const Pointer& to) {
  Node* shape = nullptr;
  for (auto* t : to.targets) if (t && alive(t)) shape = t;
  if (!shape) return;
  switch (shape->kind) {
    case Node::scalar: store(to, constant(b, Number::of(shape->dtype, 0))); break;
    case Node::pointer: store_pointer(to, null()); break;
    case Node::tensor: throw PointerError{"a tensor without a value"};
    case Node::function: break;
    case Node::record: for (auto& [member, child] : shape->fields) zero(field(to, member)); break;
    case Node::array:
      if (shape->extent <= unroll_limit) for (std::int64_t i = 0; i < shape->extent; ++i) zero(element(to, index(b, i)));
      else if (shape->whole && to.only() && shape->element->kind == Node::scalar) ops::fill(X{&b, shape->element->buffer}, constant(b, Number::of(shape->element->dtype, 0)));
      else loop(index(b, 0), index(b, shape->extent), [&](X i) { zero(element(to, i)); });
      break;
    case Node::vector: resize(to, index(b, 0)); break;
  }
}

}  // namespace tlaloc::frontend
