// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/requests.hpp"

#include "frontend/clang/diagnostics.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;

const char* text(Mode m) {
  static constexpr const char* names[] = {"grad", "value_and_grad", "jvp", "value_and_jvp", "vjp", "value_and_vjp", "jacfwd", "jacrev", "hessian", "hvp", "dependence"};
  return names[int(m)];
}

NamespaceDecl* find_namespace(ASTContext& context, std::initializer_list<StringRef> path) {
  DeclContext* in = context.getTranslationUnitDecl();
  for (auto name : path) {
    NamespaceDecl* next = nullptr;
    for (auto* d : in->lookup(&context.Idents.get(name)))
      if (auto* n = dyn_cast<NamespaceDecl>(d)) next = n;
    if (!next) return nullptr;
    in = next;
  }
  return cast<NamespaceDecl>(in);
}

namespace {

bool is_library_template(const CXXRecordDecl* r, StringRef name) {
  auto* s = dyn_cast_or_null<Specialisation>(r);
  if (!s || !s->getDeclName().isIdentifier() || s->getName() != name) return false;
  for (auto* d = s->getDeclContext(); d && !d->isTranslationUnit(); d = d->getParent())
    if (auto* n = dyn_cast<NamespaceDecl>(d); n && n->getName() == "tlaloc" && n->getParent()->isTranslationUnit()) return true;
  return false;
}

/// The value of a template argument of class type or of a scalar one.
const APValue& structural(const TemplateArgument& a, SourceLocation where) {
  if (a.getKind() == TemplateArgument::Declaration)
    if (auto* object = dyn_cast<TemplateParamObjectDecl>(a.getAsDecl())) return object->getValue();
  if (a.getKind() == TemplateArgument::StructuralValue) return a.getAsStructuralValue();
  throw Bail{where, "INTERNAL", "a template argument of tlaloc::Derivative has an unexpected form"};
}

std::int64_t integer(const APValue& v) { return v.getInt().getExtValue(); }

std::string characters(const APValue& array) {
  std::string out;
  for (unsigned i = 0; i < array.getArrayInitializedElts(); ++i)
    if (auto c = char(integer(array.getArrayInitializedElt(i)))) out += c;
    else break;
  return out;
}

std::vector<int> integers(const APValue& array, std::size_t count) {
  std::vector<int> out;
  for (unsigned i = 0; i < count; ++i)
    out.push_back(int(integer(i < array.getArrayInitializedElts() ? array.getArrayInitializedElt(i) : array.getArrayFiller())));
  return out;
}

Argument::Form form(QualType given) {
  auto* r = given.getNonReferenceType()->getAsCXXRecordDecl();
  if (is_library_template(r, "Shadowed")) return Argument::shadow;
  return is_library_template(r, "Viewed") ? Argument::view : Argument::plain;
}

}  // namespace

Requests::Requests(Sema& sema) : sema_(sema), context_(sema.getASTContext()) {}

NamespaceDecl* Requests::library() { return find_namespace(context_, {"tlaloc"}); }
bool Requests::is_derivative(const CXXRecordDecl* r) { return is_library_template(r, "Derivative"); }
bool Requests::is_source(const CXXMethodDecl* m) { return m->getDeclName().isIdentifier() && m->getName() == "source"; }

static ClassTemplateDecl* derivative_template(ASTContext& context, NamespaceDecl* library) {
  if (!library) return nullptr;
  for (auto* d : library->lookup(&context.Idents.get("Derivative")))
    if (auto* t = dyn_cast<ClassTemplateDecl>(d)) return t;
  return nullptr;
}
bool Requests::library_included() { return derivative_template(context_, library()); }

std::vector<CXXMethodDecl*> Requests::used() {
  sema_.PerformPendingInstantiations();
  struct Use { SourceLocation derivative, call; std::string type; CXXMethodDecl* method; };
  std::vector<Use> uses;
  auto add = [&](FunctionDecl* f) {
    auto* m = dyn_cast<CXXMethodDecl>(f);
    if (!m || !m->isUsed()) return;
    uses.push_back({cast<Specialisation>(m->getParent())->getPointOfInstantiation(), m->getPointOfInstantiation(),
                    m->getType().getCanonicalType().getAsString(), m});
  };
  for (auto* s : derivative_template(context_, library())->specializations())
    for (auto* d : s->decls()) {
      if (auto* t = dyn_cast<FunctionTemplateDecl>(d); t && t->getTemplatedDecl()->getOverloadedOperator() == OO_Call)
        for (auto* f : t->specializations()) add(f);
      else if (auto* m = dyn_cast<CXXMethodDecl>(d); m && is_source(m))
        add(m);
    }
  // Names and numbers in the printed text follow this order: it must not depend on addresses.
  auto& sm = sema_.getSourceManager();
  auto before = [&](SourceLocation a, SourceLocation b) {
    return a.isValid() && b.isValid() ? sm.isBeforeInTranslationUnit(a, b) : b.isValid() && a.isInvalid();
  };
  std::sort(uses.begin(), uses.end(), [&](const Use& a, const Use& b) {
    if (a.derivative != b.derivative) return before(a.derivative, b.derivative);
    if (a.call != b.call) return before(a.call, b.call);
    return a.type < b.type;
  });
  std::vector<CXXMethodDecl*> out;
  for (auto& u : uses) out.push_back(u.method);
  return out;
}

