// SPDX-License-Identifier: Apache-2.0
//
// Convolution, pooling and normalisation. conv2d<{.stride = 2, .pad = 1}>(x, w) has static sizes; conv2d(x, w, {.stride = n})
// dynamic ones. Layout: x[N, C, spatial...], w[O, C / groups, spatial...].
#pragma once

#include "tlaloc/detail/tensor/rules_window.hpp"
#include "tlaloc/detail/tensor/reduce.hpp"

namespace tlaloc {

namespace op {
template <int Spatial, conv_options O> struct conv { static constexpr outcome apply(const sig* s) { return detail::rules::conv(s, Spatial, O, true); } };
template <int Spatial> struct conv_with_options { static constexpr outcome apply(const sig* s) { return detail::rules::conv(s, Spatial, {}, false); } };
template <int Spatial, conv_transpose_options O> struct conv_transpose { static constexpr outcome apply(const sig* s) { return detail::rules::conv_transpose(s, Spatial, O, true); } };
template <int Spatial> struct conv_transpose_with_options { static constexpr outcome apply(const sig* s) { return detail::rules::conv_transpose(s, Spatial, {}, false); } };
template <int Spatial, pool_options O> struct pool { static constexpr outcome apply(const sig* s) { return detail::rules::pool(s, Spatial, O, true); } };
template <int Spatial> struct pool_with_options { static constexpr outcome apply(const sig* s) { return detail::rules::pool(s, Spatial, {}, false); } };
template <extent_t... To> struct adaptive_pool {
  static constexpr outcome apply(const sig* s) {
    constexpr extent_t to[] = {To...};
    return detail::rules::adaptive_pool(s, to, sizeof...(To));
  }
};
struct layer_norm { static constexpr outcome apply(const sig* s) { return detail::rules::normalise(s, 3); } };
struct rms_norm { static constexpr outcome apply(const sig* s) { return detail::rules::normalise(s, 2); } };
template <extent_t Groups> struct group_norm { static constexpr outcome apply(const sig* s) { return detail::rules::group_norm(s, Groups); } };
struct batch_norm { static constexpr outcome apply(const sig* s) { return detail::rules::per_channel(s, 2); } };
struct batch_norm_inference { static constexpr outcome apply(const sig* s) { return detail::rules::per_channel(s, 4); } };
}  // namespace op

namespace dynamic {
TLALOC_BEGIN_ENTRIES
/// 1 to 3 spatial axes, by the rank of x.
AnyTensor conv(const AnyTensor& x, const AnyTensor& w, const conv_options& = {});
AnyTensor conv_transpose(const AnyTensor& x, const AnyTensor& w, const conv_transpose_options& = {});
AnyTensor max_pool(const AnyTensor& x, const pool_options& = {});
AnyTensor avg_pool(const AnyTensor& x, const pool_options& = {});
/// Over the last axis: (x - mean) / sqrt(var + eps) * scale + shift.
AnyTensor layer_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, double eps = 1e-5);
AnyTensor rms_norm(const AnyTensor& x, const AnyTensor& scale, double eps = 1e-6);
/// x[N, C, ...]: over C / groups channels and all further axes; scale[C] and shift[C].
AnyTensor group_norm(const AnyTensor& x, extent_t groups, const AnyTensor& scale, const AnyTensor& shift, double eps = 1e-5);
/// x[N, C, ...]: each channel over all other axes, by its own mean and variance (that over n), or by those given.
AnyTensor batch_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, double eps = 1e-5);
AnyTensor batch_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, const AnyTensor& mean, const AnyTensor& variance, double eps = 1e-5);
TLALOC_END_ENTRIES
/// To as many windows along the spatial axes as `to` says.
AnyTensor adaptive_max_pool(const AnyTensor& x, const Shape& to);
AnyTensor adaptive_avg_pool(const AnyTensor& x, const Shape& to);
}  // namespace dynamic

