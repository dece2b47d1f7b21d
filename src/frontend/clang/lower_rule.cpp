// SPDX-License-Identifier: Apache-2.0
//
// Calls of functions whose derivative the user gave. Such a call hands over plain numbers: those of the arguments, then those
// that the callable holds, which have no derivative. The function and its rules become functions of the program over these;
// what has no body becomes a function defined elsewhere. Refused: pointers, spans and vectors among the arguments.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

constexpr std::size_t most_numbers = 256;

/// Numbers that travel together: those of one C++ object.
struct Group {
  std::vector<ir::DType> types = {};
  std::vector<std::string> names = {};
  bool only_real = false;                         // a tangent: integers in it have no number here
};

bool in_library(const CXXRecordDecl* r) {
  auto* space = dyn_cast_or_null<NamespaceDecl>(r ? r->getDeclContext() : nullptr);
  auto* outer = dyn_cast_or_null<NamespaceDecl>(space ? space->getDeclContext() : nullptr);
  return space && outer && space->getName() == "detail" && outer->getName() == "tlaloc" && outer->getDeclContext()->isTranslationUnit();
}
const ClassTemplateSpecializationDecl* ruled_class(const CXXRecordDecl* r) {
  auto* s = dyn_cast_or_null<ClassTemplateSpecializationDecl>(r);
  return s && s->getDeclName().isIdentifier() && s->getName() == "Ruled" && in_library(s) ? s : nullptr;
}

}  // namespace

/// The call operator of a class, or the function that tlaloc::fn names.
using Part = Lowerer::Rules::Part;

static Part callable_part(ASTContext& context, QualType t, std::vector<const FieldDecl*> path) {
  auto* r = t->getAsCXXRecordDecl();
  if (auto* s = dyn_cast_or_null<ClassTemplateSpecializationDecl>(r); s && s->getName() == "Fn" && s->getTemplateArgs()[0].getKind() == TemplateArgument::Declaration)
    return {dyn_cast<FunctionDecl>(s->getTemplateArgs()[0].getAsDecl())};
  if (r)
    for (auto* d : r->lookup(context.DeclarationNames.getCXXOperatorName(OO_Call)))
      if (auto* m = dyn_cast<CXXMethodDecl>(d)) return {m, std::move(path), true};
  return {};
}

static void collect(ASTContext& context, const ClassTemplateSpecializationDecl* r, const std::vector<const FieldDecl*>& path, Lowerer::Rules& out) {
  std::vector<const FieldDecl*> fields(r->getDefinition()->field_begin(), r->getDefinition()->field_end());
  auto inside = [&](std::size_t i) { auto p = path; p.push_back(fields[i]); return p; };
  auto part = [&](std::size_t i) { return callable_part(context, fields[i]->getType(), inside(i)); };
  const auto kind = r->getTemplateArgs()[0].getAsIntegral().getExtValue();     // as detail::rule
  const bool has_vjp = out.vjp.function || out.fwd.function;                   // an outer rule of the same mode is the one that counts
  if (kind == 0 && !has_vjp) out.vjp = part(1);
  else if (kind == 1 && !has_vjp) out.fwd = part(1), out.bwd = part(2);
  else if (kind == 2 && !out.jvp.function) out.jvp = part(1);
  if (auto* inner = ruled_class(fields[0]->getType()->getAsCXXRecordDecl())) collect(context, inner, inside(0), out);
  else out.primal = part(0);
}

/// The function that TLALOC_VJP or TLALOC_JVP names, looked up from where the declaration stands.
const FunctionDecl* Lowerer::named_rule(const FunctionDecl* f, const std::string& name, unsigned parameters) {
  std::vector<const FunctionDecl*> found;
  StringRef last = name, scope;
  if (auto at = name.rfind("::"); at != std::string::npos) scope = StringRef(name).take_front(at), last = StringRef(name).drop_front(at + 2);
  for (const DeclContext* from = f->getDeclContext(); from && found.empty(); from = from->getParent()) {
    const DeclContext* in = from;
    for (StringRef rest = scope; !rest.empty() && in;) {
      auto [word, more] = rest.split("::");
      const DeclContext* next = nullptr;
      for (auto* d : in->lookup(&context.Idents.get(word))) if (auto* c = dyn_cast<DeclContext>(d)) next = c->getPrimaryContext();
      in = next, rest = more;
    }
    if (!in) continue;
    for (auto* d : in->lookup(&context.Idents.get(last)))
      if (auto* g = dyn_cast<FunctionDecl>(d); g && g->getNumParams() == parameters) found.push_back(g);
  }
  if (found.size() == 1) return found[0];
  refuse(f->getLocation(), "the rule '" + name + "' of '" + f->getNameAsString() + "' is " + (found.empty() ? "no function" : "one of several functions") + " with " + std::to_string(parameters) + " parameters in reach of its declaration", "RULE_MISMATCH");
}

