// SPDX-License-Identifier: Apache-2.0
//
// The rules of the types at run time: signatures of what is there, refusals as text.
#include "tensor/node.hpp"

namespace tlaloc::dynamic {

using detail::ax, detail::outcome, detail::sig;

detail::sig sig_of(const AnyTensor& x) {
  sig s;
  s.type = x.type();
  s.rank = (signed char)x.rank();
  for (int k = 0; k < s.rank; ++k) s.a[k] = {x.node().names[k], extent_of(x, k)};
  return s;
}
detail::sig sig_of(const Operand& x) {
  if (x.tensor) return sig_of(*x.tensor);
  sig s;
  s.number = x.number;
  return s;
}

void refuse(ir::Code code, const std::string& why) { throw tensor_error(code.text, why.c_str()); }
void refuse(const ir::Refusal& r) { throw tensor_error(r.code.c_str(), r.what()); }

std::string text(const ax& a) {
  const std::string extent = a.extent == dyn ? "" : ir::extent_text(a.extent);
  if (!a.id) return extent.empty() ? "an axis" : extent;
  const std::string name(a.id->text, std::size_t(a.id->size));
  return extent.empty() ? name : name + " (" + extent + ")";
}

namespace {
const char* reason(because why) {
  switch (why) {
    case because::none: break;
    case because::extents_differ: return "the extents differ";
    case because::inner_extents_differ: return "the inner extents differ";
    case because::names_differ: return "the axis names differ";
    case because::no_shared_name: return "no axis name is shared";
    case because::several_shared_names: return "several axis names are shared; list those that are summed over";
    case because::axis_absent: return "the axis is absent";
    case because::axis_repeated: return "the axis is there more than once";
    case because::element_counts_differ: return "the numbers of elements differ";
    case because::ranks_differ: return "the ranks differ";
    case because::rank_unsupported: return "the ranks are not those that the operation takes";
    case because::channels_differ: return "the numbers of channels differ";
    case because::groups_do_not_divide: return "the channels cannot be divided into the groups";
    case because::above_the_bound: return "a number is above the bound of its axis";
    case because::outside_the_axis: return "a position lies outside the axis";
    case because::window_too_large: return "the window is larger than the axis with its padding";
    case because::extent_unknown: return "more than one extent is unknown";
    case because::dtypes_differ: return "the dtypes differ and are never promoted; use cast";
    case because::dtype_unsupported: return "the operation does not take the dtype";
    case because::letter_has_two_extents: return "a letter stands for two extents";
    case because::letter_unknown: return "a letter of the result is repeated or stands in no operand";
    case because::spec_unreadable: return "the specification cannot be read, or is for another number of operands";
    case because::option_invalid: return "an option has a value that makes no sense";
  }
  return "";
}
ir::Code name_of(detail::code c) {
  switch (c) {
    case detail::code::names: return "NAMED_INDEX_MISMATCH";
    case detail::code::shapes: return "TENSOR_SHAPE_MISMATCH";
    case detail::code::dtypes: return "DTYPE_MISMATCH";
    case detail::code::bounds: return "BOUNDED_DIM_EXCEEDED";
    case detail::code::ok: case detail::code::poisoned: break;
  }
  return "INTERNAL";
}
}  // namespace

outcome allowed(const char* op, outcome o) {
  if (detail::ok(o)) {
    if (const Trace* t = Trace::innermost())
      for (int k = 0; k < o.rank; ++k)
        if (o.a[k].extent < dyn) o.a[k].extent = t->current(o.a[k].extent);
    return o;
  }
  std::string why = std::string(op) + ": " + reason(o.why);
  if (o.c != detail::code::dtypes) why += ": " + text(o.left) + " and " + text(o.right);
  refuse(name_of(o.c), why);
}

sig numbers_of(sig s) {
  for (int k = 0; k < s.rank; ++k)
    if (s.a[k].extent < dyn) s.a[k].extent = dyn;
  return s;
}
std::int64_t known(const char* op, ir::Extent e) {
  if (!ir::is_number(e)) refuse("NOT_TRACEABLE", std::string(op) + ": needs an extent that is a number, not " + ir::extent_text(e));
  return e;
}
void need_extents(const char* op, const ir::Shape& shape) {
  for (auto e : shape)
    if (!ir::is_number(e) && (e == dyn || !Trace::innermost())) refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": an extent of " + std::to_string(e));
}

namespace {
AnyTensor named(const AnyTensor& x, int rank, const ax* axes) {
  bool same = true;
  for (int k = 0; k < rank; ++k) same &= x.node().names[k] == axes[k].id;
  if (same) return x;
  auto* n = new AnyTensor::Node;
  const auto& from = x.node();
  n->type = from.type, n->array = from.array, n->trace = from.trace, n->value = from.value;
  for (int k = 0; k < rank; ++k) n->names[k] = axes[k].id;
  return AnyTensor(n);
}
}  // namespace
AnyTensor named(const AnyTensor& x, const outcome& o) { return named(x, o.rank, o.a); }
AnyTensor named(const AnyTensor& x, const sig& s) { return named(x, s.rank, s.a); }

AnyTensor checked(AnyTensor x, const sig& s) {
  auto axis = [&](int k) { return s.a[k].id ? text({s.a[k].id, dyn}) : "axis " + std::to_string(k); };
  if (x.type() != s.type) refuse("DTYPE_MISMATCH", "expected " + ir::text(ir_type(s.type)) + ", got " + ir::text(element_of(x)));
  if (x.rank() != s.rank) refuse("TENSOR_SHAPE_MISMATCH", "expected rank " + std::to_string(s.rank) + ", got " + std::to_string(x.rank()));
  for (int k = 0; k < s.rank; ++k) {
    const extent_t e = extent_of(x, k);
    const std::string got = ir::extent_text(e);
    if (!detail::extents_fit(s.a[k].extent, e))
      refuse("TENSOR_SHAPE_MISMATCH", axis(k) + " has the extent " + std::to_string(s.a[k].extent) + ", got " + got);
    if (s.a[k].max != dyn && e > s.a[k].max) refuse("BOUNDED_DIM_EXCEEDED", axis(k) + " is at most " + std::to_string(s.a[k].max) + ", got " + got);
    auto* have = x.node().names[k];
    if (have && s.a[k].id && have != s.a[k].id) refuse("NAMED_INDEX_MISMATCH", "expected " + axis(k) + ", got " + text({have, e}));
  }
  outcome o;
  o.rank = s.rank;
  for (int k = 0; k < s.rank; ++k) o.a[k] = s.a[k];
  return named(x, o);
}

}  // namespace tlaloc::dynamic
