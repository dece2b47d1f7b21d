// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/glue.hpp"

#include "frontend/clang/late_parse.hpp"
#include "frontend/clang/lower_eigen.hpp"
#include "frontend/clang/versions.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;

namespace {

std::string filled(const std::string& access, const std::string& with) {
  std::string out = access;
  for (auto at = out.find("{}"); at != std::string::npos; at = out.find("{}", at + with.size())) out.replace(at, 2, with);
  return out;
}
std::string numbered(const char* stem, int i) { return stem + std::to_string(i); }
bool is_std_template(QualType t, StringRef name) {
  auto* r = t->getAsCXXRecordDecl();
  return r && r->isInStdNamespace() && r->getDeclName().isIdentifier() && r->getName() == name && isa<Specialisation>(r);
}
QualType element_of(QualType t) { return cast<Specialisation>(t->getAsCXXRecordDecl())->getTemplateArgs()[0].getAsType(); }

/// Captures have no name; text must have one. That of the captured variable is what lowering writes.
void name_captures(QualType t, ASTContext& context, std::set<const CXXRecordDecl*>& seen) {
  t = t.getNonReferenceType().getCanonicalType();
  auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->getDefinition() || !seen.insert(r).second) return;
  r = r->getDefinition();
  if (r->isLambda()) {
    auto field = r->field_begin();
    for (auto& c : r->captures()) {
      FieldDecl* f = *field++;
      if (f->getDeclName()) continue;
      f->setDeclName(&context.Idents.get(c.capturesVariable() ? c.getCapturedVar()->getName() : StringRef("self")));
      r->makeDeclVisibleInContext(f);
    }
  }
  for (auto* f : r->fields()) name_captures(f->getType(), context, seen);
}

}  // namespace

/// Writes one glue function.
class Glue::Writer {
 public:
  Writer(Glue& glue, const std::string& name, const Request& r, const Primal& p, const Derived& d, const ir::CppSignature& of_primal,
         const ir::CppSignature& s, const std::optional<ir::CppSignature>& length)
      : glue_(glue), name_(name), request_(r), primal_(p), derived_(d), of_primal_(of_primal), signature_(s), length_(length) {}

  std::string write() {
    head();
    for (std::size_t i = 0; i < request_.arguments.size(); ++i) argument(int(i));
    extras();
    containers();
    call();
    give_back();
    return out_ + "}\n";
  }

 private:
  Glue& glue_;
  const std::string& name_;
  const Request& request_;
  const Primal& primal_;
  const Derived& derived_;
  const ir::CppSignature &of_primal_, &signature_;
  const std::optional<ir::CppSignature>& length_;
  std::string out_ = {};

  void line(const std::string& s) { out_ += "  " + s + "\n"; }
  std::string type(const std::string& what, QualType t) {
    glue_.alias(name_ + "_" + what, t);
    return name_ + "_" + what;
  }
  std::string param_type(int i) const { return name_ + "_param" + std::to_string(i); }
  bool outside() const { return glue_.speller_.has_value(); }
  QualType result_type_of_f() const { return primal_.result.getNonReferenceType().getUnqualifiedType(); }
  bool has_value() const { return !primal_.result->isVoidType(); }
  bool returns_value() const { return with_value(request_.mode) && has_value(); }

  void head() {
    auto& context = glue_.context_;
    auto* method = request_.method;
    std::string params = outside() ? "[[maybe_unused]] const auto& self"
                                   : "const " + type("object", tag_type(context, request_.derivative)) + "& self";
    for (unsigned i = 0; i < method->getNumParams(); ++i) {
      const QualType t = context.getLValueReferenceType(method->getParamDecl(i)->getType().getNonReferenceType());
      params += ", " + type("arg" + std::to_string(i), t) + " a" + std::to_string(i);
    }
    for (std::size_t i = 0; i < primal_.parameters.size(); ++i) type("param" + std::to_string(i), primal_.parameters[i]);
    if (has_value()) type("value", primal_.result.getNonReferenceType().getUnqualifiedType());
    out_ = "static inline " + type("result", method->getReturnType()) + " " + name_ + "(" + params + ") {\n";
  }

