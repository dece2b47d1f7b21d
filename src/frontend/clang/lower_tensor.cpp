// SPDX-License-Identifier: Apache-2.0
//
// Tensors. An AnyTensor is one value of the program; Tensor<T, Axes...> is a class with one member, and its operations are
// functions like others, down to those that the header marks as entries of the library. Such a call is run here, by the library
// itself, on the values of the program: it checks, composes and appends what it would append to a trace. Refused: arguments that
// only the run tells, elements by position, data().
#include "frontend/clang/lowering.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"
#include "tensor/entries.hpp"
#include "tensor/onednn.hpp"

#include <cstring>

namespace tlaloc {

/// The compiler computes nothing with tensors.
std::optional<ir::Array> dynamic::by_onednn(const ir::Kind&, std::span<const ir::Array>, const std::vector<ir::Attr>&) { return {}; }

}  // namespace tlaloc

namespace tlaloc::frontend {

using namespace clang;
using dynamic::AnyTensor, dynamic::Argument, dynamic::Operand, dynamic::Takes;
using detail::sig;
namespace ops = ir::ops;

// --- what the header marks ---
std::string meaning(const Decl* d) {
  if (!d) return "";
  for (auto* a : d->specific_attrs<AnnotateAttr>())
    if (a->getAnnotation().starts_with("tlaloc::")) return a->getAnnotation().substr(std::strlen("tlaloc::")).str();
  auto* f = dyn_cast<FunctionDecl>(d);
  if (f && f->getTemplateInstantiationPattern()) return meaning(f->getTemplateInstantiationPattern());
  if (const Decl* first = d->getCanonicalDecl(); first != d) return meaning(first);
  return "";
}
bool in_library(const Decl* d) {
  if (d->isInStdNamespace()) return true;
  const DeclContext* outer = d->getDeclContext();
  while (outer && !outer->isTranslationUnit() && !outer->getParent()->isTranslationUnit()) outer = outer->getParent();
  auto* space = dyn_cast_or_null<NamespaceDecl>(outer);
  return space && space->getName() == "tlaloc";
}
bool is_tensor(QualType t) {
  auto* r = t.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  if (!r || r->isInStdNamespace() || !isa<ClassTemplateSpecializationDecl>(r)) return false;
  return r->getDefinition() && meaning(r->getDefinition()) == "typed";
}
static bool holds_tensor(QualType t, std::set<const CXXRecordDecl*>& seen) {
  t = t.getNonReferenceType().getCanonicalType();
  if (is_tensor(t)) return true;
  if (QualType e = vector_element(t); !e.isNull())
    return holds_tensor(e, seen);
  if (auto* a = t->getAsArrayTypeUnsafe())
    return holds_tensor(a->getElementType(), seen);
  auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->getDefinition() || !seen.insert(r).second) return false;
  r = r->getDefinition();
  for (auto& base : r->bases()) if (holds_tensor(base.getType(), seen)) return true;
  for (auto* f : r->fields()) if (holds_tensor(f->getType(), seen)) return true;
  return false;
}
bool holds_tensor(QualType t) {
  std::set<const CXXRecordDecl*> seen;
  return holds_tensor(t, seen);
}