std::optional<Lowerer::Rules> Lowerer::rules_of(const FunctionDecl* f) {
  Rules r;
  if (auto* m = dyn_cast<CXXMethodDecl>(f)) {
    auto* special = m->getOverloadedOperator() == OO_Call ? ruled_class(m->getParent()) : nullptr;
    if (!special) return {};
    collect(context, special, {}, r);
    for (auto* p : {&r.primal, &r.vjp, &r.jvp, &r.fwd, &r.bwd})
      if (p->function) continue;
      else if (p == &r.primal) refuse("the function with a rule of its own has no single call operator");
    r.name = "custom";
    return r;
  }
  if (!f->getDeclName().isIdentifier()) return {};
  for (auto* d : f->redecls())
    for (auto* a : d->specific_attrs<AnnotateAttr>()) {
      StringRef text = a->getAnnotation();
      const unsigned n = f->getNumParams();
      if (text.consume_front("tlaloc::vjp ")) r.vjp = {named_rule(f, text.str(), n + 1)};
      else if (text.consume_front("tlaloc::jvp ")) {
        unsigned slots = 0;
        for (auto* p : f->parameters()) slots += has_slot(p->getType());
        r.jvp = {named_rule(f, text.str(), n + slots)};
      }
    }
  if (!r.vjp.function && !r.jvp.function) return {};
  r.primal = {f};
  r.name = f->getNameAsString();
  return r;
}

/// Does an argument of the type have a derivative (see detail::slot_of)?
bool Lowerer::has_slot(QualType t) {
  t = t.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (auto* a = context.getAsArrayType(t)) return has_slot(a->getElementType());
  if (shared.passive(t)) return false;
  if (is_number(t)) return t->isRealFloatingType();
  auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->getDefinition() || r->getDefinition()->isEmpty()) return false;
  if (is_std(r, "array")) return has_slot(cast<ClassTemplateSpecializationDecl>(r)->getTemplateArgs()[0].getAsType());
  return true;
}

/// Calls visit for each number of an object, in the order of its type.
void Lowerer::numbers(Objects& in, const Pointer& p, const std::function<void(const Pointer&)>& visit) {
  Node* n = p.only();
  if (n && n->kind == Node::scalar) return visit(p);
  if (n && n->kind == Node::record) {
    for (auto& [key, child] : n->fields) numbers(in, in.field(p, key), visit);
    return;
  }
  if (n && n->kind == Node::array && n->extent <= std::int64_t(most_numbers)) {
    for (std::int64_t i = 0; i < n->extent; ++i) numbers(in, in.element(p, ir::index(in.b, i)), visit);
    return;
  }
  refuse("a function with a rule of its own takes and holds numbers, arrays of at most " + std::to_string(most_numbers) + " and structs of them; pass arrays by std::array and capture by value");
}
static Group group_at(Objects& mem, Lowerer& lowerer, const Pointer& p, const std::string& name, std::vector<X>& operands) {
  Group g;
  lowerer.numbers(mem, p, [&](const Pointer& at) {
    const ir::DType d = at.only()->dtype;
    g.types.push_back(d);
    operands.push_back(mem.load(at, d));
    const std::string own = at.only()->name;
    g.names.push_back(own.empty() ? name : own);
  });
  return g;
}
static Group real_part(const Group& g, const std::string& prefix) {
  Group r{.only_real = true};
  for (std::size_t i = 0; i < g.types.size(); ++i)
    if (ir::is_real(g.types[i])) r.types.push_back(g.types[i]), r.names.push_back(prefix + g.names[i]);
  return r;
}