  /// The parameter as f sees it, and its shadow.
  void argument(int i) {
    const auto& a = request_.arguments[std::size_t(i)];
    const QualType t = primal_.parameters[std::size_t(i)];
    const std::string given = numbered("a", i) + (a.form == Argument::plain ? "" : ".x"), p = numbered("p", i);
    if (t->isRValueReferenceType()) line(param_type(i) + " " + p + " = static_cast<" + param_type(i) + ">(" + given + ");");
    else if (t->isRecordType()) line("const " + param_type(i) + "& " + p + " = " + given + ";");
    else line(param_type(i) + " " + p + " = " + given + ";");
    if (a.form == Argument::shadow)
      line("typename ::tlaloc::detail::shadow_of<" + param_type(i) + ">::type " + numbered("s", i) + " = " + numbered("a", i) + ".dx;");
    if (a.form == Argument::shadow) check_length(t, p, numbered("s", i));
  }

  void check_length(QualType t, const std::string& x, const std::string& dx) {
    t = t.getNonReferenceType();
    if (is_std_template(t, "vector") && is_std_template(element_of(t), "vector")) line("::tlaloc::detail::check_rows(" + x + ", " + dx + ");");
    else if (is_std_template(t, "vector") || is_std_template(t, "span") || in_eigen(t->getAsCXXRecordDecl())) line("::tlaloc::detail::check_lengths(" + x + ".size(), " + dx + ".size());");
  }

  /// Tangents and the cotangent that the user gives; a copy where the function writes into it.
  void extras() {
    const int count = int(request_.method->getNumParams() - request_.arguments.size());
    for (int k = 0; k < count; ++k) {
      const bool written = std::any_of(derived_.params.begin(), derived_.params.end(), [&](auto& b) {
        return b.place == Place{Place::extra, k} && b.leaf.kind == Leaf::buffer && b.leaf.writable;
      });
      const std::string of = is_vjp(request_.mode) ? name_ + "_value" : param_type(request_.order[std::size_t(k)]);
      line((written ? "::tlaloc::tangent_t<" : "const ::tlaloc::tangent_t<") + of + (written ? "> " : ">& ") + numbered("t", k) + " = " +
           numbered("a", int(request_.arguments.size()) + k) + ";");
      if (!takes_tangents(request_.mode)) continue;
      const int i = request_.order[std::size_t(k)];
      if (request_.arguments[std::size_t(i)].form == Argument::plain) check_length(primal_.parameters[std::size_t(i)], numbered("p", i), numbered("t", k));
    }
  }

