// SPDX-License-Identifier: Apache-2.0
#include "tensor/node.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "tensor/onednn.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tlaloc {

namespace {
thread_local int traces_begun = 0;
thread_local std::vector<Trace*> alive;           // on this thread, in the order in which they began
}  // namespace
Trace::Trace(const std::string& name)
    : own(std::make_unique<ir::Function>(name)), own_builder(new ir::Builder{*own}), builder(*own_builder), number(++traces_begun) {
  alive.push_back(this);
}
Trace::Trace(ir::Builder& b) : builder(b), whole(true), number(++traces_begun) { alive.push_back(this); }
Trace::~Trace() { std::erase(alive, this); }
Trace* Trace::innermost() {
  const auto it = std::find_if(alive.rbegin(), alive.rend(), [](Trace* t) { return t->open; });
  return it == alive.rend() ? nullptr : *it;
}
bool Trace::unify(ir::Extent a, ir::Extent b) {
  a = current(a), b = current(b);
  if (a == b) return true;
  auto lone = [](ir::Extent e) {
    if (ir::is_number(e)) return std::string();
    const auto all = ir::terms(e);
    return all.size() == 1 && all.begin()->second == 1 && all.begin()->first.size() == 1 ? all.begin()->first[0] : std::string();
  };
  std::string name = lone(b);
  ir::Extent by = a;
  if (const std::string other = lone(a); name.empty() || other.size() > name.size()) name = other, by = b;   // the shorter name stays
  if (name.empty() || ir::replaced(by, name, 0) != by) return false;       // n is not n + 1
  replaced.emplace_back(name, by);
  ir::replace_extents(builder.function, [&](ir::Extent e) { return ir::replaced(e, name, by); });
  return true;
}
ir::Extent Trace::current(ir::Extent e) const {
  for (auto& [name, by] : replaced) e = ir::replaced(e, name, by);
  return e;
}
bool detail::same_extent(extent_t a, extent_t b) {
  Trace* t = Trace::innermost();
  return t && t->unify(a, b);
}

struct tensor_error::Text {
  std::atomic<int> references = 1;
  std::string code, what;
};
tensor_error::tensor_error(const char* code, const char* why) : text_(new Text{1, code, std::string(code) + ": " + why}) {}
tensor_error::tensor_error(const tensor_error& o) noexcept : std::exception(o), text_(o.text_) { ++text_->references; }
tensor_error::~tensor_error() {
  if (--text_->references == 0) delete text_;
}
const char* tensor_error::code() const noexcept { return text_->code.c_str(); }
const char* tensor_error::what() const noexcept { return text_->what.c_str(); }

