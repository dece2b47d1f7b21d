// SPDX-License-Identifier: Apache-2.0
//
// A derivative that is called inside differentiated code: its function is copied into the caller, so that the outer
// transform sees through it.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

/// Copies a function's ops; a buffer parameter may stand for the part of a buffer that starts at an offset.
struct Splice {
  ir::Builder& b;
  std::map<const ir::Value*, X> offsets = {};

  /// Throws PointerError for what needs a whole buffer.
  void block(const ir::Block& from, std::map<const ir::Value*, ir::Value*>& map) {
    for (auto* op : from.ops) one(*op, map);
  }
  void one(const ir::Op& op, std::map<const ir::Value*, ir::Value*>& map) {
    std::vector<ir::Value*> in;
    for (auto* v : op.operands) in.push_back(map.at(v));
    const bool indexed = op.kind == &ops::load || op.kind == &ops::store || op.kind == &ops::accum;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      auto it = offsets.find(op.operands[i]);
      if (it == offsets.end() || ir::is_constant(it->second.v, 0)) continue;
      if (!indexed) throw PointerError{"a derivative called inside differentiated code on a part of an array"};
      in[1] = (X{&b, in[1]} + it->second).v;
    }
    std::vector<ir::Block*> regions;
    for (auto* r : op.regions) {
      ir::Block* made = b.function.new_block();
      ir::Block* before = std::exchange(b.block, made);
      for (auto* p : r->params) map[p] = param(b, p->type, p->name).v;
      block(*r, map);
      for (auto* y : r->yields) made->yields.push_back(map.at(y));
      b.block = before;
      regions.push_back(made);
    }
    const auto where = std::exchange(b.where, op.where);
    auto* made = b.append(*op.kind, in, op.attrs, regions);
    b.where = where;
    for (std::size_t i = 0; i < op.results.size(); ++i) made->results[i]->name = op.results[i]->name, map[op.results[i]] = made->results[i];
  }
};

}  // namespace

