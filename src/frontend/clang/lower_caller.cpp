// SPDX-License-Identifier: Apache-2.0
//
// What a function has in common with its caller: parameters and globals as leaves that glue can reach, and the numbers that
// come back. Refused: unions, pointers to pointers, arrays of objects whose members are not of one type, mutable static
// locals.
#include "frontend/clang/lower_eigen.hpp"

#include "ir/ops.hpp"
#include "ir/tensor.hpp"

namespace tlaloc::frontend {

using namespace clang;
using ir::DType;

struct Lowerer::Access {
  int source = 0;
  std::string text = "{}", name = {};
  std::vector<Step> path = {};
  bool passive = false;
  const void* watch = nullptr;                    // who must be lowered again when it turns out to be written
  bool watch_numbers = false;
  // inside an element of an array or vector of tensors, whose tensors are handed over as one: where
  // they all are, and how many
  std::string all = {};
  ir::Shape rows = {};
  Access then(Step::Kind kind, const Decl* d, const std::string& t, const std::string& n) const {
    Access r = *this;
    r.path.push_back({kind, d}), r.text = t, r.name = n;
    return r;
  }
  Access member(const FieldDecl* f, const std::string& n) const {
    if (f->isAnonymousStructOrUnion()) return then(Step::member, f, text, name);      // its members are named as the outer one's
    return then(Step::member, f, text + "." + (f->getName().empty() ? n : f->getNameAsString()), name.empty() ? n : n.empty() ? name : name + "_" + n);
  }
  Access each_of(ir::Extent n) const {
    Access r = then(Step::rows, nullptr, "x", name);
    r.all = text, r.rows = {n};
    return r;
  }
  /// The text for a tensor.
  std::string tensor() const {
    return rows.empty() ? text
                        : "::tlaloc::detail::stacked(" + all + ", [](auto& x) -> auto& { return " +
                              text + "; })";
  }
  Access address() const { return then(Step::address, nullptr, "&" + text, name); }
};

/// std::tuple is made of nested bases, which text reaches by std::get: the position of an element's class, -1 for others.
static int tuple_position(const CXXRecordDecl* r) {
  auto* s = dyn_cast<ClassTemplateSpecializationDecl>(r);
  return s && (is_std(s, "_Head_base") || is_std(s, "__tuple_leaf")) ? int(s->getTemplateArgs()[0].getAsIntegral().getExtValue()) : -1;
}
static std::string in_base(const CXXRecordDecl* base, const std::string& text) {
  const int k = tuple_position(base);
  return k < 0 ? text : "std::get<" + std::to_string(k) + ">(" + text + ")";
}
static std::string name_in_base(const CXXRecordDecl* base, const std::string& name) {
  const int k = tuple_position(base);
  return k < 0 ? name : (name.empty() ? "element" : name) + "_" + std::to_string(k);
}
/// A member that another one of the same name hides: text has no way to say which.
static const FieldDecl* hidden_member(const CXXRecordDecl* r) {
  if (r->isInStdNamespace() || r->isLambda()) return nullptr;
  std::set<std::string> names;
  const FieldDecl* found = nullptr;
  std::function<void(const CXXRecordDecl*)> visit = [&](const CXXRecordDecl* c) {
    for (auto* f : c->fields()) if (!f->getName().empty() && !names.insert(f->getNameAsString()).second) found = f;
    for (auto& base : c->bases()) if (auto* d = base.getType()->getAsCXXRecordDecl(); d && d->getDefinition()) visit(d->getDefinition());
  };
  visit(r);
  return found;
}

ir::Value* Lowerer::parameter(const Access& a, Leaf leaf, const std::string& name) {
  return parameter(a, std::move(leaf), ir::Type{}, name);
}
ir::Value* Lowerer::parameter(const Access& a, Leaf leaf, ir::Type type, const std::string& name) {
  leaf.source = a.source, leaf.access = a.text, leaf.path = a.path;
  leaf.differentiable = ir::is_real(leaf.dtype) && !a.passive && leaf.kind != Leaf::extent;
  if (!leaf.tensor) type = {leaf.dtype};
  if (leaf.kind == Leaf::buffer) { type.buffer = true; if (leaf.size >= 0) type.dims = {leaf.size}; }
  auto* v = b.function.body->params.emplace_back(b.function.new_value(type, name, b.function.body));
  lowered->params.push_back(std::move(leaf));
  return v;
}
Node* Lowerer::caller_number(QualType t, const Access& a, bool writable) {
  Node* n = mem.make(Node::scalar, a.name);
  n->dtype = dtype(t);
  if (writable) {
    n->buffer = parameter(a.address(), {.kind = Leaf::buffer, .dtype = n->dtype, .size = 1, .writable = true}, a.name);
    return n;
  }
  auto* value = parameter(a, {.kind = Leaf::scalar, .dtype = n->dtype}, a.name);
  n->buffer = b.append(ir::ops::alloc, {ir::index(b, 1).v}, {n->dtype})->results[0];
  n->buffer->name = a.name;
  n->whole = true;
  auto* store = b.append(ir::ops::store, {n->buffer, ir::index(b, 0).v, value});
  if (a.watch && a.watch_numbers) watched_[n->buffer] = {a.watch, store};
  return n;
}
/// How many numbers of one type an object is made of, without gaps; -1 when it is not.
std::int64_t Lowerer::flat_size(QualType t, std::optional<DType>& of) {
  t = t.getCanonicalType();
  if (is_number(t)) {
    const DType d = dtype(t);
    if (of && *of != d) return -1;
    of = d;
    return 1;
  }
  if (t->isAnyComplexType()) return 2 * flat_size(complex_element(t), of);
  std::int64_t total = 0;
  if (auto* a = context.getAsConstantArrayType(t)) {
    total = flat_size(a->getElementType(), of);
    return total < 0 ? -1 : total * std::int64_t(a->getZExtSize());
  }
  auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->getDefinition() || r->isUnion() || r->isPolymorphic() || r->getNumVBases()) return -1;
  if (r->isEmpty()) return 0;
  for (auto& base : r->bases()) { const auto n = flat_size(base.getType(), of); if (n < 0) return -1; total += n; }
  for (auto* f : r->fields()) { const auto n = flat_size(f->getType(), of); if (n < 0 || f->isBitField()) return -1; total += n; }
  if (!of || std::int64_t(context.getTypeSize(t)) != total * std::max(8, ir::bit_width(*of))) return -1;
  return total;
}
Node* Lowerer::flat(QualType t, ir::Value* buffer, const std::string& name) {
  t = t.getCanonicalType();
  std::optional<DType> of;
  Node* n = nullptr;
  if (is_number(t)) {
    n = mem.make(Node::scalar, name);
    n->dtype = dtype(t), n->buffer = buffer;
  } else if (auto* a = context.getAsConstantArrayType(t); a || t->isAnyComplexType()) {
    n = mem.make(Node::array, name);
    n->extent = a ? std::int64_t(a->getZExtSize()) : 2, n->scale = 1;
    n->element = flat(a ? a->getElementType() : complex_element(t), buffer, name);
  } else {
    n = mem.make(Node::record, name);
    auto* r = t->getAsCXXRecordDecl()->getDefinition();
    const auto& where = context.getASTRecordLayout(r);
    auto add = [&](const void* key, QualType type, std::int64_t bits) {
      std::optional<DType> d;
      const bool empty = flat_size(type, d) == 0;
      Node* child = empty ? layout(type, 1, name, [](Node*, std::int64_t) {}) : flat(type, buffer, name);
      child->offset = empty ? 0 : bits / std::max(8, ir::bit_width(*d)), child->parent = n;
      n->fields.push_back({key, child});
    };
    for (auto& base : r->bases()) {
      auto* d = base.getType()->getAsCXXRecordDecl();
      add(d->getCanonicalDecl(), base.getType(), context.toBits(where.getBaseClassOffset(d)));
    }
    for (auto* f : r->fields()) add(f->getCanonicalDecl(), f->getType(), std::int64_t(where.getFieldOffset(f->getFieldIndex())));
  }
  n->unit = flat_size(t, of);
  return n;
}
/// What a pointer to, or a range of, `element` from the caller points at: one buffer of numbers.
Node* Lowerer::caller_range(QualType element, const Access& a, bool writable, std::int64_t size) {
  std::optional<DType> of;
  const auto each = flat_size(element, of);
  if (each <= 0) return nullptr;
  auto* buffer = parameter(a, {.kind = Leaf::buffer, .dtype = *of, .size = size < 0 ? -1 : size * each, .each = each, .writable = writable}, a.name);
  if (!writable && a.watch) watched_[buffer] = {a.watch, nullptr};
  return flat(element, buffer, a.name);
}
/// A matrix of the caller's. Null for what is none.
Node* Lowerer::eigen_from_caller(QualType t, const Access& a, bool writable) {
  const auto s = eigen_shape(t);
  if (!s || s->kind != EigenShape::plain) return nullptr;
  Node* n = mem.make(Node::record, a.name);
  auto add = [&](unsigned part, Node* child) { child->member = true, child->parent = n, n->fields.push_back({s->key(part), child}); };
  Access data = a.then(Step::data, nullptr, a.text + ".data()", a.name);
  Node* numbers = mem.make(s->fixed() ? Node::array : Node::vector, a.name);
  numbers->scale = 1;
  if (s->fixed()) numbers->extent = s->rows * s->cols;
  else numbers->owner = a.watch;
  numbers->element = caller_range(s->scalar, data, writable, s->fixed() ? numbers->extent : -1);
  add(0, numbers);
  if (s->fixed()) return n;
  X length;
  for (unsigned part : {1u, 2u}) {
    const std::int64_t fixed = part == 1 ? s->rows : s->cols;
    X extent = ir::index(b, fixed);
    if (fixed < 0) {
      Access own = a.then(Step::rows, nullptr, a.text + (part == 1 ? ".rows()" : ".cols()"), a.name + (part == 1 ? "_rows" : "_cols"));
      Node* stored = mem.make(Node::scalar, own.name);
      stored->dtype = ir::index_type;
      stored->buffer = b.append(ir::ops::alloc, {ir::index(b, 1).v}, {stored->dtype})->results[0];
      extent = {&b, parameter(own, {.kind = Leaf::extent, .dtype = ir::index_type}, own.name)};
      ir::ops::store(X{&b, stored->buffer}, ir::index(b, 0), extent);
      add(part, stored);
    }
    length = length ? length * extent : extent;
  }
  numbers->length = length;
  return n;
}