// --- constants of the user's code as objects of ours: both are laid out for this machine ---
struct Lowering::Impl::Label {
  std::string text;
  detail::axis_label label;
};
namespace {

const detail::axis_label* label(Lowering::Impl& shared, const ValueDecl* d) {
  auto& l = shared.labels[cast<ValueDecl>(d->getCanonicalDecl())];
  if (!l) {
    l = std::make_shared<Lowering::Impl::Label>();
    auto* of = dyn_cast<VarTemplateSpecializationDecl>(d);
    auto* axis = of && of->getTemplateArgs().size() ? of->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl() : nullptr;
    l->text = axis ? axis->getNameAsString() : d->getNameAsString();
    l->label = {l->text.c_str(), int(l->text.size())};
  }
  return &l->label;
}

void write(Lowering::Impl& shared, const APValue& v, QualType t, char* to) {
  auto& context = shared.context;
  t = t.getCanonicalType();
  switch (v.getKind()) {
    case APValue::Int: {
      const std::uint64_t bits = v.getInt().isSigned() ? std::uint64_t(v.getInt().getSExtValue()) : v.getInt().getZExtValue();
      std::memcpy(to, &bits, std::size_t(context.getTypeSize(t) / 8));
      return;
    }
    case APValue::Float: {
      const double x = v.getFloat().convertToDouble();
      const float narrow = float(x);
      if (context.getTypeSize(t) == 64) std::memcpy(to, &x, sizeof x);
      else std::memcpy(to, &narrow, sizeof narrow);
      return;
    }
    case APValue::Struct: {
      auto* r = t->getAsCXXRecordDecl()->getDefinition();
      auto& layout = context.getASTRecordLayout(r);
      unsigned i = 0;
      for (auto& base : r->bases()) {
        auto* d = base.getType()->getAsCXXRecordDecl();
        write(shared, v.getStructBase(i++), base.getType(), to + layout.getBaseClassOffset(d).getQuantity());
      }
      for (auto* f : r->fields()) write(shared, v.getStructField(f->getFieldIndex()), f->getType(), to + layout.getFieldOffset(f->getFieldIndex()) / 8);
      return;
    }
    case APValue::Array: {
      auto* a = context.getAsConstantArrayType(t);
      const auto each = context.getTypeSize(a->getElementType()) / 8;
      for (unsigned i = 0; i < a->getZExtSize(); ++i)
        write(shared, i < v.getArrayInitializedElts() ? v.getArrayInitializedElt(i) : v.getArrayFiller(), a->getElementType(), to + i * each);
      return;
    }
    case APValue::LValue:
      if (auto* d = v.getLValueBase().dyn_cast<const ValueDecl*>()) {
        const auto* l = label(shared, d);
        std::memcpy(to, &l, sizeof l);
      }
      return;                                     // the null pointer is zero already
    default: return;                              // what has no value is never read
  }
}

/// As src/tensor/entries.cpp has it.
std::string entry_name(const FunctionDecl* f) {
  auto* space = dyn_cast<NamespaceDecl>(f->getDeclContext()->getEnclosingNamespaceContext());
  const std::string in = space ? space->getNameAsString() : "";
  return in == "dynamic" || in == "detail" ? f->getNameAsString()
                                           : in + "::" + f->getNameAsString();
}
std::string snake(const std::string& name) {
  std::string out;
  for (char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !out.empty() && out.back() != '_') out += '_';
    out += upper ? char(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

// --- types ---
const void* Lowerer::axes_of(const CXXRecordDecl* r) {
  auto& known = axes_of_type_[cast<CXXRecordDecl>(r->getCanonicalDecl())];
  if (known) return known;
  VarDecl* v = nullptr;
  for (auto* d : r->lookup(&context.Idents.get("signature"))) v = dyn_cast<VarDecl>(d);
  auto value = [&](VarDecl* d) -> const APValue* {
    if (!d->getAnyInitializer()) shared.sema.InstantiateVariableDefinition(here, d, true, true);
    return d->getAnyInitializer() ? d->evaluateValue() : nullptr;
  };
  const APValue* at = v ? value(v) : nullptr;
  if (at && at->isLValue())
    if (auto* d = at->getLValueBase().dyn_cast<const ValueDecl*>(); d && isa<VarDecl>(d)) v = const_cast<VarDecl*>(cast<VarDecl>(d)), at = value(v);
  if (!at || !at->isStruct()) refuse("what '" + shared.type_name(tag_type(context, r)) + "' is could not be computed");
  auto s = std::make_shared<sig>();
  write(shared, *at, v->getType().getNonReferenceType(), reinterpret_cast<char*>(s.get()));
  axes_.push_back(s);
  return known = s.get();
}
ir::Type Lowerer::caller_type(const CXXRecordDecl* r, const std::string& name) {
  const sig& s = *static_cast<const sig*>(axes_of(r));
  ir::Type type{ir::DType(s.type)};
  for (int k = 0; k < s.rank; ++k) {
    if (s.a[k].extent != dyn) { type.dims.push_back(s.a[k].extent); continue; }
    type.dims.push_back(
        extent_symbol(s.a[k].id ? snake(std::string(s.a[k].id->text, std::size_t(s.a[k].id->size))) : (name.empty() ? "n" : name) + "_" + std::to_string(k)));
  }
  return type;
}
ir::Extent Lowerer::extent_symbol(const std::string& name) {
  std::string own = name;
    for (int i = 2; !symbols_.insert(own).second; ++i)
    own = name + "_" + std::to_string(i);
  return ir::symbol(own);
  }
Node* Lowerer::tensor_variable(const CXXRecordDecl*, const std::string& name) {
  if (!mem.unify)
    mem.unify = [this](const std::string& what, const ir::Type& held, const ir::Type& given) {
      const ir::Type a = held, z = given;         // what follows changes them
      auto trace = std::make_shared<Trace>(b);
      bool one = a.dtype == z.dtype && a.rank() == z.rank();
      for (std::size_t k = 0; one && k < a.dims.size(); ++k) one = trace->unify(a.dims[k], z.dims[k]);
      if (!one) refuse("'" + what + "' of type " + ir::text(a) + " gets a value of type " + ir::text(z) + "; in differentiated code a tensor keeps its shape");
    };
  return mem.make_tensor(name);
}
Pointer Lowerer::inside_tensor(const Pointer& p) {
  Node* n = nullptr;
  for (auto* t : p.targets) if (t && mem.alive(t)) n = t;
  if (n && n->kind == Node::record && n->fields.size() == 1) return mem.field(p, n->fields[0].first);
  return p;
}

/// A function of another program for these arguments: its symbols are the extents that they have
/// here.
ir::Function Lowerer::with_extents_of(const ir::Function& f, const std::vector<X>& arguments) {
  ir::Function out = ir::copy(f, f.name);
  Trace trace(b);
  std::set<std::string> own, fresh;
  ir::replace_extents(out, [&](ir::Extent e) {
    if (!ir::is_number(e))
      for (auto& [product, times] : ir::terms(e))
        own.insert(product.begin(), product.end());
    return e;
  });
  for (auto& s : own) { // names that mean nothing yet, here or there
    std::string name;
    do
      name = ir::extent_text(extent_symbol("inner_" + s));
    while (own.count(name));
    fresh.insert(name);
    ir::replace_extents(out, [&](ir::Extent e) { return ir::replaced(e, s, ir::symbol(name)); });
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i])
      continue;
    for (std::size_t k = 0; k < arguments[i].type().dims.size(); ++k) {
      const ir::Extent is = arguments[i].type().dims[k],
                       declared = out.body->params[i]->type.dims.at(k);
      if (is == declared)
        continue;
      const std::string name = ir::extent_text(declared);
      if (fresh.count(name))
        ir::replace_extents(out, [&](ir::Extent e) { return ir::replaced(e, name, is); });
      else if (!trace.unify(is, declared))
        refuse("'" + out.body->params[i]->name + "' of a derivative has an axis of " +
               ir::extent_text(is) + ", where " + name + " is meant");
      else
        ir::replace_extents(out, [&](ir::Extent e) { return trace.current(e); });
    }
  }
  return out;
}

// --- constants ---
const ir::Value* Lowerer::stored(const ir::Value* v) {
  if (!v->def || v->def->kind != &ops::load) return nullptr;
  const ir::Value* buffer = v->def->operands[0];
  if (!buffer->def || (buffer->def->kind != &ops::alloc && buffer->def->kind != &ops::cell)) return nullptr;
  const ir::Number* index = known(v->def->operands[1]);
  if (!index) return nullptr;
  const ir::Value* found = nullptr;
  for (auto& op : b.function.ops) {
    if (op.kind->effect != ir::Effect::writes || op.operands[0] != buffer) continue;
    const ir::Number* at = op.kind == &ops::store ? known(op.operands[1]) : nullptr;
    if (!at || (*at == *index && found)) return nullptr;
    if (*at == *index) found = op.operands[2];
  }
  if (found) stored_.push_back({buffer, *index, here});
  return found;
}
const ir::Number* Lowerer::known(const ir::Value* v) {
  for (int depth = 0; v && depth < 64; ++depth) {
    if (auto* n = ir::constant_of(v)) return n;
    const ir::Op* made = v->def;
    if (made && v->type == ir::Type{ir::index_type} &&
        (made->kind == &ops::add || made->kind == &ops::mul)) { // a position in an array
      const auto *a = known(made->operands[0]), *z = known(made->operands[1]);
      if (!a || !z)
        return nullptr;
      const auto n = std::make_shared<ir::Number>(
          ir::Number::of(ir::index_type, made->kind == &ops::add ? a->as_int() + z->as_int()
                                                                 : a->as_int() * z->as_int()));
      axes_.push_back(n);
      return n.get();
    }
    v = stored(v);
  }
  return nullptr;
}
/// What was taken for written once may be written again further down, in a loop say.
void Lowerer::check_stored() {
  for (auto& s : std::vector(stored_)) {
    int times = 0;
    for (auto& op : b.function.ops) {
      if (op.kind->effect != ir::Effect::writes || op.operands[0] != s.buffer) continue;
      const ir::Number* at = op.kind == &ops::store ? known(op.operands[1]) : nullptr;
      times += !at || *at == s.index;
    }
    if (times > 1) refuse(s.where, "'" + s.buffer->name + "' says what an operation on tensors does, and changes later on; give a constant");
  }
}

// --- a call of an entry ---
struct Lowerer::Call {
  Lowerer& l;
  const FunctionDecl* function;
  std::shared_ptr<Trace> trace;
  std::string takes = {};
  std::vector<Argument> arguments = {};
  std::deque<AnyTensor> kept = {};                // what operands point to
  struct Number { std::size_t argument, position; X x; };
  std::vector<Number> numbers = {};               // that take the dtype of the tensors beside them
  std::optional<ir::DType> dtype = {};