// --- call sites of transforms on functions and members: which one does this type of a call mean? ---

struct Requests::SiteFinder : RecursiveASTVisitor<Requests::SiteFinder> {
  explicit SiteFinder(Requests& r) : requests(r) {}
  Requests& requests;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCallExpr(CallExpr* call) {
    auto* callee = call->getDirectCallee();
    if (!callee || call->getNumArgs() != 1) return true;
    auto* result = callee->getReturnType()->getAsCXXRecordDecl();
    if (!result || !is_derivative(result)) return true;
    if (auto* n = dyn_cast<NamespaceDecl>(callee->getDeclContext()); !n || n->getName() != "tlaloc") return true;
    Site& site = requests.sites_[result];
    if (site.where.isValid()) return true;        // the first call gives the place
    site.where = call->getBeginLoc();
    Expr::EvalResult value;
    const Expr* f = call->getArg(0);
    if (f->isValueDependent() || !f->EvaluateAsRValue(value, requests.context_)) return true;
    const ValueDecl* d = nullptr;
    if (value.Val.isMemberPointer()) d = value.Val.getMemberPointerDecl();
    else if (value.Val.isLValue()) d = value.Val.getLValueBase().dyn_cast<const ValueDecl*>();
    site.function = dyn_cast_or_null<FunctionDecl>(d);
    return true;
  }
};

const Requests::Site* Requests::site(const Specialisation* derivative) {
  if (derivative->getTemplateArgs()[2].getAsType()->isVoidType()) return nullptr;      // a class: its type says it all
  SiteFinder finder(*this);
  for (; searched_ < seen_.size(); ++searched_)
    for (auto* d : seen_[searched_])
      if (!sema_.getSourceManager().isInSystemHeader(d->getLocation())) finder.TraverseDecl(d);
  auto it = sites_.find(derivative);
  return it == sites_.end() ? nullptr : &it->second;
}

SourceLocation Requests::where(const Specialisation* derivative) {
  if (const Site* s = site(derivative)) return s->where;
  if (auto w = derivative->getPointOfInstantiation(); w.isValid()) return w;
  return derivative->getLocation();
}

Target Requests::target(const Specialisation* derivative) {
  const QualType f = derivative->getTemplateArgs()[1].getAsType();
  Target t;
  auto call_operator = [&](const CXXRecordDecl* of) {
    const CXXMethodDecl* found = nullptr;
    for (auto* d : of->lookup(context_.DeclarationNames.getCXXOperatorName(OO_Call)))
      if (auto* m = dyn_cast<CXXMethodDecl>(d)) found = m;
    return found;
  };
  if (auto* r = f->getAsCXXRecordDecl()) {
    if (is_derivative(r)) {
      t.inner = cast<Specialisation>(r);
      return t;
    }
    if (is_library_template(r, "Fn")) {
      auto& a = cast<Specialisation>(r)->getTemplateArgs()[0];
      if (a.getKind() == TemplateArgument::Declaration) {
        t.callable.function = dyn_cast<FunctionDecl>(a.getAsDecl());
        if (auto* object = dyn_cast<TemplateParamObjectDecl>(a.getAsDecl())) {         // a lambda
          auto* type = object->getType()->getAsCXXRecordDecl();
          if (!type->isEmpty()) throw Bail{where(derivative), "NOT_LOWERABLE", "tlaloc::fn of an object that holds values; pass the object itself"};
          t.callable.function = call_operator(type);
          t.object_in_derivative = true;
        }
      }
    } else {
      t.callable.function = call_operator(r);
      t.object_in_derivative = true;
    }
  } else if (derivative->isFromASTFile()) {
    throw Bail{where(derivative), "CALL_SITE_IN_PCH", "a derivative of a plain function is made inside a precompiled header"};
  } else if (const Site* s = site(derivative)) {
    t.callable.function = s->function;
  }
  if (!t.callable.function) throw Bail{where(derivative), "NOT_STATIC", "which function is differentiated is not known here"};
  auto* method = dyn_cast<CXXMethodDecl>(t.callable.function);
  t.callable.has_object = method && method->isInstance();
  t.callable.object_by_value = t.callable.has_object && t.object_in_derivative;
  return t;
}