/// The element of a std::tuple; libstdc++ nests the elements as bases.
static Pointer tuple_element(Objects& mem, const Pointer& p, int k) {
  for (auto& [key, child] : p.only()->fields) {
    auto* base = dyn_cast<CXXRecordDecl>(static_cast<const Decl*>(key));
    auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(base);
    if (!special) continue;
    const Pointer at = mem.field(p, key);
    if (special->getName() == "_Head_base") {
      if (special->getTemplateArgs()[0].getAsIntegral() == k && !child->fields.empty()) return mem.field(at, child->fields[0].first);
    } else if (Pointer found = tuple_element(mem, at, k); found.only()) {
      return found;
    }
  }
  return {};
}

/// A function of the program over numbers that runs the body of a C++ function. `given`: all its parameters, in groups;
/// `bound`: the group of each C++ parameter; `self`: the group of the callable, or -1. `yields` writes the results.
struct Lowerer::Flat {
  std::string name = {};
  Rules::Part part = {};
  std::vector<Group> given = {};
  std::vector<int> bound = {};
  int self = -1;
  QualType self_type = {};
  std::function<void(Lowerer&, Frame&)> yields = {};
};
std::string Lowerer::flat(const Flat& flat, SourceLocation where) {
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(flat.part.function->getCanonicalDecl())) + flat.name;
  for (auto& g : flat.given) { key += "("; for (auto d : g.types) key += std::to_string(int(d)) + ","; key += ")"; }
  if (!flat.self_type.isNull()) key += flat.self_type.getCanonicalType().getAsString() + std::to_string(reinterpret_cast<std::uintptr_t>(flat.self_type.getCanonicalType().getTypePtr()));
  auto [known, fresh] = shared.flat.try_emplace(key);
  if (!fresh) return known->second;
  std::string& name = known->second;
  for (int i = 1; name.empty(); ++i) {
    const std::string next = flat.name + (i > 1 ? "_" + std::to_string(i) : "");
    if (!shared.program.find(next) && shared.names.insert(next).second) name = next;
  }
  const FunctionDecl* body = shared.definition(flat.part.function);
  try {
    Facts own;
    for (int attempt = 0; attempt < 12; ++attempt) {
      own.stale = false;
      ir::Function made(name);
      Lowerer inner(shared, own, made);
      inner.here = here;
      inner.opaque_ = true;
      Frame outer_frame{.function = frame->function, .caller = frame};
      Frame top{.function = body ? body : flat.part.function, .caller = &outer_frame, .where = where, .block = inner.b.block};
      inner.frame = &top;
      std::vector<std::vector<X>> values;
      for (auto& g : flat.given) {
        auto& vs = values.emplace_back();
        for (std::size_t i = 0; i < g.types.size(); ++i) vs.push_back(param(inner.b, {g.types[i]}, g.names[i]));
      }
      auto object = [&](QualType t, const std::string& called, int group, const void* origin) {
        inner.mem.origin(origin, -4);
        const Pointer p = inner.mem.at(inner.local(t, called));
        const Group& g = flat.given[std::size_t(group)];
        std::size_t next = 0;
        inner.numbers(inner.mem, p, [&](const Pointer& at) {
          const ir::DType d = at.only()->dtype;
          if (g.only_real && !ir::is_real(d)) return inner.mem.store(at, ir::constant(inner.b, ir::Number::of(d, 0)));
          if (next >= g.types.size() || g.types[next] != d) refuse(flat.part.function->getLocation(), "the rule '" + flat.part.function->getNameAsString() + "' takes other numbers than the derivative that it replaces", "RULE_MISMATCH");
          inner.mem.store(at, values[std::size_t(group)][next++]);
        });
        if (next != g.types.size()) refuse(flat.part.function->getLocation(), "the rule '" + flat.part.function->getNameAsString() + "' takes fewer numbers than the derivative that it replaces", "RULE_MISMATCH");
        return p;
      };
      auto type_of = [&](const ParmVarDecl* p) { return p->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType(); };
      if (flat.self >= 0) {
        Pointer p = object(flat.self_type, "", flat.self, flat.part.function);
        for (auto* f : flat.part.path) p = inner.mem.field(p, f->getCanonicalDecl());
        top.self = p;
      }
      if (auto* m = dyn_cast<CXXMethodDecl>(top.function); m && m->getParent()->isLambda()) m->getParent()->getCaptureFields(top.captures, top.captured_this);
      inner.b.where = shared.locate(top.function->getLocation(), nullptr);
      if (body) {
        for (unsigned i = 0; i < body->getNumParams(); ++i)
          top.vars[body->getParamDecl(i)] = object(type_of(body->getParamDecl(i)), body->getParamDecl(i)->getNameAsString(), flat.bound[i], body->getParamDecl(i));
        inner.body(body);
        flat.yields(inner, top);
      } else {
        std::vector<X> numbers;
        for (int g : flat.bound) numbers.insert(numbers.end(), values[std::size_t(g)].begin(), values[std::size_t(g)].end());
        const X r = inner.elsewhere(flat.part.function, numbers, {}, where);
        if (!r) refuse(where, "'" + flat.part.function->getNameAsString() + "' has no visible body and returns no number");
        inner.b.block->yields.push_back(r.v);
      }
      if (own.stale) continue;
      auto& all = made.body->ops;
      all.insert(all.begin(), inner.prologue_.begin(), inner.prologue_.end());
      ir::verify(made);
      ir::simplify(made);
      shared.program.add(std::move(made));
      return name;
    }
    refuse(where, "what the pointers in '" + name + "' may point to could not be settled");
  } catch (...) {
    shared.flat.erase(key);
    throw;
  }
}

