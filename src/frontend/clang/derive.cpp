// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/derive.hpp"

#include "frontend/clang/lower_eigen.hpp"

#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;

const FieldDecl* callable_field(const Specialisation* derivative) { return *derivative->field_begin(); }

namespace {

std::string compose(const std::string& access, const std::string& source) {
  std::string out = access;
  if (auto at = out.find("{}"); at != std::string::npos) out.replace(at, 2, source);
  return out;
}
/// A qualified name as text can say it.
std::string global_name(std::string name) {
  const std::string unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
  return name;
}
/// The leaf as it is reached from something that holds its source as a member.
void within(Leaf& leaf, const std::string& source, const FieldDecl* member) {
  leaf.access = compose(leaf.access, source);
  if (member) leaf.path.insert(leaf.path.begin(), {Step::member, member});
}

bool is_std_class(const CXXRecordDecl* r, StringRef name) {
  return r && r->isInStdNamespace() && r->getDeclName().isIdentifier() && r->getName() == name;
}

}  // namespace

bool shares_memory(QualType t, ASTContext& context) {
  t = t.getCanonicalType();
  if (t->isPointerType() || t->isReferenceType()) return true;
  if (auto* a = context.getAsArrayType(t)) return shares_memory(a->getElementType(), context);
  auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->getDefinition()) return false;
  r = r->getDefinition();
  if (const auto s = eigen_shape(t)) return s->kind == EigenShape::map;
  if (is_tensor(t)) return false;                 // a value: nobody writes what it shares
  if (is_std_class(r, "vector")) return shares_memory(cast<Specialisation>(r)->getTemplateArgs()[0].getAsType(), context);
  for (auto& b : r->bases())
    if (shares_memory(b.getType(), context)) return true;
  for (auto* f : r->fields())
    if (shares_memory(f->getType(), context)) return true;
  return false;
}

Primal primal(const Lowered& lowered, const Target& target, ASTContext& context) {
  Primal p;
  p.function = lowered.function;
  p.result = lowered.result.getCanonicalType();
  p.function_decl = target.callable.function;
  const bool object_is_parameter = target.callable.has_object && !target.object_in_derivative;
  std::vector<Place> places;
  for (auto& s : lowered.sources) {
    if (s.kind == Source::global) {
      places.push_back({Place::global, int(p.globals.size())});
      p.globals.push_back(global_name(s.name));
      p.global_decls.push_back(cast<VarDecl>(s.decl));
    } else if (s.kind == Source::object && !object_is_parameter) {
      places.push_back({Place::object, 0});
    } else {
      places.push_back({Place::parameter, int(p.parameters.size())});
      p.parameters.push_back(s.kind == Source::object ? context.getLValueReferenceType(s.type) : s.type);
      p.names.push_back(s.kind == Source::object ? "this" : s.name);
    }
  }
  for (auto& leaf : lowered.params) p.params.push_back({leaf.source < 0 ? Place{Place::value, 0} : places[std::size_t(leaf.source)], leaf});
  p.length = lowered.length;
  for (auto& leaf : lowered.results) p.results.push_back({{Place::value, 0}, leaf, int(p.results.size())});
  return p;
}

static const FunctionProtoType* plain_signature(const Request& request, ASTContext& context) {
  for (auto* d : request.derivative->lookup(&context.Idents.get("signature")))
    if (auto* alias = dyn_cast<TypedefNameDecl>(d)) return alias->getUnderlyingType()->castAs<FunctionProtoType>();
  throw Bail{request.where, "INTERNAL", "tlaloc::Derivative has no member 'signature'"};
}
QualType result_type(const Request& request, ASTContext& context) {
  return (request.method ? request.method->getReturnType() : plain_signature(request, context)->getReturnType()).getCanonicalType();
}

