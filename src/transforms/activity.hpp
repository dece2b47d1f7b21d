// SPDX-License-Identifier: Apache-2.0
//
// Which values and buffers depend differentiably on the parameters that are differentiated, across calls and recursion.
#pragma once

#include "transforms/rewrite.hpp"

namespace tlaloc::ir {

/// Parameters of a function, true for those that are active.
using Mask = std::vector<char>;

class Activity {
 public:
  explicit Activity(const Program& p) : program_(p) {}

  /// The answers for one function with some active parameters.
  struct Summary {
    const Function* function = nullptr;
    Mask params;                                  // with the buffers that the function makes active
    ValueTable<char> active;
    bool operator()(const Value* v) const { return active.get(v); }
  };
  /// `f` is in the form that it has when it is differentiated: see differentiable_form.
  const Summary& of(const Function& f, const Mask& params);
  /// The callee's answers at a call whose caller has these.
  const Summary& at_call(const Op& call, const Summary& caller);
  /// The callee of a call, ready to be differentiated.
  const Function& callee(const Op& call);

 private:
  using Key = std::pair<const Function*, Mask>;
  Summary& entry(const Function&, const Mask&);
  bool grow(Summary&);
  bool grow(Summary&, const Block&);
  bool grow(Summary&, const Op&);
  bool add(Summary&, const Value*);

  const Program& program_;
  std::map<Key, Summary> known_;
  std::map<std::string, Function, std::less<>> forms_;
};

/// A copy in which ops whose derivative is their expansion's are expanded.
Function differentiable_form(const Function&);

}  // namespace tlaloc::ir