std::vector<std::string> Requests::parameter_names(const Specialisation* derivative) {
  std::vector<std::string> names;
  Target t = target(derivative);
  if (t.inner) {                                  // f's parameters, then tangents or the cotangent
    names = parameter_names(t.inner);
    return names;
  }
  if (t.callable.has_object && !t.object_in_derivative) names.push_back("this");
  const FunctionDecl* f = t.callable.function;
  const FunctionDecl* definition = nullptr;
  if (f->hasBody(definition)) f = definition;     // the names where it is written
  for (auto* p : f->parameters()) names.push_back(p->getNameAsString());
  return names;
}

void Requests::select(Request& r, const APValue& plan) {
  const int returned = int(integer(plan.getStructField(1)));
  const auto roles = integers(plan.getStructField(2), r.arguments.size());
  std::vector<std::string> names;
  auto& args = r.derivative->getTemplateArgs();
  for (auto& w : args[3].getPackAsArray())
    if (auto name = characters(structural(w, r.where).getStructField(1)); !name.empty()) names.push_back(name);
  if (!names.empty()) return select_names(r, names, roles, returned);
  r.order = integers(plan.getStructField(3), std::size_t(returned));
  for (std::size_t i = 0; i < roles.size(); ++i)
    r.arguments[i].role = roles[i] == 1 ? Argument::returned : roles[i] == 2 ? Argument::shadowed : Argument::none;
}

void Requests::select_names(Request& r, const std::vector<std::string>& names, const std::vector<int>& roles, int returned) {
  const auto known = parameter_names(r.derivative);
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (roles[i] == 2) r.arguments[i].role = Argument::shadowed;
  for (auto& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    const auto i = std::size_t(at - known.begin());
    if (at == known.end() || i >= roles.size()) {
      std::string list;
      for (auto& k : known) list += (list.empty() ? "'" : ", '") + k + "'";
      const std::string guess = nearest(name, known);
      throw Bail{r.where, "UNKNOWN_ARGUMENT",
                 "the function has no parameter '" + name + "'; its parameters are " + list +
                     (guess.empty() ? "" : "; did you mean '" + guess + "'?")};
    }
    if (roles[i] == 2) continue;
    if (roles[i] != 3)
      throw Bail{r.where, "NOT_DIFFERENTIABLE",
                 "parameter '" + name + "' has no derivative here: its type has none, or it is given without tlaloc::shadow or "
                 "tlaloc::view beside arguments with them; select by position"};
    r.arguments[i].role = Argument::returned;
    r.order.push_back(int(i));
  }
  if (int(r.order.size()) != returned)
    throw Bail{r.where, "UNKNOWN_ARGUMENT",
               "names select " + std::to_string(r.order.size()) + " arguments without a shadow beside shadows that are not "
               "selected, which types cannot tell apart; select by position"};
}

Request Requests::read(CXXMethodDecl* call_operator) {
  Request r;
  r.derivative = cast<Specialisation>(call_operator->getParent());
  r.method = call_operator;
  r.where = where(r.derivative);
  r.mode = Mode(integer(APValue(r.derivative->getTemplateArgs()[0].getAsIntegral())));
  auto* args = call_operator->getTemplateSpecializationArgs();
  const APValue& plan = structural(args->get(args->size() - 1), r.where);
  const std::size_t count = plan.getStructField(2).getArraySize() - 1;
  for (std::size_t i = 0; i < count; ++i)
    r.arguments.push_back({Argument::none, form(call_operator->getParamDecl(unsigned(i))->getType())});
  select(r, plan);
  return r;
}

Request Requests::read_plain(const Specialisation* derivative) {
  Request r;
  r.derivative = derivative;
  r.where = where(derivative);
  r.mode = Mode(integer(APValue(derivative->getTemplateArgs()[0].getAsIntegral())));
  for (auto* d : derivative->lookup(&context_.Idents.get("plain")))
    if (auto* alias = dyn_cast<TypeAliasDecl>(d)) {
      auto* constant = cast<Specialisation>(alias->getUnderlyingType()->getAsCXXRecordDecl());
      const APValue& plan = structural(constant->getTemplateArgs()[0], r.where);
      r.arguments.resize(plan.getStructField(2).getArraySize() - 1);
      select(r, plan);
      return r;
    }
  throw Bail{r.where, "INTERNAL", "tlaloc::Derivative has no member 'plain'"};
}

}  // namespace tlaloc::frontend