/// The rows of a vector of vectors: their elements one after the other, which glue puts together and takes apart.
Node* Lowerer::caller_rows(QualType row, const Access& a, bool writable) {
  const QualType e = vector_element(row);
  std::optional<DType> of;
  const auto each = e->isBooleanType() ? -1 : flat_size(e, of);
  if (each <= 0) return nullptr;
  auto part = [&](int k, const std::string& text, const std::string& name) {
    Access r = a.then(Step::rows, nullptr, "::tlaloc::detail::" + text + ".data()", name);
    r.path.back().index = k;
    return r;
  };
  const std::string of_each = "<" + std::to_string(each) + ">(" + a.text + ")";
  Node* n = mem.make(Node::vector, a.name);
  n->scale = 1, n->fixed = true, n->owner = a.watch;
  auto counts = [&](const Access& from) {
    Node* c = mem.make(Node::scalar, from.name);
    c->dtype = ir::index_type;
    c->buffer = parameter(from, {.kind = Leaf::buffer, .dtype = ir::index_type}, from.name);
    return c;
  };
  n->element = caller_range(e, part(0, "rows" + of_each, a.name), writable, -1);
  n->start = counts(part(1, "row_starts" + of_each, a.name + "_start"));
  n->size = n->room = counts(part(2, "row_sizes(" + a.text + ")", a.name + "_sizes"));
  return n;
}
Node* Lowerer::pointee(QualType t, const Access& a, bool writable) {
  if (t->isFunctionType()) refuse("the function pointer '" + a.name + "' is not known at compile time; pass a lambda or a function object");
  if (t->isVoidType()) refuse("'" + a.name + "' points to void");
  if (t->isPointerType()) refuse("'" + a.name + "' is a pointer to pointers, which is not supported; pass one flat array");
  writable = writable && !t.isConstQualified() && !context.getBaseElementType(t).isConstQualified();
  if (Node* n = caller_range(t, a, writable, -1)) { n->outside = true; return n; }
  Node* n = from_caller(t, a.then(Step::dereference, nullptr, "(*" + a.text + ")", a.name), writable);
  n->member = n->outside = true;                  // one object, not an array
  return n;
}
/// A class that tensors alone make, which may stand in an array of them.
static bool made_of_tensors(QualType t) {
  auto* r = t->getAsCXXRecordDecl();
  return r && r->getDefinition() && !in_eigen(r) && !is_std(r, "array") && !is_std(r, "span") &&
         vector_element(t).isNull() && holds_tensor(t);
}
Node* Lowerer::from_caller(QualType t, const Access& a, bool writable) {
  t = t.getCanonicalType();
  if (t.isConstQualified()) writable = false;
  if (t.isVolatileQualified()) refuse("the volatile object '" + a.name + "' cannot be differentiated through");
  if (!a.rows.empty() && !(is_tensor(t) || made_of_tensors(t)))
    refuse("'" + a.name + "' of type '" + shared.type_name(t) +
           "' belongs to an element of an array or vector of tensors, and is neither a tensor nor "
           "a struct of tensors, which is not supported; give it an array of its own");
  if (is_number(t)) return caller_number(t, a, writable);
  if (t->isReferenceType() || t->isPointerType()) {
    const QualType to = t->getPointeeType();
    Node* n = mem.make_pointer(a.name, 1);
    Node* target = t->isPointerType() ? pointee(to, a, true) : from_caller(to, a, !to.isConstQualified() && (!a.watch || facts.written[a.watch]));
    mem.store_pointer(mem.at(n), mem.at(target));
    n->fixed = true;
    return n;
  }
  if (auto* array = context.getAsConstantArrayType(t)) {
    auto inner = a;
    for (QualType e = t; context.getAsConstantArrayType(e); e = context.getAsConstantArrayType(e)->getElementType()) inner = inner.then(Step::element, nullptr, inner.text + "[0]", a.name);
    if (!is_number(context.getBaseElementType(t))) inner.passive = inner.passive || shared.passive(context.getBaseElementType(t));
    Node* element =
        holds_tensor(array->getElementType())
            ? from_caller(array->getElementType(), a.each_of(std::int64_t(array->getZExtSize())),
                          writable)
            : caller_range(array->getElementType(), inner.address(), writable && !context.getBaseElementType(t).isConstQualified(), std::int64_t(array->getZExtSize()));
    if (!element) refuse("'" + a.name + "' is an array of '" + shared.type_name(array->getElementType()) + "', whose members are not numbers of one type; pass one array per member");
    Node* n = mem.make(Node::array, a.name);
    n->extent = std::int64_t(array->getZExtSize()), n->scale = 1, n->element = element, n->unit = element->unit * n->extent;
    return n;
  }
  if (!complex_element(t).isNull())               // its two parts, in this order in memory
    if (Node* n = caller_range(t, a.address(), writable, 1)) return n;
  auto* r = t->getAsCXXRecordDecl();
  if (r && in_eigen(r)) {
    if (Node* n = eigen_from_caller(t, a, writable)) return n;
    refuse("'" + a.name + "' of Eigen's class '" + shared.type_name(t) + "' cannot be a parameter of a differentiated function; use Eigen::Matrix or Eigen::Array");
  }
  if (!r || !r->getDefinition()) refuse("'" + a.name + "' of type '" + shared.type_name(t) + "' cannot be a parameter of a differentiated function");
  r = r->getDefinition();
  if (meaning(r) == "sparse")
    refuse("'" + a.name +
           "' is a sparse matrix or its pattern, whose structure only the run tells, which is not "
           "supported; record the function with tlaloc::jit");
  if (meaning(r) == "tensor") refuse("'" + a.name + "' is a tlaloc::AnyTensor, whose element type and rank are known at run time only; make it a tlaloc::Tensor");
  if (is_tensor(t)) return caller_tensor(r, a, writable);
  if (!expanding_.insert(r).second) refuse("'" + a.name + "' of type '" + shared.type_name(t) + "' leads to objects of its own type, as lists and trees do; pass arrays");
  struct Done { std::set<const CXXRecordDecl*>& open; const CXXRecordDecl* r; ~Done() { open.erase(r); } } done{expanding_, r};
  const bool taken_apart = !r->isInStdNamespace() || llvm::is_contained({"array", "span", "vector", "pair", "tuple"}, r->getName()) || r->getName().starts_with("_");
  Restore library(library_type_, library_type_.empty() && !taken_apart ? shared.type_name(t) : library_type_);
  Access inner = a;
  inner.passive = inner.passive || shared.passive(t);
  const Access data = inner.then(Step::data, nullptr, a.text + ".data()", a.name);
  const Access size = inner.then(Step::size, nullptr, a.text + ".size()", a.name + "_size");
  if (QualType e = vector_element(t); !e.isNull()) {
    Node* n = mem.make(Node::vector, a.name);
    n->scale = 1, n->owner = a.watch;
    if (holds_tensor(e)) {
      const ir::Extent count = extent_symbol(a.name.empty() ? "count" : a.name);
      n->element = from_caller(e, inner.each_of(count), writable);
      n->length = {&b, b.append(ir::ops::extent, {}, {ir::Shape{count}})->results[0]};
      return n;
    }
    n->element = e->isBooleanType() ? nullptr : vector_element(e).isNull() ? caller_range(e, data, writable, -1) : caller_rows(e, inner, writable);
    if (!n->element) refuse("'" + a.name + "' is a '" + shared.type_name(t) + "', whose elements are not numbers of one type; pass one vector per member");
    n->length = {&b, parameter(size, {.kind = Leaf::extent, .dtype = ir::index_type}, size.name)};
    return n;
  }
  if (r->isUnion()) refuse("'" + a.name + "' is a union, whose members overlap; use a struct");
  if (r->getNumVBases()) refuse("'" + a.name + "' has a virtual base class, which is not supported");
  Node* n = mem.make(Node::record, a.name);
  auto add = [&](const void* key, Node* child) { child->member = true, child->parent = n, n->fields.push_back({key, child}); };
  auto* special = dyn_cast<ClassTemplateSpecializationDecl>(r);
  const bool is_span = special && is_std(r, "span"), is_array = special && is_std(r, "array");
  for (auto& base : r->bases()) {
    auto* d = base.getType()->getAsCXXRecordDecl();
    add(d->getCanonicalDecl(), from_caller(base.getType(), inner.then(Step::base, d, in_base(d, a.text), name_in_base(d, a.name)), writable));
  }
  if (auto* f = r->getNumBases() ? hidden_member(r) : nullptr)
    refuse("the class '" + shared.type_name(t) + "' of '" + a.name + "' has several members '" + f->getNameAsString() + "', of which one hides the other");
  auto* closure = r->isLambda() ? r : nullptr;
  auto capture = closure ? closure->captures_begin() : nullptr;
  for (auto* f : r->fields()) {
    std::string name = f->getNameAsString();
    if (closure) { name = capture->capturesVariable() ? capture->getCapturedVar()->getNameAsString() : "self"; ++capture; }
    if (is_span && f->getType()->isPointerType()) {
      Node* pointer = mem.make_pointer(a.name, 1);
      const QualType e = f->getType()->getPointeeType();
      Node* target = caller_range(e, data, !e.isConstQualified(), -1);
      if (!target) refuse("'" + a.name + "' is a '" + shared.type_name(t) + "', whose elements are not numbers of one type");
      mem.store_pointer(mem.at(pointer), mem.at(target));
      add(f->getCanonicalDecl(), pointer);
    } else if (is_span) {
      // The extent: a class that holds a size, or none when the size is part of the type.
      Node* extent = mem.make(Node::record, a.name);
      for (auto* e : f->getType()->getAsCXXRecordDecl()->getDefinition()->fields()) {
        Node* stored = mem.make(Node::scalar, size.name);
        stored->dtype = dtype(e->getType());
        stored->buffer = b.append(ir::ops::alloc, {ir::index(b, 1).v}, {stored->dtype})->results[0];
        X length{&b, parameter(size, {.kind = Leaf::extent, .dtype = ir::index_type}, size.name)};
        ir::ops::store(X{&b, stored->buffer}, ir::index(b, 0), ir::convert(length, stored->dtype));
        extent->fields.push_back({e->getCanonicalDecl(), stored});
      }
      add(f->getCanonicalDecl(), extent);
    } else if (is_array && context.getAsConstantArrayType(f->getType())) {
      auto* array = context.getAsConstantArrayType(f->getType());
      const auto count = std::int64_t(array->getZExtSize());
      const QualType e = array->getElementType();
      Node* element = holds_tensor(e) ? from_caller(e, inner.each_of(count), writable)
                                      : caller_range(e, data, writable, count);
      if (!element) refuse("'" + a.name + "' is a '" + shared.type_name(t) + "', whose elements are not numbers of one type; pass one array per member");
      Node* elements = mem.make(Node::array, a.name);
      elements->extent = std::int64_t(array->getZExtSize()), elements->scale = 1, elements->element = element;
      add(f->getCanonicalDecl(), elements);
    } else {
      if (f->isBitField()) refuse("the bit-field '" + name + "' cannot be part of a parameter");
      Access member = tuple_position(r) < 0 ? inner.member(f, name) : inner.then(Step::member, f, a.text, a.name);
      if (closure) member.name = name;
      const bool by_reference = closure && f->getType()->isReferenceType();
      if (by_reference) member.watch = f, member.watch_numbers = true;
      add(f->getCanonicalDecl(), from_caller(f->getType(), member, writable || f->isMutable()));
    }
  }
  return n;
}
Node* Lowerer::caller_tensor(const CXXRecordDecl* r, const Access& a, bool writable) {
  ir::Type type = caller_type(r, a.name);
  type.dims = ir::joined({a.rows, type.dims});
  Node* n = mem.make(Node::record, a.name);
  Node* held = mem.make_tensor(a.name);
  held->member = true, held->parent = n, held->axes = axes_of(r);
  n->fields.push_back({(*r->field_begin())->getCanonicalDecl(), held});
  Access whole = a;
  whole.text = a.tensor();
  held->rows = a.rows;
  mem.store_tensors(held, {&b, parameter(whole, {.dtype = type.dtype, .tensor = true}, type, a.name)});
  held->fixed = writable || !a.rows.empty();
  return n;
}
Pointer Lowerer::caller_variable(const void* key, int source, QualType t, const std::string& name, bool writable) {
  t = t.getCanonicalType();
  Access a{.source = source, .name = name};
  mem.origin(key, 0);
  if (t->isReferenceType()) {
    const QualType to = t->getPointeeType();
    a.passive = shared.passive(to);
    return mem.at(from_caller(to, a, !to.isConstQualified()));
  }
  a.passive = shared.passive(t);
  if (t->isPointerType()) {                       // the pointer is f's own, what it points to is the caller's
    a.passive = a.passive || shared.passive(t->getPointeeType());
    Node* n = mem.make_pointer(name, 1);
    mem.store_pointer(mem.at(n), mem.at(pointee(t->getPointeeType(), a, true)));
    return mem.at(n);
  }
  if (is_number(t) || writable) return mem.at(from_caller(t, a, writable));
  a.watch = key;
  Node* given = from_caller(t, a, false);
  if (!facts.written[key]) return mem.at(given);
  // Written: f works on a copy of its own.
  mem.origin(key, -2);
  X count = given->kind == Node::vector ? given->length : X{};
  Node* own = local(t, name, count);
  mem.copy(mem.at(own), mem.at(given));
  return mem.at(own);
}

