// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

struct Negative : axis<-3> {};  // refused: BOUNDED_DIM_INVALID
struct Nothing : axis<at_most{0}> {};  // refused: BOUNDED_DIM_INVALID
using TooLong = sized<Seq, 5000>;  // refused: BOUNDED_DIM_EXCEEDED
using NoElement = Tensor<char*, Batch>;  // refused: Tensor
