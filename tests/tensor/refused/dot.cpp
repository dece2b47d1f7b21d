// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Weights& w, const Bias& o, const Doubles& d, const Square& q, const Scalar<float>& s,
       const Tensor<float, sized<Hidden, 100>, Out>& short_, const Tensor<float, Batch, Hidden, Out>& both) {
  auto a = matmul(x, w);  // refused: TENSOR_SHAPE_MISMATCH op::matmul inner_extents_differ sized<Hidden, 512> dim<256>
  use(a, x);
  auto b = matmul(x, d);  // refused: DTYPE_MISMATCH op::matmul dtypes_differ Tensor<double, Hidden>
  use(b, x);
  auto c = matmul(x, o);  // refused: NAMED_INDEX_MISMATCH op::matmul names_differ sized<Hidden, 512> sized<Out, 256>
  use(c, x);
  auto e = matmul(x, s);  // refused: TENSOR_SHAPE_MISMATCH op::matmul rank_unsupported dim<2> dim<0>
  use(e, x);
  auto g = contract(x, o);  // refused: NAMED_INDEX_MISMATCH op::contract no_shared_name sized<Hidden, 512> sized<Out, 256>
  use(g, x);
  auto h = contract(x, short_);  // refused: TENSOR_SHAPE_MISMATCH op::contract extents_differ sized<Hidden, 512> sized<Hidden, 100>
  use(h, x);
  auto i = contract(x, both);  // refused: NAMED_INDEX_MISMATCH op::contract several_shared_names sized<Batch sized<Hidden, 512>
  use(i, x);
  auto j = contract<Class>(x, both);  // refused: NAMED_INDEX_MISMATCH op::contract axis_absent sized<Class, 10>
  use(j, x);
  auto k = contract(x, q);  // refused: NAMED_INDEX_MISMATCH op::contract axis_repeated sized<Hidden, 512>
  use(k, x);
  auto l = einsum<"bi,io->bo">(x, w);  // refused: TENSOR_SHAPE_MISMATCH op::einsum letter_has_two_extents sized<Hidden, 512> dim<256>
  use(l, x);
  auto m = einsum<"bi->bx">(x);  // refused: TENSOR_SHAPE_MISMATCH op::einsum letter_unknown
  use(m, x);
  auto n = einsum<"bij->b">(x);  // refused: TENSOR_SHAPE_MISMATCH op::einsum ranks_differ dim<3> dim<2>
  use(n, x);
  auto p = einsum<"bi;io">(x, w);  // refused: TENSOR_SHAPE_MISMATCH op::einsum spec_unreadable
  use(p, x);
}
