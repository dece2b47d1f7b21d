// SPDX-License-Identifier: Apache-2.0
//
// A26: A global that is read, and a local assigned only in branches.
#include "case.hpp"

double gain = 1.5;
double f(double x) {
  double y;
  if (x > 0) y = gain * x * x;
  else y = -x;
  double z = y;
  y = z * gain;
  return y + z;
}

#ifdef TLALOC_CASE_PRINTED
// A printed function names no variable of the user's: a global that it reads is its last parameter.
#define WITH_GAIN(name) [](double x) { return tlaloc::generated::name(x, gain); }
#define WITH_GAIN_JVP(name) [](double x, double d_x) { return tlaloc::generated::name(x, gain, d_x); }
#define ALL(f) f, WITH_GAIN(f##_grad), WITH_GAIN(f##_value_and_grad), WITH_GAIN_JVP(f##_jvp)
#else
#define ALL DERIVATIVES
#endif

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(ALL(f), {.value = 2.4000000000000003, .gradient = {6.0000000000000003}}, 0.8);
  return run.done();
}
