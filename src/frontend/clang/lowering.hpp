// SPDX-License-Identifier: Apache-2.0
//
// The inside of lower.hpp: what its files share. One Lowerer makes one ir::Function.
//   lower.cpp       driver; locals, constants
//   lower_caller.cpp  what the caller has: parameters, globals, results
//   lower_stmt.cpp  statements: structured control flow with a single exit
//   lower_openmp.cpp  OpenMP directives
//   lower_expr.cpp  expressions: numbers, initialisation
//   lower_place.cpp  variables, places, pointers
//   lower_call.cpp  calls: bodies in place, construction
//   lower_dispatch.cpp  virtual functions, std::function
//   lower_recursion.cpp  a function that calls itself
//   lower_rule.cpp  functions whose derivative the user gave
//   lower_library.cpp  the standard library's functions
//   lower_vector.cpp  std::vector
//   lower_variant.cpp  std::optional and std::variant
//   lower_complex.cpp  complex numbers
//   lower_eigen.cpp, lower_eigen_calls.cpp  Eigen
//   lower_memory.cpp  memory in bytes, new and malloc
//   lower_sort.cpp  std::sort and its kin
//   lower_inner.cpp  derivatives called inside differentiated code
//   lower_tensor.cpp  tensors and operations on them
#pragma once

#include "frontend/clang/lower.hpp"
#include "frontend/clang/objects.hpp"

#include "ir/extent.hpp"

namespace tlaloc::frontend {

/// A call that is being written in place.
struct Frame {
  const clang::FunctionDecl* function = nullptr;
  int id = 0;                                     // the same in every attempt
  Frame* caller = nullptr;
  clang::SourceLocation where = {};               // of the call
  ir::Block* block = nullptr;                     // where the body starts
  std::map<const clang::ValueDecl*, Pointer> vars = {};
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> captures{};
  clang::FieldDecl* captured_this = nullptr;
  Pointer self = {};                              // *this
  // the result: a number or pointer in `result`, an object in `object`, a reference in `place`
  Node* result = nullptr;
  Pointer place = {};
  bool place_set = false;
  Node* returned = nullptr;                       // a bool, or null when every return is the end of the body
  std::string result_name = {};
};

/// What `break` and `continue` mean here.
struct Jump {
  Node* broken = nullptr;                         // bools, made where a jump needs them
  Node* continued = nullptr;
  bool is_switch = false;
};

/// How control may leave a statement other than at its end.
struct Exits {
  bool breaks = false, continues = false, returns = false;
  bool always = false;                            // its end is never reached
  bool any() const { return breaks || continues || returns; }
  Exits operator|(Exits o) const { return {breaks || o.breaks, continues || o.continues, returns || o.returns, false}; }
};

struct Recursive {                                // a function that calls itself, as lowered for one shape of arguments
  std::string name;
  std::vector<ir::DType> results;
  std::vector<const clang::VarDecl*> globals = {};
};

/// State common to all functions lowered in one translation unit.
struct Lowering::Impl {
  Impl(clang::Sema& s, ir::Program& p) : sema(s), context(s.getASTContext()), program(p) {}
  clang::Sema& sema;
  clang::ASTContext& context;
  ir::Program& program;
  Lowering* api = nullptr;
  std::map<std::pair<const clang::FunctionDecl*, bool>, std::unique_ptr<Lowered>> done = {};
  std::map<std::string, Recursive> recursive = {};
  std::map<std::string, std::string> flat = {};   // functions and rules over plain numbers: see lower_rule.cpp
  std::set<std::string> names = {};
  std::map<const clang::FunctionDecl*, bool> recursion = {};
  std::map<const clang::CXXRecordDecl*, const clang::CXXDestructorDecl*> busy = {};
  std::map<const clang::FunctionDecl*, std::vector<const clang::FunctionDecl*>> callees = {};
  std::map<std::tuple<std::string_view, int, int>, clang::SourceLocation> places = {};
  std::vector<const clang::Decl*> slots = {};     // names of the parts of a class that has a layout of our own
  const clang::Decl* slot(std::size_t i);