Primal nested(const Primal& inner, const Request& request, const Derived& derived, ASTContext& context) {
  Primal p;
  p.function = derived.function;
  p.globals = inner.globals;
  p.global_decls = inner.global_decls;
  if (inner.length) throw Bail{request.where, "NOT_LOWERABLE", "a derivative of a derivative of a function that returns a std::vector is not supported; write the vector through a parameter"};
  p.function_decl = inner.function_decl;
  p.names = inner.names;
  p.result = result_type(request, context);
  for (auto t : plain_signature(request, context)->param_types()) p.parameters.push_back(t.getCanonicalType());
  for (std::size_t k = p.names.size(); k < p.parameters.size(); ++k)
    p.names.push_back(is_vjp(request.mode) ? "d_result" : "d_" + inner.names[std::size_t(request.order[k - inner.names.size()])]);

  const bool both = with_value(request.mode) && !inner.result->isVoidType();
  const std::string value = both ? "{}.first" : "{}", derivative = both ? "{}.second" : "{}";
  const bool many = !is_jvp(request.mode) && request.mode != Mode::hessian && request.order.size() > 1;
  auto part = [&](int k) { return many ? "std::get<" + std::to_string(k) + ">(" + derivative + ")" : derivative; };
  auto rebound = [&](Bound b) {
    switch (b.place.kind) {
      case Place::object: within(b.leaf, "::tlaloc::detail::callable({})", callable_field(request.derivative)); break;
      case Place::extra: b.place = {Place::parameter, int(inner.parameters.size()) + b.place.index}; break;
      case Place::value: within(b.leaf, value, nullptr), b.place = {Place::value, 0}; break;
      case Place::derivative: within(b.leaf, part(b.place.index), nullptr), b.place = {Place::value, 0}; break;
      default: break;
    }
    return b;
  };
  for (auto& b : derived.params) p.params.push_back(rebound(b));
  for (auto& b : derived.results) p.results.push_back(rebound(b));
  // The parts of the result have new numbers: f's own, then those of each tangent.
  std::vector<std::pair<std::tuple<bool, int, int>, Bound*>> parts;
  auto number = [&](const std::vector<Bound>& from, std::vector<Bound>& to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i].place.kind == Place::value || from[i].place.kind == Place::derivative)
        parts.push_back({{from[i].place.kind == Place::derivative, from[i].place.index, from[i].order}, &to[i]});
  };
  number(derived.params, p.params), number(derived.results, p.results);
  std::sort(parts.begin(), parts.end());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].second->order = int(i);
  if (both || (with_value(request.mode) && request.order.empty()))
    for (auto& x : inner.parts) p.parts.push_back({compose(x.access, value), x.like, x.shape});
  if (is_jvp(request.mode))
    for (auto& x : inner.parts) p.parts.push_back({compose(x.access, derivative), x.like, x.shape});
  else if (gives_matrix(request.mode))
    for (std::size_t k = 0; k < derived.shapes.size(); ++k) p.parts.push_back({part(int(k)), -1, derived.shapes[k]});
  else
    for (std::size_t k = 0; k < request.order.size(); ++k) p.parts.push_back({part(int(k)), request.order[k]});
  return p;
}

namespace {
const FieldDecl* field(QualType t, unsigned i) {
  auto* r = t.getNonReferenceType()->getAsCXXRecordDecl()->getDefinition();
  return *std::next(r->field_begin(), i);
}
/// Steps from a std::tuple to the element with the number; libstdc++ nests the elements as bases, each in its own class.
bool tuple_steps(const CXXRecordDecl* r, int k, std::vector<Step>& path) {
  r = r->getDefinition();
  auto* special = dyn_cast<Specialisation>(r);
  if (special && special->getName() == "_Head_base") {
    if (special->getTemplateArgs()[0].getAsIntegral() != k) return false;
    if (r->field_empty()) return false;
    path.push_back({Step::member, *r->field_begin()});
    return true;
  }
  for (auto& b : r->bases()) {
    auto* base = b.getType()->getAsCXXRecordDecl();
    path.push_back({Step::base, base});
    if (tuple_steps(base, k, path)) return true;
    path.pop_back();
  }
  return false;
}
}  // namespace

