// SPDX-License-Identifier: Apache-2.0
//
// The memory of lowered C++ code: what a variable, a pointer and a reference are in terms of whole buffers. Sees no Clang.
//
// An object is a tree of Nodes that follows its C++ type: a number is a buffer, a record has one child per base and
// member, an array one child for all of its elements. A place in an object is a node and an index: index 5 at the child
// `x` of an array of points is `points[5].x`. A vector is a growable buffer; vectors that are elements of something share
// one, and each row knows where it starts in it, its size and its room. So a pointer is (nodes that it may point into, which one, index), and a
// pointer variable is a node that stores the last two; the first is known at compile time.
#pragma once

#include "ir/ops.hpp"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tlaloc::frontend {

using ir::X;

inline constexpr int null_key = -1;

struct Node {
  enum Kind { scalar, pointer, record, array, vector, function, tensor } kind = scalar;
  int key = -1;                                   // the same in every attempt at lowering one function
  std::string name = {};
  // scalar
  ir::DType dtype = ir::DType::f64;
  ir::Value* buffer = nullptr;
  const ir::Numbers* table = nullptr;             // its contents, when constant
  // record: by member or base declaration
  std::vector<std::pair<const void*, Node*>> fields = {};
  // array and vector
  Node* element = nullptr;
  std::int64_t extent = 1;                        // of an array; of a number in a vector: how many per element
  X length = {};                                  // of a vector that cannot grow (a parameter)
  const void* owner = nullptr;                    // of such a vector that f has by value: Facts::written tells to copy it
  std::int64_t scale = 1;                         // entering element j: index * scale + j * element->unit
  Node *start = nullptr, *size = nullptr, *room = nullptr;      // of a vector that is a row: beside each other like the rows
  // tensor, or a number where one may stand: its buffer is a cell
  bool typed = false;                             // the cell has got its type
  ir::Shape rows = {}; // of the tensors of an array or vector, which one cell holds: how many
  int weak = 0;                                   // of a number: its kind, as the rules of tensors count them
  const void* axes = nullptr;                     // the front end's: names of the axes
  // every node
  std::int64_t unit = 1;                          // what ++ on a pointer to it adds to the index
  std::int64_t offset = 0;                        // what entering this member adds to the index
  bool member = false;                            // a member of its own in a record: pointers to it do not move
  bool whole = false;                             // its numbers are all that their buffers hold
  // pointer
  std::vector<int> candidates = {};               // keys of what it may point to, null_key for the null pointer
  ir::Value *tag = nullptr, *at = nullptr;        // buffers: position in candidates, index there
  bool loaded = false;
  bool callable = false;                          // of a std::function, which has what it points to for itself
  const void* type = nullptr;                     // class of a record with virtual functions, or that a std::function holds
  Node* parent = nullptr;                         // the record that this is a member or base of
  bool fixed = false;                             // belongs to the caller: may not be pointed elsewhere, grow, or made another tensor
  bool outside = false;                           // what a pointer parameter points to: null is not known apart
  // function: a pointer to a function, or to a member
  const void* callee = nullptr;
};

/// A pointer value, or a place (an lvalue).
struct Pointer {
  std::vector<Node*> targets = {};
  X tag = {};                                     // position in targets; empty for a single target
  X index = {};
  Node* only() const { return targets.size() == 1 ? targets[0] : nullptr; }
};

struct PointerError { std::string why; };         // the caller knows the place in the source

/// What one attempt at lowering a function teaches the next.
struct Facts {
  std::map<std::tuple<const void*, int, int>, int> keys = {};
  std::map<std::tuple<int, const void*>, int> frames = {};
  std::map<int, std::vector<int>> candidates = {};     // pointer node -> targets, -1 for null
  std::map<int, std::vector<const void*>> held = {};   // std::function node -> classes of what it may hold
  std::map<const void*, bool> written = {};            // parameters and globals that turned out to be written
  bool stale = false;                                  // something was learned too late: lower again
};

class Objects {
 public:
  Objects(ir::Builder& b, Facts& facts) : b(b), facts(facts) {}
  ir::Builder& b;
  Facts& facts;