  // Axis names, as the tensor library compares them: by address.
  struct Label;
  std::map<const clang::ValueDecl*, std::shared_ptr<Label>> labels = {};
  /// The definition with a body, instantiated if need be; null when there is none to see.
  const clang::FunctionDecl* definition(const clang::FunctionDecl*);
  const std::vector<const clang::FunctionDecl*>& called_by(const clang::FunctionDecl*);
  bool calls_itself(const clang::FunctionDecl*);
  ir::Location locate(clang::SourceLocation, const clang::Stmt* text);
  std::string type_name(clang::QualType) const;
  bool passive(clang::QualType);
};

class Lowerer {
 public:
  Lowerer(Lowering::Impl& shared, Facts& facts, ir::Function& function)
      : shared(shared), context(shared.context), facts(facts), b{function}, mem(b, facts) {}

  // --- lower.cpp ---
  void entry(const Callable&, Lowered& out);
  ir::DType dtype(clang::QualType);
  bool is_number(clang::QualType) const;
  /// The tree for a local of the type; `count` of them side by side. Buffers are made where the builder stands.
  Node* local(clang::QualType, const std::string& name, X count = {});
  Pointer global(const clang::VarDecl*);
  /// The place of a constant, from what Clang's evaluator says.
  Node* constant_object(clang::QualType, const clang::APValue&, const std::string& name, const void* key);
  X constant(clang::QualType, const clang::APValue&);
  Pointer characters(const clang::StringLiteral*);
  [[noreturn]] void refuse(clang::SourceLocation, const std::string& why, const char* code = "NOT_LOWERABLE");
  [[noreturn]] void refuse(const std::string& why) { refuse(here, why); }

  // --- lower_stmt.cpp ---
  void statement(const clang::Stmt*);
  void body(const clang::FunctionDecl*);          // the statements of the frame's function, constructor initialisers first

  // --- lower_expr.cpp ---
  X number(const clang::Expr*);
  Pointer pointer(const clang::Expr*);            // of an expression of pointer type
  Pointer place(const clang::Expr*);              // of a glvalue; a prvalue gets a temporary
  Node* object(const clang::Expr*, const std::string& name);   // a new object that the expression initialises
  void initialise(const Pointer& to, clang::QualType, const clang::Expr*);
  void effect(const clang::Expr*);                // for what it does
  const clang::FunctionDecl* callee(const clang::Expr*);       // of an expression of function pointer type
  const clang::ValueDecl* member(const clang::Expr*);          // what a pointer to a member points to
  Pointer created(const clang::CXXNewExpr*);
  std::optional<Pointer> allocated(const clang::CastExpr*);
  Pointer heap(clang::QualType element, X count, bool zeros, const clang::Expr* at);
  X condition(const clang::Expr* e) { return number(e); }
  X converted(X, clang::QualType to);
  X arithmetic(clang::BinaryOperatorKind, X, X);
  Pointer base_of(Pointer, clang::CastExpr::path_const_iterator, clang::CastExpr::path_const_iterator);
  Pointer variable(const clang::ValueDecl*);
  bool static_constant(const clang::VarDecl*);
  void declare(const clang::VarDecl*);
  Pointer self();

  /// A place of that type as an expression, for Sema to build calls and operators from.
  clang::Expr* as_expression(const Pointer&, clang::QualType);

  // --- lower_call.cpp ---
  struct Result { X number = {}; Pointer pointer = {}; Node* object = nullptr; };   // place or pointer value in `pointer`
  Result call(const clang::CallExpr*);
  void construct(const Pointer& to, const clang::CXXConstructExpr*);
  void destroy(const Pointer&, clang::QualType, const clang::Expr* at);
  void destroy_check(clang::QualType);
  const clang::CXXDestructorDecl* busy_destructor(clang::QualType);
  const clang::CXXDestructorDecl* busy_part(const clang::CXXRecordDecl*);

  // --- lower_complex.cpp ---
  struct Complex { X re = {}, im = {}; };         // im is empty where an operand is real
  Complex complex(const clang::Expr*);
  Complex complex_at(const Pointer& place);
  void store_complex(const Pointer& place, Complex);
  Complex complex_arithmetic(clang::BinaryOperatorKind, Complex, Complex);

  // --- lower_rule.cpp ---
  struct Rules {
    /// A function, and where its object is inside the callable.
    struct Part {
      const clang::FunctionDecl* function = nullptr;
      std::vector<const clang::FieldDecl*> path = {};
      bool has_object = false;
    };
    Part primal = {}, vjp = {}, jvp = {}, fwd = {}, bwd = {};
    std::string name = {};
  };
  struct Flat;
  std::optional<Rules> rules_of(const clang::FunctionDecl*);
  Result by_rule(const Rules&, const clang::FunctionDecl*, const Pointer* self, const std::vector<Pointer>& args, const void* at);
  void numbers(Objects&, const Pointer&, const std::function<void(const Pointer&)>& visit);