  [[noreturn]] void refuse(const std::string& why) { l.refuse(in_library(l.frame->function) ? why : "'" + function->getNameAsString() + "': " + why); }

  AnyTensor tensor(const Pointer& p) {
    const AnyTensor x = dynamic::wrap(trace, l.mem.load_tensor(p).v);
    Node* n = p.only();
    return n && n->axes ? dynamic::named(x, *static_cast<const sig*>(n->axes)) : x;
  }
  void operand(const Pointer& p) {
    Node* n = p.only();
    if (!n || n->kind != Node::tensor) refuse("an operand that may be one of several objects");
    auto& list = arguments.back().operands;
    if (!n->weak) {
      kept.push_back(tensor(p));
      dtype = dynamic::element_of(kept.back());
      list.emplace_back(kept.back());
      return;
    }
    const X x = l.mem.load_tensor(p);
    if (auto* c = l.known(x.v)) {
      if (n->weak == int(detail::weak::boolean)) list.emplace_back(c->bits != 0);
      else if (n->weak == int(detail::weak::integer)) list.emplace_back(c->as_int());
      else list.emplace_back(c->as_double());
      return;
    }
    numbers.push_back({arguments.size() - 1, list.size(), x});
    list.emplace_back(0);
  }

  const CXXStdInitializerListExpr* list_in(const Expr* e) {
    for (;;) {
      e = bare(e);
      if (auto* s = dyn_cast<CXXStdInitializerListExpr>(e)) return s;
      auto* made = dyn_cast<CXXConstructExpr>(e);
      if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) e = m->getSubExpr();
      else if (auto* c = dyn_cast<CastExpr>(e)) e = c->getSubExpr();
      else if (made && made->getNumArgs() == 1) e = made->getArg(0);
      else return nullptr;
    }
  }
  /// The elements of a list in braces; those of an empty one are none.
  std::vector<const Expr*> elements(const Expr* e) {
    std::vector<const Expr*> out;
    const auto* s = list_in(e);
    if (!s) return out;
    const Expr* array = bare(s->getSubExpr());
    if (auto* m = dyn_cast<MaterializeTemporaryExpr>(array)) array = bare(m->getSubExpr());
    auto* l0 = dyn_cast<InitListExpr>(array);
    if (!l0) refuse("a list that is not written in braces");
    for (unsigned i = 0; i < l0->getNumInits(); ++i) out.push_back(l0->getInit(i));
    return out;
  }
  extent_t extent(X x) {
    if (auto* n = l.known(x.v)) return n->as_int();
    for (const ir::Value* v = x.v; v && v->def; v = v->def->kind == &ops::cast ? v->def->operands[0] : l.stored(v))
      if (v->def->kind == &ops::extent) return ir::elements(v->def->at(ir::key::shape));
    refuse("an extent or position that only the run tells; give a constant or x.extent(i)");
  }