/// The place that the steps lead to.
Pointer Lowerer::walk(Pointer p, const std::vector<Step>& path) {
  for (auto& s : path) {
    switch (s.kind) {
      case Step::member: {
        p = mem.field(p, s.decl->getCanonicalDecl());
        if (cast<FieldDecl>(s.decl)->getType()->isReferenceType()) p = mem.load_pointer(p);
        break;
      }
      case Step::base: p = mem.field(p, s.decl->getCanonicalDecl()); break;
      case Step::dereference: p = mem.load_pointer(p); break;
      case Step::address: break;                  // a place is an address
      case Step::element: p = mem.element(p, ir::index(b, s.index)); break;
      case Step::data: {
        // The elements of a vector, of an array member, or behind a pointer member.
        while (p.only() && p.only()->kind == Node::record && !p.only()->fields.empty()) p = mem.field(p, p.only()->fields[0].first);
        if (p.only() && p.only()->kind == Node::pointer) p = mem.load_pointer(p);
        else if (p.only() && p.only()->element) p = mem.element(p, ir::index(b, 0));
        else refuse("this kind of range as the argument of a derivative is not supported inside differentiated code");
        break;
      }
      case Step::size: break;                     // see derivative()
      case Step::rows: refuse("a vector of vectors or a matrix of Eigen's as the argument of a derivative is not supported inside differentiated code; pass a std::vector");
    }
  }
  return p;
}
X Lowerer::range_size(const Pointer& range) {
  Node* n = range.only();
  if (n && n->kind == Node::vector) return mem.length(range);
  Node* count = nullptr;
  if (n) Objects::leaves(n, [&](Node* l) { if (l->kind == Node::scalar && l->dtype == ir::DType::u64) count = l; });
  if (n && n->kind == Node::record && n->fields.size() == 1 && n->fields[0].second->kind == Node::array) return ir::index(b, n->fields[0].second->extent);
  if (!count) refuse("the length of this argument of a derivative is not known inside differentiated code");
  return ir::convert(mem.load(mem.at(count), count->dtype), ir::index_type);
}
std::optional<Lowerer::Result> Lowerer::derivative(const CXXMethodDecl* m, const Pointer* object_place, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  auto* space = dyn_cast_or_null<NamespaceDecl>(m->getParent()->getEnclosingNamespaceContext());
  if (!space || space->getName() != "tlaloc" || m->getOverloadedOperator() != OO_Call || !shared.api->inner_derivative) return {};
  auto found = shared.api->inner_derivative(m, e->getExprLoc());
  if (!found) return {};
  std::vector<Pointer> sources{*object_place};
  for (auto* a : args) sources.push_back(place(a));
  for (auto* g : found->globals) sources.push_back(global(g));

  Splice splice{b};
  std::map<const ir::Value*, ir::Value*> map;
  const QualType t = m->getReturnType().getCanonicalType();
  Node* made = nullptr;                           // the result, where it is an object
  if (t->isRecordType()) {
    mem.origin(e, frame->id);
    made = local(t, "");
    if (std::any_of(found->params.begin(), found->params.end(), [](auto& l) { return l.source < 0; })) mem.zero(mem.at(made));
  }
  auto length_of = [&](const Leaf& leaf) -> X {
    auto path = leaf.path;
    if (!path.empty() && path.back().kind == Step::size) path.pop_back();
    const Pointer p = walk(sources[std::size_t(leaf.source)], path);
    if (p.only() && p.only()->kind == Node::scalar) return ir::convert(mem.load(p, p.only()->dtype), ir::index_type);      // of a view
    return range_size(p) * ir::index(b, leaf.each);
  };
  /// A vector in the result gets the length of the argument that it is the derivative of, a matrix its rows and columns.
  auto in_result = [&](std::size_t i) {
    const Leaf& leaf = found->params[i];
    std::vector<Step> to(leaf.path.begin(), leaf.path.end() - 1);
    const Pointer range = walk(mem.at(made), to);
    if (auto m = found->matrices.find(i); m != found->matrices.end()) {
      auto count = [&](const InnerDerivative::Count& c) {
        X n = ir::index(b, c.known);
        for (auto& l : c.lengths) n = n + length_of(l);
        return n;
      };
      const X rows = count(m->second.first), columns = count(m->second.second);
      auto* record = cast<FieldDecl>(to.back().decl)->getParent();
      to.pop_back();
      const Pointer matrix = walk(mem.at(made), to);
      auto field = record->field_begin();
      for (const X n : {rows, columns}) {
        const Pointer at = mem.field(matrix, (*field++)->getCanonicalDecl());
        mem.store(at, ir::convert(n, at.only()->dtype));
      }
      mem.resize(range, rows * columns);
      return walk(mem.at(made), leaf.path);
    }
    if (range.only() && range.only()->kind == Node::vector) {
      const int like = found->like[i];
      const Leaf* argument = like < 0 ? nullptr : &found->params[std::size_t(like)];
      if (!argument || argument->path.empty() || argument->path.back().kind != Step::data)
        refuse("a derivative called inside differentiated code returns an array of unknown length; give the argument as tlaloc::shadow(x, dx)");
      std::vector<Step> from(argument->path.begin(), argument->path.end() - 1);
      mem.resize(range, range_size(walk(sources[std::size_t(argument->source)], from)));
    }
    return walk(mem.at(made), leaf.path);
  };
  std::vector<X> tensors(found->params.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (const Leaf& leaf = found->params[i]; leaf.tensor)
      tensors[i] =
          mem.load_tensor(inside_tensor(walk(sources[std::size_t(leaf.source)], leaf.path)));
  std::optional<ir::Function> fitted;
  if (std::any_of(tensors.begin(), tensors.end(), [](X x) { return bool(x); }))
    fitted = with_extents_of(*found->function, tensors);
  const ir::Function& function = fitted ? *fitted : *found->function;
  std::map<const ir::Value*, std::pair<int, bool>> uses;                 // how many parameters share a buffer, and is one written
  std::set<const ir::Value*> written;
  ir::walk(*function.body, [&](ir::Op* op) { for (auto* v : ir::written_buffers(*op)) written.insert(v); });
  for (std::size_t i = 0; i < found->params.size(); ++i) {
    const Leaf& leaf = found->params[i];
    ir::Value* p = function.body->params[i];
    if (tensors[i]) {
      map[p] = tensors[i].v;
      continue;
    }
    if (leaf.kind == Leaf::extent) {
      map[p] = length_of(leaf).v;
      continue;
    }
    Pointer at = leaf.source < 0 ? in_result(i) : walk(sources[std::size_t(leaf.source)], leaf.path);
    if (leaf.kind == Leaf::scalar) {
      Node* n = at.only();
      map[p] = ir::convert(mem.load(at, n && n->kind == Node::scalar ? n->dtype : leaf.dtype), leaf.dtype).v;
      continue;
    }
    if (at.only() && at.only()->kind == Node::pointer) at = mem.load_pointer(at);
    while (at.only() && (at.only()->kind == Node::array || at.only()->kind == Node::vector)) at = mem.element(at, ir::index(b, 0));
    Node* n = at.only();
    if (!n) refuse("a derivative called inside differentiated code on one of several arrays; choose with an if around the call");
    std::set<ir::Value*> buffers;
    Objects::leaves(n, [&](Node* l) { buffers.insert(l->buffer); });
    if (buffers.size() != 1 || (*buffers.begin())->type.dtype != leaf.dtype) refuse("a derivative called inside differentiated code on an array of objects; use arrays of numbers");
    map[p] = *buffers.begin();
    splice.offsets[p] = at.index;
    auto& [count, writes] = uses[map[p]];
    ++count, writes |= written.count(p) > 0;
    if (count > 1 && writes) refuse("a derivative called inside differentiated code with two arguments in the same array; give each an array of its own");
  }
  splice.block(*function.body, map);
  if (t->isVoidType()) return Result{};
  const auto& yields = function.body->yields;
  if (is_number(t)) return Result{.number = converted({&b, map.at(yields.at(0))}, t)};
  for (std::size_t i = 0; i < yields.size(); ++i) {
    const Pointer at = walk(mem.at(made), found->results[i].path);
    if (found->results[i].tensor)
      mem.store_tensor(inside_tensor(at), {&b, map.at(yields[i])});
    else
      mem.store(at, {&b, map.at(yields[i])});
  }
  return Result{.object = made};
}

}  // namespace tlaloc::frontend
