// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Doubles& d, const Bias& o, const Ids& ids, const Mask& m, const Tensor<float, dim<7>>& seven) {
  auto a = x + d;  // refused: DTYPE_MISMATCH op::add dtypes_differ Tensor<float, Batch, Hidden> Tensor<double, Hidden>
  use(a, x);
  auto b = x * o;  // refused: NAMED_INDEX_MISMATCH op::mul names_differ sized<Hidden, 512> sized<Out, 256>
  use(b, x);
  auto c = x - seven;  // refused: TENSOR_SHAPE_MISMATCH op::sub extents_differ sized<Hidden, 512> dim<7>
  use(c, x);
  auto e = 0.5 * ids;  // refused: DTYPE_MISMATCH op::mul dtypes_differ double Tensor<int, Batch>
  use(e, x);
  auto g = sqrt(ids);  // refused: DTYPE_MISMATCH op::sqrt dtype_unsupported Tensor<int, Batch>
  use(g, x);
  auto h = m + m;  // refused: DTYPE_MISMATCH op::add dtype_unsupported Tensor<bool, Batch, Hidden>
  use(h, x);
  auto i = x < d;  // refused: DTYPE_MISMATCH op::compare dtypes_differ
  use(i, x);
  auto j = where(x, x, 0);  // refused: DTYPE_MISMATCH op::where dtypes_differ
  use(j, x);
  auto k = where(m, o, x);  // refused: NAMED_INDEX_MISMATCH op::where names_differ
  use(k, x);
  auto l = m & true;
  auto n = m & 1;  // refused: DTYPE_MISMATCH op::bit_and dtypes_differ Tensor<bool, Batch, Hidden> int
  use(n, x);
  auto p = pow(x, seven);  // refused: TENSOR_SHAPE_MISMATCH op::pow extents_differ sized<Hidden, 512> dim<7>
  use(p, x);
  (void)l;
}
