// SPDX-License-Identifier: Apache-2.0
//
// A function that calls itself becomes an ir::Function of its own, one for each shape of arguments: numbers, and the buffers
// that the objects and pointers handed over are made of.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"
#include "transforms/simplify.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

/// Walks the objects that a call hands over, in an order that depends on their shape alone. With a `into` it makes their
/// images, made of parameters, in the function called.
struct Handover {
  ir::Builder& from;                              // where the call stands
  Objects* here = nullptr;
  std::string shape = {};
  std::vector<X> operands = {};
  std::map<const ir::Value*, int> buffers = {};
  std::map<const Node*, int> nodes = {};
  Objects* into = nullptr;
  std::map<const Node*, Node*> images = {};
  std::map<int, ir::Value*> parameters = {};

  /// The callee is told lengths that do not change, since its reverse sweep may have to keep the contents.
  static ir::Ints known_extent(const ir::Value* v) {
    if (!v->def || v->def->kind != &ir::ops::alloc) return v->type.dims;
    const auto* n = ir::constant_of(v->def->operands[0]);
    return n && n->as_int() > 0 ? ir::Ints{n->as_int()} : ir::Ints{};        // a vector starts empty and grows
  }
  ir::Value* buffer(ir::Value* v, const std::string& name) {
    auto [it, fresh] = buffers.try_emplace(v, int(buffers.size()));
    shape += "b" + std::to_string(it->second);
    if (fresh) {
      const ir::Ints extent = known_extent(v);
      for (auto n : extent) shape += "x" + std::to_string(n);
      operands.push_back({&from, v});
      if (into) parameters[it->second] = param(into->b, {v->type.dtype, extent, true}, name).v;
    }
    return into ? parameters[it->second] : nullptr;
  }
  X scalar(X x, const std::string& name) {
    operands.push_back(x);
    shape += "n" + std::to_string(int(x.type().dtype));
    return into ? param(into->b, x.type(), name) : X{};
  }
  Node* node(Node* n) {
    if (!n) { shape += "0"; return nullptr; }
    if (!here->alive(n)) { shape += "x"; return Objects::nobody(); }
    auto [it, fresh] = nodes.try_emplace(n, int(nodes.size()));
    shape += "#" + std::to_string(it->second);
    if (!fresh) return into ? images[n] : nullptr;
    Node* image = into ? into->make(n->kind, n->name) : nullptr;
    if (image) {
      image->dtype = n->dtype, image->extent = n->extent, image->scale = n->scale, image->unit = n->unit, image->offset = n->offset;
      image->type = n->type, image->member = n->member, image->outside = n->outside, image->callee = n->callee, image->fixed = true;
      images[n] = image;
    }
    shape += "k" + std::to_string(int(n->kind)) + "u" + std::to_string(n->unit) + "o" + std::to_string(n->offset) + "s" + std::to_string(n->scale) + "e" + std::to_string(n->extent) + (n->member ? "m" : "") + (n->type ? "t" + std::to_string(reinterpret_cast<std::uintptr_t>(n->type)) : "");
    switch (n->kind) {
      case Node::scalar: { auto* v = buffer(n->buffer, n->name); if (image) image->buffer = v; break; }
      case Node::function: shape += "f" + std::to_string(reinterpret_cast<std::uintptr_t>(n->callee)); break;
      case Node::record:
        for (auto& [key, child] : n->fields) {
          Node* c = node(child);
          if (image) c->parent = image, image->fields.push_back({key, c});
        }
        break;
      case Node::array: { Node* c = node(n->element); if (image) image->element = c; break; }
      case Node::vector: {                        // of a fixed length
        if (n->start || Objects::has_rows(n)) throw PointerError{"a vector of vectors handed to a recursive function"};
        Node* c = node(n->element);
        const X length = scalar(here->length(here->at(n)), n->name + "_size");
        if (image) image->element = c, image->length = length;
        break;
      }
      case Node::tensor: throw PointerError{"a tensor handed to a recursive function"};
      case Node::pointer: {                       // its value as it is, with all that it may point to
        n->loaded = true;
        auto *tag = buffer(n->tag, n->name + "_which"), *at = buffer(n->at, n->name);
        if (image) image->tag = tag, image->at = at;
        shape += "(";
        for (Node* t : here->targets(n)) {
          Node* c = node(t);
          if (image) image->candidates.push_back(c ? c->key : null_key);
        }
        shape += ")";
        break;
      }
    }
    return image;
  }
  /// An object that has pointers in it: what they point to is handed over with them. Unless the object is the callee's own they stay as
  /// they are.
  Pointer object(const Pointer& p, const std::string& name, bool own) {
    bool with_pointers = false;
    for (auto* t : p.targets) if (t) Objects::leaves(t, [&](Node* l) { with_pointers |= l->kind == Node::pointer; });
    if (!with_pointers) return pointer(p, name);
    Node* n = p.only();
    if (!n || !is_constant(p.index.v, 0) || (n->kind != Node::record && n->kind != Node::pointer)) {
      if (own) throw PointerError{"one of several objects with pointers handed to a recursive function"};
      return pointer(p, name);
    }
    shape += "{";
    Node* image = nullptr;
    if (n->kind == Node::pointer) {
      const Pointer value = pointer(here->load_pointer(p), n->name.empty() ? name : n->name);
      if (into) image = into->make_pointer(n->name, 1), into->store_pointer(into->at(image), value), image->fixed = !own;
    } else {
      if (into) image = into->make(Node::record, n->name), image->type = n->type;
      for (auto& [key, child] : n->fields) {
        bool inner = false;
        Objects::leaves(child, [&](Node* l) { inner |= l->kind == Node::pointer; });
        Node* c = inner ? object(here->field(p, key), name, own).only() : node(child);
        if (!into) continue;
        c->parent = image, c->member = true;
        image->fields.push_back({key, c});
      }
    }
    shape += "}";
    return into ? into->at(image) : Pointer{{nullptr}, {}, {}};
  }
  Pointer pointer(const Pointer& p, const std::string& name) {
    Pointer r;
    shape += "(";
    for (auto* t : p.targets) {
      Node* image = node(t);
      if (into) r.targets.push_back(image);
    }
    shape += ")";
    if (p.tag) r.tag = scalar(p.tag, name + "_which");
    r.index = scalar(p.index, name + "_at");
    return r;
  }
};

}  // namespace

