// SPDX-License-Identifier: Apache-2.0
//
// NEEDS_SHADOW: a struct that holds a pointer cannot be returned as a derivative.
#include "tlaloc/ad.hpp"

struct Slice {
  const double* data;
  int size;
};
double first(Slice s, double k) { return k * s.data[0]; }
auto df = tlaloc::grad(first);
double use(Slice s) { return std::get<1>(df(s, 2.0)); }

// expect: 11:11 NEEDS_SHADOW ... 's' ... 'Slice'
