// SPDX-License-Identifier: Apache-2.0
//
// Prints one function. The parts: expressions.cpp, statements.cpp, naming.cpp, control.cpp, memory.cpp.
#pragma once

#include "backend/cpp/names.hpp"
#include "backend/cpp/print.hpp"
#include "backend/cpp/spelling.hpp"
#include "backend/cpp/variables.hpp"

namespace tlaloc::ir::cpp {

/// What the text of a function needs to have been said before.
struct Needs {
  std::set<std::string> includes;
  std::vector<const Helper*> helpers;             // in the order of their first use
  void helper(const Helper&);
};
extern const Helper scratch_helper, kept_helper, lanes_helper;
/// One of the op table's functions, which have a doc and stand in namespace math; else one of those above.
bool of_mathematics(const Helper&);
std::string text(const Helper&);                  // as it stands in namespace tlaloc::generated

class FunctionText {
 public:
  /// `f` is the function as prepared by prepare(); signatures are asked for callees too.
  FunctionText(const Function& f, FactsOf, std::function<CppSignature(const std::string&)> signatures, Needs&);
  std::string print(const std::string& linkage);

 private:
  struct Move { const Value* target; Value* source; std::string text = {}; };  // text: of a copy of the source
  using Lines = std::vector<std::string>;

  // expressions.cpp
  enum Mode { exact, loose };
  Text value(Value*, Mode);
  Text expression(const Op&, Mode = exact);
  Text spelled(const Op&, Mode);
  Text cast(const Op&);
  Text conditional(const Op&, Mode);
  Text call(const Op&);
  std::optional<Text> of_bools(const Op&, const Pattern&, const std::vector<Text>&);
  static void merge_sign(const Op&, Pattern&, std::vector<Text>&);
  static std::string assemble(const Pattern&, const std::vector<Text>&);

  // tensors.cpp
  Text of_tensor(const Op&);
  Text tensor_operand(Value*);
  Text extent_text(std::int64_t);
  std::string list(const Ints&);
  void extents();
  void reserve_names();

  // statements.cpp
  void block(const Block&);
  void statement(const Op&);
  void line(std::string);
  void comment(const Op&);
  void define(const Op&);
  void assign(const Value* target, Value* source);
  void set(const Value* target, const std::string& text);
  bool compound(const Value* target, const Op& update);
  void moves(std::vector<Move>);
  void hand_on(const Block&, const Op& owner, const Value* except = nullptr);
  void declare_results(const Op&);
  bool reads(Value* source, int variable);
  Lines captured(const std::function<void()>&);
  void append(const Lines&);

  // naming.cpp
  std::string name(const Value*);
  std::string declare(const Value*);
  std::string wanted_name(const Value*);
  std::string wanted_name(int variable);
  std::string description(const Op&);
  std::string contents(const Value* buffer);

  // control.cpp
  void print_if(const Op&);
  void print_for(const Op&);
  void print_while(const Op&);
  void turn(const Op&, const Value* except);
  std::optional<std::size_t> counter_of(const Op& loop);
  std::string condition_of(const Op& loop, const std::string& counter);
  void start_carried(const Op&, const Value* except = nullptr);
  void returns();

  // output.cpp
  std::string streamed(const Op&);
  void output(const Op&);

  // memory.cpp
  void table(const Op&);
  void alloc(const Op&);
  void fill(const Op&);
  void grow(const Op&);
  bool growable(const Value* v) const { return growing_.contains(v); }
  bool in_array(const Value*) const;              // an array of constant size in the frame
  std::string room();
  std::string size_of(Value* buffer);

  const Function& f_;
  FactsOf facts_of_;
  std::set<const Value*> growing_;                // asked, never walked
  std::function<CppSignature(const std::string&)> signatures_;
  CppSignature signature_;
  Needs& needs_;
  Plan plan_;
  Variables variables_;
  Scopes scopes_;
  std::map<int, std::string> names_;              // of variables, by number
  std::map<int, std::string> plain_names_;        // the same without what made them unique
  std::map<int, std::string> fields_;             // texts of a call's several results and of buffers, by value id
  std::map<std::string, std::string> extents_;    // of symbols: variables
  std::vector<std::string> rooms_;                // the scratch of each open block; empty: none yet
  Lines lines_;
  int indent_ = 1;
  Location commented_;
  std::set<const Op*> in_header_;                 // counted by a for that was a while; asked, never walked
};

/// The C++ type of a variable: a number's, or AnyTensor.
std::string variable_type(const Type&);

/// A copy of the function in the form that is printed: expansions, folded library calls, lengths of fixed buffers.
Function prepare(const Function&, const FactsOf&);
void find_breaks(Function&);                      // leave.cpp; after this the function is for the printer alone
/// The buffers of a function whose length changes, here or in a callee, and the parameters that are asked for theirs.
std::set<const Value*> growing_buffers(const Function&, const FactsOf&);

}  // namespace tlaloc::ir::cpp