// --- globals ---
Pointer Lowerer::global(const VarDecl* v) {
  const void* key = v->getCanonicalDecl();
  if (auto it = globals_.find(key); it != globals_.end()) return it->second;
  const QualType t = v->getType().getCanonicalType().getNonReferenceType();
  const std::string name = v->getNameAsString();
  const bool is_constant = v->isConstexpr() || context.getBaseElementType(t).isConstQualified();
  const VarDecl* declared = v;                    // where the initialiser stands: a static member may be declared again
  if (const Expr* init = is_constant ? v->getAnyInitializer(declared) : nullptr; init && !init->isValueDependent())
    if (const APValue* value = declared->evaluateValue()) return globals_[key] = mem.at(constant_object(t, *value, name, key));
  if (auto* r = t->getAsCXXRecordDecl(); r && r->hasDefinition() && r->isEmpty()) {          // has no state
    prologue([&] { mem.origin(key, -1), globals_[key] = mem.at(local(t, name)); });
    return globals_[key];
  }
  if (v->getTLSKind() != VarDecl::TLS_None) refuse("the thread_local variable '" + name + "' is not supported; pass it as a parameter");
  if (constant_only_) refuse("the static constant '" + constant_only_->getNameAsString() + "' depends on the variable '" + name + "'; pass it as a parameter");
  if (v->isStaticLocal()) refuse("the static local variable '" + name + "' keeps its value between calls, which has no derivative; pass it as a parameter");
  if (!lowered) refuse("a recursive function that uses the global variable '" + name + "'; pass it as a parameter");
  Pointer r;
  lowered->sources.push_back({Source::global, v, v->getQualifiedNameAsString(), v->getType().getCanonicalType()});
  prologue([&] {
    Access a{.source = int(lowered->sources.size()) - 1, .name = name, .passive = shared.passive(t), .watch = key, .watch_numbers = true};
    mem.origin(key, 0);
    r = mem.at(from_caller(t, a, facts.written[key] && !t.isConstQualified()));
  });
  return globals_[key] = r;
}