InnerDerivative inner(const Request& request, const Derived& derived, const Primal& primal) {
  if (primal.length) throw Bail{{}, "NOT_LOWERABLE", "a derivative of a function that returns a std::vector is not supported inside differentiated code; write the vector through a parameter"};
  const QualType primal_result = primal.result;
  InnerDerivative out;
  out.globals = primal.global_decls;
  out.function = derived.function;
  const int arguments = int(request.arguments.size());
  auto given = [&](Bound b, int argument, unsigned wrapped) {
    b.leaf.source = 1 + argument;
    if (argument < arguments && request.arguments[std::size_t(argument)].form != Argument::plain) {
      auto* f = field(request.method->getParamDecl(unsigned(argument))->getType(), wrapped);
      within(b.leaf, "{}." + f->getNameAsString(), f);
    }
    return b.leaf;
  };
  const bool both = with_value(request.mode) && !primal_result->isVoidType();
  const std::size_t count = is_jvp(request.mode) ? !primal_result->isVoidType() : gives_matrix(request.mode) ? derived.shapes.size() : request.order.size();
  auto in_result = [&](const Bound& b) {
    QualType t = request.method->getReturnType().getCanonicalType();
    Leaf l = b.leaf;
    l.source = -1;
    std::vector<Step> path;
    if (both && count) {
      auto* f = field(t, b.place.kind == Place::derivative);
      path.push_back({Step::member, f});
      t = f->getType().getCanonicalType();
    }
    if (b.place.kind == Place::derivative && count > 1 && !tuple_steps(t->getAsCXXRecordDecl(), b.place.index, path))
      throw Bail{{}, "NOT_LOWERABLE", "a derivative called inside differentiated code returns a tuple of a kind that is not known"};
    l.path.insert(l.path.begin(), path.begin(), path.end());
    return l;
  };
  auto leaf = [&](const Bound& b) {
    Bound copy = b;
    switch (b.place.kind) {
      case Place::object:
        copy.leaf.source = 0, within(copy.leaf, "::tlaloc::detail::callable({})", callable_field(request.derivative));
        return copy.leaf;
      case Place::parameter: return given(b, b.place.index, 0);
      case Place::shadow: return given(b, b.place.index, 1);
      case Place::extra: return given(b, arguments + b.place.index, 0);
      case Place::viewed: return given(b, b.place.index, 1);
      case Place::derivative: case Place::value:
        if (!b.leaf.path.empty() && b.leaf.path.back().kind == Step::data) return in_result(b);
        throw Bail{{}, "NOT_LOWERABLE", "a derivative called inside differentiated code returns an array; give the argument as tlaloc::shadow(x, dx)"};
      case Place::global:
        copy.leaf.source = 1 + int(request.method->getNumParams()) + b.place.index;
        return copy.leaf;
    }
  };
  auto count_of = [&](const Extent& e) {
    InnerDerivative::Count c{e.known};
    for (auto& l : e.lengths) c.lengths.push_back(leaf(l));
    return c;
  };
  for (auto& b : derived.params) {
    if (gives_matrix(request.mode) && b.place.kind == Place::derivative && b.leaf.path.front().kind == Step::member) {
      auto& shape = derived.shapes[std::size_t(b.place.index)];
      out.matrices[out.params.size()] = {count_of(shape.rows), count_of(shape.columns)};
    }
    out.params.push_back(leaf(b));
    out.like.push_back(b.place.kind == Place::derivative || b.place.kind == Place::value ? b.like : -1);
  }
  for (auto& b : derived.results) {
    if (b.place.kind == Place::shadow)
      throw Bail{{}, "NOT_LOWERABLE", "inside differentiated code a number passed by value needs no tlaloc::shadow; let its derivative be returned"};
    out.results.push_back(in_result(b));
  }
  return out;
}

std::string Deriver::unique(const std::string& name) {
  std::string out = name;
  for (int i = 2; !names_.insert(out).second; ++i) out = name + "_" + std::to_string(i);
  return out;
}

/// Parameters of the function that get a tangent: those of arguments that take part, and all memory of the result.
std::vector<int> Deriver::wanted(const Primal& p, const Request& r) {
  std::vector<int> out;
  for (std::size_t i = 0; i < p.params.size(); ++i) {
    auto& place = p.params[i].place;
    auto& leaf = p.params[i].leaf;
    if (!leaf.differentiable) continue;
    const bool selected = place.kind == Place::parameter && std::size_t(place.index) < r.arguments.size() &&
                          r.arguments[std::size_t(place.index)].role != Argument::none;
    if (selected || place.kind == Place::value) out.push_back(int(i));
  }
  return out;
}

void Deriver::check_selected(const Primal& p, const Request& r, const std::vector<int>& wanted) {
  for (std::size_t i = 0; i < r.arguments.size(); ++i) {
    if (r.arguments[i].role == Argument::none) continue;
    const std::string type = p.parameters[i].getNonReferenceType().getUnqualifiedType().getAsString(context_.getPrintingPolicy());
    if (std::none_of(wanted.begin(), wanted.end(), [&](int w) { return p.params[std::size_t(w)].place == Place{Place::parameter, int(i)}; }))
      throw Bail{r.where, "NOT_DIFFERENTIABLE",
                 "parameter '" + p.names[i] + "' of type '" + type + "' holds nothing that has a derivative; specialise "
                 "tlaloc::passive<" + type + "> as true, or select other parameters"};
    if (r.arguments[i].role == Argument::returned && r.arguments[i].form == Argument::plain) {
      QualType t = p.parameters[i].getNonReferenceType();
      const bool is_span = is_std_class(t->getAsCXXRecordDecl(), "span");
      if (!is_span && shares_memory(t, context_))
        throw Bail{r.where, "NEEDS_SHADOW",
                   "parameter '" + p.names[i] + "' of type '" + type + "' holds pointers, so that its derivative cannot be returned"};
    }
  }
}