static std::string type_text(Lowering::Impl& shared, QualType t) { return t.getCanonicalType().getAsString(shared.context.getPrintingPolicy()); }

/// A call of a function whose body is elsewhere: numbers, and whole arrays of them. Its derivative is refused.
X Lowerer::elsewhere(const FunctionDecl* f, const std::vector<X>& numbers, const std::vector<ir::Value*>& arrays, SourceLocation where) {
  const std::string shown = f->getNameAsString();
  const bool free = f->getDeclContext()->getRedeclContext()->isFileContext() && f->isExternallyVisible() && !f->isTemplateInstantiation() && !f->isVariadic();
  if (!free) refuse(where, "'" + shown + "' has no visible body, and only a function at namespace scope can be called so");
  ir::Function made("external " + f->getQualifiedNameAsString());
  ir::Builder out{made};
  std::size_t number = 0, array = 0;
  std::vector<ir::Value*> in;
  std::string types;
  auto exact = [&](QualType t) {                  // the text must declare the very type
    const ir::DType d = dtype(t);
    if (t->isEnumeralType() || (d == ir::DType::i64 && !context.hasSameUnqualifiedType(t, context.LongTy)) || (d == ir::DType::u64 && !context.hasSameUnqualifiedType(t, context.UnsignedLongTy)))
      refuse(where, "'" + shown + "' has no visible body and a parameter or result of type '" + shared.type_name(t) + "', which is not supported");
    return d;
  };
  for (auto* p : f->parameters()) {
    const QualType t = p->getType().getCanonicalType();
    types += (types.empty() ? "" : ", ") + type_text(shared, t);
    if (is_number(t)) {
      param(out, {exact(t)}, p->getNameAsString());
      in.push_back(ir::convert(numbers.at(number++), exact(t)).v);
    } else if (t->isPointerType() && is_number(t->getPointeeType()) && array < arrays.size()) {
      const X q = param(out, ir::buffer_of(exact(t->getPointeeType())), p->getNameAsString());
      const X first = ops::load(q, ir::index(out, 0));
      if (!t->getPointeeType().isConstQualified()) ops::store(q, ir::index(out, 0), first);
      in.push_back(arrays[array++]);
    } else {
      refuse(where, "'" + shown + "' has no visible body and a parameter of type '" + shared.type_name(t) + "'; only numbers and pointers to numbers can be handed to it");
    }
  }
  const QualType result = f->getReturnType().getCanonicalType();
  if (!result->isVoidType()) {
    if (!is_number(result)) refuse(where, "'" + shown + "' has no visible body and returns a '" + shared.type_name(result) + "'");
    made.body->yields.push_back(ir::constant(out, ir::Number::of(exact(result), 0)).v);
  }
  made.external = f->getQualifiedNameAsString();
  made.rule = ir::Rule{.known = int(f->getNumParams())};
  auto* type = f->getType()->castAs<FunctionProtoType>();
  made.declaration = type_text(shared, result) + " " + shown + "(" + types + ")" + (type->isNothrow() ? " noexcept" : "") + ";";
  if (f->isExternC()) made.declaration = "extern \"C\" " + made.declaration, made.external = shown;
  else
    for (auto* c = f->getDeclContext(); c && !c->isTranslationUnit(); c = c->getParent())
      if (auto* n = dyn_cast<NamespaceDecl>(c)) made.declaration = std::string(n->isInline() ? "inline " : "") + "namespace " + n->getNameAsString() + " { " + made.declaration + " }";
  ir::Types given;
  for (auto* y : made.body->yields) given.push_back(y->type);
  const std::string name = made.name;
  if (!shared.program.find(name)) {
    ir::verify(made);
    shared.program.add(std::move(made));
  }
  auto* op = b.append(ops::call, in, {name, given});
  return op->results.empty() ? X{} : X{&b, op->results[0]};
}
/// The same for a call in the body of a rule.
std::optional<Lowerer::Result> Lowerer::elsewhere(const FunctionDecl* f, const CallExpr* e) {
  may_throw(f);
  if (!opaque_ || isa<CXXMethodDecl>(f)) return {};
  std::vector<X> numbers;
  std::vector<ir::Value*> arrays;
  for (unsigned i = 0; i < f->getNumParams(); ++i) {
    const Expr* a = e->getArg(i);
    if (!f->getParamDecl(i)->getType()->isPointerType()) {
      if (!is_number(f->getParamDecl(i)->getType())) refuse(a->getExprLoc(), "'" + f->getNameAsString() + "' has no visible body; only numbers and pointers to numbers can be handed to it");
      numbers.push_back(number(a));
      continue;
    }
    const Pointer p = pointer(a);
    Node* n = p.only();
    while (n && n->kind == Node::array) n = n->element;
    if (!n || n->kind != Node::scalar || !ir::is_constant(p.index.v, 0)) refuse(a->getExprLoc(), "'" + f->getNameAsString() + "' has no visible body; hand it the start of one array");
    arrays.push_back(n->buffer);
  }
  return Result{.number = elsewhere(f, numbers, arrays, e->getExprLoc())};
}

