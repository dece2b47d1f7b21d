// SPDX-License-Identifier: Apache-2.0
#include "tensor/onednn.hpp"

#include "ir/tensor.hpp"

#include <dnnl.hpp>

#include <algorithm>
#include <numeric>

// Of the OpenMP runtime that oneDNN brings along.
extern "C" int omp_get_max_threads();
extern "C" void omp_set_num_threads(int);

namespace tlaloc::dynamic {
namespace {

using dnnl::memory;
using Dims = memory::dims;

constexpr std::int64_t worth_a_call = 1 << 15;    // multiplications

/// OpenMP's barriers are slow on a machine that others use: one thread.
struct OneThread {
  int before = omp_get_max_threads();
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};
const dnnl::engine& engine() {
  static const dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}
memory over(const memory::desc& d, const ir::Array& a) { return memory(d, engine(), a.bytes.get()); }
std::int64_t product(const ir::Ints& dims, std::size_t from, std::size_t to) {
  return std::accumulate(dims.begin() + std::ptrdiff_t(from), dims.begin() + std::ptrdiff_t(to), std::int64_t(1), std::multiplies<>());
}
bool counts_up(const ir::Ints& axes) {
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (axes[k] != std::int64_t(k)) return false;
  return true;
}

/// One operand as [batch, free, contracted], if its axes are laid out so that three strides tell where an element is.
struct Operand3 {
  std::int64_t batch, free, inner;
  std::int64_t by_batch, by_free, by_inner;
};
std::optional<Operand3> as_three(const ir::Array& x, const ir::Ints& batch, const ir::Ints& contract) {
  const ir::Ints& dims = x.type.dims;
  const std::size_t rank = dims.size(), b = batch.size(), c = contract.size();
  if (!counts_up(batch) || c == 0) return {};
  for (std::size_t k = 1; k < c; ++k)
    if (contract[k] != contract[k - 1] + 1) return {};
  const auto first = std::size_t(contract[0]);
  Operand3 o{product(dims, 0, b), 1, product(dims, first, first + c), 0, 0, 0};
  if (first + c == rank) {                        // contracted axes last
    o.free = product(dims, b, first);
    o.by_inner = 1, o.by_free = o.inner;
  } else if (first == b) {                        // contracted axes first
    o.free = product(dims, b + c, rank);
    o.by_free = 1, o.by_inner = o.free;
  } else {
    return {};
  }
  o.by_batch = o.free * o.inner;
  return o;
}

std::optional<ir::Array> dot(std::span<const ir::Array> in, const std::vector<ir::Attr>& attrs, const ir::Type& type) {
  auto axes = [&](std::size_t i) -> const ir::Ints& { return std::get<ir::Ints>(attrs[i]); };
  const auto a = as_three(in[0], axes(0), axes(2)), b = as_three(in[1], axes(1), axes(3));
  if (!a || !b || a->batch * a->free * b->free * a->inner < worth_a_call) return {};
  ir::Array y(type);
  const auto f32 = memory::data_type::f32;
  const memory::desc da({a->batch, a->free, a->inner}, f32, Dims{a->by_batch, a->by_free, a->by_inner});
  const memory::desc db({b->batch, b->inner, b->free}, f32, Dims{b->by_batch, b->by_inner, b->by_free});
  const memory::desc dy({a->batch, a->free, b->free}, f32, Dims{a->free * b->free, b->free, 1});
  const dnnl::matmul::primitive_desc how({da, db, dy}, engine());
  const OneThread one;
  dnnl::stream stream(engine());
  dnnl::matmul(how).execute(stream, {{DNNL_ARG_SRC, over(da, in[0])}, {DNNL_ARG_WEIGHTS, over(db, in[1])}, {DNNL_ARG_DST, over(dy, y)}});
  stream.wait();
  return y;
}

std::optional<ir::Array> convolution(std::span<const ir::Array> in, const std::vector<ir::Attr>& attrs, const ir::Type& type) {
  auto list = [&](std::size_t i) -> const ir::Ints& { return std::get<ir::Ints>(attrs[i]); };
  const ir::Ints &strides = list(0), &low = list(1), &high = list(2), &dilate_x = list(3), &dilate_w = list(4);
  const std::int64_t groups = std::get<std::int64_t>(attrs[5]);
  const ir::Ints &x = in[0].type.dims, &w = in[1].type.dims;
  const std::size_t n = strides.size();
  auto negative = [](std::int64_t p) { return p < 0; };
  if (n < 1 || n > 3 || std::ranges::any_of(low, negative) || std::ranges::any_of(high, negative) ||
      std::ranges::any_of(dilate_x, [](std::int64_t d) { return d != 1; }))
    return {};
  if (product(type.dims, 0, type.dims.size()) * product(w, 1, w.size()) < worth_a_call) return {};
  ir::Array y(type);
  const auto f32 = memory::data_type::f32;
  using tag = memory::format_tag;
  constexpr tag plain[] = {tag::ncw, tag::nchw, tag::ncdhw}, window[] = {tag::oiw, tag::oihw, tag::oidhw}, grouped[] = {tag::goiw, tag::goihw, tag::goidhw};
  Dims dims_w(w.begin(), w.end());
  if (groups > 1) dims_w[0] /= groups, dims_w.insert(dims_w.begin(), groups);
  const Dims dims_x(x.begin(), x.end()), dims_y(type.dims.begin(), type.dims.end());
  Dims dilates(dilate_w.begin(), dilate_w.end());
  for (auto& d : dilates) --d;                    // oneDNN counts the holes
  const dnnl::convolution_forward::desc what(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, {dims_x, f32, tag::any},
                                             {dims_w, f32, tag::any}, {dims_y, f32, tag::any}, Dims(strides.begin(), strides.end()), dilates,
                                             Dims(low.begin(), low.end()), Dims(high.begin(), high.end()));
  const dnnl::convolution_forward::primitive_desc how(what, engine());
  const OneThread one;
  dnnl::stream stream(engine());
  auto given = [&](const memory::desc& wanted, const memory::desc& have, const ir::Array& a) {
    memory from = over(have, a);
    if (wanted == have) return from;
    memory to(wanted, engine());
    dnnl::reorder(from, to).execute(stream, from, to);
    return to;
  };
  const memory::desc have_y(dims_y, f32, plain[n - 1]);
  const memory mx = given(how.src_desc(), {dims_x, f32, plain[n - 1]}, in[0]);
  const memory mw = given(how.weights_desc(), {dims_w, f32, groups > 1 ? grouped[n - 1] : window[n - 1]}, in[1]);
  memory last = over(have_y, y);
  memory my = how.dst_desc() == have_y ? last : memory(how.dst_desc(), engine());
  dnnl::convolution_forward(how).execute(stream, {{DNNL_ARG_SRC, mx}, {DNNL_ARG_WEIGHTS, mw}, {DNNL_ARG_DST, my}});
  if (how.dst_desc() != have_y) dnnl::reorder(my, last).execute(stream, my, last);
  stream.wait();
  return y;
}

}  // namespace

std::optional<ir::Array> by_onednn(const ir::Kind& k, std::span<const ir::Array> in, const std::vector<ir::Attr>& attrs) {
  const bool is_dot = &k == &ir::ops::dot_general;
  if (!is_dot && &k != &ir::ops::convolution) return {};
  if (in[0].type.dtype != ir::DType::f32 || in[1].type.dtype != ir::DType::f32) return {};
  const ir::Type types[] = {in[0].type, in[1].type};
  const ir::Type type = ir::type_of(k, types, attrs);   // throws for operands that do not fit
  return is_dot ? dot(in, attrs, type) : convolution(in, attrs, type);
}

}  // namespace tlaloc::dynamic