  /// An object as it lies in memory: a constant, or one whose numbers are known here.
  std::string bytes(const Expr* e, QualType t) {
    std::string out(std::size_t(l.context.getTypeSize(t) / 8), '\0');
    const Expr* inner = bare(e);
    while (auto* m = dyn_cast<MaterializeTemporaryExpr>(inner)) inner = bare(m->getSubExpr());
    if (auto* d = dyn_cast<DeclRefExpr>(inner))
      if (auto* v = dyn_cast<VarDecl>(d->getDecl()); v && v->hasGlobalStorage() && !v->getAnyInitializer())
        l.shared.sema.InstantiateVariableDefinition(l.here, const_cast<VarDecl*>(v), true, true);
    Expr::EvalResult r;
    if (!inner->isValueDependent() && inner->EvaluateAsRValue(r, l.context, true) && !r.HasSideEffects) {
      write(l.shared, r.Val, t, out.data());
      return out;
    }
    if (l.is_number(t)) number(l.converted(l.number(e), t), out.data(), t);
    else object(l.place(e), t, out.data());
    return out;
  }
  void number(X x, char* to, QualType t) {
    auto* n = l.known(x.v);
    if (!n) refuse("an argument that only the run tells; here it must be a constant");
    const double real = n->as_double();
    const float narrow = float(real);
    if (!t->isRealFloatingType()) std::memcpy(to, &n->bits, std::size_t(l.context.getTypeSize(t) / 8));
    else if (l.context.getTypeSize(t) == 64) std::memcpy(to, &real, sizeof real);
    else std::memcpy(to, &narrow, sizeof narrow);
  }
  void object(const Pointer& p, QualType t, char* to) {
    t = t.getCanonicalType();
    if (l.is_number(t)) return number(l.mem.load(p, l.dtype(t)), to, t);
    if (auto* a = l.context.getAsConstantArrayType(t)) {
      const auto each = l.context.getTypeSize(a->getElementType()) / 8;
      for (unsigned i = 0; i < a->getZExtSize(); ++i) object(l.mem.element(p, ir::index(l.b, i)), a->getElementType(), to + i * each);
      return;
    }
    auto* r = t->getAsCXXRecordDecl();
    if (!r || !r->getDefinition() || r->getNumBases()) refuse("an argument that only the run tells; here it must be a constant");
    auto& layout = l.context.getASTRecordLayout(r->getDefinition());
    for (auto* f : r->getDefinition()->fields())
      object(l.mem.field(p, f->getCanonicalDecl()), f->getType(), to + layout.getFieldOffset(f->getFieldIndex()) / 8);
  }

