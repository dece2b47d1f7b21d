// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of every shape against numbers of tests/golden.
#pragma once

#include "tlaloc/ad.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace golden {

inline void flatten(double x, std::vector<double>& out) { out.push_back(x); }
template <class T> void flatten(const tlaloc::DenseMatrix<T>& m, std::vector<double>& out) { for (T x : m.data()) out.push_back(x); }
template <class R>
  requires requires(const R& r) { r.begin(); }
void flatten(const R& r, std::vector<double>& out) { for (auto& x : r) flatten(x, out); }
template <class... T> void flatten(const std::tuple<T...>& t, std::vector<double>& out) { std::apply([&](auto&... x) { (flatten(x, out), ...); }, t); }

/// The rows of a file, and the comparison with one of them: expect("name", derivative).
struct Rows {
  std::map<std::string, std::vector<double>> all;

  const std::vector<double>& at(const std::string& name) const { return all.at(name); }
  template <class T> void operator()(const std::string& name, const T& got, double tolerance = 1e-12) const {
    std::vector<double> numbers;
    flatten(got, numbers);
    const auto& want = at(name);
    ASSERT_EQ(numbers.size(), want.size()) << name;
    double scale = 0;
    for (double x : want) scale = std::max(scale, std::fabs(x));
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(numbers[i], want[i], tolerance * scale) << name << " " << i;
  }
};

}  // namespace golden