Lowerer::Result Lowerer::recursive(const FunctionDecl* f, const Pointer* object_place, llvm::ArrayRef<const Expr*> args, const Expr* at) {
  const auto where = at->getExprLoc();
  const QualType t = f->getReturnType();
  if (t->isReferenceType() || t->isPointerType()) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns a pointer or reference, which is not supported; return an index");
  for (auto* p : f->parameters())
    if (holds_tensor(p->getType()) || holds_tensor(t)) refuse(where, "'" + f->getNameAsString() + "' calls itself and handles tensors, which is not supported; write a loop");
  std::vector<Pointer> places;
  for (unsigned i = 0; i < f->getNumParams(); ++i) places.push_back(argument(f->getParamDecl(i), args[i]));

  auto walk = [&](Handover& h, Frame* frame_in) {
    if (object_place) { const Pointer p = h.object(*object_place, "self", false); if (frame_in) frame_in->self = p; }
    for (unsigned i = 0; i < f->getNumParams(); ++i) {
      const auto* p = f->getParamDecl(i);
      const QualType pt = p->getType().getCanonicalType();
      const std::string name = p->getName().empty() ? "arg" + std::to_string(i + 1) : p->getNameAsString();
      Node* slot = places[i].only();
      if (is_number(pt)) {
        const X x = h.scalar(mem.load(places[i], dtype(pt)), name);
        if (frame_in) {                           // the callee's own variable
          Objects& o = *h.into;
          Node* n = o.make(Node::scalar, name);
          n->dtype = dtype(pt);
          n->buffer = o.b.append(ops::alloc, {ir::index(o.b, 1).v}, {n->dtype})->results[0];
          n->buffer->name = name;
          o.store(o.at(n), x);
          frame_in->vars[p] = o.at(n);
        }
      } else if (slot && slot->kind == Node::pointer && pt->isPointerType()) {
        const Pointer value = h.pointer(mem.load_pointer(places[i]), name);
        if (frame_in) {
          Node* n = h.into->make_pointer(name, 1);
          h.into->store_pointer(h.into->at(n), value);
          frame_in->vars[p] = h.into->at(n);
        }
      } else {
        const Pointer p2 = h.object(places[i], name, !pt->isReferenceType());
        if (frame_in) frame_in->vars[p] = p2;
      }
    }
  };
  Handover given{.from = b, .here = &mem};
  walk(given, nullptr);
  const std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(f)) + given.shape;
  auto found = shared.recursive.find(key);
  if (found == shared.recursive.end()) {
    Recursive r;
    for (int i = 1; r.name.empty(); ++i) {
      std::string name = (f->getDeclName().isIdentifier() ? f->getNameAsString() : std::string("self_call")) + (i > 1 ? "_" + std::to_string(i) : "");
      if (!shared.program.find(name) && shared.names.insert(name).second) r.name = name;
    }
    Node* shape = nullptr;
    if (!t->isVoidType()) {
      mem.origin(at, frame->id);
      shape = local(t, "");
      Objects::leaves(shape, [&](Node* l) {
        if (l->kind != Node::scalar) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns an object with a pointer");
      });
      std::function<void(Node*, std::int64_t)> count = [&](Node* n, std::int64_t times) {
        if (n->kind == Node::scalar) r.results.insert(r.results.end(), std::size_t(times), n->dtype);
        for (auto& [member, child] : n->fields) count(child, times);
        if (n->kind == Node::array) for (std::int64_t i = 0; i < n->extent; ++i) count(n->element, times);
        if (n->kind == Node::vector) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns a std::vector, which is not supported; write into a parameter");
      };
      count(shape, 1);
    }
    shared.recursive[key] = r;
    try {
      Facts own;
      for (int attempt = 0;; ++attempt) {
        if (attempt == 12) refuse(where, "what the pointers in '" + r.name + "' may point to could not be settled");
        own.stale = false;
        ir::Function made(r.name);
        Lowerer inner(shared, own, made);
        inner.here = here;
        Frame outer_frame{.function = frame->function};
        Frame top{.function = f, .caller = &outer_frame, .where = where, .block = inner.b.block};
        inner.frame = &top;
        inner.mem.origin(f, -3);
        Handover over{.from = b, .here = &mem, .into = &inner.mem};
        walk(over, &top);
        if (auto* m = dyn_cast<CXXMethodDecl>(f); m && m->getParent()->isLambda()) m->getParent()->getCaptureFields(top.captures, top.captured_this);
        inner.b.where = shared.locate(f->getLocation(), nullptr);
        inner.body(f);
        if (own.stale) continue;
        if (!t->isVoidType()) {
          std::function<void(Pointer)> yield = [&](Pointer p) {
            Node* n = p.only();
            if (n->kind == Node::scalar) inner.b.block->yields.push_back(inner.mem.load(p, n->dtype).v);
            for (auto& [member, child] : n->fields) yield(inner.mem.field(p, member));
            if (n->kind == Node::array) for (std::int64_t i = 0; i < n->extent; ++i) yield(inner.mem.element(p, ir::index(inner.b, i)));
          };
          yield(inner.mem.at(top.result));
        }
        auto& all = made.body->ops;
        all.insert(all.begin(), inner.prologue_.begin(), inner.prologue_.end());
        ir::verify(made);
        ir::simplify(made);
        shared.program.add(std::move(made));
        break;
      }
    } catch (...) {
      shared.recursive.erase(key);
      throw;
    }
    found = shared.recursive.find(key);
  }
  may_throw(f);
  ir::Types types;
  for (auto d : found->second.results) types.push_back({d});
  std::vector<ir::Value*> operands;
  for (X x : given.operands) operands.push_back(x.v);
  auto* op = b.append(ops::call, operands, {found->second.name, types});
  if (t->isVoidType()) return {};
  if (is_number(t)) return {.number = {&b, op->results[0]}};
  mem.origin(at, frame->id);
  Node* n = local(t, "");
  std::size_t next = 0;
  std::function<void(Pointer)> store = [&](Pointer p) {
    Node* x = p.only();
    if (x->kind == Node::scalar) mem.store(p, {&b, op->results[next++]});
    for (auto& [member, child] : x->fields) store(mem.field(p, member));
    if (x->kind == Node::array) for (std::int64_t i = 0; i < x->extent; ++i) store(mem.element(p, ir::index(b, i)));
  };
  store(mem.at(n));
  return {.object = n};
}

}  // namespace tlaloc::frontend