  // --- lower_tensor.cpp ---
  ir::Function
  with_extents_of(const ir::Function&,
                  const std::vector<X>& arguments); // null where an argument is no tensor
  std::optional<Result> tensor_call(const clang::FunctionDecl*, const clang::CallExpr*);
  void construct_tensor(const Pointer& to, const clang::CXXConstructExpr*);
  Node* tensor_variable(const clang::CXXRecordDecl*, const std::string& name);   // of a class that means a tensor
  ir::Type caller_type(const clang::CXXRecordDecl* typed, const std::string& name);
  ir::Extent extent_symbol(const std::string& name); // a new one
  const void* axes_of(const clang::CXXRecordDecl* typed);
  Pointer inside_tensor(const Pointer& of_typed_tensor);
  const ir::Number* known(const ir::Value*);      // a constant, also by way of a variable that is written once

  Lowering::Impl& shared;
  clang::ASTContext& context;
  Facts& facts;
  ir::Builder b;
  Objects mem;
  Frame* frame = nullptr;
  std::vector<Jump> jumps = {};
  clang::SourceLocation here = {};
  Lowered* lowered = nullptr;                     // of the function asked for; null in a recursive one
  Recursive* inside = nullptr;                    // the recursive function being lowered

 private:
  // --- lower.cpp ---
  struct Access;                                  // how glue reaches a leaf
  Node* from_caller(clang::QualType, const Access&, bool writable);
  Node* pointee(clang::QualType, const Access&, bool writable);
  Node* caller_rows(clang::QualType row, const Access&, bool writable);
  Node* caller_number(clang::QualType, const Access&, bool writable);
  Node* caller_range(clang::QualType element, const Access&, bool writable, std::int64_t size);
  Pointer caller_variable(const void* key, int source, clang::QualType, const std::string& name, bool is_object);
  Node* flat(clang::QualType, ir::Value* buffer, const std::string& name);
  std::int64_t flat_size(clang::QualType, std::optional<ir::DType>&);
  ir::Value* parameter(const Access&, Leaf, const std::string& name);
  ir::Value* parameter(const Access&, Leaf, ir::Type of_tensor, const std::string& name);
  Node* caller_tensor(const clang::CXXRecordDecl*, const Access&, bool writable);
  Node* layout(clang::QualType, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf);
  void prologue(const std::function<void()>& emit);
  void fill_constant(Node*, std::int64_t index, const clang::APValue&, std::map<Node*, ir::Numbers>&);
  void results(clang::QualType, Lowered&);
  void check_written();
  std::vector<ir::Op*> prologue_ = {};
  std::map<const ir::Value*, std::pair<const void*, const ir::Op*>> watched_ = {};   // buffers that must stay as they are
  std::map<const void*, Pointer> globals_ = {};
  std::deque<ir::Numbers> tables_ = {};
  const clang::VarDecl* constant_only_ = nullptr; // the static constant that is being computed
  std::set<const clang::CXXRecordDecl*> expanding_ = {};        // classes of the caller's that are being taken apart
  bool in_vector_ = false;                        // the elements of a std::vector are being laid out
  std::string library_type_ = {};                 // the library's class whose inside is being laid out

  // --- lower_stmt.cpp ---
  Exits exits(const clang::Stmt*);
  Exits exits_of_cases(const clang::SwitchStmt* s);
  struct Owned { Pointer place; const clang::VarDecl* variable; };
  void sequence(llvm::ArrayRef<const clang::Stmt*>);
  void statements(llvm::ArrayRef<const clang::Stmt*>, std::vector<Owned>&);
  std::vector<Owned>* owned_ = nullptr;           // what the block being lowered destroys at its end
  void guarded(Exits, const std::function<void()>& rest);
  X left(Exits);                                  // whether a jump was taken
  void lower(const clang::Stmt*);
  void if_statement(const clang::IfStmt*, const std::function<void()>& rest_yes, const std::function<void()>& rest_no);
  void switch_statement(const clang::SwitchStmt*);
  void loop(const clang::Stmt* whole, const clang::VarDecl* variable, const clang::Expr* test, const std::function<void()>& start,
            const clang::Stmt* body, const clang::Expr* step, bool test_first);
  void return_statement(const clang::ReturnStmt*);
  void openmp(const clang::OMPExecutableDirective*);
  Node* flag(const char* name);
  Node* variable_of_our_own(ir::DType, const char* name, X value);
  std::map<const clang::Stmt*, Exits> exits_ = {};

