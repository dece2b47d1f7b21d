// SPDX-License-Identifier: Apache-2.0
//
// The program representation: typed, structured SSA. A Program owns Functions; a Function owns its Values, Ops and
// Blocks at stable addresses. Control flow is structured and has a single exit: `if`, `for`, `while`, `call`; an early
// exit is a carried bool. Memory is only ever a whole buffer (a parameter, an `alloc` or a `table`): a pointer is, to
// whoever lowered it, a buffer and an i64 index, so that no op yields or carries a buffer and two distinct buffers never
// overlap.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tlaloc::ir {

enum class DType : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64 };
constexpr bool is_real(DType d) { return d >= DType::f16; }
constexpr bool is_signed(DType d) { return d >= DType::i8 && d <= DType::i64; }
constexpr bool is_unsigned(DType d) { return d >= DType::u8 && d <= DType::u64; }
constexpr bool is_integer(DType d) { return is_signed(d) || is_unsigned(d); }
int bit_width(DType);                             // 1 for bool
std::string text(DType);                          // "f64", "bool", ...

using Ints = std::vector<std::int64_t>;
/// Extents: each a number, or an expression in symbols (extent.hpp), which is negative.
struct Shape : Ints {
  using Ints::Ints;
  Shape() = default;
  Shape(Ints v) : Ints(std::move(v)) {}
};

/// f64 | f64[3,n] (a tensor) | buffer f64 (mutable array) | buffer f64[3] (whose extent is known, for parameters)
struct Type {
  DType dtype = DType::f64;
  Shape dims = {};
  bool buffer = false;
  bool operator==(const Type&) const = default;
  bool real() const { return is_real(dtype); }
  bool integer() const { return is_integer(dtype); }
  bool scalar() const { return !buffer && dims.empty(); }
  bool tensor() const { return !buffer && !dims.empty(); }
  int rank() const { return int(dims.size()); }
};
std::string text(const Type&);
inline Type buffer_of(DType d) { return {d, {}, true}; }
inline constexpr DType index_type = DType::i64;   // of indices, sizes and lengths

/// One number of any dtype, exact: integers in `bits` (sign- or zero-extended), reals in `real` (rounded to the dtype).
struct Number {
  DType dtype = DType::f64;
  double real = 0;
  std::uint64_t bits = 0;
  static Number of(DType, double);                // rounds or truncates as a C++ conversion does
  static Number of(DType, std::int64_t);
  static Number of(DType, std::uint64_t);
  static Number of(DType d, int x) { return of(d, std::int64_t(x)); }
  double as_double() const { return is_real(dtype) ? real : is_signed(dtype) ? double(std::int64_t(bits)) : double(bits); }
  std::int64_t as_int() const { return std::int64_t(bits); }
  bool operator==(const Number& o) const {        // by representation: NaN equals itself, 0.0 differs from -0.0
    return dtype == o.dtype && bits == o.bits && std::bit_cast<std::uint64_t>(real) == std::bit_cast<std::uint64_t>(o.real);
  }
};
using Numbers = std::vector<Number>;

enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge };
using Types = std::vector<Type>;

/// The closed set of attribute types; a Key is a typed attribute name.
using Attr = std::variant<std::int64_t, Number, DType, Compare, Ints, Shape, Numbers, Types, std::string>;
template <class T> struct Key { const char* name; };
namespace key {
inline constexpr Key<Number> value{"value"};
inline constexpr Key<Numbers> values{"values"};
inline constexpr Key<DType> dtype{"dtype"};
inline constexpr Key<Compare> direction{"direction"};
inline constexpr Key<std::int64_t> step{"step"}, order{"order"};
inline constexpr Key<std::string> callee{"callee"}, format{"format"};
inline constexpr Key<Types> results{"results"};
// of tensor ops
inline constexpr Key<Shape> shape{"shape"}, limit{"limit"}, sizes{"sizes"};
inline constexpr Key<std::int64_t> axis{"axis"}, reverse{"reverse"}, descending{"descending"}, groups{"groups"}, batch_groups{"batch_groups"};
inline constexpr Key<Ints> dims{"dims"}, axes{"axes"}, start{"start"}, strides{"strides"}, low{"low"}, high{"high"}, interior{"interior"};
inline constexpr Key<Ints> batch_a{"batch_a"}, batch_b{"batch_b"}, contract_a{"contract_a"}, contract_b{"contract_b"};
inline constexpr Key<Ints> dilate_x{"dilate_x"}, dilate_w{"dilate_w"}, window{"window"}, dilations{"dilations"};
inline constexpr Key<Ints> offset_dims{"offset_dims"}, collapsed{"collapsed"}, batch_x{"batch_x"}, batch_indices{"batch_indices"}, index_map{"index_map"};
inline constexpr Key<Ints> window_dims{"window_dims"}, inserted{"inserted"};
inline constexpr Key<Ints> row_start{"row_start"}, columns{"columns"};
inline constexpr Key<std::int64_t> lower{"lower"}, transpose_a{"transpose_a"}, unit{"unit"};
inline constexpr Key<std::int64_t> log_space{"log_space"}, partitionable{"partitionable"};
}  // namespace key

