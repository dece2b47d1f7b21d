// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Ids& ids, const Square& q, const Tokens& tokens) {
  auto a = sum<Seq>(x);  // refused: NAMED_INDEX_MISMATCH op::sum axis_absent sized<Seq sized<Hidden, 512>
  use(a, x);
  auto b = sum<2>(x);  // refused: TENSOR_SHAPE_MISMATCH op::sum outside_the_axis dim<2> dim<2>
  use(b, x);
  auto c = mean<Hidden>(q);  // refused: NAMED_INDEX_MISMATCH op::mean axis_repeated sized<Hidden, 512>
  use(c, x);
  auto d = mean(ids);  // refused: DTYPE_MISMATCH op::mean dtype_unsupported Tensor<int, Batch>
  use(d, x);
  auto e = any<Hidden>(x);  // refused: DTYPE_MISMATCH op::any dtype_unsupported
  use(e, x);
  auto g = max<0, 0>(x);  // refused: NAMED_INDEX_MISMATCH op::max axis_repeated
  use(g, x);
  auto h = argmax<Out>(x);  // refused: NAMED_INDEX_MISMATCH op::argmax axis_absent sized<Out, 256>
  use(h, x);
  auto i = softmax<Class>(x);  // refused: NAMED_INDEX_MISMATCH op::softmax axis_absent sized<Class, 10>
  use(i, x);
  auto j = cumsum<Class>(x);  // refused: NAMED_INDEX_MISMATCH op::cumsum axis_absent
  use(j, x);
  auto k = top_k<Hidden, 513>(x);  // refused: TENSOR_SHAPE_MISMATCH op::top_k<513 outside_the_axis dim<513> sized<Hidden, 512>
  use(k, x);
  auto l = top_k<Seq, 5000>(tokens);  // refused: BOUNDED_DIM_EXCEEDED op::top_k<5000 above_the_bound dim<5000> dim<4096>
  use(l, x);
  auto m = sum<dim<0>>(x);  // refused: NAMED_INDEX_MISMATCH op::sum axis_absent
  use(m, x);
}
