// SPDX-License-Identifier: Apache-2.0
//
// Must not compile: nobody can see what the sensor does with x.
#include <tlaloc/ad.hpp>

double read_sensor(double x);

double reading(double x) {
  double sum = x;
  sum += read_sensor(x);
  return sum * sum;
}

double use(double x) { return tlaloc::grad(reading)(x); }
