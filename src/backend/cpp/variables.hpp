// SPDX-License-Identifier: Apache-2.0
//
// From SSA values to C++ variables: values that are never alive together may share one, so that a loop's carried value,
// its update and its result are the user's one variable again and most copies vanish.
#pragma once

#include "backend/cpp/plan.hpp"

#include <set>
#include <unordered_set>

namespace tlaloc::ir::cpp {

class Variables {
 public:
  Variables(const Function&, Plan&);

  /// The number of the value's variable.
  int of(const Value* v) const;
  bool same(const Value* a, const Value* b) const { return of(a) == of(b); }
  const std::vector<const Value*>& members(int variable) const { return members_[std::size_t(variable)]; }
  /// True when the variable gets its only value where it is declared.
  bool constant(int variable) const;

 private:
  using Live = std::set<int>;
  void compute();
  void block(const Block&, Live&);
  void statement(const Op&, Live&);
  void regions_of_loop(const Op&, const Live& after);
  Live outer_reads(const Op& loop) const;
  void conflict(int a, int b);
  void define(const std::vector<Value*>&, const Live&);
  bool join(const Value* a, const Value* b);
  void join_loop(const Op&);
  void join_all(const Block&);
  void join_by_name(const Block&, std::vector<const Value*>& in_sight);
  bool plain(const Value*) const;                 // a number with a variable of its own

  const Function& f_;
  Plan& plan_;
  std::vector<int> parent_;
  std::vector<std::vector<const Value*>> members_;
  std::unordered_set<std::uint64_t> conflicts_;
};

}  // namespace tlaloc::ir::cpp
