// SPDX-License-Identifier: Apache-2.0
//
// A few lines instead of a test library: these files are compiled by a compiler under test, and should cost it little.
#pragma once

#include <cmath>
#include <cstdio>

namespace check {

struct Test {
  const char* name;
  void (*run)();
  Test* next;
};
inline Test* all = nullptr;
inline int failures = 0;

struct Register {
  explicit Register(Test& t) { t.next = all, all = &t; }
};
inline void fail(const char* file, int line, const char* what, double got, double want) {
  std::printf("%s:%d: %s is %.17g, expected %.17g\n", file, line, what, got, want);
  ++failures;
}
inline void near(const char* file, int line, const char* what, double got, double want, double tolerance) {
  if (!(std::fabs(got - want) <= tolerance * std::fabs(want))) fail(file, line, what, got, want);  // fails for NaN
}
inline int run() {
  int count = 0;
  for (Test* t = all; t; t = t->next, ++count) {
    const int before = failures;
    t->run();
    if (failures != before) std::printf("FAIL %s\n", t->name);
  }
  std::printf("%d tests, %d failures\n", count, failures);
  return failures != 0 || count == 0;
}

}  // namespace check

#define TEST(group, name)                                                     \
  static void group##name();                                                  \
  static check::Test test_##group##name{#group "." #name, group##name, nullptr}; \
  static const check::Register register_##group##name(test_##group##name);    \
  static void group##name()
#define EXPECT_DOUBLE_EQ(got, want) check::near(__FILE__, __LINE__, #got, got, want, 1e-15)
#define EXPECT_FLOAT_EQ(got, want) check::near(__FILE__, __LINE__, #got, got, want, 1e-7)
#define EXPECT_TRUE(condition) \
  if (!(condition)) check::fail(__FILE__, __LINE__, #condition, 0, 1)
#define EXPECT_EQ(got, want) EXPECT_TRUE((got) == (want))