// --- results ---
/// One yield per number of the result, in the order of its type.
void Lowerer::results(QualType t, Lowered& out) {
  if (t->isVoidType()) return;
  Pointer from = t->isReferenceType() ? frame->place : mem.at(frame->result);
  t = t.getNonReferenceType().getCanonicalType();
  if (t->isPointerType()) refuse(frame->function->getLocation(), "'" + frame->function->getNameAsString() + "' returns a pointer; return a number or write through a parameter");
  std::function<void(QualType, Pointer, std::string, std::vector<Step>, std::string)> add = [&](QualType type, Pointer p, std::string access, std::vector<Step> path, std::string name) {
    type = type.getCanonicalType();
    if (is_number(type)) {
      const DType d = dtype(type);
      b.block->yields.push_back(mem.load(p, d).v);
      b.function.result_names.push_back(name);
      out.results.push_back({.kind = Leaf::scalar, .source = 0, .access = access, .path = path, .dtype = d, .differentiable = ir::is_real(d) && !shared.passive(type)});
      return;
    }
    if (is_tensor(type)) {
      const X x = mem.load_tensor(inside_tensor(p));
      b.block->yields.push_back(x.v);
      b.function.result_names.push_back(name);
      const DType d = x.type().dtype;
      out.results.push_back({.kind = Leaf::scalar, .source = 0, .access = access, .path = path, .dtype = d, .differentiable = ir::is_real(d) && !shared.passive(type), .tensor = true});
      return;
    }
    auto step = [&](Step::Kind k, const Decl* d, std::int64_t i = 0) { auto r = path; r.push_back({k, d, i}); return r; };
    if (QualType e = complex_element(type); !e.isNull()) {
      const auto* r = type->getAsCXXRecordDecl();
      if (r) p = mem.field(p, r->getDefinition()->field_begin()->getCanonicalDecl()), path = step(Step::member, *r->getDefinition()->field_begin());
      for (int i : {0, 1})
        add(e, mem.element(p, ir::index(b, i)), "::tlaloc::detail::part<" + std::to_string(i) + ">(" + access + ")", step(Step::element, nullptr, i),
            name.empty() ? i ? "imag" : "real" : name + (i ? "_imag" : "_real"));
      return;
    }
    if (auto* a = context.getAsConstantArrayType(type)) {
      if (a->getZExtSize() > 64) refuse(frame->function->getLocation(), "'" + frame->function->getNameAsString() + "' returns more than 64 numbers by value; write them through a pointer, span or vector parameter");
      for (std::uint64_t i = 0; i < a->getZExtSize(); ++i)
        add(a->getElementType(), mem.element(p, ir::index(b, std::int64_t(i))), access + "[" + std::to_string(i) + "]", step(Step::element, nullptr, std::int64_t(i)), name + "_" + std::to_string(i));
      return;
    }
    auto* r = type->getAsCXXRecordDecl();
    if (auto s = eigen_shape(type); s && s->kind == EigenShape::plain && s->fixed() && s->rows * s->cols <= 64) {
      const Pointer numbers = mem.field(p, s->key(0));
      for (std::int64_t i = 0; i < s->rows * s->cols; ++i)
        add(s->scalar, mem.element(numbers, ir::index(b, i)), access + ".data()[" + std::to_string(i) + "]", step(Step::rows, nullptr), name + "_" + std::to_string(i));
      return;
    }
    if (r && in_eigen(r)) refuse(frame->function->getLocation(), "'" + frame->function->getNameAsString() + "' returns a '" + shared.type_name(type) + "', which is not supported; write it through a parameter");
    if (r && !optional_element(type).isNull()) refuse(frame->function->getLocation(), "'" + frame->function->getNameAsString() + "' returns a '" + shared.type_name(type) + "', which is not supported; return a value and a bool");
    if (!r || !vector_element(type).isNull()) refuse(frame->function->getLocation(), "'" + frame->function->getNameAsString() + "' returns a '" + shared.type_name(type) + "', whose length is not known; write it through a parameter");
    for (auto& base : r->getDefinition()->bases()) {
      auto* d = base.getType()->getAsCXXRecordDecl();
      add(base.getType(), mem.field(p, d->getCanonicalDecl()), in_base(d, access), step(Step::base, d), name_in_base(d, name));
    }
    for (auto* f : r->getDefinition()->fields()) {
      const bool elements = is_std(r, "array") || tuple_position(r) >= 0 || f->isAnonymousStructOrUnion();
      add(f->getType(), mem.field(p, f->getCanonicalDecl()), elements ? access : access + "." + f->getNameAsString(), step(Step::member, f), elements ? name : name.empty() ? f->getNameAsString() : name + "_" + f->getNameAsString());
    }
  };
  QualType e = vector_element(t);
  if (auto s = eigen_shape(t); s && s->kind == EigenShape::plain && !s->fixed() && (s->rows == 1 || s->cols == 1)) e = s->scalar, from = mem.field(from, s->key(0));
  std::optional<DType> of;
  if (const std::int64_t each = e.isNull() || e->isBooleanType() || !vector_element(e).isNull() ? 0 : flat_size(e, of); each > 0) {
    // Its numbers go to memory of the caller's, who asks a function of its own how many elements there are.
    const X count = mem.length(from);
    Access a{.source = -1, .text = "{}.data()", .name = frame->result_name.empty() ? "result" : frame->result_name};
    a.path.push_back({Step::data, nullptr});
    const X memory{&b, parameter(a, {.kind = Leaf::buffer, .dtype = *of, .each = each, .writable = true}, a.name)};
    mem.loop(ir::index(b, 0), count, [&](X i) {
      std::int64_t k = 0;
      numbers(mem, mem.element(from, i), [&](const Pointer& p) { ir::ops::store(memory, i * ir::index(b, each) + ir::index(b, k++), mem.load(p, *of)); });
    });
    b.block->yields.push_back(count.v);           // see Lowering::lower
    out.returns_vector = true;
    return;
  }
  const std::string name = is_number(t) || is_tensor(t) || is_std(t->getAsCXXRecordDecl(), "array") ? (frame->result_name.empty() ? "value" : frame->result_name) : "";
  add(t, from, "{}", {}, name);
}

}  // namespace tlaloc::frontend