namespace dynamic {

static_assert(int(dtype::boolean) == int(ir::DType::boolean) && int(dtype::u64) == int(ir::DType::u64) && int(dtype::f64) == int(ir::DType::f64));
ir::DType ir_type(dtype d) { return ir::DType(d); }
dtype from_ir(ir::DType d) { return dtype(d); }

Shape::Shape(const extent_t* first, int n) : rank(n) {
  if (n > max_rank) refuse("TENSOR_SHAPE_MISMATCH", "a tensor has at most 8 axes, not " + std::to_string(n));
  for (int k = 0; k < n; ++k) {
    at[k] = first[k];
  }
}
bool Shape::operator==(const Shape& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }

// --- the value ---
AnyTensor::AnyTensor(const AnyTensor& o) : node_(o.node_) { ++node_->references; }
AnyTensor::AnyTensor(AnyTensor&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
AnyTensor& AnyTensor::operator=(const AnyTensor& o) { return *this = AnyTensor(o); }
AnyTensor& AnyTensor::operator=(AnyTensor&& o) noexcept {
  std::swap(node_, o.node_);
  return *this;
}
AnyTensor::~AnyTensor() {
  if (node_ && --node_->references == 0) delete node_;
}
AnyTensor::AnyTensor() : AnyTensor(0.0f) {}
AnyTensor::AnyTensor(dtype d, const Shape& shape, const void* bytes) : node_(nullptr) {
  for (extent_t e : shape)
    if (e < 0) refuse("TENSOR_SHAPE_MISMATCH", "an extent of " + std::to_string(e));
  ir::Array a(ir::Type{ir_type(d), shape_of(shape)});
  if (a.size()) std::memcpy(a.bytes.get(), bytes, a.size() * std::size_t(size_of(d)));
  *this = wrap(std::move(a));
}
AnyTensor wrap(ir::Array a) {
  auto* n = new AnyTensor::Node;
  n->type = a.type;
  n->array = std::move(a);
  return AnyTensor(n);
}
AnyTensor wrap(std::shared_ptr<Trace> t, ir::Value* v) {
  auto* n = new AnyTensor::Node;
  n->type = v->type;
  n->trace = std::move(t);
  n->value = v;
  return AnyTensor(n);
}

dtype AnyTensor::type() const { return from_ir(element_of(*this)); }
int AnyTensor::rank() const { return type_of(*this).rank(); }
Shape AnyTensor::shape() const {
  Shape s;
  for (auto e : dims_of(*this)) s.at[s.rank++] = e;
  return s;
}
extent_t AnyTensor::extent(int axis) const {
  const int i = axis < 0 ? axis + rank() : axis;
  if (i < 0 || i >= rank()) refuse("TENSOR_SHAPE_MISMATCH", "axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank()));
  const ir::Extent e = extent_of(*this, i);
  // a front end works on with symbols; who records a program would take one for a number
  if (!ir::is_number(e) && node().trace && node().trace->own) refuse("NOT_TRACEABLE", "the extent " + ir::extent_text(e) + " is known only when the program runs");
  return e;
}
axis_label AnyTensor::name(int axis) const {
  if (axis < -rank() || axis >= rank()) extent(axis);
  auto* l = node_->names[axis < 0 ? axis + rank() : axis];
  return l ? *l : axis_label{"", 0};
}
std::size_t AnyTensor::size() const { return std::size_t(ir::elements(dims_of(*this))); }
bool AnyTensor::traced() const { return node_->trace != nullptr; }

const ir::Array& buffer(const AnyTensor& x, const char* asked_for) {
  if (x.traced())
    refuse("NOT_TRACEABLE", std::string(asked_for) + " of a traced value: while a program is recorded there are no numbers yet; "
           "choose with where(), or take the number out of the traced function");
  if (!x.node().array.bytes) refuse("NOT_TRACEABLE", std::string(asked_for) + " of a tensor that has a shape and no elements");
  return x.node().array;
}
const void* AnyTensor::data() const& { return buffer(*this, "the data").bytes.get(); }
const void* AnyTensor::data_as(dtype d) const {
  if (d != type()) refuse("DTYPE_MISMATCH", "the data of a tensor of " + ir::text(element_of(*this)) + " were asked for as " + ir::text(ir_type(d)));
  return data();
}
const void* AnyTensor::scalar_as(dtype d) const {
  buffer(*this, "the number");
  if (rank()) refuse("TENSOR_SHAPE_MISMATCH", "item() of a tensor of rank " + std::to_string(rank()));
  return data_as(d);
}
namespace {
std::size_t offset(const AnyTensor& x, const extent_t* at, int n) {
  if (n != x.rank()) refuse("TENSOR_SHAPE_MISMATCH", "a position of " + std::to_string(n) + " numbers in a tensor of rank " + std::to_string(x.rank()));
  extent_t k = 0;
  for (int d = 0; d < n; ++d) {
    const extent_t e = x.extent(d);
    if (at[d] < 0 || at[d] >= e) refuse("INDEX_OUT_OF_RANGE", std::to_string(at[d]) + " on an axis of extent " + std::to_string(e));
    k = k * e + at[d];
  }
  return std::size_t(k);
}
}  // namespace
AnyTensor AnyTensor::set(std::span<const extent_t> position, const void* element) const {
  const ir::Array& from = buffer(*this, "set()");
  ir::Array to(from.type);
  const std::size_t width = std::size_t(size_of(type()));
  if (size()) std::memcpy(to.bytes.get(), from.bytes.get(), size() * width);
  std::memcpy(to.bytes.get() + offset(*this, position.data(), int(position.size())) * width, element, width);
  return named(wrap(std::move(to)), sig_of(*this));
}

// --- the entry ---
void need_open(const Trace& t) {
  if (!t.open) refuse("NOT_TRACEABLE", "a traced value is used after its program was recorded");
}
ir::Value* value_in(Trace& t, const AnyTensor& x) {
  auto& n = x.node();
  if (n.trace.get() == &t) return n.value;
  if (n.trace) {
    need_open(*n.trace);
    for (auto& [value, outer] : t.captured)
      if (outer.node().value == n.value) return value;
    ir::Function& f = t.builder.function;
    ir::Value* v = f.new_value(type_of(x), "", f.body);   // made a parameter when the trace ends
    t.captured.push_back({v, x});
    return v;
  }
  auto& known = t.constants[&n];
  if (known) return known;
  t.kept.push_back(x);
  const ir::Type& type = n.type;
  const ir::Array& a = buffer(x, "the elements");
  if (type.scalar()) return known = ir::constant(t.builder, a.at(0)).v;
  ir::Numbers all;
  for (std::size_t i = 0; i < a.size(); ++i) all.push_back(a.at(i));
  return known = t.builder.append(ir::ops::literal, {}, {type.dims, type.dtype, std::move(all)})->results[0];
}

std::shared_ptr<Trace> innermost(std::span<const AnyTensor> in) {
  std::shared_ptr<Trace> trace;
  for (auto& x : in)
    if (x.node().trace && (!trace || x.node().trace->number > trace->number)) trace = x.node().trace;
  return trace;
}
namespace {
bool is_symbolic(const ir::Attr& a) {
  auto* s = std::get_if<ir::Shape>(&a);
  return s && !ir::is_static(*s);
}
}  // namespace
AnyTensor dispatch(const ir::Kind& k, std::span<const AnyTensor> in, std::vector<ir::Attr> attrs) {
  std::shared_ptr<Trace> trace = innermost(in);
  if (Trace* t = trace ? nullptr : Trace::innermost(); t && (t->whole || std::any_of(attrs.begin(), attrs.end(), is_symbolic))) trace = t->shared_from_this();
  try {
    if (!trace) {
      std::vector<ir::Array> arrays;
      for (auto& x : in) arrays.push_back(buffer(x, "the elements"));
      if (auto y = by_onednn(k, arrays, attrs)) return wrap(std::move(*y));
      return wrap(ir::evaluate(k, arrays, std::move(attrs)));
    }
    need_open(*trace);
    std::vector<ir::Value*> values;
    for (auto& x : in) values.push_back(value_in(*trace, x));
    ir::Value* y = trace->builder.append(k, std::move(values), std::move(attrs))->results[0];
    return wrap(std::move(trace), y);
  } catch (const ir::Error& e) {   // what only the record knows, such as a dtype that it does not take
    refuse("INVALID_OPERATION", e.what());
  }
}
AnyTensor composed(std::span<const AnyTensor> in, const std::function<ir::X(std::span<const ir::X>)>& f) {
  const std::shared_ptr<Trace> trace = innermost(in);
  try {
    std::vector<ir::X> xs;
    if (trace) {
      need_open(*trace);
      for (auto& x : in) xs.push_back({&trace->builder, value_in(*trace, x)});
      return wrap(trace, f(xs).v);
    }
    ir::Function function("composed");
    ir::Builder b{function};
    std::vector<ir::Array> arrays;
    for (auto& x : in) {
      arrays.push_back(buffer(x, "the elements"));
      xs.push_back(param(b, arrays.back().type, ""));
    }
    function.body->yields = {f(xs).v};
    return wrap(run({}, function, arrays)[0]);
  } catch (const ir::Error& e) {
    refuse("INVALID_OPERATION", e.what());
  }
}

}  // namespace dynamic

namespace detail {
AnyTensor from(const sig& s, const extent_t* shape, const void* elements, std::size_t count) {
  const dynamic::Shape dims(shape, s.rank);
  extent_t n = 1;
  for (extent_t e : dims) n *= e;
  if (n != extent_t(count))
    dynamic::refuse("TENSOR_SHAPE_MISMATCH", "from: " + std::to_string(count) + " elements for a shape of " + std::to_string(n));
  return dynamic::checked(AnyTensor(s.type, dims, elements), s);
}
AnyTensor full(const sig& s, const extent_t* shape, dynamic::Operand value) {
  return dynamic::checked(dynamic::full(s.type, dynamic::Shape(shape, s.rank), value), s);
}
const void* element_at(const AnyTensor& x, const extent_t* at, int rank) {
  const auto* bytes = static_cast<const char*>(x.data());
  return bytes + dynamic::offset(x, at, rank) * std::size_t(size_of(x.type()));
}
}  // namespace detail
}  // namespace tlaloc
