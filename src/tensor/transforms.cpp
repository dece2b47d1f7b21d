// SPDX-License-Identifier: Apache-2.0
//
// Derivatives and maps of recorded programs, by the transforms that the compiler plugin uses.
#include "tensor/program.hpp"

#include "transforms/batch.hpp"
#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc {

using detail::sig;

namespace {

using Recorded = Program::Recorded;

bool real(const sig& s) { return is_floating(s.type); }

std::vector<int> selected(const Recorded& r, std::vector<int> wrt) {
  const int n = int(r.inputs.size());
  if (wrt.empty()) {
    for (int i = 0; i < n; ++i)
      if (real(r.inputs[std::size_t(i)])) wrt.push_back(i);
    return wrt;
  }
  for (int i : wrt) {
    if (i < 0 || i >= n) dynamic::refuse("UNKNOWN_ARGUMENT", "the program has no input " + std::to_string(i));
    if (!real(r.inputs[std::size_t(i)])) dynamic::refuse("NOT_DIFFERENTIABLE", "input " + std::to_string(i) + " holds no real numbers");
    if (std::count(wrt.begin(), wrt.end(), i) > 1) dynamic::refuse("UNKNOWN_ARGUMENT", "input " + std::to_string(i) + " is asked for twice");
  }
  return wrt;
}

template <class F> Program transformed(const Program& p, F make) {
  const Recorded& r = p.recorded();
  auto out = std::make_shared<Recorded>();
  out->captured = r.captured;
  try {
    out->function = &out->program.add(make(out->program, *r.function, *out));
    ir::simplify(*out->function, &out->program);
  } catch (const ir::Refusal& e) {
    dynamic::refuse(e);
  } catch (const ir::Error& e) {
    dynamic::refuse("INVALID_OPERATION", e.what());
  }
  // what was captured stays last
  auto& params = out->function->body->params;
  const auto first = params.begin() + std::ptrdiff_t(r.inputs.size());
  std::rotate(first, first + std::ptrdiff_t(r.captured.size()), params.end());
  return Program(std::move(out));
}

Program backward(const Program& p, std::vector<int> wrt, bool value, bool seeds) {
  const Recorded& r = p.recorded();
  const std::vector<int> wanted = selected(r, std::move(wrt));
  if (!seeds && (r.outputs.size() != 1 || r.outputs[0].rank || !real(r.outputs[0])))
    dynamic::refuse("NOT_SCALAR", "the gradient of a program needs one real result of rank 0; use vjp");
  return transformed(p, [&](ir::Program& to, const ir::Function& f, Recorded& out) {
    out.inputs = r.inputs;
    if (value) out.outputs = r.outputs;
    if (seeds) std::copy_if(r.outputs.begin(), r.outputs.end(), std::back_inserter(out.inputs), real);
    for (int i : wanted) out.outputs.push_back(r.inputs[std::size_t(i)]);
    return ir::reverse(to, f, {.wanted = wanted, .value = value, .seeds = seeds}, "f");
  });
}
Program forward(const Program& p, std::vector<int> wrt, bool value) {
  const Recorded& r = p.recorded();
  const std::vector<int> wanted = selected(r, std::move(wrt));
  return transformed(p, [&](ir::Program& to, const ir::Function& f, Recorded& out) {
    out.inputs = r.inputs;
    for (int i : wanted) out.inputs.push_back(r.inputs[std::size_t(i)]);
    if (value) out.outputs = r.outputs;
    std::copy_if(r.outputs.begin(), r.outputs.end(), std::back_inserter(out.outputs), real);
    return ir::forward(to, f, {.wanted = wanted, .value = value}, "f");
  });
}

/// The signature with a new axis of extent n at a position.
sig with_axis(const sig& s, int at, extent_t n) {
  if (at < 0 || at > s.rank || s.rank == max_rank) dynamic::refuse("TENSOR_SHAPE_MISMATCH", "vmap: axis " + std::to_string(at) + " of a tensor of rank " + std::to_string(s.rank + 1));
  sig out = s;
  out.rank = (signed char)(s.rank + 1);
  out.a[at] = detail::number_ax(n);
  for (int k = at; k < s.rank; ++k) out.a[k + 1] = s.a[k];
  return out;
}

}  // namespace

void detail::extents_of_mapped_axis_differ(extent_t a, extent_t b) {
  dynamic::refuse("TENSOR_SHAPE_MISMATCH", "vmap: the mapped axis has the extents " + std::to_string(a) + " and " + std::to_string(b));
}

Program Program::grad(std::vector<int> wrt) const { return backward(*this, std::move(wrt), false, false); }
Program Program::value_and_grad(std::vector<int> wrt) const { return backward(*this, std::move(wrt), true, false); }
Program Program::vjp(std::vector<int> wrt) const { return backward(*this, std::move(wrt), false, true); }
Program Program::value_and_vjp(std::vector<int> wrt) const { return backward(*this, std::move(wrt), true, true); }
Program Program::jvp(std::vector<int> wrt) const { return forward(*this, std::move(wrt), false); }
Program Program::value_and_jvp(std::vector<int> wrt) const { return forward(*this, std::move(wrt), true); }

Program Program::vmap(extent_t n, std::vector<int> in_axes, std::vector<int> out_axes) const {
  const Recorded& r = *recorded_;
  if (in_axes.size() != r.inputs.size())
    dynamic::refuse("UNKNOWN_ARGUMENT", "vmap: " + std::to_string(in_axes.size()) + " axes for " + std::to_string(r.inputs.size()) + " inputs");
  if (out_axes.empty()) out_axes.assign(r.outputs.size(), 0);
  if (out_axes.size() != r.outputs.size())
    dynamic::refuse("UNKNOWN_ARGUMENT", "vmap: " + std::to_string(out_axes.size()) + " axes for " + std::to_string(r.outputs.size()) + " outputs");
  if (std::all_of(in_axes.begin(), in_axes.end(), [](int a) { return a == none; }))
    dynamic::refuse("UNKNOWN_ARGUMENT", "vmap: no input has the new axis");
  return transformed(*this, [&](ir::Program& to, const ir::Function& f, Recorded& out) {
    for (std::size_t i = 0; i < in_axes.size(); ++i) out.inputs.push_back(in_axes[i] == none ? r.inputs[i] : with_axis(r.inputs[i], in_axes[i], n));
    for (std::size_t i = 0; i < out_axes.size(); ++i) out.outputs.push_back(with_axis(r.outputs[i], out_axes[i], n));
    std::vector<int> all = in_axes;
    all.resize(f.body->params.size(), none);
    return ir::batch(to, f, {.in_axes = all, .out_axes = out_axes, .extent = n}, "f");
  });
}

}  // namespace tlaloc
