// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/spell.hpp"

namespace tlaloc::frontend {

using namespace clang;

namespace {

[[noreturn]] void unnameable(const std::string& what) { throw Bail{{}, "NOT_NAMEABLE", what}; }

void check_access(const NamedDecl* d) {
  if (d->getAccess() == AS_private || d->getAccess() == AS_protected)
    unnameable("'" + d->getQualifiedNameAsString() + "' is not public, and the derivative's code must name it");
}

const APValue* object_value(const TemplateArgument& a) {
  if (a.getKind() == TemplateArgument::StructuralValue) return &a.getAsStructuralValue();
  if (a.getKind() != TemplateArgument::Declaration) return nullptr;
  auto* object = dyn_cast<TemplateParamObjectDecl>(a.getAsDecl());
  return object ? &object->getValue() : nullptr;
}

/// tlaloc::arg: a position, or a name in quotes.
std::string selection(const APValue& v) {
  const APValue &position = v.getStructField(0), &name = v.getStructField(1);
  std::string out;
  for (unsigned i = 0; i < name.getArrayInitializedElts(); ++i)
    if (auto c = char(name.getArrayInitializedElt(i).getInt().getExtValue())) out += c;
    else break;
  return out.empty() ? std::to_string(position.getInt().getExtValue()) : "\"" + out + "\"";
}

}  // namespace

std::string Speller::scope(const DeclContext* c, const std::string& of) {
  c = c->getRedeclContext();
  if (c->isTranslationUnit()) return "::";
  if (auto* n = dyn_cast<NamespaceDecl>(c)) return scope(n->getParent(), of) + (n->isAnonymousNamespace() ? "" : n->getNameAsString() + "::");
  if (auto* r = dyn_cast<TagDecl>(c)) return tag(r) + "::";
  unnameable(of + " stands inside a function, where other code cannot name it; move it to namespace scope");
}

void Speller::collect(const DeclContext* in) {
  for (auto* d : in->decls()) {
    if (auto* v = dyn_cast<VarDecl>(d)) {
      if (auto* r = v->getType()->getAsCXXRecordDecl(); r && r->isLambda()) closures_.emplace(r->getCanonicalDecl(), v);
    } else if (isa<NamespaceDecl>(d) || isa<LinkageSpecDecl>(d)) {
      collect(cast<DeclContext>(d));
    } else if (auto* r = dyn_cast<CXXRecordDecl>(d); r && r->isCompleteDefinition() && !r->isDependentContext() && !r->isLambda()) {
      collect(r);
    }
  }
}
const VarDecl* Speller::variable_of(const CXXRecordDecl* closure) {
  if (!std::exchange(collected_, true)) collect(context_.getTranslationUnitDecl());
  auto it = closures_.find(closure->getCanonicalDecl());
  return it == closures_.end() ? nullptr : it->second;
}

std::string Speller::tag(const TagDecl* d) {
  if (auto* r = dyn_cast<CXXRecordDecl>(d); r && r->isLambda()) {
    const VarDecl* v = variable_of(r);
    if (!v)
      unnameable("a lambda has a type that other code can name only where it initialises a variable at namespace scope; "
                 "make it one, or a function");
    check_access(v);
    return "::std::remove_cvref_t<decltype(" + scope(v->getDeclContext(), "a lambda") + v->getNameAsString() + ")>";
  }
  check_access(d);
  std::string name = d->getNameAsString();
  if (auto* alias = d->getTypedefNameForAnonDecl(); alias && !d->getDeclName()) name = alias->getNameAsString();
  if (name.empty()) unnameable("a class or enumeration without a name is part of the signature; give it a name");
  name = scope(d->getDeclContext(), "the type '" + name + "'") + name;
  if (auto* s = dyn_cast<Specialisation>(d)) name += arguments(s->getTemplateArgs().asArray());
  return name;
}

std::string Speller::type(QualType t, const std::string& inner) {
  t = t.getCanonicalType();
  const std::string cv = std::string(t.isConstQualified() ? "const " : "") + (t.isVolatileQualified() ? "volatile " : "");
  auto through = [&](QualType to, const std::string& sign) {
    const std::string declarator = sign + (cv.empty() ? "" : " " + cv) + inner;
    return type(to, to->isArrayType() || to->isFunctionType() ? "(" + declarator + ")" : declarator);
  };
  if (auto* m = t->getAs<MemberPointerType>())
    return through(m->getPointeeType(), tag(m->getMostRecentCXXRecordDecl()) + "::*");
  if (t->isPointerType()) return through(t->getPointeeType(), "*");
  if (t->isLValueReferenceType()) return through(t->getPointeeType(), "&");
  if (t->isRValueReferenceType()) return through(t->getPointeeType(), "&&");
  if (auto* a = context_.getAsConstantArrayType(t)) return type(a->getElementType(), inner + "[" + std::to_string(a->getZExtSize()) + "]");
  if (auto* a = context_.getAsIncompleteArrayType(t)) return type(a->getElementType(), inner + "[]");
  if (auto* f = t->getAs<FunctionProtoType>()) {
    std::string params;
    for (auto p : f->param_types()) params += (params.empty() ? "" : ", ") + type(p);
    if (f->isVariadic()) params += params.empty() ? "..." : ", ...";
    return type(f->getReturnType(), inner + "(" + params + ")" + (f->isConst() ? " const" : "") + (f->isVolatile() ? " volatile" : "") +
                                        (f->getRefQualifier() == RQ_LValue ? " &" : f->getRefQualifier() == RQ_RValue ? " &&" : "") +
                                        (f->isNothrow() ? " noexcept" : ""));
  }
  const std::string space = inner.empty() ? "" : " " + inner;
  if (auto* b = t->getAs<BuiltinType>()) return cv + b->getName(context_.getPrintingPolicy()).str() + space;
  if (auto* d = t->getAsTagDecl()) return cv + tag(d) + space;
  unnameable("a type of the signature ('" + t.getAsString(context_.getPrintingPolicy()) + "') has no spelling in other compilers");
}

std::string Speller::value(const APValue& v, QualType t) {
  if (v.isInt() && t->isBooleanType()) return v.getInt().getBoolValue() ? "true" : "false";
  if (v.isInt()) return "static_cast<" + type(t) + ">(" + llvm::toString(v.getInt(), 10) + ")";
  if (v.isFloat()) {
    char digits[64];                              // hexadecimal: to the last bit
    v.getFloat().convertToHexString(digits, 0, false, llvm::APFloat::rmNearestTiesToEven);
    if (v.getFloat().isFinite()) return "static_cast<" + type(t) + ">(" + digits + ")";
  }
  auto* r = t->getAsCXXRecordDecl();
  if (v.isStruct() && r && (r->isAggregate() || (r->isLambda() && r->isEmpty())) && v.getStructNumBases() == 0) {
    std::string out;
    for (auto* f : r->fields()) out += (out.empty() ? "" : ", ") + value(v.getStructField(f->getFieldIndex()), f->getType());
    return type(t.getUnqualifiedType()) + "{" + out + "}";
  }
  unnameable("a template argument of type '" + t.getAsString(context_.getPrintingPolicy()) + "' has no simple spelling");
}

std::string Speller::argument(const TemplateArgument& a) {
  switch (a.getKind()) {
    case TemplateArgument::Type: return type(a.getAsType());
    case TemplateArgument::Integral: return value(APValue(a.getAsIntegral()), a.getIntegralType());
    case TemplateArgument::NullPtr: return "nullptr";
    case TemplateArgument::Template:
      if (auto* d = a.getAsTemplate().getAsTemplateDecl()) return scope(d->getDeclContext(), "a template") + d->getNameAsString();
      break;
    case TemplateArgument::Declaration:
      if (auto* f = dyn_cast<FunctionDecl>(a.getAsDecl())) return function(f, a.getParamTypeForDecl());
      if (auto* v = dyn_cast<VarDecl>(a.getAsDecl())) {
        check_access(v);
        return (a.getParamTypeForDecl()->isReferenceType() ? "" : "&") + scope(v->getDeclContext(), "a variable") + v->getNameAsString();
      }
      if (auto* v = object_value(a)) return value(*v, a.getParamTypeForDecl());
      break;
    case TemplateArgument::StructuralValue: return value(a.getAsStructuralValue(), a.getStructuralValueType());
    default: break;
  }
  unnameable("a template argument has no spelling in other compilers");
}
std::string Speller::arguments(ArrayRef<TemplateArgument> list) {
  std::string out;
  auto add = [&](const TemplateArgument& a) { out += (out.empty() ? "" : ", ") + argument(a); };
  for (auto& a : list)
    if (a.getKind() == TemplateArgument::Pack)
      for (auto& part : a.pack_elements()) add(part);
    else add(a);
  return "<" + out + ">";
}

std::string Speller::function(const FunctionDecl* f, QualType pointer) {
  check_access(f);
  std::string name = scope(f->getDeclContext(), "the function '" + f->getNameAsString() + "'") + f->getNameAsString();
  if (auto* args = f->getTemplateSpecializationArgs()) name += arguments(args->asArray());
  return "static_cast<" + type(pointer.getNonReferenceType()) + ">(&" + name + ")";
}

std::string Speller::derivative(const Specialisation* d, std::vector<std::string>& sites) {
  auto& args = d->getTemplateArgs();
  std::string out = "::tlaloc::Derivative<" + argument(args[0]) + ", ";
  const QualType f = args[1].getAsType();
  if (auto* r = f->getAsCXXRecordDecl(); r && Requests::is_derivative(r)) out += derivative(cast<Specialisation>(r), sites);
  else out += type(f);
  if (args[2].getAsType()->isVoidType()) {
    out += ", void";
  } else {
    sites.push_back("Site" + std::to_string(sites.size()));
    out += ", " + sites.back();
  }
  for (auto& w : args[3].getPackAsArray()) out += ", " + selection(*object_value(w));
  return out + ">";
}

std::string Speller::member(const std::string& object, const FieldDecl* f) {
  if (f->getAccess() == AS_public || f->getAccess() == AS_none) return object + "." + f->getNameAsString();
  if (f->getType()->isReferenceType() || f->isBitField())
    unnameable("the private member '" + f->getNameAsString() + "' is a reference or a bit-field, which other code cannot reach");
  auto [it, fresh] = opened_.emplace(f, int(opened_.size()) + 1);
  const std::string key = "member_" + std::to_string(it->second);
  if (fresh)
    declarations_ += "struct " + key + " { friend constexpr auto reach(" + key + "); };\ntemplate struct Reach<" + key + ", &" +
                     tag(f->getParent()) + "::" + f->getNameAsString() + ">;\n";
  return "(" + object + ".*reach(::tlaloc::detail::" + key + "()))";
}

std::string Speller::leaf(const Leaf& leaf, const std::string& source) {
  // As written, with {} for where the steps start; `open` is the same with private members reached.
  std::string plain = "{}", open = "{}";
  bool any = false, complex = false, rows = false;
  for (auto& s : leaf.path) {
    switch (s.kind) {
      case Step::member: {
        auto* f = cast<FieldDecl>(s.decl);
        if (auto* d = dyn_cast<CXXRecordDecl>(f->getParent()); d && Requests::is_derivative(d)) {
          plain = "::tlaloc::detail::callable(" + plain + ")", open = "::tlaloc::detail::callable(" + open + ")";
          break;
        }
        if (f->getParent()->isLambda()) unnameable("a lambda that captures cannot be taken apart by other code; pass what it captures as parameters");
        if (complex = cast<CXXRecordDecl>(f->getParent())->isInStdNamespace() && f->getParent()->getName() == "complex"; complex) break;
        if (cast<CXXRecordDecl>(f->getParent())->isInStdNamespace() && f->getParent()->getName() == "array") break;
        plain += "." + f->getNameAsString();
        any |= f->getAccess() != AS_public;
        open = member(open, f);
        break;
      }
      case Step::base: break;
      case Step::dereference: plain = "(*" + plain + ")", open = "(*" + open + ")"; break;
      case Step::address: plain = "&" + plain, open = "&" + open; break;
      case Step::element: {
        const std::string k = std::to_string(s.index);
        for (auto* text : {&plain, &open}) *text = complex ? "::tlaloc::detail::part<" + k + ">(" + *text + ")" : *text + "[" + k + "]";
        break;
      }
      case Step::data: plain += ".data()", open += ".data()"; break;
      case Step::size: plain += ".size()", open += ".size()"; break;
      case Step::rows: rows = true; break;
    }
  }
  if (rows && any) unnameable("a vector of vectors or of tensors with a private member; pass it as a parameter");
  auto put = [](std::string text, const std::string& what) { return text.replace(text.find("{}"), 2, what); };
  if (!any) return put(leaf.access, source);
  const auto at = plain.find("{}");
  const std::string before = plain.substr(0, at), after = plain.substr(at + 2);
  if (!StringRef(leaf.access).starts_with(before) || !StringRef(leaf.access).ends_with(after))
    throw Bail{{}, "INTERNAL", "the steps to '" + leaf.access + "' say '" + plain + "'"};
  const std::string from = leaf.access.substr(at, leaf.access.size() - before.size() - after.size());
  return put(open, put(from, source));
}

}  // namespace tlaloc::frontend
