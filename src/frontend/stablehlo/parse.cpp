// SPDX-License-Identifier: Apache-2.0
#include "frontend/stablehlo/syntax.hpp"

#include <algorithm>

#include "frontend/stablehlo/cursor.hpp"

namespace tlaloc::stablehlo {
namespace {

using ir::DType;
using ir::Type;

constexpr std::pair<std::string_view, DType> dtypes[] = {
    {"i1", DType::boolean}, {"i8", DType::i8},   {"i16", DType::i16},   {"i32", DType::i32},   {"i64", DType::i64}, {"ui8", DType::u8}, {"ui16", DType::u16},
    {"ui32", DType::u32},   {"ui64", DType::u64}, {"f16", DType::f16}, {"bf16", DType::bf16}, {"f32", DType::f32}, {"f64", DType::f64}};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : at_(text, file) {}

  std::vector<FunctionText> module() {
    std::vector<FunctionText> out;
    skip_aliases();
    const bool wrapped = at_.take_word("module") || at_.take_word("builtin.module");
    if (wrapped) {
      if (at_.sees("@")) at_.symbol();
      if (at_.take_word("attributes")) attributes();
      at_.expect("{");
    }
    while (!(wrapped ? at_.take("}") : at_.at_end())) {
      if (at_.take_word("sdy.mesh")) at_.skip_line();
      else if (at_.sees("#")) skip_aliases();
      else out.push_back(function());
    }
    location();
    skip_aliases();
    if (!at_.at_end()) at_.fail("something follows the module");
    return out;
  }

 private:
  // Attribute aliases and locations stand in lines of their own: #loc = loc("a.py":1:2)
  void skip_aliases() {
    while (at_.sees("#")) at_.skip_line();
  }
  void location() {
    if (at_.take_word("loc")) {
      at_.expect("(");
      at_.skip_to_close('(', ')');
    }
  }

  FunctionText function() {
    if (!at_.take_word("func.func")) at_.fail("a function (func.func) is expected");
    FunctionText f;
    if (at_.take_word("private")) f.is_public = false;
    else at_.take_word("public");
    f.name = at_.symbol();
    at_.expect("(");
    while (!at_.take(")")) {
      f.body.params.push_back(at_.value());
      at_.expect(":");
      f.body.types.push_back(type());
      if (at_.sees("{")) attributes();
      location();
      if (!at_.take(",") && !at_.sees(")")) at_.fail("',' or ')' is expected");
    }
    if (at_.take("->")) {
      if (at_.take("(")) {
        while (!at_.take(")")) {
          f.results.push_back(type());
          if (at_.sees("{")) attributes();
          if (!at_.take(",") && !at_.sees(")")) at_.fail("',' or ')' is expected");
        }
      } else {
        f.results.push_back(type());
      }
    }
    if (at_.take_word("attributes")) attributes();
    at_.expect("{");
    f.body.operations = operations();
    location();
    return f;
  }
  /// Up to the closing brace, which is taken.
  std::vector<Operation> operations() {
    std::vector<Operation> out;
    while (!at_.take("}")) {
      out.push_back(operation());
      location();
    }
    return out;
  }

  // --- types ---
  Type type() {
    if (!at_.take("tensor<")) at_.fail("a tensor type is expected; other types are not known", at_.sees("tuple") || at_.sees("!") ? "NOT_LOWERABLE" : "MALFORMED_PROGRAM");
    Type t;
    while (at_.sees_number() || at_.sees("?")) {
      if (at_.sees("?")) at_.fail("an extent that is known only at run time", "NOT_LOWERABLE");
      t.dims.push_back(at_.extent());
      at_.expect("x");
    }
    t.dtype = dtype();
    if (at_.take(",")) at_.skip_to_close('<', '>');  // an encoding
    else at_.expect(">");
    return t;
  }
  DType dtype() {
    for (auto& [name, d] : dtypes) if (at_.take_word(name)) return d;
    at_.fail("a dtype that programs here do not have", "NOT_LOWERABLE");
  }
  std::vector<Type> types() {
    std::vector<Type> out;
    do out.push_back(type());
    while (at_.take(","));
    return out;
  }
  /// After the colon: "(a, b) -> c", "a, b -> c" or the types alone.
  void signature(Operation& op) {
    const bool written = at_.take("(");
    op.types = written && at_.take(")") ? std::vector<Type>{} : types();
    if (written && !at_.sees("->")) at_.expect(")");
    if (at_.take("->")) {
      const bool several = at_.take("(");
      op.types = several && at_.take(")") ? std::vector<Type>{} : types();
      if (several && !op.types.empty()) at_.expect(")");
    } else if (op.results.size() == 1 && op.types.size() > 1) {
      op.types = {op.types.back()};               // select: that of the mask stands in front
    }
  }