  // --- lower_expr.cpp ---
  X binary(const clang::BinaryOperator*);
  X unary(const clang::UnaryOperator*);
  X cast(const clang::CastExpr*);
  X short_circuit(const clang::BinaryOperator*);
  Pointer assign(const clang::BinaryOperator*);
  Pointer compound(const clang::CompoundAssignOperator*);
  X step(const clang::UnaryOperator*, Pointer* place_out);
  Pointer step_pointer(const clang::UnaryOperator*);
  Pointer chosen(const clang::AbstractConditionalOperator*, const std::function<Pointer(const clang::Expr*)>&);
  std::optional<X> evaluated(const clang::Expr*);
  std::map<const clang::Expr*, Pointer> given_ = {};             // see as_expression
  void initialise_list(const Pointer& to, clang::QualType, llvm::ArrayRef<const clang::Expr*>, const clang::Expr* filler);
  void three_way(const Pointer& to, const clang::BinaryOperator*);
  void closure(const Pointer& to, const clang::LambdaExpr*);

  // --- lower_eigen_calls.cpp, lower_caller.cpp ---
  std::optional<Result> eigen(const clang::FunctionDecl*, const clang::CallExpr*);
  bool construct_eigen(const Pointer& to, const clang::CXXConstructExpr*);
  Node* eigen_layout(clang::QualType, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf);
  Node* eigen_from_caller(clang::QualType, const Access&, bool writable);

