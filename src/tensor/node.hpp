// SPDX-License-Identifier: Apache-2.0
//
// What stands behind an AnyTensor, and the one entry of every operation: it computes on buffers or, as soon as one operand
// belongs to a trace, appends to that trace's program.
#pragma once

#include "tlaloc/detail/tensor/any.hpp"

#include "ir/array.hpp"
#include "ir/errors.hpp"
#include "ir/tensor.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace tlaloc {

/// A program that is being recorded.
struct Trace : std::enable_shared_from_this<Trace> {
  std::unique_ptr<ir::Function> own;              // null where a front end writes into a function of its own
  std::unique_ptr<ir::Builder> own_builder;
  ir::Builder& builder;
  bool open = true;                               // values are of use only while f runs
  bool whole = false;                             // what is made of numbers alone is recorded too, not computed
  int number;                                     // a trace that began later than another that is open lies within it
  std::map<const AnyTensor::Node*, ir::Value*> constants;   // buffers that f captured
  std::vector<AnyTensor> kept;                    // keeps the keys above alive
  std::vector<std::pair<ir::Value*, AnyTensor>> captured;   // values of outer traces, and the parameters that they become
  std::vector<std::pair<std::string, ir::Extent>> replaced; // symbols of extents that turned out to be other extents
  explicit Trace(const std::string& name);
  explicit Trace(ir::Builder&);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace();
  /// Takes two extents as one from here on, where one of them is a symbol of its own. False: they may differ.
  bool unify(ir::Extent, ir::Extent);
  ir::Extent current(ir::Extent) const;           // with what was replaced in place
  /// The innermost one that is open on this thread, or null.
  static Trace* innermost();
};

struct dynamic::AnyTensor::Node {
  mutable std::atomic<int> references = 1;
  ir::Type type;
  const axis_label* names[max_rank] = {};
  ir::Array array;                                // of a tensor that is no traced value
  std::shared_ptr<Trace> trace;
  ir::Value* value = nullptr;
};

namespace dynamic {

ir::DType ir_type(dtype);
dtype from_ir(ir::DType);
inline const ir::Type& type_of(const AnyTensor& x) { return x.node().value ? x.node().value->type : x.node().type; }
inline ir::DType element_of(const AnyTensor& x) { return type_of(x).dtype; }
inline const ir::Shape& dims_of(const AnyTensor& x) { return type_of(x).dims; }
/// That of an axis from 0 on, be it a number or a symbol.
inline ir::Extent extent_of(const AnyTensor& x, int axis) { return dims_of(x)[std::size_t(axis)]; }
AnyTensor wrap(ir::Array);
AnyTensor wrap(std::shared_ptr<Trace>, ir::Value*);
/// The buffer; NOT_TRACEABLE, naming what was asked for, on a traced value.
const ir::Array& buffer(const AnyTensor&, const char* asked_for);
/// The trace that was begun last of those that the tensors belong to; null if none is traced.
std::shared_ptr<Trace> innermost(std::span<const AnyTensor>);
/// NOT_TRACEABLE once the function that is traced has returned.
void need_open(const Trace&);
/// The tensor as a value of the trace: itself, a constant, or what the trace captures of an outer one.
ir::Value* value_in(Trace&, const AnyTensor&);

/// The one entry: computes or records the op of the table.
AnyTensor dispatch(const ir::Kind&, std::span<const AnyTensor>, std::vector<ir::Attr> = {});
inline AnyTensor dispatch(const ir::Kind& k, std::initializer_list<AnyTensor> in, std::vector<ir::Attr> attrs = {}) {
  return dispatch(k, std::span(in.begin(), in.size()), std::move(attrs));
}
/// What f builds of the operands: computed, or recorded where one of them is traced.
AnyTensor composed(std::span<const AnyTensor>, const std::function<ir::X(std::span<const ir::X>)>& f);
inline AnyTensor composed(std::initializer_list<AnyTensor> in, const std::function<ir::X(std::span<const ir::X>)>& f) {
  return composed(std::span(in.begin(), in.size()), f);
}

// --- rules at run time ---
detail::sig sig_of(const AnyTensor&);
detail::sig sig_of(const Operand&);
[[noreturn]] void refuse(ir::Code, const std::string& why);
[[noreturn]] void refuse(const ir::Refusal&); // the same as a tensor_error
/// The outcome, if it is no refusal; else throws what it says, with the names and extents.
detail::outcome allowed(const char* op, detail::outcome);
/// The signature for rules that calculate with extents: those that are symbols are unknown in it.
detail::sig numbers_of(detail::sig);
inline detail::sig numbers_of(const AnyTensor& x) { return numbers_of(sig_of(x)); }
/// An extent that must be a number: throws NOT_TRACEABLE for a symbol.
std::int64_t known(const char* op, ir::Extent);
/// Throws unless each is a number from 0 on, or, in a program that is recorded, an expression in symbols.
void need_extents(const char* op, const ir::Shape&);
/// The same tensor with the axis names of the outcome.
AnyTensor named(const AnyTensor&, const detail::outcome&);
AnyTensor named(const AnyTensor&, const detail::sig&);
std::string text(const detail::ax&);

// --- the ops of the table that every other is made of; no names ---
ir::Shape shape_of(const Shape&);
ir::Shape shape_of(const detail::outcome&);
AnyTensor scalar(const Operand&, ir::DType);      // a number as a tensor of rank 0
AnyTensor spread(const Operand&, ir::DType, const ir::Shape&);   // broadcast from the right
AnyTensor broadcast(const AnyTensor&, const ir::Shape&, const ir::Ints& dims);
AnyTensor reshaped(const AnyTensor&, const ir::Shape&);
AnyTensor permuted(const AnyTensor&, const ir::Ints&);
AnyTensor sliced(const AnyTensor&, std::int64_t axis, std::int64_t first, std::int64_t last, std::int64_t step = 1);
AnyTensor converted(const AnyTensor&, ir::DType);
AnyTensor reduced(const ir::Kind&, const AnyTensor&, const ir::Ints& axes);
/// Elementwise with broadcasting, for compositions: any of the operands may be a number.
AnyTensor zip(const ir::Kind&, const Operand&, const Operand&);
AnyTensor compared(ir::Compare, const Operand&, const Operand&);
AnyTensor chosen(const AnyTensor& condition, const Operand&, const Operand&);
/// A 16-bit float as f32, all else as it is.
inline AnyTensor in_f32_of(const AnyTensor& x) {
  const ir::DType d = element_of(x);
  return d == ir::DType::f16 || d == ir::DType::bf16 ? converted(x, ir::DType::f32) : x;
}
/// f on x; for a 16-bit float on its value as f32, the result rounded once.
template <class F> AnyTensor in_f32(const AnyTensor& x, F f) { return converted(f(in_f32_of(x)), element_of(x)); }
ir::Ints axes_in(unsigned mask, int rank);
ir::Extent count(const ir::Shape&, const ir::Ints& axes);
/// y divided by n - less, where n may be known only when the program runs.
AnyTensor divided(const AnyTensor& y, ir::Extent n, double less = 0);

// --- operations that take a list ---
using Rule = detail::outcome (*)(const detail::sig*);
AnyTensor elementwise(const char* op, Rule, std::span<const Operand>);
AnyTensor concat(std::span<const AnyTensor>, const Axis&);
AnyTensor einsum(const char* spec, std::span<const AnyTensor>);

}  // namespace dynamic
}  // namespace tlaloc
