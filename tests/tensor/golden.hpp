// SPDX-License-Identifier: Apache-2.0
//
// Arrays of tests/golden by name.
#pragma once

#include <tlaloc/tensor.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

struct GoldenArray {
  const char* name;
  std::vector<tlaloc::extent_t> shape;
  std::vector<double> values;
};
struct TolerantArray {
  const char* name;
  std::vector<tlaloc::extent_t> shape;
  double tolerance;
  std::vector<double> values;
};
template <class A, std::size_t N> std::map<std::string, A> by_name(const A (&rows)[N]) {
  std::map<std::string, A> all;
  for (auto& r : rows) all.emplace(r.name, r);
  return all;
}
