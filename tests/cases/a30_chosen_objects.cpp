// SPDX-License-Identifier: Apache-2.0
//
// A30: methods of objects that a pointer and a reference choose.
#include "case.hpp"

struct V {
  double a, b;
  double norm() const { return std::sqrt(0.5 + a * a + b * b); }
  void scale(double s) {
    a *= s;
    b += s;
  }
};
V make(V v, double t) {
  if (t > 0.3) return {t, v.a};
  return v;
}
double f(double x, double y) {
  V all[3] = {{x, y}, make({y, x}, x * y), {x * y, 1}}, alone = make({x, x}, y);
  V* p = x > 0.5 ? &all[1] : &alone;
  V& r = y > 0.5 ? alone : all[2];
  p->scale(y);
  r.scale(x);
  --p;
  p->a += y;
  return all[0].norm() + 2 * all[1].norm() * r.norm() + 3 * all[2].norm() + alone.norm();
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 12.146204060622411, .gradient = {8.983547743040873, 9.12226643161142}}, 0.75, 0.6);
  run.check(DERIVATIVES(f), {.value = 14.44805758138207, .gradient = {11.114629243073002, 5.040460619788501}}, 0.9, 0.25);
  return run.done();
}