  static bool is_list(QualType t, const char* of) {
    auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(t->getAsCXXRecordDecl());
    return r && is_std(r, "initializer_list") && meaning(r->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl()) == of;
  }
  void take(Takes what) { takes += char(what), arguments.emplace_back(); }
  void argument(const ParmVarDecl* p, const Expr* e) {
    const QualType t = p->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
    auto* r = t->getAsCXXRecordDecl();
    const std::string means = r ? meaning(r->getDefinition()) : "";
    if (means == "tensor") {
      take(Takes::tensor);
      arguments.back().tensors.push_back(tensor(l.place(e)));
      dtype = dynamic::element_of(arguments.back().tensors[0]);
    } else if (means == "operand") {
      take(Takes::operand);
      operand(l.place(e));
    } else if (is_list(t, "tensor")) {
      take(Takes::tensors);
      for (auto* x : elements(e)) arguments.back().tensors.push_back(tensor(l.place(x)));
    } else if (is_list(t, "operand")) {
      take(Takes::operands);
      for (auto* x : elements(e)) operand(l.place(x));
    } else if (means == "extents") {
      take(Takes::extents);
      shape(e);
    } else if (r && is_std(r, "span")) {
      take(Takes::extents);
      for (auto* x : elements(e)) arguments.back().extents.push_back(extent(l.number(x)));
    } else if (t->isPointerType() && t->getPointeeType()->isCharType()) {
      take(Takes::text);
      arguments.back().text = text(e);
    } else if (t->isFunctionPointerType()) {
      take(Takes::rule);
    } else if (t->isPointerType()) {              // extents: as many as the signature in front says
      take(Takes::extents);
      if (const int rank = signature().rank)
        extents_at(l.pointer(e), rank);
    } else {
      take(Takes::bytes);
      arguments.back().bytes = bytes(e, t);
    }
  }
  std::string text(const Expr* e) {
    if (auto s = bare(e)->tryEvaluateString(l.context)) return *s;
    refuse("a text that is no constant");
  }
  /// A Shape: a list in braces, or a pointer and how many.
  void shape(const Expr* e) {
    const Expr* inner = bare(e);
      for (;;) {
      if (auto* m = dyn_cast<MaterializeTemporaryExpr>(inner))
        inner = bare(m->getSubExpr());
      else if (auto* c = dyn_cast<CastExpr>(inner))
        inner = bare(c->getSubExpr());
      else
        break;
    }
    auto* made = dyn_cast<CXXConstructExpr>(inner);
    if (!made || made->getConstructor()->isCopyOrMoveConstructor())
      refuse("a shape that is not written in braces");
    auto& out = arguments.back().extents;
    if (made->getNumArgs() == 2) {
      const ir::Number* rank = l.known(l.number(made->getArg(1)).v);
      if (!rank)
        refuse("a rank that only the run tells");
      if (rank->as_int())
        extents_at(l.pointer(made->getArg(0)), rank->as_int());
    } else if (made->getNumArgs()) {
      for (auto* x : elements(made->getArg(0)))
        out.push_back(extent(l.number(x)));
    }
  }
  void extents_at(const Pointer& first, std::int64_t n) {
    for (std::int64_t k = 0; k < n; ++k) {
      Pointer at = l.mem.advance(first, ir::index(l.b, k));
      if (auto* index = l.known(at.index.v))
        at.index = ir::index(l.b, index->as_int());
      arguments.back().extents.push_back(extent(l.mem.load(at, ir::index_type)));
    }
  }
  sig signature() { // of a call that begins with one
    sig s;
    std::memcpy(static_cast<void*>(&s), arguments.at(0).bytes.data(), sizeof s);
    return s;
  }
  /// Numbers that only the run tells become tensors of the dtype that they meet.
  void numbers_as_tensors() {
    if (!dtype && !takes.empty() && takes[0] == char(Takes::bytes) &&
        arguments[0].bytes.size() == sizeof(sig))
      dtype = ir::DType(signature().type);
    for (auto& n : numbers) {
      if (!dtype) refuse("no operand is a tensor");
      kept.push_back(dynamic::wrap(trace, ir::convert(n.x, *dtype).v));
      arguments[n.argument].operands[n.position] = Operand(kept.back());
    }
  }
};

