// SPDX-License-Identifier: Apache-2.0
//
// Small programs as text for tests of passes: run a pass, check that it keeps what the text means, look at what is left.
#pragma once

#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <gtest/gtest.h>

namespace tlaloc::ir::test {

inline int count(const Function& f, const Kind& kind) {
  int n = 0;
  walk(*f.body, [&](Op* op) { n += op->kind == &kind; });
  return n;
}
inline const Op* find(const Function& f, const Kind& kind) {
  const Op* found = nullptr;
  walk(*f.body, [&](Op* op) { if (op->kind == &kind && !found) found = op; });
  return found;
}
/// Constants apart.
inline int ops_in(const Function& f) {
  int n = 0;
  walk(*f.body, [&](Op* op) { n += op->kind != &ops::constant; });
  return n;
}
inline std::vector<double> results(const Function& f, std::vector<Argument> args, const Program& p = {}) {
  std::vector<double> r;
  for (auto& n : interpret(p, f, args)) r.push_back(n.as_double());
  return r;
}
inline Argument i64(std::int64_t x) { return integer(x, DType::i64); }
inline Argument truth(bool x) { return integer(x, DType::boolean); }

/// The text after the pass; each list of arguments must give what the text gave.
template <class Pass> Function after(Pass pass, const std::string& text, const std::vector<std::vector<Argument>>& calls = {}) {
  const Function before = parse_function(text);
  verify(before);
  Function f = copy(before, before.name);
  pass(f);
  verify(f);
  for (auto& args : calls) EXPECT_EQ(results(f, args), results(before, args)) << print(before) << print(f);
  return f;
}

}  // namespace tlaloc::ir::test
