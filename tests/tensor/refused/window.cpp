// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

void f(const Rows& x, const Image& image, const Tensor<float, Filter, dim<4>, dim<3>, dim<3>>& four,
       const Tensor<float, Filter, Channel, dim<3>, dim<3>>& w, const Tensor<float, Filter, Channel, dim<30>, dim<3>>& tall, const Bias& o) {
  auto a = conv2d(image, four);  // refused: TENSOR_SHAPE_MISMATCH op::conv<2 channels_differ sized<Channel, 3> dim<4>
  use(a, x);
  auto b = conv2d<{.stride = 0}>(image, w);  // refused: TENSOR_SHAPE_MISMATCH op::conv<2 option_invalid
  use(b, x);
  auto c = conv2d(image, tall);  // refused: TENSOR_SHAPE_MISMATCH op::conv<2 window_too_large dim<30> dim<28>
  use(c, x);
  auto d = conv1d(image, w);  // refused: TENSOR_SHAPE_MISMATCH op::conv<1 rank_unsupported dim<4> dim<4>
  use(d, x);
  auto e = conv_transpose2d(image, w);  // refused: NAMED_INDEX_MISMATCH op::conv_transpose<2 names_differ sized<Channel, 3> sized<Filter, 8>
  use(e, x);
  auto g = max_pool2d<{.window = 29}>(image);  // refused: TENSOR_SHAPE_MISMATCH op::pool<2 window_too_large dim<29> dim<28>
  use(g, x);
  auto h = avg_pool1d<{.window = 2}>(image);  // refused: TENSOR_SHAPE_MISMATCH op::pool<1 ranks_differ dim<4> dim<3>
  use(h, x);
  auto i = layer_norm(x, o, o);  // refused: NAMED_INDEX_MISMATCH op::layer_norm names_differ sized<Hidden, 512> sized<Out, 256>
  use(i, x);
  auto j = group_norm<2>(image, Tensor<float, Channel>::zeros(), Tensor<float, Channel>::zeros());  // refused: TENSOR_SHAPE_MISMATCH op::group_norm<2 groups_do_not_divide sized<Channel, 3> dim<2>
  use(j, x);
  auto k = conv2d<{.groups = 2}>(image, w);  // refused: TENSOR_SHAPE_MISMATCH op::conv<2 channels_differ sized<Channel, 3> sized<Channel, 3>
  use(k, x);
  auto l = adaptive_avg_pool<0, 7>(image);  // refused: TENSOR_SHAPE_MISMATCH op::adaptive_pool<0 option_invalid dim<0> dim<28>
  use(l, x);
}
