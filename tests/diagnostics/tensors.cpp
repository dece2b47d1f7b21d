// SPDX-License-Identifier: Apache-2.0
//
// What functions of tensors may not do where they are differentiated.
#include <tlaloc/jit.hpp>

#include <vector>

using namespace tlaloc;
struct Row : axis<> {};
using V = Tensor<double, Row>;

Scalar<double> of_many(const std::vector<V>& all) { return sum(all[0]); }
Scalar<double> of_any(const AnyTensor& x, const V& y) { return sum(y) * double(x.rank()); }
Scalar<double> in_an_array(const V& x) {
  V both[] = {x, x};
  return sum(both[0]);
}
Scalar<double> growing(const V& x) {
  auto y = x;
  for (int i = 0; i < 3; ++i) y = concat<Row>(y, x);
  return sum(y);
}
double first_of(const V& x) { return x.at(0); }
Scalar<double> cut(const V& x, int n) { return sum(slice<Row>(x, 0, n)); }
Scalar<double> moving(const V& x) {
  Scalar<double> s = 0.0;
  for (int i = 0; i < 3; ++i) s = s + sum(slice<Row>(x, i, 4));
  return s;
}
Scalar<double> deep(const V& x, int n) { return n ? deep(x * x, n - 1) : sum(x); }
Scalar<double> overwritten(V& x) {
  x = x * x;
  return sum(x);
}
Scalar<double> drifting(const V& x, int n) {
  Scalar<double> s = 0.0;
  int first = 0;
  while (n-- > 0) {
    s = s + sum(slice<Row>(x, first, 4));
    first = 1;
  }
  return s;
}
Scalar<double> simple(const V& x) { return sum(x * x); }

void use(const V& x, const std::vector<V>& all, V& out) {
  grad(of_many)(all);
  grad<1>(of_any)(x.any(), x);
  grad(in_an_array)(x);
  grad(growing)(x);
  grad(first_of)(x);
  grad<0>(cut)(x, 3);
  grad(moving)(x);
  grad<0>(deep)(x, 3);
  hessian(simple)(x);
  grad(overwritten)(out);
  grad<0>(drifting)(x, 3);
}

// expect: 12:46 NOT_LOWERABLE ... 'all' is a vector of tensors, which is not supported in differentiated code; stack them along an axis, or make them members of a struct
// expect: 13:40 NOT_LOWERABLE ... 'x' is a tlaloc::AnyTensor, whose element type and rank are known at run time only; make it a tlaloc::Tensor
// expect: 15:5 NOT_LOWERABLE ... an array or a vector of tensors is not supported in differentiated code; stack them along an axis, or give each a name
// expect: 20:33 NOT_LOWERABLE ... 'tlaloc::Tensor<double, Row>::operator=' cannot be lowered: 'y' of type f64[row] gets a value of type f64[2*row]; in differentiated code a tensor keeps its shape
// expect: 23:40 NOT_LOWERABLE ... elements by position are not supported in differentiated code; use slice, gather or a sum with a mask
// expect: 24:52 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
// expect: 27:43 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
// expect: 30:53 NOT_LOWERABLE ... 'deep' calls itself and handles tensors, which is not supported; write a loop
// expect: 55:3 NOT_LOWERABLE ... hessian of a function of tensors is not supported; use vjp or jvp, or grad of a grad
// expect: 32:5 NOT_LOWERABLE ... 'tlaloc::Tensor<double, Row>::operator=' cannot be lowered: giving the caller's tensor 'x' another value is not supported
// expect: 39:17 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