  // --- attributes ---
  Attributes attributes() {
    Attributes out;
    at_.expect("{");
    while (!at_.take("}")) {
      const std::string name = at_.sees("\"") ? at_.string() : at_.word();
      out[name] = at_.take("=") ? attribute() : Attribute{};
      if (!at_.take(",") && !at_.sees("}")) at_.fail("',' or '}' is expected");
    }
    return out;
  }
  Attribute list() {
    std::vector<Attribute> out;
    at_.expect("[");
    while (!at_.take("]")) {
      out.push_back(attribute());
      if (!at_.take(",") && !at_.sees("]")) at_.fail("',' or ']' is expected");
    }
    return {out};
  }
  Attribute attribute() {
    if (at_.sees("[")) {
      Attribute first = list();
      if (!at_.take_word("x")) return first;      // [0] x [1]
      return {std::vector<Attribute>{first, list()}};
    }
    if (at_.sees("{")) return {attributes()};
    if (at_.sees("\"")) return {at_.string()};
    if (at_.sees("@")) return {at_.symbol()};
    if (at_.sees("tensor<")) return {type()};
    if (at_.take("dense<")) return {dense()};
    if (at_.take("array<")) {
      std::vector<Attribute> out;
      at_.word();                                 // the dtype
      if (at_.take(":")) do out.push_back(attribute()); while (at_.take(","));
      at_.expect(">");
      return {out};
    }
    if (at_.take("#")) return dialect_attribute();
    if (at_.sees_number()) {
      const std::string n = at_.number();
      // A colon may also be that of the whole operation's types.
      if (!at_.sees(": tensor<") && !at_.sees(": (") && at_.take(":")) at_.word();
      if (n.find_first_of(".eE") != n.npos && !n.starts_with("0x")) return {n};
      try {
        return {std::int64_t(std::stoull(n, nullptr, 0))};
      } catch (const std::logic_error&) {
        at_.fail("'" + n + "' is no integer that fits");
      }
    }
    const std::string w = at_.word();
    if (w == "true" || w == "false") return {std::int64_t(w == "true")};
    if (at_.take("<")) at_.skip_to_close('<', '>');
    return {w};
  }
  /// #stablehlo.gather<offset_dims = [1], ...>, #stablehlo<comparison_direction LT>
  Attribute dialect_attribute() {
    const std::string dialect = at_.word();
    if (!at_.take("<")) return {dialect};
    if (dialect != "stablehlo.gather" && dialect != "stablehlo.scatter" && dialect != "stablehlo.dot") {
      if (!at_.sees_word()) return at_.skip_to_close('<', '>'), Attribute{dialect};
      at_.word();
      Attribute value = at_.sees_word() ? Attribute{at_.word()} : Attribute{dialect};
      at_.skip_to_close('<', '>');
      return value;
    }
    Attributes out;
    while (!at_.take(">")) {
      const std::string name = at_.word();
      at_.expect("=");
      out[name] = attribute();
      if (!at_.take(",") && !at_.sees(">")) at_.fail("',' or '>' is expected");
    }
    return {out};
  }
  Dense dense() {
    Dense d;
    if (at_.sees("\"")) {
      d.numbers.push_back(at_.string());
      d.bytes = true;
    } else if (!at_.sees(">")) {
      numbers(d.numbers);
    }
    at_.expect(">");
    at_.expect(":");
    d.type = type();
    return d;
  }
  void numbers(std::vector<std::string>& out) {
    if (at_.take("[")) {
      if (at_.take("]")) return;
      do numbers(out);
      while (at_.take(","));
      at_.expect("]");
    } else {
      out.push_back(at_.sees_word() ? at_.word() : at_.number());
    }
  }