  /// Sets every number of an object to zero, by its type.
  void zero(QualType t, const std::string& x, int depth = 0) {
    t = t.getCanonicalType().getUnqualifiedType();
    const std::string e = numbered("e", depth);
    if (is_tensor(t)) return line("::tlaloc::detail::zero(" + x + ");");
    if (t->isArithmeticType() || t->isEnumeralType()) {
      line("::tlaloc::detail::put(" + x + ", 0);");
    } else if (t->isArrayType() || is_std_template(t, "vector") || is_std_template(t, "array")) {
      line("for (auto& " + e + " : " + x + ") {");
      zero(t->isArrayType() ? glue_.context_.getAsArrayType(t)->getElementType() : element_of(t), e, depth + 1);
      line("}");
    } else if (is_std_template(t, "complex")) {
      line(x + " = {};");
    } else if (in_eigen(t->getAsCXXRecordDecl())) {
      line(x + ".setZero();");
    } else if (is_std_template(t, "tuple")) {
      int k = 0;
      for (auto& part : cast<Specialisation>(t->getAsCXXRecordDecl())->getTemplateArgs()[0].getPackAsArray())
        zero(part.getAsType(), "::std::get<" + std::to_string(k++) + ">(" + x + ")", depth);
    } else if (auto* r = t->getAsCXXRecordDecl(); r && r->getDefinition()) {
      for (auto& b : r->getDefinition()->bases()) zero(b.getType(), x, depth);
      for (auto* f : r->getDefinition()->fields())
        zero(f->getType(), f->isAnonymousStructOrUnion() ? x : outside() ? glue_.speller_->member(x, f) : x + "." + f->getNameAsString(), depth);
    }
  }
  /// Declares `name`: a zero tangent of parameter i, with its lengths.
  void zeros(const std::string& name, int i) {
    const QualType t = primal_.parameters[std::size_t(i)].getNonReferenceType().getCanonicalType().getUnqualifiedType();
    const std::string tangent = "::tlaloc::tangent_t<" + param_type(i) + "> ", p = numbered("p", i);
    const bool viewed = std::size_t(i) < request_.arguments.size() && request_.arguments[std::size_t(i)].form == Argument::view;
    if (viewed) line(tangent + name + "(" + numbered("a", i) + ".n);");
    else if (t->isArithmeticType()) line(tangent + name + " = 0;");
    else if (t->isArrayType()) line(tangent + name + "{};");
    else if (is_std_template(t, "span")) line(tangent + name + " = ::tlaloc::detail::zeros_like(" + p + ");");
    else if (is_std_template(t, "vector") && element_of(t)->isArithmeticType()) line(tangent + name + "(" + p + ".size());");
    else line(tangent + name + " = " + p + ";"), zero(t, name);
  }
  std::string count(const Extent& e) const {
    std::string out;
    if (e.known || e.lengths.empty()) out = std::to_string(e.known);
    for (auto& l : e.lengths) out += (out.empty() ? "" : " + ") + at(l);
    return out;
  }
  void parts(const std::string& of) {
    int k = 0;
    for (auto& part : primal_.parts) {
      const std::string x = filled(part.access, of);
      if (part.shape.tensor)
        continue;
      if (part.like < 0) {
        line("::tlaloc::detail::size(" + x + ", " + count(part.shape.rows) + ", " + count(part.shape.columns) + ");");
        continue;
      }
      const QualType t = primal_.parameters[std::size_t(part.like)].getNonReferenceType();
      if (t->isArithmeticType()) continue;
      const std::string z = of + "_" + std::to_string(k++);
      zeros(z, part.like);
      line(x + " = std::move(" + z + ");");
    }
  }
  void containers() {
    const bool memory = std::any_of(derived_.params.begin(), derived_.params.end(), [](auto& b) { return b.place.kind == Place::value; });
    if (length_) {
      const std::vector<Bound> all_but_the_vector(primal_.params.begin(), primal_.params.end() - 1);
      line("const ::std::size_t length = static_cast<::std::size_t>(" + called(*length_, all_but_the_vector) + ");");
      if (is_vjp(request_.mode)) line("::tlaloc::detail::check_lengths(length, t0.size());");
    }
    const std::string sized = length_ ? "(length);" : "{};";
    const bool tensors = has_value() && holds_tensor(result_type_of_f());
    auto made = [&](const std::string& type, const std::string& name) { return tensors ? "auto " + name + " = ::tlaloc::detail::blank<" + type + ">();" : type + " " + name + sized; };
    if (has_value() && (returns_value() || memory)) line(made(name_ + "_value", "v")), parts("v");
    if (gives_matrix(request_.mode)) {
      for (std::size_t k = 0; k < derived_.shapes.size(); ++k) {
        const std::string d = numbered("d", int(k));
        if (derived_.shapes[k].tensor) {
          line("auto " + d + " = ::tlaloc::detail::blank<" +
               (derived_.shapes.size() > 1
                    ? "std::tuple_element_t<" + std::to_string(k) + ", " + name_ + "_result>"
                    : name_ + "_result") +
               ">();");
          continue;
        }
        line((derived_.shapes.size() > 1 ? "std::tuple_element_t<" + std::to_string(k) + ", " + name_ + "_result> " : name_ + "_result ") + d + "{};");
        line("::tlaloc::detail::size(" + d + ", " + count(derived_.shapes[k].rows) + ", " + count(derived_.shapes[k].columns) + ");");
      }
    } else if (is_jvp(request_.mode)) {
      if (has_value()) line(made("::tlaloc::tangent_t<" + name_ + "_value>", "d0")), parts("d0");
    } else {
      for (std::size_t k = 0; k < request_.order.size(); ++k) zeros(numbered("d", int(k)), request_.order[k]);
    }
  }

