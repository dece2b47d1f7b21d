// SPDX-License-Identifier: Apache-2.0
#include "runtime/pjrt/cache.hpp"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::runtime::pjrt {
namespace {

namespace fs = std::filesystem;

const char* older = TLALOC_SITE_PACKAGES "/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so";
const char* newer = TLALOC_SITE_PACKAGES "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so";

std::string scale(const char* factor) {
  return std::string("module { func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> { %c = stablehlo.constant dense<") + factor +
         "> : tensor<3xf64> %0 = stablehlo.multiply %x, %c : tensor<3xf64> return %0 : tensor<3xf64> } }";
}

class PjrtCache : public testing::Test {
 protected:
  PjrtCache() {
    std::string name = testing::TempDir() + "tlaloc-cache-XXXXXX";
    folder = fs::path(mkdtemp(name.data())) / "inner" / "cache";
  }
  ~PjrtCache() override { fs::remove_all(folder.parent_path().parent_path()); }
  std::vector<double> run(const Executable& f, const Client& c) {
    ir::Array x(ir::Type{ir::DType::f64, {3}});
    for (int i = 0; i < 3; ++i) x.data<double>()[i] = i + 1;
    const Buffer b = c.put(x);
    const ir::Array y = f.execute({&b})[0].get();
    return {y.data<double>(), y.data<double>() + 3};
  }
  std::vector<fs::path> entries() {
    std::vector<fs::path> out;
    for (auto& e : fs::directory_iterator(folder)) out.push_back(e.path());
    return out;
  }
  fs::path folder;
};

TEST_F(PjrtCache, AProgramIsCompiledOnce) {
  const Client a(Plugin::load(older)), b(Plugin::load(newer));
  Cache cache(folder);
  EXPECT_THAT(run(cache.compile(a, scale("2.0")), a), testing::ElementsAre(2, 4, 6));
  EXPECT_THAT(run(cache.compile(a, scale("2.0")), a), testing::ElementsAre(2, 4, 6));
  EXPECT_EQ(cache.hits, 1);
  EXPECT_EQ(cache.misses, 1);
  // another program, other options, another plugin, another object for the same folder
  EXPECT_THAT(run(cache.compile(a, scale("3.0")), a), testing::ElementsAre(3, 6, 9));
  CompileOptions shardy;
  shardy.shardy = true;
  EXPECT_THAT(run(cache.compile(a, scale("2.0"), shardy), a), testing::ElementsAre(2, 4, 6));
  EXPECT_THAT(run(cache.compile(b, scale("2.0")), b), testing::ElementsAre(2, 4, 6));
  EXPECT_EQ(cache.misses, 4);
  Cache again(folder);
  const Client later(Plugin::load(older));
  EXPECT_THAT(run(again.compile(later, scale("3.0")), later), testing::ElementsAre(3, 6, 9));
  EXPECT_EQ(again.hits, 1);
  EXPECT_EQ(entries().size(), 4u);
}

TEST_F(PjrtCache, DamagedEntriesAreReplaced) {
  const Client client(Plugin::load(older));
  Cache cache(folder);
  cache.compile(client, scale("2.0"));
  for (int way = 0; way < 3; ++way) {
    const auto entry = entries().at(0);
    if (way == 0) fs::resize_file(entry, fs::file_size(entry) - 1);
    if (way == 1) fs::resize_file(entry, 10);
    if (way == 2) {
      std::fstream f(entry, std::ios::in | std::ios::out | std::ios::binary);
      f.seekp(100);
      f.put('~');
    }
    EXPECT_THAT(run(cache.compile(client, scale("2.0")), client), testing::ElementsAre(2, 4, 6));
    EXPECT_EQ(cache.misses, way + 2);
    EXPECT_EQ(cache.hits, 0);
  }
}

TEST_F(PjrtCache, FoldersOfOthersAreRefused) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::all);
  try {
    Cache cache(folder);
    FAIL() << "a folder that everybody can write to";
  } catch (const Error& e) {
    EXPECT_EQ(e.code, "UNSAFE_CACHE");
  }
  std::ofstream(folder / "file") << "x";
  try {
    Cache cache(folder / "file");
    FAIL() << "a file";
  } catch (const Error& e) {
    EXPECT_EQ(e.code, "CANNOT_WRITE");
  }
}

}  // namespace
}  // namespace tlaloc::runtime::pjrt