/// A place in the user's source. The views are interned: see intern().
struct Location {
  std::string_view file;                          // the path as the user would print it, never absolute
  int line = 0, column = 0;
  std::string_view text;                          // the statement, on one line; printed as "reverse of: ..."
  bool adjoint = false;                           // the op belongs to the reverse of that statement
  explicit operator bool() const { return line > 0; }
  bool operator==(const Location&) const = default;
};
std::string_view intern(std::string_view);        // a copy that lives as long as the process

struct Error : std::runtime_error { using runtime_error::runtime_error; };
/// A refusal that a front end turns into a diagnostic: stable code, place, reason (see docs/errors.md).
struct Refusal : Error {
  Refusal(std::string code_, Location where_, const std::string& why) : Error(why), code(std::move(code_)), where(where_) {}
  std::string code;
  Location where;
};

struct Kind;                                      // the facts of an op: kind.hpp
struct Op;
struct Block;

struct Value {
  int id;
  Type type;
  std::string name;                               // the user's, or empty
  Op* def = nullptr;                              // null for a block parameter
  Block* block = nullptr;                         // where it is defined
};

struct Op {
  int id;
  const Kind* kind;
  std::vector<Value*> operands;
  std::vector<Attr> attrs;                        // in the order of kind->attrs
  std::vector<Value*> results;
  std::vector<Block*> regions;
  Block* block = nullptr;                         // that holds it
  Location where;
  template <class T> const T& at(Key<T> key) const { return std::get<T>(attr(key.name)); }
  const Attr& attr(std::string_view name) const;
  void set(std::string_view name, Attr value);
};

struct Block {
  std::vector<Value*> params;
  std::vector<Op*> ops;
  std::vector<Value*> yields;                     // what a region or the function hands back
  Op* owner = nullptr;                            // the op whose region this is; null for a function's body
};

/// The derivative of a function where it is not that of its body: functions of the program, named; empty where there is
/// none. All parameters that a rule knows are scalars.
struct Rule {
  std::string jvp = {};                           // (parameters, a tangent of each known real one) -> a tangent of each real result
  std::string vjp = {};                           // (parameters, a cotangent of each real result) -> one of each known real parameter
  int known = 0;                                  // the first so many parameters; nothing depends differentiably on others
  std::optional<std::string> next = {};           // what a derivative calls in its place; "": no further derivative is right
};

struct Function {
  explicit Function(std::string n) : name(std::move(n)), body(new_block()) {}
  Function(Function&&) = default;
  Function& operator=(Function&&) = default;
  Value* new_value(Type t, std::string n, Block* b, Op* def = nullptr) {
    return &values.emplace_back(Value{int(values.size()), std::move(t), std::move(n), def, b});
  }
  Op* new_op(const Kind& k, Block* b) { return &ops.emplace_back(Op{int(ops.size()), &k, {}, {}, {}, {}, b, {}}); }
  Block* new_block() { return &blocks.emplace_back(); }
  std::deque<Value> values;                       // the arena: nothing is freed before the function
  std::deque<Op> ops;
  std::deque<Block> blocks;
  std::string name;
  Block* body;                                    // its params are the function's, its yields the results
  std::vector<std::string> result_names;          // of body->yields; may be shorter
  std::optional<Rule> rule = {};
  /// A function defined elsewhere: its C++ name. The body tells only which buffers it reads and writes.
  std::string external = {}, declaration = {};
};

struct Program {
  std::deque<Function> functions;
  Function& add(Function f) { return functions.emplace_back(std::move(f)); }
  Function* find(std::string_view name);
  const Function* find(std::string_view name) const { return const_cast<Program*>(this)->find(name); }
};

// --- walking ---
/// Calls visit for each op of the block and of the regions in it, outer before inner, in order.
void walk(const Block&, const std::function<void(Op*)>& visit);
/// All that an op reads: its operands and what its regions take from outside them or yield. Every analysis must use this,
/// never operands alone: a region captures outer values.
void for_each_read(const Op&, const std::function<void(Value*)>& visit);
/// True when `inner` is `outer` or lies in a region somewhere inside it.
bool inside(const Block* inner, const Block* outer);
/// Replaces every use of the keys in the block and all regions within by the mapped values.
void substitute(Block&, const std::map<const Value*, Value*>& with);

// --- verify.cpp ---
/// Throws Error on the first fact that does not hold: order of definitions, arity, types, buffers carried, calls.
void verify(const Function&, const Program* = nullptr);
void verify(const Program&);

// --- text.cpp ---
std::string print(const Function&);               // prints and parses back to the same program
std::string print(const Program&);
Function parse_function(std::string_view);
Program parse(std::string_view);
std::string op_reference();                       // docs/ops.md

}  // namespace tlaloc::ir
