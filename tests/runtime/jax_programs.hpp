// SPDX-License-Identifier: Apache-2.0
//
// The programs that jax_programs.py wrote, and JAX's results to compare with.
#pragma once

#include "data/npy.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace tlaloc::runtime {

struct JaxProgram {
  std::string name;
  std::vector<ir::Array> inputs, outputs;
  bool compiled = false;                          // by every run-time
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<JaxProgram> jax_programs() {
  const std::filesystem::path folder = TLALOC_JAX_PROGRAMS;
  auto load = [&](const std::string& name) {
    const auto bf16 = folder / (name + ".bf16.npy");
    if (!exists(bf16)) return data::load_npy(folder / (name + ".npy"));
    ir::Array a = data::load_npy(bf16);
    a.type.dtype = ir::DType::bf16;
    return a;
  };
  std::vector<JaxProgram> out;
  std::istringstream rows(read_text(folder / "programs.txt"));
  JaxProgram p;
  for (int in = 0, results = 0; rows >> p.name >> in >> results >> p.compiled; p.inputs.clear(), p.outputs.clear()) {
    for (int i = 0; i < in; ++i) p.inputs.push_back(load(p.name + ".in" + std::to_string(i)));
    for (int i = 0; i < results; ++i) p.outputs.push_back(load(p.name + ".out" + std::to_string(i)));
    out.push_back(p);
  }
  return out;
}

/// Types, integers, infinities and NaN exactly; other reals to `ulps` units in the last place of the largest of the array.
inline void expect_close(const ir::Array& got, const ir::Array& want, const std::string& what, double ulps) {
  ASSERT_EQ(text(got.type), text(want.type)) << what;
  if (!want.type.real()) {
    EXPECT_EQ(std::memcmp(got.bytes.get(), want.bytes.get(), want.size() * ir::byte_width(want.type.dtype)), 0) << what;
    return;
  }
  const double unit = want.type.dtype == ir::DType::f64 ? 0x1p-52 : want.type.dtype == ir::DType::f32 ? 0x1p-23 : want.type.dtype == ir::DType::f16 ? 0x1p-10 : 0x1p-7;
  double largest = 0;
  for (std::size_t i = 0; i < want.size(); ++i) if (std::isfinite(want.at(i).real)) largest = std::fmax(largest, std::fabs(want.at(i).real));
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got.at(i).real == want.at(i).real || (std::isnan(got.at(i).real) && std::isnan(want.at(i).real))) continue;
    EXPECT_LE(std::fabs(got.at(i).real - want.at(i).real), ulps * unit * largest) << what << " at " << i << ": " << got.at(i).real << " for " << want.at(i).real;
  }
}

}  // namespace tlaloc::runtime