  /// The tangent of a viewed pointer is a vector: leaves are reached from its data.
  std::string as_pointer(int k) const {
    return primal_.parameters[std::size_t(request_.order[std::size_t(k)])]->isPointerType() ? ".data()" : "";
  }
  std::string source(const Bound& b) const {
    switch (b.place.kind) {
      case Place::object: return "::tlaloc::detail::callable(self)";
      case Place::global: return "::" + primal_.globals[std::size_t(b.place.index)];
      case Place::parameter: return numbered("p", b.place.index);
      case Place::shadow: return numbered("s", b.place.index);
      case Place::extra: return numbered("t", b.place.index) + (is_vjp(request_.mode) ? "" : as_pointer(b.place.index));
      case Place::value: return "v";
      case Place::derivative: return numbered("d", b.place.index) + (is_jvp(request_.mode) || gives_matrix(request_.mode) ? "" : as_pointer(b.place.index));
      case Place::viewed: return numbered("a", b.place.index);
    }
    throw Bail{{}, "INTERNAL", "an argument of '" + signature_.name + "' has no place"};
  }
  std::string at(const Bound& b) const { return outside() ? glue_.speller_->leaf(b.leaf, source(b)) : filled(b.leaf.access, source(b)); }
  /// How many bytes a buffer has, as text; empty where that is not known.
  std::string bytes(const Bound& b) const {
    const std::string& access = b.leaf.access;
    const std::size_t i = std::size_t(b.place.index);
    if (b.leaf.size >= 0) return std::to_string(b.leaf.size * std::max(8, ir::bit_width(b.leaf.dtype)) / 8);
    if (outside() && access != "{}" && access != "{}.data()") return "";             // may be private
    const std::string of_one = " * sizeof(*(" + at(b) + "))";
    if (b.leaf.path.size() && b.leaf.path.back().kind == Step::rows) return "";      // glue's own memory
    if (access.ends_with(".data()")) return "::std::size_t(" + filled(access.substr(0, access.size() - 6) + "size()", source(b)) + ")" + of_one;
    const bool viewed = b.place.kind == Place::parameter && access == "{}" && i < request_.arguments.size() && request_.arguments[i].form == Argument::view;
    return viewed ? "::std::size_t(" + numbered("a", int(i)) + ".n)" + of_one : "";
  }
  /// Only what the caller gave can overlap; a list of one cannot.
  void check_apart() {
    std::string list;
    int known = 0;
    for (std::size_t i = 0; i < derived_.params.size(); ++i) {
      const Bound& b = derived_.params[i];
      const bool own = b.place.kind == Place::value || b.place.kind == Place::derivative;
      if (const std::string n = b.leaf.kind == Leaf::buffer && !own ? bytes(b) : ""; !n.empty()) {
        const auto f = std::find_if(primal_.params.begin(), primal_.params.end(), [&](auto& x) { return x.place == b.place && x.leaf.access == b.leaf.access; });
        const bool by_f = f != primal_.params.end() && !of_primal_.params.at(std::size_t(f - primal_.params.begin())).starts_with("const ");
        const bool written = by_f || !signature_.params.at(i).starts_with("const ");
        list += std::string(known++ ? ", " : "") + "{\"" + derived_.function->body->params.at(i)->name + "\", " + at(b) + ", " + n + (written ? ", true}" : ", false}");
      }
    }
    if (known > 1) line("const ::tlaloc::detail::Extent extents[] = {" + list + "};"), line("::tlaloc::detail::check_apart(extents);");
  }
  std::string called(const ir::CppSignature& f, const std::vector<Bound>& params) {
    std::string args;
    for (std::size_t i = 0; i < params.size(); ++i) {
      const Bound& b = params[i];
      std::string t = f.params.at(i);
      if (auto r = t.find(" __restrict"); r != std::string::npos) t.erase(r);
      if (b.leaf.tensor && !t.starts_with("const AnyTensor")) {
        args += (i ? ", " : "") + ("::tlaloc::detail::number<" + t + ">(" + at(b) + ")");
        continue;
      }
      args += (i ? ", " : "") + std::string(b.leaf.kind == Leaf::buffer ? "reinterpret_cast<" : "static_cast<") + t + ">(" + at(b) + ")";
    }
    return "::tlaloc::generated::" + f.name + "(" + args + ")";
  }
  void call() {
    check_apart();
    const std::string f = called(signature_, derived_.params) + ";";
    line(derived_.results.empty() ? f : "const auto r = " + f);
    for (std::size_t i = 0; i < derived_.results.size(); ++i) {
      const Bound& b = derived_.results[i];
      const std::string r = signature_.fields.size() < 2 ? "r" : "r." + signature_.fields.at(i);
      line("::tlaloc::detail::" + std::string(b.place.kind == Place::shadow ? "add(" : "put(") + at(b) + ", " + r + ");");
    }
  }
  void give_back() {
    const std::size_t count = is_jvp(request_.mode) ? has_value() : gives_matrix(request_.mode) ? derived_.shapes.size() : request_.order.size();
    std::string derivative;
    for (std::size_t k = 0; k < count; ++k) derivative += (k ? ", " : "") + numbered("d", int(k));
    auto packed = [&](const std::string& type, const std::string& parts) { return "::tlaloc::detail::packed<" + type + ">(" + parts + ")"; };
    if (count > 1) derivative = packed(returns_value() ? "typename " + name_ + "_result::second_type" : name_ + "_result", derivative);
    if (returns_value()) derivative = count ? packed(name_ + "_result", "v, " + derivative) : "v";
    if (!derivative.empty()) line("return " + derivative + ";");
  }
};