  // --- operations ---
  Operation operation() {
    Operation op;
    std::tie(op.line, op.column) = at_.place();
    if (at_.sees("%")) {
      do {
        const std::string name = at_.value();
        const bool several = at_.take(":");
        const std::int64_t n = several ? at_.integer() : 1;
        if (n < 0 || n > 10000) at_.fail("10000 results are allowed");
        for (std::int64_t i = 0; i < n; ++i) op.results.push_back(several ? name + "#" + std::to_string(i) : name);
      } while (at_.take(","));
      at_.expect("=");
    }
    if (at_.sees("\"")) {
      op.name = at_.string();
      generic(op);
    } else {
      op.name = at_.word();
      if (op.name == "return") op.name = "func.return";
      if (op.name == "call") op.name = "func.call";
      own_form(op);
    }
    return op;
  }
  void operands(Operation& op, const char* close) {
    while (!at_.take(close)) {
      op.operands.push_back(at_.value());
      if (!at_.take(",") && !at_.sees(close)) at_.fail(std::string("',' or '") + close + "' is expected");
    }
  }
  /// "dialect.name"(operands) <{properties}> ({region}, ...) {attributes} : (types) -> types
  void generic(Operation& op) {
    at_.expect("(");
    operands(op, ")");
    if (at_.take("<")) {
      op.attributes = attributes();
      at_.expect(">");
    }
    if (at_.take("(")) {
      do {
        at_.expect("{");
        op.regions.push_back(region());
      } while (at_.take(","));
      at_.expect(")");
    }
    if (at_.sees("{")) op.attributes.merge(attributes());
    at_.expect(":");
    signature(op);
  }
  Region region() {
    Region r;
    if (at_.take("^")) {
      at_.word();
      if (at_.take("(")) params(r, ")");
      at_.expect(":");
    }
    r.operations = operations();
    return r;
  }
  void params(Region& r, const char* close) {
    while (!at_.take(close)) {
      r.params.push_back(at_.value());
      at_.expect(":");
      r.types.push_back(type());
      location();
      if (!at_.take(",") && !at_.sees(close)) at_.fail(std::string("',' or '") + close + "' is expected");
    }
  }

