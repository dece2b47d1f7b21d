// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Ids& ids, const Tensor<float, Class, Hidden>& table, const Tensor<int, Batch, dim<3>>& many) {
  auto a = one_hot<Class>(x);  // refused: DTYPE_MISMATCH op::one_hot dtype_unsupported Tensor<float, Batch, Hidden>
  use(a, x);
  auto b = embedding(table, x);  // refused: DTYPE_MISMATCH op::embedding dtype_unsupported
  use(b, x);
  auto c = gather<Out>(table, ids);  // refused: NAMED_INDEX_MISMATCH op::gather axis_absent sized<Out, 256>
  use(c, x);
  auto d = take_along_axis<Hidden>(x, ids);  // refused: TENSOR_SHAPE_MISMATCH op::take_along_axis ranks_differ dim<2> dim<1>
  use(d, x);
  auto e = take_along_axis<Hidden>(table, many);  // refused: NAMED_INDEX_MISMATCH op::take_along_axis names_differ sized<Class, 10> sized<Batch
  use(e, x);
  auto g = scatter_add<Class>(table, ids, x);
  auto h = scatter<Class>(table, ids, table);  // refused: NAMED_INDEX_MISMATCH op::scatter names_differ sized<Batch sized<Class, 10>
  use(h, x);
  (void)g;
}