void Glue::alias(const std::string& name, QualType t) {
  if (speller_) {
    text_ += "using " + name + " = " + speller_->type(t) + ";\n";
    return;
  }
  std::set<const CXXRecordDecl*> seen;
  name_captures(t, context_, seen);
  aliases_.emplace_back(name, t);
}

void Glue::call(const Request& r, const Primal& p, const Derived& d, const ir::CppSignature& of_primal, const ir::CppSignature& of_derived,
                const std::optional<ir::CppSignature>& length) {
  const std::string name = "call_" + std::to_string(++number_);
  const std::string written = Writer(*this, name, r, p, d, of_primal, of_derived, length).write();   // the aliases come first
  text_ += written;
  if (speller_) overload(r, p, name);
  else pending_.push_back({r.method, name});
}

void Glue::source(CXXMethodDecl* m, const std::string& text) {
  const std::string name = "source_" + std::to_string(++number_);
  text_ += "static inline ::std::string_view " + name + "() { return R\"tlaloc(" + text + ")tlaloc\"; }\n";
  if (!speller_) {
    pending_.push_back({m, name});
    return;
  }
  std::vector<std::string> sites;
  const std::string head = "inline ::std::string_view derivative_source(Call<" + speller_->derivative(cast<Specialisation>(m->getParent()), sites) + ">)";
  if (!sites.empty())
    throw Bail{{}, "NOT_NAMEABLE", "source() of a derivative of a plain function; write tlaloc::fn<f> for f"};
  overloads_[head].push_back({name + "()", ""});
}

void Glue::overload(const Request& r, const Primal& p, const std::string& function) {
  std::vector<std::string> sites;
  std::string head = speller_->derivative(r.derivative, sites), types = "class R", given, args = "self";
  for (unsigned i = 0; i < r.method->getNumParams(); ++i) {
    const QualType t = r.method->getParamDecl(i)->getType();             // B&&
    head += ", " + speller_->type(t->isRValueReferenceType() ? t.getNonReferenceType() : t);
    given += ", " + speller_->type(context_.getLValueReferenceType(t.getNonReferenceType())) + " " + numbered("a", int(i));
    args += ", " + numbered("a", int(i));
  }
  for (auto& s : sites) types += ", class " + s;
  std::string when;
  if (!sites.empty()) {                           // the innermost derivative holds the function's address
    std::string held = "self";
    const Specialisation* d = r.derivative;
    QualType f;
    for (;;) {
      held = "::tlaloc::detail::callable(" + held + ")";
      f = d->getTemplateArgs()[1].getAsType();
      auto* inner = f->getAsCXXRecordDecl();
      if (!inner || !Requests::is_derivative(inner)) break;
      d = cast<Specialisation>(inner);
    }
    when = held + " == " + speller_->function(p.function_decl, f);
  }
  overloads_["template <" + types + "> static R derivative_call(Call<" + head + ">, ::std::type_identity<R>, const auto& self" + given + ")"]
      .push_back({function + "(" + args + ")", when});
}