std::string Deriver::name(const Primal& p, const Request& r, const std::vector<int>& wanted) {
  std::string out = p.function->name + "_" + text(r.mode);
  std::set<int> all, some;
  for (auto& b : p.params)
    if (b.place.kind == Place::parameter && b.leaf.differentiable && !(is_closed(r.mode) && b.leaf.kind == Leaf::buffer && b.leaf.writable)) all.insert(b.place.index);
  for (int w : wanted)
    if (p.params[std::size_t(w)].place.kind == Place::parameter) some.insert(p.params[std::size_t(w)].place.index);
  if (some != all)
    for (int i : some) out += "_" + p.names[std::size_t(i)];
  return unique(out);
}

ir::Function* Deriver::transformed(const Primal& p, Mode mode, const std::vector<int>& wanted, const Request& r) {
  auto& done = done_[{p.function, mode, wanted}];
  if (done) return done;
  const std::string called = name(p, r, wanted);
  ir::Function f = is_jvp(mode)
                       ? ir::forward(program_, *p.function, {.wanted = wanted, .value = with_value(mode), .sets = mode == Mode::dependence}, called)
                       : ir::reverse(program_, *p.function, {.wanted = wanted, .value = with_value(mode), .seeds = is_vjp(mode)}, called);
  ir::simplify(f, &program_);
  done = &program_.add(std::move(f));
  ir::verify(*done, &program_);
  return done;
}

Derived Deriver::derive(const Primal& p, const Request& r, bool lanes) {
  const bool tensors = std::any_of(p.params.begin(), p.params.end(), [](auto& b) { return b.leaf.tensor; });
  if (is_closed(r.mode))
    return tensors ? closed_tensors(p, r) : closed(p, r, lanes);
  const std::vector<int> want = wanted(p, r);
  check_selected(p, r, want);
  Derived d;
  d.function = transformed(p, r.mode, want, r);
  d.params = p.params;
  const bool forward = is_jvp(r.mode);
  /// Where the tangent of a wanted parameter lives.
  auto tangent = [&](const Bound& b) -> Place {
    if (b.place.kind == Place::value) return forward ? Place{Place::derivative, 0} : Place{Place::extra, 0};
    if (r.arguments[std::size_t(b.place.index)].role == Argument::shadowed) return {Place::shadow, b.place.index};
    const int k = int(std::find(r.order.begin(), r.order.end(), b.place.index) - r.order.begin());
    return {forward ? Place::extra : Place::derivative, k};
  };
  auto bind = [&](std::vector<Bound>& to, Bound b, Place place, int param = -1) {
    if (b.place.kind != Place::value) b.order = param;
    if (b.leaf.kind == Leaf::buffer && b.like < 0) b.like = param;
    b.place = place;
    if (b.leaf.kind == Leaf::buffer) b.leaf.writable = !forward || b.leaf.writable;
    to.push_back(std::move(b));
  };
  if (with_value(r.mode)) d.results = p.results;
  if (forward) {
    for (int w : want) bind(d.params, p.params[std::size_t(w)], tangent(p.params[std::size_t(w)]), w);
    for (auto& b : p.results)
      if (ir::is_real(b.leaf.dtype)) bind(d.results, b, {Place::derivative, 0});
  } else {
    if (is_vjp(r.mode))
      for (auto& b : p.results)
        if (ir::is_real(b.leaf.dtype)) bind(d.params, b, {Place::extra, 0});
    for (int w : want)
      if (p.params[std::size_t(w)].leaf.kind == Leaf::buffer) bind(d.params, p.params[std::size_t(w)], tangent(p.params[std::size_t(w)]), w);
    for (int w : want)
      if (p.params[std::size_t(w)].leaf.kind == Leaf::scalar) bind(d.results, p.params[std::size_t(w)], tangent(p.params[std::size_t(w)]), w);
  }
  if (d.params.size() != d.function->body->params.size() || d.results.size() != d.function->body->yields.size())
    throw ir::Error("the derivative '" + d.function->name + "' has other parameters or results than its request");
  return d;
}

}  // namespace tlaloc::frontend