/// A call of f, which has rules, with its arguments at these places.
Lowerer::Result Lowerer::by_rule(const Rules& r, const FunctionDecl* f, const Pointer* self, const std::vector<Pointer>& args, const void* at) {
  const SourceLocation where = here;
  std::vector<X> operands;
  std::vector<Group> given;
  std::vector<int> arguments;
  std::vector<bool> slots;
  for (unsigned i = 0; i < f->getNumParams(); ++i) {
    arguments.push_back(int(given.size()));
    const std::string name = f->getParamDecl(i)->getNameAsString();
    given.push_back(group_at(mem, *this, args[i], name.empty() ? "arg" + std::to_string(i + 1) : name, operands));
    slots.push_back(has_slot(f->getParamDecl(i)->getType()));
  }
  const int known = int(operands.size()), primal_args = int(given.size());
  QualType self_type;
  int held = -1;
  auto hold = [&] {
    if (!self) return;
    held = int(given.size());
    given.push_back(group_at(mem, *this, *self, "held", operands));
    self_type = QualType(cast<CXXMethodDecl>(f)->getThisType()->getPointeeType().getUnqualifiedType());
  };
  const QualType result = f->getReturnType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto place_of = [](Lowerer& l, Frame& top) {
    return top.function->getReturnType()->isReferenceType() ? top.place : l.mem.at(top.result);
  };
  auto all_numbers = [&](Lowerer& l, Frame& top) {
    l.numbers(l.mem, place_of(l, top), [&](const Pointer& p) { l.b.block->yields.push_back(l.mem.load(p, p.only()->dtype).v); });
  };
  /// Calls a function of the program and takes its numbers.
  auto call = [&](const std::string& name, const std::vector<X>& in) {
    std::vector<ir::Value*> vs;
    for (X x : in) vs.push_back(x.v);
    ir::Types types;
    for (auto* y : shared.program.find(name)->body->yields) types.push_back(y->type);
    std::vector<X> out;
    for (auto* v : b.append(ops::call, vs, {name, types})->results) out.push_back({&b, v});
    return out;
  };

  Group residuals, value;
  if (r.fwd.function) {                           // its own call; nothing depends on it but by the rule
    std::vector<X> fwd_operands = operands;
    std::vector<Group> fwd_given = given;
    if (self) {
      fwd_given.push_back(group_at(mem, *this, *self, "held", fwd_operands));
      self_type = QualType(cast<CXXMethodDecl>(f)->getThisType()->getPointeeType().getUnqualifiedType());
    }
    const std::string name = flat({.name = r.name + "_forward", .part = r.fwd, .given = fwd_given, .bound = arguments, .self = self ? int(fwd_given.size()) - 1 : -1, .self_type = self_type, .yields = all_numbers}, where);
    shared.program.find(name)->rule = ir::Rule{};
    const auto out = call(name, fwd_operands);
    std::vector<ir::DType> types;
    mem.origin(at, frame->id);
    numbers(mem, mem.at(local(result, "")), [&](const Pointer& p) { types.push_back(p.only()->dtype); });
    for (std::size_t i = 0; i < out.size(); ++i) {
      Group& g = i < types.size() ? value : residuals;
      g.types.push_back(out[i].type().dtype), g.names.push_back(i < types.size() ? "value" : "kept");
    }
    given.push_back(residuals);
    operands.insert(operands.end(), out.begin() + std::ptrdiff_t(types.size()), out.end());
    given.push_back(value);
    operands.insert(operands.end(), out.begin(), out.begin() + std::ptrdiff_t(types.size()));
  }
  hold();

  std::string primal;
  if (r.fwd.function) {                           // the value is there already
    ir::Function same(r.name + "_value");
    for (int i = 2; shared.program.find(same.name) || shared.names.contains(same.name); ++i) same.name = r.name + "_value_" + std::to_string(i);
    shared.names.insert(same.name);
    ir::Builder l{same};
    for (std::size_t g = 0; g < given.size(); ++g)
      for (std::size_t i = 0; i < given[g].types.size(); ++i) {
        const X p = param(l, {given[g].types[i]}, given[g].names[i]);
        if (int(g) == primal_args + 1) same.body->yields.push_back(p.v);
      }
    primal = same.name;
    shared.program.add(std::move(same));
  } else {
    primal = flat({.name = r.name + "_itself", .part = r.primal, .given = given, .bound = arguments, .self = held, .self_type = self_type, .yields = all_numbers}, where);
  }
  Group results;
  for (auto* y : shared.program.find(primal)->body->yields) results.types.push_back(y->type.dtype), results.names.push_back("result");
  const Group seeds = real_part(results, "d_");

  ir::Rule rule{.known = known};
  if (r.vjp.function || r.bwd.function) {
    Flat v{.name = r.name + "_vjp_rule", .part = r.bwd.function ? r.bwd : r.vjp, .given = given, .bound = arguments, .self = held, .self_type = self_type};
    if (r.bwd.function) v.bound = {primal_args};
    v.bound.push_back(int(v.given.size()));
    v.given.push_back(seeds);
    v.yields = [&](Lowerer& l, Frame& top) {
      const Pointer all = place_of(l, top);
      const auto count = std::count(slots.begin(), slots.end(), true);
      int k = 0;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        std::vector<X> parts;
        if (slots[i]) {
          const Pointer p = count > 1 ? tuple_element(l.mem, all, k++) : all;
          if (!p.only()) refuse(where, "the rule of '" + r.name + "' returns no std::tuple", "RULE_MISMATCH");
          l.numbers(l.mem, p, [&](const Pointer& at_part) { if (ir::is_real(at_part.only()->dtype)) parts.push_back(l.mem.load(at_part, at_part.only()->dtype)); });
        }
        const Group want = real_part(given[i], "");
        if (!slots[i]) for (auto d : want.types) parts.push_back(ir::constant(l.b, d, 0));
        bool fits = parts.size() == want.types.size();
        for (std::size_t j = 0; fits && j < parts.size(); ++j) fits = parts[j].type().dtype == want.types[j];
        if (!fits) refuse(where, "the rule of '" + r.name + "' returns other numbers than the derivative that it replaces", "RULE_MISMATCH");
        for (X x : parts) l.b.block->yields.push_back(x.v);
      }
    };
    rule.vjp = flat(v, where);
  }
  if (r.jvp.function) {
    Flat j{.name = r.name + "_jvp_rule", .part = r.jvp, .given = given, .bound = arguments, .self = held, .self_type = self_type};
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i]) j.bound.push_back(int(j.given.size()));
      j.given.push_back(real_part(given[i], "d_"));
    }
    j.yields = [&](Lowerer& l, Frame& top) {
      l.numbers(l.mem, place_of(l, top), [&](const Pointer& p) { if (ir::is_real(p.only()->dtype)) l.b.block->yields.push_back(l.mem.load(p, p.only()->dtype).v); });
      if (l.b.block->yields.size() != seeds.types.size()) refuse(where, "the rule of '" + r.name + "' returns other numbers than the derivative that it replaces", "RULE_MISMATCH");
    };
    rule.jvp = flat(j, where);
  }
  shared.program.find(primal)->rule = rule;

  const auto out = call(primal, operands);
  if (is_number(result)) return {.number = out.at(0)};
  mem.origin(at, frame->id);
  Node* made = local(result, "");
  std::size_t next = 0;
  numbers(mem, mem.at(made), [&](const Pointer& p) { mem.store(p, out.at(next++)); });
  return {.object = made};
}