std::string Glue::text() {
  std::string overloads;
  for (auto& [head, calls] : overloads_) {
    overloads += head + " {\n";
    for (auto& c : calls) overloads += (c.when.empty() ? "  return " : "  if (" + c.when + ") return ") + "::tlaloc::generated::glue::" + c.call + ";\n";
    overloads += (calls.front().when.empty() ? "}\n" : "  ::std::abort();\n}\n");
  }
  if (!overloads.empty()) overloads = "namespace tlaloc::detail {\n" + overloads + "}\n";
  if (!late_parse(sema_, overloads)) unreachable(overloads);
  return parsed_ + overloads;
}

/// What no other code can say is refused while it is written; this is what only the parse finds.
void Glue::unreachable(const std::string& text) {
  throw Bail{{}, "NOT_NAMEABLE", "the code that calls a derivative names something that it may not, see above:\n" + text};
}

NamespaceDecl* Glue::space() {
  if (auto* found = find_namespace(context_, {"tlaloc", "generated", "glue"})) return found;
  throw Bail{{}, "INTERNAL", "the namespace tlaloc::generated::glue is missing"};
}

void Glue::finish() {
  if (speller_) {
    const std::string needed = speller_->take_declarations();
    std::string round = needed.empty() ? "" : "namespace tlaloc::detail {\n" + needed + "}\n";
    if (!text_.empty()) round += "namespace tlaloc::generated::glue {\n" + std::exchange(text_, {}) + "}\n";
    if (!late_parse(sema_, round)) unreachable(round);
    parsed_ += round;
    return;
  }
  if (pending_.empty()) return;
  late_parse(sema_, "namespace tlaloc::generated::glue {}\n");
  NamespaceDecl* glue = space();
  for (auto& [name, type] : aliases_) {           // found by lookup from the text
    auto* d = TypedefDecl::Create(context_, glue, SourceLocation(), SourceLocation(), &context_.Idents.get(name),
                                  context_.getTrivialTypeSourceInfo(type));
    d->setImplicit();
    glue->addDecl(d);
  }
  const bool fine = late_parse(sema_, "namespace tlaloc::generated::glue {\n" + text_ + "}\n", false);
  if (!fine) throw Bail{{}, "INTERNAL", "the code around a derivative does not compile:\n" + text_};
  for (auto& p : pending_) body(p);
  text_.clear(), aliases_.clear(), pending_.clear();
}

/// { return glue(*this, b...); }. Implicit instantiations are emitted at the end of the unit, so the body may change now.
void Glue::body(const Pending& p) {
  FunctionDecl* target = nullptr;
  for (auto* d : space()->lookup(&context_.Idents.get(p.function))) target = dyn_cast<FunctionDecl>(d);
  if (!target) throw Bail{p.method->getLocation(), "INTERNAL", "the function " + p.function + " is missing"};
  const SourceLocation at = p.method->getLocation();
  Sema::SynthesizedFunctionScope scope(sema_, p.method);
  SmallVector<Expr*, 8> args;
  if (!p.method->isStatic()) {
    Expr* self = CXXThisExpr::Create(context_, at, p.method->getThisType(), true);
    args.push_back(sema_.BuildUnaryOp(nullptr, at, UO_Deref, self).get());
  }
  for (auto* param : p.method->parameters())
    args.push_back(sema_.BuildDeclRefExpr(param, param->getType().getNonReferenceType(), VK_LValue, at));
  Expr* callee = sema_.BuildDeclRefExpr(target, target->getType(), VK_LValue, at);
  ExprResult call = sema_.BuildCallExpr(nullptr, callee, at, args, at);
  StmtResult body = call.isInvalid() ? StmtError()
                    : p.method->getReturnType()->isVoidType() ? StmtResult(sema_.MaybeCreateExprWithCleanups(call.get()))
                                                              : sema_.BuildReturnStmt(at, call.get());
  if (body.isInvalid()) throw Bail{at, "INTERNAL", "the call of " + p.function + " does not compile"};
  p.method->setBody(CompoundStmt::Create(context_, {body.get()}, FPOptionsOverride(), at, at));
  p.method->markUsed(context_);
  for (FunctionDecl* f : {static_cast<FunctionDecl*>(p.method), target})               // gone before the optimiser's long passes
    f->addAttr(AlwaysInlineAttr::CreateImplicit(context_));
}

}  // namespace tlaloc::frontend
