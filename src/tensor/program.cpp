// SPDX-License-Identifier: Apache-2.0
#include "tensor/program.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "runtime/pjrt/plugin.hpp"
#include "tensor/device.hpp"
#include "tensor/module.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>
#include <cctype>

namespace tlaloc {

using detail::sig;

namespace detail {
AnyTensor shape_only(const sig& s, const extent_t* shape) {
  for (int k = 0; k < s.rank; ++k)
    if (shape[k] == dyn) dynamic::refuse("TENSOR_SHAPE_MISMATCH", "spec: an extent of -1; symbolic(\"n\") is one that only the run tells");
  auto* n = new AnyTensor::Node;
  n->type.dtype = dynamic::ir_type(s.type);
  for (int k = 0; k < s.rank; ++k) n->type.dims.push_back(shape[k]), n->names[k] = s.a[k].id;
  return dynamic::checked(AnyTensor(n), s);
}

bool recording() { return Trace::innermost(); }
Recorder::Recorder() : trace_(std::make_shared<Trace>("f")) {}
Recorder::~Recorder() { trace_->open = false; }
AnyTensor Recorder::input(const AnyTensor& x, const std::string& name) {
  const ir::X v = ir::param(trace_->builder, dynamic::type_of(x), name);
  inputs_.push_back(x);
  return dynamic::named(dynamic::wrap(trace_, v.v), dynamic::sig_of(x));
}
void Recorder::output(const AnyTensor& x, const std::string& name) {
  outputs_.push_back(x);
  output_names_.push_back(name);
}
Program Recorder::finish() {
  auto r = std::make_shared<Program::Recorded>();
  ir::Function& f = trace_->builder.function;
  for (auto& x : inputs_) {
    r->inputs.push_back(dynamic::sig_of(x));
    for (auto& a : r->inputs.back().a)
      if (a.extent < dyn) a.extent = trace_->current(a.extent);
  }
  for (auto& x : outputs_) {
    r->outputs.push_back(dynamic::sig_of(x));
    f.body->yields.push_back(dynamic::value_in(*trace_, x));
  }
  f.result_names = output_names_;
  for (auto& [value, outer] : trace_->captured) {
    f.body->params.push_back(value);
    r->captured.push_back(outer);
  }
  trace_->open = false;
  r->function = &r->program.add(ir::copy(f, "f"));
  ir::simplify(*r->function, &r->program);
  return Program(std::move(r));
}
}  // namespace detail

extent_t symbolic(const char* name) {
  const std::string_view s = name;
  const bool word = !s.empty() && std::isalpha((unsigned char)s[0]) && std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!word) dynamic::refuse("INVALID_OPERATION", "symbolic: '" + std::string(s) + "' is no name");
  return ir::symbol(s);
}

namespace {
/// The numbers that the arguments give to symbols.
ir::Bindings bindings(const Program::Recorded& r, std::span<const AnyTensor> in) {
  ir::Bindings out;
  try {
    for (std::size_t i = 0; i < in.size(); ++i) {
      const ir::Shape& declared = r.function->body->params[i]->type.dims;
      if (ir::is_static(declared)) continue;
      if (!ir::is_static(dynamic::dims_of(in[i]))) dynamic::refuse("NOT_TRACEABLE", "a program of symbolic extents takes arguments whose extents are numbers");
      ir::bind_symbols(out, declared, dynamic::dims_of(in[i]));
    }
  } catch (const ir::Error& e) {
    dynamic::refuse("TENSOR_SHAPE_MISMATCH", e.what());
  }
  return out;
}
sig bound(sig s, const ir::Bindings& numbers) {
  for (int k = 0; k < s.rank; ++k)
    if (s.a[k].extent < dyn) s.a[k].extent = ir::bound(s.a[k].extent, numbers);
  return s;
}
}  // namespace

std::string Program::source() const { return ir::print(recorded_->program); }
std::string Program::stablehlo(const stablehlo_options& o) const {
  if (!recorded_->captured.empty()) dynamic::refuse("NOT_TRACEABLE", "stablehlo() of a program that uses values of another trace");
  const ir::StableHloOptions options = module_options(*recorded_, o);
  try {
    return ir::stablehlo(recorded_->program, *recorded_->function, options);
  } catch (const ir::Error& e) {
    dynamic::refuse("INVALID_OPERATION", e.what());
  }
}
int Program::inputs() const { return int(recorded_->inputs.size()); }
int Program::outputs() const { return int(recorded_->outputs.size()); }

std::vector<AnyTensor> Program::run(std::span<const AnyTensor> in, const std::string& device, const std::vector<int>& donate) const {
  const Recorded& r = *recorded_;
  if (in.size() != r.inputs.size())
    dynamic::refuse("TENSOR_SHAPE_MISMATCH", "the program takes " + std::to_string(r.inputs.size()) + " tensors, not " + std::to_string(in.size()));
  const ir::Bindings numbers = bindings(r, in);
  const bool fixed = numbers.empty();
  const ir::Function special = fixed ? ir::Function("f") : ir::specialize(*r.function, numbers);
  const ir::Function& f = fixed ? *r.function : special;
  std::vector<AnyTensor> all;
  for (std::size_t i = 0; i < in.size(); ++i) all.push_back(dynamic::checked(in[i], bound(r.inputs[i], numbers)));
  all.insert(all.end(), r.captured.begin(), r.captured.end());

  std::vector<AnyTensor> out;
  if (const auto trace = dynamic::innermost(all)) {                                    // recorded where its arguments are
    dynamic::need_open(*trace);
    ir::Cloner c{trace->builder};
    for (std::size_t i = 0; i < all.size(); ++i) c.map[f.body->params[i]] = dynamic::value_in(*trace, all[i]);
    c.block(*f.body);
    for (std::size_t i = 0; i < r.outputs.size(); ++i) out.push_back(dynamic::named(dynamic::wrap(trace, c.at(f.body->yields[i])), r.outputs[i]));
    return out;
  }
  std::vector<ir::Array> arrays;
  for (auto& x : all) arrays.push_back(dynamic::buffer(x, "an argument"));
  std::vector<ir::Array> results;
  const ir::StableHloOptions options = module_options(r, {.donate = donate});
  try {
    if (device.empty()) results = ir::run(r.program, f, arrays);
    else results = dynamic::run_on(device, ir::stablehlo(r.program, f, options), arrays);
  } catch (const runtime::pjrt::Error& e) {
    throw tensor_error(e.code.c_str(), e.what()); // the device's own
  } catch (const ir::Error& e) {
    dynamic::refuse("INVALID_OPERATION", e.what());
  }
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back(dynamic::named(dynamic::wrap(std::move(results[i])), r.outputs[i]));
  return out;
}

}  // namespace tlaloc