/// Where the innermost function that is not the library's is.
static SourceLocation outside(const Frame* frame, SourceLocation here) {
  for (; frame && frame->caller; frame = frame->caller) {
    const DeclContext* c = frame->function->getDeclContext();
    while (c && !c->isTranslationUnit() && !(isa<NamespaceDecl>(c) && c->getParent()->isTranslationUnit())) c = c->getParent();
    auto* space = dyn_cast_or_null<NamespaceDecl>(c);
    if (!space || space->getName() != "tlaloc") break;
    here = frame->where;
  }
  return here;
}
/// tlaloc::stop_gradient and detail::settled<Orders>: each number passes a function on which nothing depends.
std::optional<Lowerer::Result> Lowerer::stopped(const FunctionDecl* f, const CallExpr* e) {
  auto* space = dyn_cast_or_null<NamespaceDecl>(f->getDeclContext());
  if (!space || !f->getDeclName().isIdentifier()) return {};
  const bool settled = f->getName() == "settled" && space->getName() == "detail";
  if (settled) space = dyn_cast<NamespaceDecl>(space->getDeclContext());
  if (!settled && f->getName() != "stop_gradient") return {};
  if (!space || space->getName() != "tlaloc" || !space->getDeclContext()->isTranslationUnit()) return {};
  const std::int64_t orders = settled ? f->getTemplateSpecializationArgs()->get(0).getAsIntegral().getExtValue() : 0;
  auto stop = [&](X x) {
    if (!x.type().real()) return x;
    auto name = [&](std::int64_t left) {
      return (settled ? "settled_" + std::to_string(left) : "stop_gradient") + (x.type().dtype == ir::DType::f64 ? "" : "_" + ir::text(x.type().dtype));
    };
    for (std::int64_t left = 0; left <= orders; ++left) {
      if (shared.program.find(name(left))) continue;
      ir::Function same(name(left));
      ir::Builder l{same};
      same.body->yields.push_back(param(l, x.type(), "x").v);
      same.rule = ir::Rule{};
      if (settled) same.rule->next = left ? name(left - 1) : "";
      shared.names.insert(same.name);
      shared.program.add(std::move(same));
    }
    ir::Op* made = b.append(ops::call, {x.v}, {name(orders), ir::Types{x.type()}});
    if (settled) made->where = shared.locate(outside(frame, here), nullptr);
    return X{&b, made->results[0]};
  };
  if (is_number(e->getType())) return Result{.number = stop(number(e->getArg(0)))};
  Node* n = object(e->getArg(0), "");
  numbers(mem, mem.at(n), [&](const Pointer& p) { mem.store(p, stop(mem.load(p, p.only()->dtype))); });
  return Result{.object = n};
}

}  // namespace tlaloc::frontend
