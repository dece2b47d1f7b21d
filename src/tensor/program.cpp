// SPDX-License-Identifier: Apache-2.0
#include "tensor/program.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "backend/stablehlo/print.hpp"
#include "runtime/pjrt/plugin.hpp"
#include "tensor/device.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc {

using detail::sig;

namespace detail {
AnyTensor shape_only(const sig& s, const extent_t* shape) {
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
  for (auto& x : inputs_) r->inputs.push_back(dynamic::sig_of(x));
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

std::string Program::source() const { return ir::print(recorded_->program); }
std::string Program::stablehlo() const {
  if (!recorded_->captured.empty()) dynamic::refuse("NOT_TRACEABLE", "stablehlo() of a program that uses values of another trace");
  try {
    return ir::stablehlo(recorded_->program, *recorded_->function);
  } catch (const ir::Error& e) {
    dynamic::refuse("INVALID_OPERATION", e.what());
  }
}
int Program::inputs() const { return int(recorded_->inputs.size()); }
int Program::outputs() const { return int(recorded_->outputs.size()); }

std::vector<AnyTensor> Program::run(std::span<const AnyTensor> in, const std::string& device) const {
  const Recorded& r = *recorded_;
  if (in.size() != r.inputs.size())
    dynamic::refuse("TENSOR_SHAPE_MISMATCH", "the program takes " + std::to_string(r.inputs.size()) + " tensors, not " + std::to_string(in.size()));
  std::vector<AnyTensor> all;
  for (std::size_t i = 0; i < in.size(); ++i) all.push_back(dynamic::checked(in[i], r.inputs[i]));
  all.insert(all.end(), r.captured.begin(), r.captured.end());

  std::vector<AnyTensor> out;
  if (const auto trace = dynamic::innermost(all)) {                                    // recorded where its arguments are
    dynamic::need_open(*trace);
    ir::Cloner c{trace->builder};
    for (std::size_t i = 0; i < all.size(); ++i) c.map[r.function->body->params[i]] = dynamic::value_in(*trace, all[i]);
    c.block(*r.function->body);
    for (std::size_t i = 0; i < r.outputs.size(); ++i) out.push_back(dynamic::named(dynamic::wrap(trace, c.at(r.function->body->yields[i])), r.outputs[i]));
    return out;
  }
  std::vector<ir::Array> arrays;
  for (auto& x : all) arrays.push_back(dynamic::buffer(x, "an argument"));
  std::vector<ir::Array> results;
  try {
    if (device.empty()) results = ir::run(r.program, *r.function, arrays);
    else results = dynamic::run_on(device, ir::stablehlo(r.program, *r.function), arrays);
  } catch (const runtime::pjrt::Error& e) {
    dynamic::refuse(e.code.c_str(), e.what());
  } catch (const ir::Error& e) {
    dynamic::refuse("INVALID_OPERATION", e.what());
  }
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back(dynamic::named(dynamic::wrap(std::move(results[i])), r.outputs[i]));
  return out;
}

}  // namespace tlaloc