#define TLALOC_CONV(name, untyped, rule, options, spatial)                                               \
  TLALOC_OP(name(const A& x, const B& w), (dynamic::untyped(x.any(), w.any(), O)),                       \
            options O = options{}, typed_tensor A, typed_tensor B, class R = detail::result<op::rule<spatial, O>, A, B>) \
  TLALOC_OP(name(const A& x, const B& w, const options& o), (dynamic::untyped(x.any(), w.any(), o)),     \
            typed_tensor A, typed_tensor B, class R = detail::result<op::rule##_with_options<spatial>, A, B>)
#define TLALOC_POOL(name, untyped, spatial)                                                              \
  TLALOC_OP(name(const A& x), (dynamic::untyped(x.any(), O)),                                            \
            pool_options O, typed_tensor A, class R = detail::result<op::pool<spatial, O>, A>)            \
  TLALOC_OP(name(const A& x, const pool_options& o), (dynamic::untyped(x.any(), o)),                     \
            typed_tensor A, class R = detail::result<op::pool_with_options<spatial>, A>)

TLALOC_BEGIN_OPS
TLALOC_CONV(conv1d, conv, conv, conv_options, 1)
TLALOC_CONV(conv2d, conv, conv, conv_options, 2)
TLALOC_CONV(conv3d, conv, conv, conv_options, 3)
TLALOC_CONV(conv_transpose1d, conv_transpose, conv_transpose, conv_transpose_options, 1)
TLALOC_CONV(conv_transpose2d, conv_transpose, conv_transpose, conv_transpose_options, 2)
TLALOC_CONV(conv_transpose3d, conv_transpose, conv_transpose, conv_transpose_options, 3)
TLALOC_POOL(max_pool1d, max_pool, 1)
TLALOC_POOL(max_pool2d, max_pool, 2)
TLALOC_POOL(max_pool3d, max_pool, 3)
TLALOC_POOL(avg_pool1d, avg_pool, 1)
TLALOC_POOL(avg_pool2d, avg_pool, 2)
TLALOC_POOL(avg_pool3d, avg_pool, 3)
TLALOC_OP(adaptive_max_pool(const A& x), (dynamic::adaptive_max_pool(x.any(), {To...})),
          extent_t... To, typed_tensor A, class R = detail::result<op::adaptive_pool<To...>, A>)
TLALOC_OP(adaptive_avg_pool(const A& x), (dynamic::adaptive_avg_pool(x.any(), {To...})),
          extent_t... To, typed_tensor A, class R = detail::result<op::adaptive_pool<To...>, A>)
TLALOC_OP(layer_norm(const A& x, const B& scale, const C& shift, double eps = 1e-5), (dynamic::layer_norm(x.any(), scale.any(), shift.any(), eps)),
          typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::layer_norm, A, B, C>)
TLALOC_OP(rms_norm(const A& x, const B& scale, double eps = 1e-6), (dynamic::rms_norm(x.any(), scale.any(), eps)),
          typed_tensor A, typed_tensor B, class R = detail::result<op::rms_norm, A, B>)
TLALOC_OP(group_norm(const A& x, const B& scale, const C& shift, double eps = 1e-5), (dynamic::group_norm(x.any(), Groups, scale.any(), shift.any(), eps)),
          extent_t Groups, typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::group_norm<Groups>, A, B, C>)
TLALOC_OP(batch_norm(const A& x, const B& scale, const C& shift, double eps = 1e-5), (dynamic::batch_norm(x.any(), scale.any(), shift.any(), eps)),
          typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::batch_norm, A, B, C>)
TLALOC_OP(batch_norm(const A& x, const B& scale, const C& shift, const D& mean, const E& variance, double eps = 1e-5),
          (dynamic::batch_norm(x.any(), scale.any(), shift.any(), mean.any(), variance.any(), eps)),
          typed_tensor A, typed_tensor B, typed_tensor C, typed_tensor D, typed_tensor E, class R = detail::result<op::batch_norm_inference, A, B, C, D, E>)
TLALOC_END_OPS

}  // namespace tlaloc
