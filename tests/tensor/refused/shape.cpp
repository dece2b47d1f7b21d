// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Doubles& d, const Bias& o, const Tokens& tokens, const Tensor<float, dim<2>, dim<3>>& small) {
  auto a = reshape<dim<16>, dim<31>>(d);  // refused: TENSOR_SHAPE_MISMATCH op::reshape< element_counts_differ dim<512> dim<496>
  use(a, x);
  auto b = transpose<Hidden, Batch>(o);  // refused: TENSOR_SHAPE_MISMATCH op::transpose ranks_differ dim<1> dim<2>
  use(b, x);
  auto c = transpose<0, 2>(x);  // refused: TENSOR_SHAPE_MISMATCH op::transpose outside_the_axis dim<2> dim<2>
  use(c, x);
  auto e = concat<Seq>(x, x);  // refused: NAMED_INDEX_MISMATCH op::concat axis_absent sized<Seq sized<Hidden, 512>
  use(e, x);
  auto g = concat<0>(small, Tensor<float, dim<2>, dim<4>>::zeros());  // refused: TENSOR_SHAPE_MISMATCH op::concat extents_differ dim<3> dim<4>
  use(g, x);
  auto h = slice<Hidden, 0, 513>(x);  // refused: TENSOR_SHAPE_MISMATCH op::slice<0 513 outside_the_axis dim<513> sized<Hidden, 512>
  use(h, x);
  auto i = slice<Seq, 0, 5000>(tokens);  // refused: BOUNDED_DIM_EXCEEDED op::slice<0 5000 above_the_bound dim<5000> dim<4096>
  use(i, x);
  auto j = rename<Batch, Out>(x);  // refused: TENSOR_SHAPE_MISMATCH op::rename extents_differ sized<Hidden, 512> sized<Out, 256>
  use(j, x);
  auto k = relabel<Seq, Class>(x);  // refused: NAMED_INDEX_MISMATCH op::relabel axis_absent sized<Seq
  use(k, x);
  auto l = broadcast_to<Batch, Hidden>(o);  // refused: NAMED_INDEX_MISMATCH op::broadcast_to names_differ sized<Hidden, 512> sized<Out, 256>
  use(l, x);
  auto m = pad<Class, 1, 1>(x);  // refused: NAMED_INDEX_MISMATCH op::pad axis_absent sized<Class, 10>
  use(m, x);
  auto n = flip<Class>(x);  // refused: NAMED_INDEX_MISMATCH op::flip axis_absent sized<Class, 10>
  use(n, x);
  auto p = roll<Class>(x, 2);  // refused: NAMED_INDEX_MISMATCH op::roll axis_absent sized<Class, 10>
  use(p, x);
  auto q = reshape<dim<>, dim<>>(x);  // refused: TENSOR_SHAPE_MISMATCH op::reshape< extent_unknown
  use(q, x);
  auto r = squeeze<Hidden>(x);  // refused: TENSOR_SHAPE_MISMATCH op::squeeze extents_differ sized<Hidden, 512> dim<1>
  use(r, x);
  auto s = stack<Seq>(x, o);  // refused: TENSOR_SHAPE_MISMATCH op::stack_by_name<2 ranks_differ dim<2> dim<1>
  use(s, x);
  auto t = stack<Class>(x, x);  // refused: TENSOR_SHAPE_MISMATCH op::stack_by_name<2 extents_differ sized<Class, 10> dim<2>
  use(t, x);
  auto u = split<Hidden, 3>(x);  // refused: TENSOR_SHAPE_MISMATCH op::split<3 element_counts_differ sized<Hidden, 512> dim<3>
  use(u[1], x);
  auto v = slice_at<Hidden, 513>(x, 0);  // refused: TENSOR_SHAPE_MISMATCH op::slice_at<513 outside_the_axis dim<513> sized<Hidden, 512>
  use(v, x);
  auto w = update_slice<Hidden>(x, d, 0);  // refused: DTYPE_MISMATCH op::update_slice dtypes_differ
  use(w, x);
  auto y = flatten<2>(x);  // refused: TENSOR_SHAPE_MISMATCH op::flatten<2 outside_the_axis dim<2> dim<2>
  use(y, x);
}
