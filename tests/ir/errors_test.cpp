// SPDX-License-Identifier: Apache-2.0
#include "ir/errors.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

TEST(Errors, EachCodeStandsOnceWithAMeaning) {
  std::set<std::string_view> seen;
  for (auto& e : error_codes()) {
    EXPECT_TRUE(seen.insert(e.code).second) << e.code;
    EXPECT_TRUE(e.meaning.ends_with('.')) << e.code;
    EXPECT_FALSE(e.way_out.ends_with('.')) << e.code << ": the way out goes into a sentence";
    EXPECT_EQ(find_error(e.code), &e);
  }
  EXPECT_EQ(find_error("NO_SUCH_CODE"), nullptr);
}

/// To write the page anew: TLALOC_UPDATE=1 and run this test.
TEST(Errors, ThePageIsTheTable) {
  const char* path = TLALOC_SOURCE_DIR "/docs/errors.md";
  if (std::getenv("TLALOC_UPDATE")) std::ofstream(path) << error_reference();
  std::ifstream file(path);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(page, error_reference());
}

}  // namespace
}  // namespace tlaloc::ir