  // --- lower_rule.cpp ---
  const clang::FunctionDecl* named_rule(const clang::FunctionDecl*, const std::string& name, unsigned parameters);
  bool has_slot(clang::QualType);
  std::string flat(const Flat&, clang::SourceLocation);
  X elsewhere(const clang::FunctionDecl*, const std::vector<X>& numbers, const std::vector<ir::Value*>& arrays, clang::SourceLocation);
  std::optional<Result> elsewhere(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> stopped(const clang::FunctionDecl*, const clang::CallExpr*);
  // --- lower_tensor.cpp ---
  struct Call;
  const ir::Value* stored(const ir::Value* load); // what a variable holds that is written once; checked at the end of the function
  void check_stored();
  struct Stored { const ir::Value* buffer; ir::Number index; clang::SourceLocation where; };
  std::vector<Stored> stored_ = {};
  std::set<std::string> symbols_ = {};            // of extents
  std::deque<std::shared_ptr<const void>> axes_ = {};
  std::map<const clang::CXXRecordDecl*, const void*> axes_of_type_ = {};
  bool opaque_ = false;                           // calls of functions defined elsewhere are let through

  // --- lower_call.cpp, lower_library.cpp ---
  Result inlined(const clang::FunctionDecl*, const Pointer* self, llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* at);
  // --- lower_dispatch.cpp ---
  struct Choice { std::size_t position; const clang::FunctionDecl* function; Pointer self; };
  Result among(const Pointer& object, const std::vector<Choice>&, clang::QualType result, const std::string& what, llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* at);
  Result dispatched(const clang::CXXMethodDecl*, const Pointer& object, llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* at);
  Node* callable_slot(const std::string& name);
  Node* beside(Node* function, const clang::CXXRecordDecl*);
  std::map<std::pair<const Node*, const void*>, Node*> beside_ = {};
  void assign_function(const Pointer& to, const clang::Expr* from);
  void construct_function(const Pointer& to, const clang::CXXConstructExpr*);
  std::optional<Result> function_member(const clang::CXXMethodDecl*, const Pointer& self, const clang::CallExpr*, llvm::ArrayRef<const clang::Expr*> args);

  // --- lower_call.cpp, lower_library.cpp ---
  void check_stack(clang::SourceLocation);
  Result recursive(const clang::FunctionDecl*, const Pointer* self, llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* at);
  Pointer argument(const clang::ParmVarDecl*, const clang::Expr*);
  std::optional<Result> library(const clang::FunctionDecl*, const clang::CallExpr*);
  bool exception(const clang::FunctionDecl*, const clang::CallExpr*);
  bool throws(const clang::CXXThrowExpr*);
  void raise(const std::string& exception, const std::string& text);
  void not_in_try(const std::string& what);
  void may_throw(const clang::FunctionDecl*);
  struct Try { clang::SourceLocation where = {}; Frame* frame = nullptr; };
  Try try_ = {};                                  // the one whose body is being lowered
  std::optional<Result> bits(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> complex_function(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> sorting(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> optional_member(const clang::CXXMethodDecl*, const Pointer& self, const clang::CallExpr*, llvm::ArrayRef<const clang::Expr*> args);
  void construct_optional(const Pointer& to, const clang::CXXConstructExpr*);
  clang::Expr* called(const clang::Expr* callee, llvm::ArrayRef<clang::Expr*> args);
  void give(const Pointer& to, clang::QualType, const clang::Expr*);
  std::optional<Result> variant_member(const clang::CXXMethodDecl*, const Pointer& self, const clang::CallExpr*, llvm::ArrayRef<const clang::Expr*> args);
  std::optional<Result> variant_function(const clang::FunctionDecl*, const clang::CallExpr*);
  Result visit(const clang::FunctionDecl*, const clang::CallExpr*);
  void construct_variant(const Pointer& to, const clang::CXXConstructExpr*);
  Pointer range_position(const clang::Expr*);
  Node* row(clang::QualType element, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf);
  Node* growing(clang::QualType element, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf);
  std::optional<Result> output(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> stream_output(const clang::CallExpr*);
  void emit_output(const std::string& callee, const std::string& format, llvm::ArrayRef<X> numbers);
  std::optional<Result> container(const clang::CXXMethodDecl*, const Pointer& self, const clang::CallExpr*, llvm::ArrayRef<const clang::Expr*> args);
  std::optional<Result> derivative(const clang::CXXMethodDecl*, const Pointer* self, const clang::CallExpr*, llvm::ArrayRef<const clang::Expr*> args);
  std::optional<Result> memory(const clang::FunctionDecl*, const clang::CallExpr*);
  std::optional<Result> parts_of_number(const clang::FunctionDecl*, const clang::CallExpr*);
  Node* iterator(const clang::CallExpr*, const Pointer&);
  void copy_or_move(const Pointer& to, const clang::Expr* from);
  void initialise_from(const Pointer& to, clang::QualType, const clang::Expr*);
  void append(const Pointer& vector, clang::QualType element, const clang::Expr* at, const std::function<void(const Pointer&)>& fill);
  void construct_element(const Pointer& to, clang::QualType element, llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* at);
  void fill_new(const Pointer& vector, clang::QualType element, X from, X to, const clang::Expr* at);
  bool fill_vector(const Pointer& vector, clang::QualType element, llvm::ArrayRef<const clang::Expr*> args);
  void fill_from_range(const Pointer& vector, clang::QualType element, const clang::Expr* first, const clang::Expr* last);
  Pointer walk(Pointer, const std::vector<Step>&);
  X range_size(const Pointer& range);
  std::vector<const clang::Expr*> vector_arguments(const clang::CXXConstructExpr*);
  std::optional<Result> bit_reference(const clang::CXXMethodDecl*, const Pointer& reference, llvm::ArrayRef<const clang::Expr*> args);
  void construct_vector(const Pointer& to, const clang::CXXConstructExpr*);
};

/// Without the layers that mean nothing to us.
const clang::Expr* bare(const clang::Expr*);
/// Standard library classes whose bodies are replaced by constructs of our own.
bool is_std(const clang::Decl*, llvm::StringRef name);
/// T of std::vector<T>, or null.
clang::QualType vector_element(clang::QualType);
/// T of std::optional<T>, or null.
clang::QualType optional_element(clang::QualType);
/// The types that a std::variant may hold; none for another type.
llvm::ArrayRef<clang::TemplateArgument> alternatives(clang::QualType);
/// T of std::complex<T> and of T _Complex, or null.
clang::QualType complex_element(clang::QualType);

/// Sets a member for as long as the object lives.
template <class T> struct Restore {
  T& at;
  T before;
  Restore(T& a, T value) : at(a), before(a) { at = std::move(value); }
  ~Restore() { at = std::move(before); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;
};

}  // namespace tlaloc::frontend
