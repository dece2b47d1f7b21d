// SPDX-License-Identifier: Apache-2.0
//
// Output of which a derivative cannot tell what to write, or where.
#include <iomanip>
#include <iostream>

#include "tlaloc/ad.hpp"

struct Vec {
  double x, y;
};
std::ostream& operator<<(std::ostream& to, const Vec& v) { return to << v.x << v.y; }

std::ostream file(std::cout.rdbuf());
double to_file(double x) {
  file << x;
  return x;
}
double of_vec(double x) {
  std::cout << "v = " << Vec{x, 1};
  return x;
}
double with_digits(double x) {
  std::cout << std::setprecision(9) << x;
  return x;
}

auto a = tlaloc::grad(to_file)(1.0);
auto b = tlaloc::grad(of_vec)(1.0);
auto c = tlaloc::grad(with_digits)(1.0);

// expect: 16:3 NOT_LOWERABLE ... another stream than std::cout, std::cerr or std::clog
// expect: 20:26 NOT_LOWERABLE ... an operator << of one's own ... write its numbers
// expect: 24:16 NOT_LOWERABLE ... output of '_Setprecision' is not supported
