// SPDX-License-Identifier: Apache-2.0
//
// A12: Overloaded operators on a small vector type.
#include "case.hpp"

struct Vec3 { double x, y, z; };
Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
double operator*(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double f(double s, double t) {
  Vec3 a{s, 1.0, t}, b{t * t, s, 2.0};
  Vec3 c = cross(a, b) + s * a;
  return c * c;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 9.0744290000000005, .gradient = {13.404000000000001, -4.1865800000000001}}, 0.8, -0.3);
  return run.done();
}
