// SPDX-License-Identifier: Apache-2.0
//
// The transforms whose call keeps all inner derivatives to itself: Jacobians, hessian, hvp. Selected arguments are inputs.
// What f may write is an output of a Jacobian of a void f, else memory with a tangent of its own; its length must be known.
#include "frontend/clang/derive.hpp"

#include "transforms/jacobian.hpp"

#include "transforms/jacobian_tensor.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;

namespace {

/// The type of the numbers in a number, std::array, DenseMatrix or tuple of such.
ir::DType number_in(QualType t, ASTContext& context) {
  for (t = t.getCanonicalType(); t->isRecordType(); t = t.getCanonicalType()) {
    const TemplateArgument& first = cast<Specialisation>(t->getAsCXXRecordDecl())->getTemplateArgs()[0];
    t = first.getKind() == TemplateArgument::Pack ? first.pack_begin()->getAsType() : first.getAsType();
  }
  if (context.hasSameUnqualifiedType(t, context.FloatTy)) return ir::DType::f32;
  if (context.hasSameUnqualifiedType(t, context.DoubleTy)) return ir::DType::f64;
  throw Bail{{}, "NOT_LOWERABLE", "a matrix of '" + t.getAsString(context.getPrintingPolicy()) + "'"};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (auto at = text.rfind(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

/// One request at work.
class Closed {
 public:
  Closed(const Primal& p, const Request& r) : p_(p), r_(r) {
    for (int k : r.order) {
      auto& leaves = inputs_.emplace_back();
      for (int i = 0; i < count(); ++i)
        if (at(i).leaf.differentiable && at(i).place == Place{Place::parameter, k}) leaves.push_back(i);
    }
    for (int i = 0; i < count(); ++i) {
      const auto& b = at(i);
      if (b.leaf.kind != Leaf::buffer || !b.leaf.differentiable) continue;
      if (b.place.kind == Place::value) own_.push_back(i);
      else if (b.place.kind == Place::parameter && b.leaf.writable && !pointer_without_length(i)) written_.push_back(i);
    }
    find_lengths();
  }

  std::vector<std::vector<int>> inputs_ = {};     // leaves of each selected argument
  std::vector<int> written_ = {}, own_ = {};      // memory of the caller's that f may write; that of f's result
  ir::Lengths lengths_ = {};

  std::vector<int> all_inputs() const {
    std::vector<int> all;
    for (auto& k : inputs_) all.insert(all.end(), k.begin(), k.end());
    return all;
  }
  std::vector<int> scratch() const {              // written, and no input
    const auto inputs = all_inputs();
    std::vector<int> r;
    for (int i : written_) if (std::find(inputs.begin(), inputs.end(), i) == inputs.end()) r.push_back(i);
    return r;
  }
  std::vector<ir::Output> outputs() const {
    std::vector<ir::Output> r;
    if (p_.result->isVoidType()) {
      for (int i : written_) r.push_back({false, i});
      return r;
    }
    std::vector<std::pair<int, ir::Output>> parts;
    for (std::size_t k = 0; k < p_.results.size(); ++k)
      if (ir::is_real(p_.results[k].leaf.dtype)) parts.push_back({p_.results[k].order, {true, int(k)}});
    for (int i : own_) parts.push_back({at(i).order, {false, i}});
    std::sort(parts.begin(), parts.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (auto& part : parts) r.push_back(part.second);
    return r;
  }

  /// The length of a buffer as an argument of the call.
  Bound length(int i) const {
    Bound b = at(i);
    b.leaf.kind = Leaf::extent, b.leaf.dtype = ir::index_type, b.leaf.differentiable = false;
    if (b.place.kind == Place::parameter && form(b.place.index) == Argument::view) {
      b.place.kind = Place::viewed;
      b.leaf.access = "{}.n", b.leaf.path.clear();
    } else if (b.leaf.access.ends_with(".data()")) {
      b.leaf.access = replaced(b.leaf.access, ".data()", ".size()");
      if (!b.leaf.path.empty() && b.leaf.path.back().kind == Step::data) b.leaf.path.back().kind = Step::size;
      if (!b.leaf.path.empty() && b.leaf.path.back().kind == Step::rows) b.leaf.path.back().index = 3;
    } else {
      throw Bail{r_.where, "NOT_DIFFERENTIABLE", "the length of '" + p_.names.at(std::size_t(b.place.index)) + "' is not known; give it as tlaloc::view(p, n)"};
    }
    if (b.leaf.each > 1) b.leaf.access += " * " + std::to_string(b.leaf.each);
    return b;
  }
  Extent extent(const std::vector<int>& leaves) const {
    Extent e;
    for (int i : leaves) add(e, i);
    return e;
  }
  Extent extent(const std::vector<ir::Output>& outputs) const {
    Extent e;
    for (auto& o : outputs)
      if (o.yield) ++e.known;
      else add(e, o.index);
    return e;
  }

 private:
  int count() const { return int(p_.params.size()); }
  const Bound& at(int i) const { return p_.params[std::size_t(i)]; }
  Argument::Form form(int parameter) const {
    return std::size_t(parameter) < r_.arguments.size() ? r_.arguments[std::size_t(parameter)].form : Argument::plain;
  }
  bool pointer_without_length(int i) const {
    const auto& b = at(i);
    return b.leaf.size < 0 && p_.parameters[std::size_t(b.place.index)]->isPointerType() && form(b.place.index) == Argument::plain;
  }
  void add(Extent& e, int i) const {
    while (at(i).leaf.size < 0 && at(i).like >= 0) i = at(i).like;
    if (at(i).leaf.kind != Leaf::buffer) ++e.known;
    else if (at(i).leaf.size >= 0) e.known += at(i).leaf.size;
    else e.lengths.push_back(length(i));
  }
  void find_lengths() {
    for (int i = 0; i < count(); ++i) {
      if (at(i).leaf.kind != Leaf::buffer || at(i).leaf.size >= 0) continue;
      if (at(i).like >= 0) lengths_.like[i] = at(i).like;
      else if (at(i).place.kind == Place::value && !p_.length) throw Bail{r_.where, "NOT_LOWERABLE", "a derivative of a Jacobian whose size is not part of its type; use std::array for the arguments and results"};
      else if (at(i).leaf.each == 1 && at(i).leaf.access.ends_with(".data()"))
        for (int j = 0; j < count(); ++j)         // f asks for the length itself
          if (at(j).leaf.kind == Leaf::extent && at(j).place == at(i).place && at(j).leaf.access == replaced(at(i).leaf.access, ".data()", ".size()"))
            lengths_.extent[i] = j;
    }
  }
  const Primal& p_;
  const Request& r_;
};

}  // namespace

Derived Deriver::closed(const Primal& p, const Request& r, bool lanes) {
  const Closed c(p, r);
  const std::vector<int> inputs = c.all_inputs(), scratch = c.scratch();
  check_selected(p, r, inputs);
  std::vector<int> key{lanes};
  for (auto& k : c.inputs_) key.insert(key.end(), k.begin(), k.end()), key.push_back(-1);
  key.insert(key.end(), scratch.begin(), scratch.end());
  auto& done = done_[{p.function, r.mode, key}];
  const std::string called = done ? done->name : name(p, r, inputs);
  auto keep = [&](auto&& make) {
    if (done) return;
    done = &program_.add(make());
    ir::verify(*done, &program_);
  };

  Derived d;
  std::vector<int> told;
  std::vector<Bound> after;                       // bound behind the lengths
  auto derivative = [&](int k, int i) {
    Bound b = p.params[std::size_t(i)];
    b.order = i, b.like = b.leaf.kind == Leaf::buffer ? i : -1, b.leaf.writable = true, b.place = {Place::derivative, k};
    return b;
  };
  if (r.mode == Mode::hvp) {
    told = ir::told(*p.function, inputs, scratch, c.lengths_);
    keep([&] { return ir::hessian_product(program_, *p.function, inputs, scratch, c.lengths_, called); });
    for (std::size_t k = 0; k < c.inputs_.size(); ++k)
      for (int i : c.inputs_[k]) {
        after.push_back(p.params[std::size_t(i)]);
        after.back().place = {Place::extra, int(k)}, after.back().leaf.writable = false;
        if (after.back().leaf.kind == Leaf::buffer) after.back().like = i;
      }
    for (std::size_t k = 0; k < c.inputs_.size(); ++k)
      for (int i : c.inputs_[k]) {
        if (p.params[std::size_t(i)].leaf.kind == Leaf::buffer) after.push_back(derivative(int(k), i));
        else d.results.push_back(derivative(int(k), i));
      }
  } else {
    ir::JacobianOptions o{.own = c.own_, .lengths = c.lengths_, .dtype = number_in(result_type(r, context_), context_), .reverse = r.mode == Mode::jacrev, .lanes = lanes};
    std::optional<ir::Gradient> g;
    const ir::Function* f = p.function;
    if (r.mode == Mode::hessian) {
      o.columns = {inputs}, o.names = {"hessian"};
      o.scratch = scratch;
      const Extent n = c.extent(inputs);
      d.shapes = {{n, n}};
      if (!done) {
        g = ir::gradient(program_, *f, inputs, scratch, called + "_gradient");
        f = &g->function;
        o.rows = g->parts, o.own = g->shadows;
        o.lengths.like.insert(g->of.begin(), g->of.end());
      }
    } else {
      o.rows = c.outputs();
      for (std::size_t k = 0; k < c.inputs_.size(); ++k) {
        o.columns.push_back(c.inputs_[k]);
        o.names.push_back(c.inputs_.size() == 1 ? "jacobian" : "jacobian_" + p.names[std::size_t(r.order[k])]);
        d.shapes.push_back({c.extent(o.rows), c.extent(c.inputs_[k])});
      }
      for (int i : scratch)
        if (std::none_of(o.rows.begin(), o.rows.end(), [&](auto& row) { return !row.yield && row.index == i; })) o.scratch.push_back(i);
    }
    /// The C++ type of a matrix.
    auto type_of = [&](std::size_t k) {
      const QualType all = result_type(r, context_);
      const auto* tuple = d.shapes.size() > 1 ? cast<Specialisation>(all->getAsCXXRecordDecl()) : nullptr;
      return (tuple ? tuple->getTemplateArgs()[0].getPackAsArray()[k].getAsType() : all).getCanonicalType();
    };
    for (std::size_t k = 0; k < d.shapes.size(); ++k) if (!type_of(k)->isRecordType()) o.numbers.push_back(int(k));
    told = r.mode == Mode::hessian ? ir::told(*p.function, inputs, scratch, c.lengths_) : ir::told(*p.function, o);
    keep([&] { return ir::jacobian(program_, *f, o, called); });
    for (std::size_t k = 0; k < d.shapes.size(); ++k) {
      Bound b{{Place::derivative, int(k)}, {.kind = Leaf::buffer, .dtype = o.dtype, .writable = true, .differentiable = true}, int(k)};
      const Extent &rows = d.shapes[k].rows, &columns = d.shapes[k].columns;
      if (rows.lengths.empty() && columns.lengths.empty()) b.leaf.size = rows.known * columns.known;
      const QualType type = type_of(k);
      if (!type->isRecordType()) {
        b.leaf.kind = Leaf::scalar, b.leaf.size = -1, b.leaf.access = "{}";
        d.results.push_back(b);
        continue;
      }
      auto* record = type->getAsCXXRecordDecl()->getDefinition();
      const bool array = record->isInStdNamespace();
      b.leaf.access = array ? "{}[0].data()" : "{}.data_.data()";
      b.leaf.path = {{Step::data}, {Step::data}};
      if (!array) b.leaf.path[0] = {Step::member, *std::next(record->field_begin(), 2)};
      after.push_back(b);
    }
  }
  d.function = done;
  std::vector<int> moved(p.params.size(), -1);    // where f's parameters are now
  for (std::size_t i = 0; i < p.params.size(); ++i) {
    if (!is_second(r.mode) && std::find(c.own_.begin(), c.own_.end(), int(i)) != c.own_.end()) continue;
    moved[i] = int(d.params.size());
    d.params.push_back(p.params[i]);
  }
  for (int i : told) d.params.push_back(c.length(i));
  d.params.insert(d.params.end(), after.begin(), after.end());
  for (auto& b : d.params) if (b.like >= 0) b.like = moved[std::size_t(b.like)];
  if (d.params.size() != d.function->body->params.size() || d.results.size() != d.function->body->yields.size())
    throw ir::Error("the derivative '" + d.function->name + "' has other parameters or results than its request");
  return d;
}

/// On tensors a Jacobian is a tensor, with the axes of the result and then those of the argument.
Derived Deriver::closed_tensors(const Primal& p, const Request& r) {
  std::vector<std::vector<int>> of(r.order.size());
  std::vector<int> inputs;
  for (std::size_t k = 0; k < r.order.size(); ++k)
    for (std::size_t i = 0; i < p.params.size(); ++i)
      if (p.params[i].leaf.differentiable &&
          p.params[i].place == Place{Place::parameter, r.order[k]})
        of[k].push_back(int(i)), inputs.push_back(int(i));
  check_selected(p, r, inputs);
  const std::string what = std::string(text(r.mode)) + " of a function of tensors ";
  auto refuse = [&](const std::string& why) { throw Bail{r.where, "NOT_LOWERABLE", what + why}; };
  for (int i : inputs)
    if (p.params[std::size_t(i)].leaf.kind != Leaf::scalar)
      refuse("by an array of numbers is not supported; make '" +
             p.names[std::size_t(p.params[std::size_t(i)].place.index)] + "' a tensor");
  if (gives_matrix(r.mode)) {
    if (p.results.size() != 1 || !ir::is_real(p.results[0].leaf.dtype))
      refuse("has one result, a tensor or a number; this function has " +
             std::to_string(p.results.size()));
    if (r.mode == Mode::hessian && r.order.size() != 1)
      refuse("is by one tensor; select it, or use hvp");
    for (std::size_t k = 0; k < of.size(); ++k)
      if (const std::string& x = p.names[std::size_t(r.order[k])];
          of[k].size() != 1 || p.params[std::size_t(of[k][0])].leaf.access != "{}")
        refuse("is by tensors and numbers, of which '" + x +
               "' holds several; use vjp, jvp or hvp, or pass them one by one");
  }
  auto& done = done_[{p.function, r.mode, inputs}];
  if (!done) {
    const std::string called = name(p, r, inputs);
    ir::Function f =
        r.mode == Mode::hvp ? ir::tensor_hessian_product(program_, *p.function, inputs, called)
        : r.mode == Mode::hessian
            ? ir::tensor_hessian(program_, *p.function, inputs[0], called)
            : ir::tensor_jacobian(program_, *p.function, inputs, r.mode == Mode::jacrev, called);
    done = &program_.add(std::move(f));
    ir::verify(*done, &program_);
  }
  Derived d{.function = done, .params = p.params};
  for (std::size_t k = 0; k < of.size(); ++k) {
    if (gives_matrix(r.mode)) {
      const QualType all = result_type(r, context_);
      const auto* tuple = of.size() > 1 ? cast<Specialisation>(all->getAsCXXRecordDecl()) : nullptr;
      const bool tensor =
          is_tensor(tuple ? tuple->getTemplateArgs()[0].getPackAsArray()[k].getAsType() : all);
      d.shapes.emplace_back().tensor = tensor;
      d.results.push_back({{Place::derivative, int(k)},
                           {.kind = Leaf::scalar,
                            .access = "{}",
                            .dtype = done->body->yields[k]->type.dtype,
                            .differentiable = true,
                            .tensor = tensor},
                           int(k)});
      continue;
    }
    for (int i : of[k]) {
      Bound b = p.params[std::size_t(i)];
      b.place = {Place::extra, int(k)};
      d.params.push_back(b);
      b.place = {Place::derivative, int(k)}, b.order = i;
      d.results.push_back(b);
    }
  }
  return d;
}

}  // namespace tlaloc::frontend