  /// Nodes made from here on get keys that belong to this origin, which goes on counting where it was left.
  using Origin = std::pair<const void*, int>;
  Origin origin(const void* what, int frame) { return std::exchange(origin_, Origin{what, frame}); }
  Node* make(Node::Kind, std::string name);
  /// A pointer node whose buffers hold `count` pointers.
  Node* make_pointer(std::string name, std::int64_t count);

  Pointer at(Node* n) { return {{n}, {}, ir::index(b, 0)}; }
  Pointer field(const Pointer&, const void* member);
  Pointer outer(const Pointer&, const void* member);   // from a member or base back to its record
  Pointer element(const Pointer&, X j);           // of an array or vector node
  Pointer advance(const Pointer&, X n);           // pointer arithmetic, in elements
  X difference(const Pointer& a, const Pointer& b);
  X compare(const Pointer& a, const Pointer& b, ir::Compare);   // eq, ne; others within one object
  X same(const Pointer& a, const Pointer& b);
  Pointer null() { return {{nullptr}, {}, ir::index(b, 0)}; }
  Pointer choose(X condition, const Pointer& yes, const Pointer& no);
  /// Moves the memory of targets that the branches just appended made to where the builder stands: a temporary in an arm
  /// of a conditional lives as long as the whole expression.
  void outlive(const Pointer&);

  X load(const Pointer&, ir::DType);              // the type is that of the C++ expression
  void store(const Pointer&, X);
  Pointer load_pointer(const Pointer&);
  void store_pointer(const Pointer& to, const Pointer& value);
  void copy(const Pointer& to, const Pointer& from);
  void zero(const Pointer&);
  /// The vectors in it lose their elements.
  void moved_from(const Pointer&);
  X length(const Pointer& vector);
  void resize(const Pointer& vector, X length);   // new elements are zero
  /// A variable for one tensor, whose type is that of the first that is stored.
  Node* make_tensor(std::string name);
  X load_tensor(const Pointer&);
  void store_tensor(const Pointer&, X);
  void store_tensors(Node*, X all); // those of an array or vector at once
  std::function<void(const std::string& name, const ir::Type& held, const ir::Type& given)> unify;   // makes the types one, or throws
  /// Calls visit for each number of the node.
  static void leaves(Node*, const std::function<void(Node*)>& visit);
  static Node* first_leaf(Node*);
  /// The same without what rows hold: what lies beside the objects of an array.
  static void columns(Node*, const std::function<void(Node*)>& visit);
  static bool has_rows(Node*);
  /// Rows in new memory are empty.
  void clear_rows(Node*);

  // --- emitting structure ---
  ir::Block* region(const std::function<std::vector<X>()>& body);
  std::vector<X> branch(X condition, const std::function<std::vector<X>()>& yes, const std::function<std::vector<X>()>& no);
  void when(X condition, const std::function<void()>& yes);
  void loop(X from, X to, const std::function<void(X)>& body);
  void repeat(const std::function<X()>& test, const std::function<void()>& body);
  X truth(bool v) { return ir::constant(b, ir::Number::of(ir::DType::boolean, int(v))); }
  bool alive(const Node*) const;                  // its memory is in scope where the builder stands
  static Node* nobody();                          // alive nowhere
  std::vector<Node*> targets(const Node* slot);   // what a pointer may point to

 private:
  std::deque<Node> nodes_;
  std::map<int, Node*> by_key_;
  Origin origin_ = {};
  std::map<Origin, int> children_ = {};           // how many an origin has
  /// One branch per target that is in scope; `visit` gives what the branch yields.
  std::vector<X> each(const Pointer&, const std::function<std::vector<X>(Node*, X index)>& visit,
                      const std::vector<ir::DType>& types = {});
  std::vector<X> each_from(const Pointer&, std::size_t first, const std::vector<std::size_t>& live,
                           const std::function<std::vector<X>(Node*, X)>& visit);
  /// A number that depends on which target it is.
  X by_target(const Pointer&, const std::function<std::int64_t(Node*)>& value);
  X tag_among(const Pointer&, const std::vector<Node*>& targets);
  Node* find(int key);
  void type_cell(Node*, const ir::Type&);
  void ops_after(ir::Op*, const std::function<void()>& emit);
  void resize_row(Node*, X row, X length);
};

}  // namespace tlaloc::frontend
