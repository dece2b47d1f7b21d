// SPDX-License-Identifier: Apache-2.0
//
// What people write and Tlaloc does not differentiate: each is named at the statement that has it.
#include "tlaloc/ad.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

union Bits {
  double number;
  long bits;
};
double with_union(double x) {
  Bits b;
  b.number = x;
  return b.number;
}
double with_function(double x) {
  std::function<double(double)> g[2];
  return x * static_cast<double>(sizeof g);
}
double called(const std::function<double(double)>& g, double x) { return g(x); }
double of_map(const std::map<int, double>& m, double x) { return x * static_cast<double>(m.size()); }
double of_text(const std::string& s, double x) { return x * static_cast<double>(s.size()); }
struct Item {
  double value;
  Item* next;
};
double of_list(const Item& first) { return first.value; }
struct Base {
  virtual double get() const { return scale; }
  virtual ~Base() = default;
  double scale = 1;
};
double of_base(const Base& b, double x) {
  return x * b.get();
}
double bits(double x) {
  std::vector<bool> flags(3);
  return flags.begin() == flags.end() ? x : -x;
}
double last(double x) {
  static double memory = 0;
  memory += x;
  return memory;
}
double guarded(double x) {
  if (x < 0) throw std::invalid_argument("not " + std::to_string(x));
  return x;
}
struct Left { double x; };
struct Right { double x; };
struct Both : Left, Right {};
double of_both(const Both& b) { return b.Left::x * b.Right::x; }

void use(const std::map<int, double>& m, const Item& item, const Base& base, const Both& both) {
  tlaloc::grad(with_union)(1.0);
  tlaloc::grad(with_function)(1.0);
  tlaloc::grad<1>(called)(std::function<double(double)>(), 1.0);
  tlaloc::grad<1>(of_map)(m, 1.0);
  tlaloc::grad<1>(of_text)(std::string(), 1.0);
  Item d_item{};
  tlaloc::grad(of_list)(tlaloc::shadow(item, d_item));
  tlaloc::grad<1>(of_base)(base, 1.0);
  tlaloc::grad(bits)(1.0);
  tlaloc::grad(last)(1.0);
  tlaloc::grad(guarded)(1.0);
  tlaloc::grad(of_both)(both);
}

// expect: 17:8 NOT_LOWERABLE ... 'Bits' is a union
// expect: 22:33 NOT_LOWERABLE ... an array of std::function
// expect: 25:52 NOT_LOWERABLE ... 'std::function<double (double)>' ... use a lambda
// expect: 26:44 NOT_LOWERABLE ... 'std::map<int, double>'
// expect: 27:35 NOT_LOWERABLE ... 'std::basic_string<char>'
// expect: 32:28 NOT_LOWERABLE ... 'first_next' of type 'Item' leads to objects of its own type
// expect: 39:16 NOT_LOWERABLE ... virtual function 'get' ... class is not known
// expect: 43:16 NOT_LOWERABLE ... std::vector<bool>::begin
// expect: 47:3 NOT_LOWERABLE ... static local variable 'memory'
// expect: 51:14 NOT_LOWERABLE ... the text of an exception must be a literal
// expect: 57:28 NOT_LOWERABLE ... several members 'x'
// expect-note: 60:3 derivative requested here