std::optional<Lowerer::Result> Lowerer::tensor_call(const FunctionDecl* f, const CallExpr* e) {
  const auto* method = dyn_cast<CXXMethodDecl>(f);
  const bool of_tensor = method && meaning(method->getParent()->getDefinition()) == "tensor";
  const std::string means = meaning(f);
  if (means == "elements") refuse("elements by position are not supported in differentiated code; use slice, gather or a sum with a mask");
  auto object = [&] {
    auto* member = dyn_cast<CXXMemberCallExpr>(e);
    const Expr* o = member ? member->getImplicitObjectArgument() : e->getArg(0);
    return inside_tensor(o->getType()->isPointerType() ? pointer(o) : place(o));
  };
  if (of_tensor) {
    if (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) {
      const Pointer to = object();
      mem.copy(to, place(e->getArg(isa<CXXMemberCallExpr>(e) ? 0 : 1)));
      return Result{.pointer = to};
    }
    if (isa<CXXDestructorDecl>(method)) return Result{};
    if (means == "item") return Result{.number = mem.load_tensor(object())};
    if (means == "size" || means == "extent") {
      const ir::Shape dims = mem.load_tensor(object()).type().dims;
      ir::Shape of = dims;
      if (means == "extent") {
        const ir::Number* k = known(number(e->getArg(0)).v);
        if (!k) refuse("extent() of an axis that only the run tells");
        const std::int64_t i = k->as_int() < 0 ? k->as_int() + std::int64_t(dims.size()) : k->as_int();
        if (i < 0 || i >= std::int64_t(dims.size())) refuse("axis " + std::to_string(k->as_int()) + " of a tensor of rank " + std::to_string(dims.size()));
        of = ir::Ints{dims[std::size_t(i)]};
      }
      const X n = ir::is_static(of) ? ir::index(b, ir::elements(of)) : X{&b, b.append(ops::extent, {}, {of})->results[0]};
      return Result{.number = means == "size" ? ir::convert(n, ir::DType::u64) : n};
    }
    refuse("AnyTensor::" + f->getNameAsString() + " is not supported in differentiated code");
  }
  if (means != "entry") return {};

  Call call{*this, f, std::make_shared<Trace>(b)};
  for (unsigned i = 0; i < f->getNumParams(); ++i) call.argument(f->getParamDecl(i), e->getArg(i));
  call.numbers_as_tensors();
  const dynamic::Entry* entry = dynamic::find_entry(entry_name(f), call.takes);
  if (!entry) refuse("the operation '" + f->getNameAsString() + "' is not supported in differentiated code in this form");
  try {
    const std::vector<AnyTensor> ys = entry->call(call.arguments);
    mem.origin(e, frame->id);
    Node* all = local(f->getReturnType(), "");
    for (std::size_t k = 0; k < ys.size(); ++k) {
      Node* n = all->kind == Node::tensor ? all : all->fields.at(k).second;
      mem.store_tensor(mem.at(n), {&b, dynamic::value_in(*call.trace, ys[k])});
    auto names = std::make_shared<sig>(dynamic::sig_of(ys[k]));
    axes_.push_back(names);
    n->axes = names.get();
    }
    return Result{.object = all};
  } catch (const tensor_error& error) {
    refuse(error.what());
  }
}

void Lowerer::construct_tensor(const Pointer& to, const CXXConstructExpr* e) {
  const auto* c = e->getConstructor();
  if (!e->getNumArgs()) return mem.store_tensor(to, ir::constant(b, ir::DType::f32, 0));
  if (c->isCopyOrMoveConstructor()) return mem.copy(to, place(e->getArg(0)));
  const QualType t = e->getArg(0)->getType().getCanonicalType();
  if (e->getNumArgs() == 1 && t->isArithmeticType()) {
    const bool operand = meaning(c->getParent()) == "operand";
    if (operand) to.only()->weak = int(t->isBooleanType() ? detail::weak::boolean : t->isIntegerType() ? detail::weak::integer : detail::weak::floating);
    return mem.store_tensor(to, number(e->getArg(0)));
  }
  if (e->getNumArgs() == 1 && t->isRecordType()) return mem.copy(to, inside_tensor(place(e->getArg(0))));
  refuse("a tensor made of numbers in memory is not supported in differentiated code; make it outside and pass or capture it");
}

}  // namespace tlaloc::frontend
