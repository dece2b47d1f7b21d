// SPDX-License-Identifier: Apache-2.0
//
// The notes tell the way from the request to the statement; one mistake is one error, whoever runs into it.
#include "tlaloc/ad.hpp"

double sensor(double x);
double inner(double x) {
  double y = x * 2;
  y += sensor(x);
  return y;
}
double outer(double x) { return x * inner(x); }
template <class T> double late(T k, T at) {
  return tlaloc::grad([k](T x) { return k * sensor(x); })(at);
}
double use(double x) {
  return tlaloc::grad(outer)(x) + tlaloc::value_and_grad(outer)(x).first + tlaloc::jvp(outer)(x, 1.0) + late(1.0, x);
}

// expect: 9:8 NOT_DIFFERENTIABLE ... sensor
// expect-note: 7:8 while differentiating 'inner'
// expect-note: 12:8 while differentiating 'outer'
// expect-note: 17:10 derivative requested here
// expect: 14:45 NOT_DIFFERENTIABLE ... sensor
