// SPDX-License-Identifier: Apache-2.0
//
// Each clean-up pass on random programs: the result verifies, and a run of it shows the same bits.
#include "transforms/simplify.hpp"

#include "random_program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tlaloc::ir {
namespace {

int programs() {                                  // more on demand: TLALOC_PROGRAMS=5000
  const char* s = std::getenv("TLALOC_PROGRAMS");
  return s ? std::atoi(s) : 150;
}
std::string shown(const Numbers& ns) {
  std::string s;
  for (auto& n : ns) s += (is_real(n.dtype) ? std::to_string(n.real) : std::to_string(n.as_int())) + " ";
  return s;
}

void check(const char* name, void (*pass)(Function&, const Program*)) {
  for (unsigned seed = 0; seed < unsigned(programs()); ++seed) {
    const Program program = test::RandomProgram(seed).make(12);
    const Function& before = program.functions.back();
    ASSERT_NO_THROW(verify(before, &program)) << print(before);
    for (bool informed : {false, true}) {
      Function after = copy(before, before.name);
      pass(after, informed ? &program : nullptr);
      try {
        verify(after, &program);
        for (unsigned run = 0; run < 3; ++run) {
          const auto a = test::observe(program, before, run), b = test::observe(program, after, run);
          ASSERT_EQ(a, b) << name << " seed " << seed << " run " << run << "\n" << shown(a) << "\n" << shown(b) << "\n" << print(before) << "\n" << print(after);
        }
      } catch (const Error& e) {
        FAIL() << name << " seed " << seed << ": " << e.what() << "\n" << print(before) << "\n" << print(after);
      }
    }
  }
}

TEST(Passes, Promote) { check("promote", [](Function& f, const Program*) { promote(f); }); }
TEST(Passes, Fold) { check("fold", [](Function& f, const Program* p) { fold(f, p); }); }
TEST(Passes, DeadCode) { check("eliminate_dead_code", [](Function& f, const Program* p) { eliminate_dead_code(f, p); }); }
TEST(Passes, Hoist) { check("hoist", [](Function& f, const Program*) { hoist(f); }); }
TEST(Passes, Tidy) { check("tidy", [](Function& f, const Program*) { tidy(f); }); }
TEST(Passes, FoldTwice) { check("fold twice", [](Function& f, const Program* p) { fold(f, p); fold(f, p); }); }
TEST(Passes, PromoteFoldDeadCode) {
  check("promote, fold, eliminate", [](Function& f, const Program* p) { promote(f); fold(f, p); eliminate_dead_code(f, p); });
}
TEST(Passes, Simplify) { check("simplify", [](Function& f, const Program* p) { simplify(f, p); }); }

}  // namespace
}  // namespace tlaloc::ir