  void own_form(Operation& op) {
    if (op.name == "stablehlo.while") return loop(op);
    if (op.name == "stablehlo.reduce") return reduce(op);
    if (op.name == "stablehlo.constant") {
      if (at_.sees("{")) attributes();
      op.attributes["value"] = attribute();
      const auto* value = std::get_if<Dense>(&op.attributes["value"].value);
      if (!value) at_.fail("a constant is dense<...>");
      op.types = {value->type};
      return;
    }
    if (op.name == "stablehlo.compare") {
      op.attributes["comparison_direction"] = {at_.word()};
      at_.expect(",");
    }
    if (op.name == "func.call" || op.name == "stablehlo.custom_call") op.attributes["callee"] = {at_.symbol()};
    if (op.name == "stablehlo.convolution" || op.attributes.contains("callee") || op.name == "chlo.top_k") {
      at_.expect("(");
      while (!at_.take(")")) {
        if (at_.sees("%")) op.operands.push_back(at_.value());
        else named(op, at_.word());
        if (!at_.take(",") && !at_.sees(")")) at_.fail("',' or ')' is expected");
      }
    }
    // Operands, then what the operation has to say, up to the types.
    while (!at_.take(":")) {
      if (at_.sees("%")) op.operands.push_back(at_.value());
      else if (at_.sees("{")) op.attributes.merge(attributes());
      else if (at_.sees("[") && op.name == "stablehlo.slice") slice(op);
      else if (at_.sees_word()) named(op, at_.word());
      else if (at_.sees("}") && (op.name == "func.return" || op.name == "stablehlo.return")) return;
      else at_.fail("this form of " + op.name + " is not known");
      at_.take(",");
    }
    signature(op);
    if (op.name == "func.return" || op.name == "stablehlo.return") return;
    // One type for several results is that of each of them.
    if (op.types.size() == 1) op.types.resize(std::max<std::size_t>(1, op.results.size()), op.types[0]);
  }
  void named(Operation& op, const std::string& name) {
    if (!at_.take("=")) op.attributes[name] = {};
    else if (name == "dim_numbers") op.attributes[name] = dimension_numbers();
    else op.attributes[name] = attribute();
  }
  /// [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]
  Attribute dimension_numbers() {
    std::vector<Attribute> all;
    all.push_back(list());
    at_.expect("x");
    all.push_back(list());
    at_.expect("->");
    all.push_back(list());
    return {all};
  }
  /// [0:4:2, 1:3]
  void slice(Operation& op) {
    std::vector<Attribute> parts[3];
    at_.expect("[");
    while (!at_.take("]")) {
      parts[0].push_back({at_.integer()});
      at_.expect(":");
      parts[1].push_back({at_.integer()});
      parts[2].push_back({at_.take(":") ? at_.integer() : 1});
      if (!at_.take(",") && !at_.sees("]")) at_.fail("',' or ']' is expected");
    }
    op.attributes["start_indices"] = {parts[0]};
    op.attributes["limit_indices"] = {parts[1]};
    op.attributes["strides"] = {parts[2]};
  }
  /// (%a = %x, %b = %y) : types  cond {...} do {...}
  void loop(Operation& op) {
    Region r;
    at_.expect("(");
    while (!at_.take(")")) {
      r.params.push_back(at_.value());
      at_.expect("=");
      op.operands.push_back(at_.value());
      if (!at_.take(",") && !at_.sees(")")) at_.fail("',' or ')' is expected");
    }
    if (at_.take(":")) op.types = types();
    r.types = op.types;
    if (at_.take_word("attributes")) op.attributes = attributes();
    for (const char* part : {"cond", "do"}) {
      if (!at_.take_word(part)) at_.fail(std::string("'") + part + "' is expected");
      at_.expect("{");
      op.regions.push_back(r);
      op.regions.back().operations = operations();
    }
  }
  /// (%x init: %z), ... applies stablehlo.add across dimensions = [0] : types
  /// (%x init: %z), ... across dimensions = [0] : types reducer(%a: t, %b: t) (...) {...}
  void reduce(Operation& op) {
    std::vector<std::string> initial;
    do {
      at_.expect("(");
      op.operands.push_back(at_.value());
      if (!at_.take_word("init")) at_.fail("'init' is expected");
      at_.expect(":");
      initial.push_back(at_.value());
      at_.expect(")");
    } while (at_.take(","));
    op.operands.insert(op.operands.end(), initial.begin(), initial.end());
    std::string applied;
    if (at_.take_word("applies")) applied = at_.word();
    if (!at_.take_word("across")) at_.fail("'across' is expected");
    named(op, at_.word());
    if (at_.sees("{")) op.attributes.merge(attributes());
    at_.expect(":");
    signature(op);
    Region r;
    if (!applied.empty()) {
      const std::string a = "%a", b = "%b", y = "%y";
      Operation call, back;
      call.name = applied, back.name = "stablehlo.return";
      call.line = back.line = op.line, call.column = back.column = op.column;
      call.operands = {a, b}, call.results = back.operands = {y};
      if (op.types.empty()) at_.fail("a reduction has a result");
      call.types = back.types = {Type{op.types[0].dtype}};
      r.params = {a, b};
      r.types = {call.types[0], call.types[0]};
      r.operations = {call, back};
    } else {
      if (!at_.take_word("reducer")) at_.fail("'reducer' is expected");
      // Pairs (left, right) of each operand; the generic form has all left ones first.
      Region right;
      while (at_.take("(")) {
        Region pair;
        params(pair, ")");
        if (pair.params.size() != 2) at_.fail("a reducer has two parameters for each operand");
        r.params.push_back(pair.params[0]), r.types.push_back(pair.types[0]);
        right.params.push_back(pair.params[1]), right.types.push_back(pair.types[1]);
      }
      r.params.insert(r.params.end(), right.params.begin(), right.params.end());
      r.types.insert(r.types.end(), right.types.begin(), right.types.end());
      at_.expect("{");
      r.operations = operations();
    }
    op.regions = {r};
  }

  Cursor at_;
};

}  // namespace

std::vector<FunctionText> parse(std::string_view text, std::string_view file) { return Parser(text, file).module(); }

}  // namespace tlaloc::stablehlo
