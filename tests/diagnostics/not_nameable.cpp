// SPDX-License-Identifier: Apache-2.0
//
// NOT_NAMEABLE: with generate=FILE the code that calls a derivative is text at the end of the file, which can name only
// what stands at namespace scope and is public.
#include "tlaloc/ad.hpp"

double f(double x) { return x * x; }

class Outer {
  struct Inner { double a; };
  static double hidden(double x) { return x * x; }

 public:
  static double of(const Inner& i) { return i.a * i.a; }
  static double use() { return tlaloc::grad(tlaloc::fn<of>)(Inner{2}).a + tlaloc::grad(tlaloc::fn<hidden>)(2.0); }
};
class Holder {
 public:
  explicit Holder(double& r) : r_(r) {}
  double get(double x) const { return r_ * x; }

 private:
  double& r_;
};

double uses(double x) {
  struct Local { double operator()(double y) const { return y * y; } };
  const Holder h(x);
  double sum = tlaloc::grad([](double y) { return y * y; })(x);
  sum += tlaloc::grad([x](double y) { return x * y; })(x);
  sum += tlaloc::grad(Local())(x);
  sum += tlaloc::grad<1>(tlaloc::fn<&Holder::get>)(h, x);
  sum += double(tlaloc::grad(f).source().size());
  return sum + Outer::use();
}

// flags: -fplugin-arg-tlaloc-generate=/dev/null
// expect: 15:32 NOT_NAMEABLE ... Outer::Inner ... not public
// expect: 15:75 NOT_NAMEABLE ... Outer::hidden ... not public
// expect: 29:16 NOT_NAMEABLE ... lambda ... namespace scope
// expect: 30:10 NOT_NAMEABLE ... a lambda that captures
// expect: 31:10 NOT_NAMEABLE ... 'Local' stands inside a function
// expect: 32:10 NOT_NAMEABLE ... 'r_' is a reference
// expect: 33:17 NOT_NAMEABLE ... source() ... tlaloc::fn<f>
