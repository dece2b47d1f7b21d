// SPDX-License-Identifier: Apache-2.0
//
// What `fold` knows at a place of the walk: ops that were computed before (in this block or one around it) and what
// buffers hold. Knowledge gained in a region ends with the region.
#pragma once

#include "transforms/identities.hpp"

#include <deque>
#include <unordered_map>

namespace tlaloc::ir {

class Known {
 public:
  void enter();
  void leave();

  // --- equal ops ---
  /// The value of an op with the same kind, operands (in either order where that is the same) and attributes, or null.
  Value* equal(const Op&) const;
  void remember(const Op& op, Value* value) { remember(*op.kind, op.operands, op.attrs, value); }
  void remember(const Kind&, std::vector<Value*> operands, std::vector<Attr> attrs, Value* value);

  // --- memory ---
  Value* element(const Value* buffer, const Value* index) const;
  Value* length(const Value* buffer) const;
  void set_element(const Value* buffer, const Value* index, Value* value);
  void set_all(const Value* buffer, Value* value);
  void set_length(const Value* buffer, Value* length);
  /// Forgets the elements that a write at the index may change.
  void forget_element(const Value* buffer, const Value* index);
  void forget_elements(const Value* buffer);
  /// Forgets the length too.
  void forget(const Value* buffer);

 private:
  struct Entry {
    const Kind* kind;
    std::vector<Value*> operands;
    std::vector<Attr> attrs;
    Value* value;
  };
  struct Contents {
    std::vector<std::pair<const Value*, Value*>> elements;
    Value* all = nullptr;                         // when every element holds it
    Value* length = nullptr;
  };
  struct Scope {
    std::vector<std::size_t> entries;             // hashes of what was remembered
    std::unordered_map<const Value*, Contents> before;
  };
  Contents& change(const Value* buffer);

  std::unordered_map<std::size_t, std::vector<Entry>> entries_;
  std::unordered_map<const Value*, Contents> memory_;
  std::vector<Scope> scopes_;
};

}  // namespace tlaloc::ir
