// SPDX-License-Identifier: Apache-2.0
#include "ir/ir.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tlaloc::ir {

TEST(Reference, DocsSayWhatTheTableSays) {
  std::ifstream file(TLALOC_SOURCE_DIR "/docs/ops.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == op_reference()) << "docs/ops.md is stale: cmake --build build/dev --target docs_ops";
}

}  // namespace tlaloc::ir
