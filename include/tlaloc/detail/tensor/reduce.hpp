// SPDX-License-Identifier: Apache-2.0
//
// Reductions by name, by position, over everything; and operations along one axis. Each typed form is sum<Hidden>(x),
// sum<0, -1>(x), sum(x); the untyped one is sum(x, {0, -1}).
#pragma once

#include "tlaloc/detail/tensor/rules_elementwise.hpp"
#include "tlaloc/detail/tensor/typed.hpp"

namespace tlaloc {

namespace op {
using detail::outcome, detail::sig;
/// Domain: the dtypes that it takes, To: that of its result where it is not its operand's.
template <unsigned Domain, dtype To = dtype::none> struct reduction {
  static constexpr outcome apply(const sig* s) { return detail::rules::reduce(s, Domain, To); }
};
template <unsigned Domain, dtype To = dtype::none> struct reduction_of_one {
  static constexpr outcome apply(const sig* s) { return detail::rules::reduce_one(s, Domain, To); }
};
template <unsigned Domain> struct along_axis {
  static constexpr outcome apply(const sig* s) { return detail::rules::along(s, Domain); }
};
struct sum : reduction<detail::numbers> {};
struct prod : reduction<detail::numbers> {};
struct max : reduction<detail::numbers> {};
struct min : reduction<detail::numbers> {};
struct mean : reduction<detail::floats> {};
struct var : reduction<detail::floats> {};
struct stddev : reduction<detail::floats> {};
struct norm : reduction<detail::floats> {};
struct logsumexp : reduction<detail::floats> {};
struct any : reduction<detail::booleans> {};
struct all : reduction<detail::booleans> {};
struct argmax : reduction_of_one<detail::numbers, dtype::i32> {};
struct argmin : reduction_of_one<detail::numbers, dtype::i32> {};
struct softmax : along_axis<detail::floats> {};
struct log_softmax : along_axis<detail::floats> {};
struct cumsum : along_axis<detail::numbers> {};
struct cumprod : along_axis<detail::numbers> {};
struct sort : along_axis<detail::numbers> {};
struct argsort { static constexpr outcome apply(const sig* s) { return detail::rules::along(s, detail::numbers, dtype::i32); } };
template <extent_t K> struct top_k { static constexpr outcome apply(const sig* s) { return detail::rules::top_k(s, K, dtype::none); } };
template <extent_t K> struct top_k_indices { static constexpr outcome apply(const sig* s) { return detail::rules::top_k(s, K, dtype::i32); } };
struct roll : along_axis<detail::everything> {};
}  // namespace op

/// What norm computes: the square root of the sum of squares, the sum of magnitudes, the largest magnitude.
enum class norm_order : unsigned char { two, one, infinity };

namespace dynamic {
TLALOC_BEGIN_ENTRIES
AnyTensor sum(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor prod(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor max(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor min(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor mean(const AnyTensor&, const Axes& = {}, bool keep = false);
/// The sum of squared deviations over n - ddof.
AnyTensor var(const AnyTensor&, const Axes& = {}, double ddof = 0, bool keep = false);
AnyTensor stddev(const AnyTensor&, const Axes& = {}, double ddof = 0, bool keep = false);
AnyTensor norm(const AnyTensor&, const Axes& = {}, norm_order = norm_order::two, bool keep = false);
AnyTensor logsumexp(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor any(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor all(const AnyTensor&, const Axes& = {}, bool keep = false);
AnyTensor argmax(const AnyTensor&, const Axis&);
AnyTensor argmin(const AnyTensor&, const Axis&);
AnyTensor softmax(const AnyTensor&, const Axis& = -1);
AnyTensor log_softmax(const AnyTensor&, const Axis& = -1);
AnyTensor cumsum(const AnyTensor&, const Axis&);
AnyTensor cumprod(const AnyTensor&, const Axis&);
AnyTensor sort(const AnyTensor&, const Axis& = -1, bool descending = false);
AnyTensor argsort(const AnyTensor&, const Axis& = -1, bool descending = false);
AnyTensor top_k(const AnyTensor&, extent_t k, const Axis& = -1);
AnyTensor top_k_indices(const AnyTensor&, extent_t k, const Axis& = -1);
AnyTensor roll(const AnyTensor&, extent_t shift, const Axis&);
TLALOC_END_ENTRIES
}  // namespace dynamic

namespace detail {
template <class... K> inline constexpr dynamic::Axes axes_of{sig_of<names<K...>>};
template <int... P> inline constexpr dynamic::Axes positions_of{sig_of<at<P...>>};
template <class K> inline constexpr dynamic::Axis axis_named{sig_of<names<K>>};
template <int P> inline constexpr dynamic::Axis axis_number{sig_of<at<P>>};
}  // namespace detail

#define TLALOC_REDUCTION(name, parameters, passed)                                                       \
  TLALOC_OP(name(const A& x TLALOC_UNPACK parameters), (dynamic::name(x.any(), detail::axes_of<K...> TLALOC_UNPACK passed)), \
            class... K, typed_tensor A, class R = detail::result<op::name, A, detail::names<K...>>)       \
  TLALOC_OP(name(const A& x TLALOC_UNPACK parameters), (dynamic::name(x.any(), detail::positions_of<P, Q...> TLALOC_UNPACK passed)), \
            int P, int... Q, typed_tensor A, class R = detail::result<op::name, A, detail::at<P, Q...>>)
#define TLALOC_ALONG(name, parameters, passed)                                                           \
  TLALOC_OP(name(const A& x TLALOC_UNPACK parameters), (dynamic::name(x.any(), detail::axis_named<K> TLALOC_UNPACK passed)), \
            class K, typed_tensor A, class R = detail::result<op::name, A, detail::names<K>>)             \
  TLALOC_OP(name(const A& x TLALOC_UNPACK parameters), (dynamic::name(x.any(), detail::axis_number<P> TLALOC_UNPACK passed)), \
            int P, typed_tensor A, class R = detail::result<op::name, A, detail::at<P>>)

TLALOC_BEGIN_OPS
TLALOC_REDUCTION(sum, (), ())
TLALOC_REDUCTION(prod, (), ())
TLALOC_REDUCTION(max, (), ())
TLALOC_REDUCTION(min, (), ())
TLALOC_REDUCTION(mean, (), ())
TLALOC_REDUCTION(var, (, double ddof = 0), (, ddof))
TLALOC_REDUCTION(stddev, (, double ddof = 0), (, ddof))
TLALOC_REDUCTION(norm, (, norm_order order = norm_order::two), (, order))
TLALOC_REDUCTION(logsumexp, (), ())
TLALOC_REDUCTION(any, (), ())
TLALOC_REDUCTION(all, (), ())
TLALOC_ALONG(argmax, (), ())
TLALOC_ALONG(argmin, (), ())
TLALOC_ALONG(softmax, (), ())
TLALOC_ALONG(log_softmax, (), ())
TLALOC_ALONG(cumsum, (), ())
TLALOC_ALONG(cumprod, (), ())
TLALOC_ALONG(sort, (, bool descending = false), (, descending))
TLALOC_ALONG(argsort, (, bool descending = false), (, descending))
TLALOC_OP(top_k(const A& x), (dynamic::top_k(x.any(), N, detail::axis_named<K>)),
          class K, extent_t N, typed_tensor A, class R = detail::result<op::top_k<N>, A, detail::names<K>>)
TLALOC_OP(top_k_indices(const A& x), (dynamic::top_k_indices(x.any(), N, detail::axis_named<K>)),
          class K, extent_t N, typed_tensor A, class R = detail::result<op::top_k_indices<N>, A, detail::names<K>>)
TLALOC_OP(roll(const A& x, extent_t shift), (dynamic::roll(x.any(), shift, detail::axis_named<K>)),
          class K, typed_tensor A, class R = detail::result<op::roll, A, detail::names<K>>)
TLALOC_OP(roll(const A& x, extent_t shift), (dynamic::roll(x.any(), shift, detail::axis_number<P>)),
          int P, typed_tensor A, class R = detail::result<op::roll, A, detail::at<P>>)
TLALOC_END_OPS

}  // namespace tlaloc
