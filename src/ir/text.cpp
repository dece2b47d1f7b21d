// SPDX-License-Identifier: Apache-2.0
//
// The text form, printed and parsed from the table alone:
//   func f(%x: f64, %n: i32) {
//     %c = constant {value = 2.0:f64} : f64
//     %y = mul %c, %x : f64 at f.cpp:3:7 "y = 2 * x;"
//     yield %y
//   }
// "reverse at" marks an op of the reverse of the statement there. After the parameters, where a function has them: its
// results' names, its rule, and where it is defined:
//   func f(%x: f64) -> ["y"] rule(1, jvp "f_jvp", vjp "f_vjp", next "g") external "f" "double f(double);" {
#include "ir/extent.hpp"
#include "ir/ops.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <unordered_map>

namespace tlaloc::ir {
namespace {

constexpr std::string_view compare_names[] = {"eq", "ne", "lt", "le", "gt", "ge"};

std::string quoted(std::string_view s) {
  std::string r = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') (r += '\\') += c;
    else if (c == '\n') r += "\\n";
    else r += c;
  }
  return r + "\"";
}
bool in_word(char c) { return std::isalnum((unsigned char)c) || (unsigned char)c >= 128 || std::string_view("_$.+-%").find(c) != std::string_view::npos; }
std::string word_or_quoted(const std::string& s) { return !s.empty() && std::all_of(s.begin(), s.end(), in_word) ? s : quoted(s); }
// What may stand after %: a dot would begin the number that tells equal names apart.
std::string identifier(std::string s) {
  for (char& c : s) if (!in_word(c) || std::string_view(".+-%").find(c) != std::string_view::npos) c = '_';
  return std::isdigit((unsigned char)s[0]) ? "_" + s : s;
}
std::string number_text(const Number& n) {
  std::string s;
  if (is_real(n.dtype)) {
    char digits[32];
    s.assign(digits, std::to_chars(digits, digits + 32, n.real).ptr);
  } else {
    s = is_signed(n.dtype) ? std::to_string(n.as_int()) : std::to_string(n.bits);
  }
  return s + ":" + text(n.dtype);
}
template <class L, class F> std::string list(const L& l, F f) { std::string s; for (auto& x : l) s += (s.empty() ? "" : ", ") + f(x); return s; }

std::string attr_text(const Attr& a) {
  struct {
    std::string operator()(std::int64_t x) { return std::to_string(x); }
    std::string operator()(const Number& x) { return number_text(x); }
    std::string operator()(DType x) { return text(x); }
    std::string operator()(Compare x) { return std::string(compare_names[int(x)]); }
    std::string operator()(const Ints& x) { return "[" + list(x, [](auto i) { return std::to_string(i); }) + "]"; }
    std::string operator()(const Shape& x) { return "[" + list(x, extent_text) + "]"; }
    std::string operator()(const Numbers& x) { return "[" + list(x, number_text) + "]"; }
    std::string operator()(const Types& x) { return "[" + list(x, [](auto& t) { return text(t); }) + "]"; }
    std::string operator()(const std::string& x) { return quoted(x); }
  } visit;
  return std::visit(visit, a);
}

struct Printer {
  std::ostringstream out = {};
  std::unordered_map<const Value*, std::string> names = {};
  std::set<std::string> taken = {};
  int unnamed = 0;

  std::string name(const Value* v) {
    auto& n = names[v];
    if (!n.empty()) return n;
    if (v->name.empty()) return n = "%" + std::to_string(unnamed++);          // no identifier starts with a digit
    const std::string base = n = "%" + identifier(v->name);
    for (int i = 1; !taken.insert(n).second; ++i) n = base + "." + std::to_string(i);
    return n;
  }
  std::string typed(Value* p) { return name(p) + ": " + text(p->type); }
  void params(const Block& b) { out << "(" << list(b.params, [&](Value* p) { return typed(p); }) << ")"; }
  void block(const Block& b, const std::string& pad) {
    out << " {\n";
    for (auto* op : b.ops) {
      out << pad << "  " << list(op->results, [&](Value* v) { return name(v); }) << (op->results.empty() ? "" : " = ") << op->kind->name;
      out << (op->operands.empty() ? "" : " ") << list(op->operands, [&](Value* v) { return name(v); });
      for (std::size_t i = 0; i < op->attrs.size(); ++i) out << (i ? ", " : " {") << op->kind->attrs[int(i)].name << " = " << attr_text(op->attrs[i]);
      out << (op->attrs.empty() ? "" : "}");
      for (auto* r : op->regions) { out << " "; params(*r); block(*r, pad + "  "); }
      if (!op->results.empty()) out << " : " << list(op->results, [&](Value* v) { return text(v->type); });
      if (auto& w = op->where) out << (w.adjoint ? " reverse at " : " at ") << quoted(w.file) << ":" << w.line << ":" << w.column << (w.text.empty() ? "" : " " + quoted(w.text));
      out << "\n";
    }
    if (!b.yields.empty()) out << pad << "  yield " << list(b.yields, [&](Value* v) { return name(v); }) << "\n";
    out << pad << "}";
  }
};

struct Parser {
  std::string_view s;
  std::size_t at = 0;
  std::unordered_map<std::string, Value*> values = {};

  [[noreturn]] void fail(std::string_view what) {
    auto end = at;                                // of what was read last
    while (end > 0 && std::isspace((unsigned char)s[end - 1])) --end;
    throw Error("line " + std::to_string(1 + std::count(s.begin(), s.begin() + std::ptrdiff_t(end), '\n')) + ": expected " + std::string(what));
  }
  void space() { while (at < s.size() && std::isspace((unsigned char)s[at])) ++at; }
  bool accept(std::string_view t) { space(); if (!s.substr(at).starts_with(t)) return false; at += t.size(); return true; }
  void expect(std::string_view t) { if (!accept(t)) fail(t); }
  std::string_view word() {                       // names and numbers
    space();
    const auto from = at;
    while (at < s.size() && in_word(s[at])) ++at;
    if (from == at) fail("a word");
    return s.substr(from, at - from);
  }
  std::string string() {
    expect("\"");
    std::string r;
    while (at < s.size() && s[at] != '"') {
      if (s[at] == '\\' && at + 1 < s.size()) { ++at; r += s[at] == 'n' ? '\n' : s[at]; } else r += s[at];
      ++at;
    }
    expect("\"");
    return r;
  }
  template <class T> T whole(std::string_view w, std::string_view what) {     // all of the word, not its beginning
    T x{};
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), x);
    if (error != std::errc() || end != w.data() + w.size()) fail(what);
    return x;
  }
  template <class T> T number() { return whole<T>(word(), "a number"); }
  DType dtype() {
    const auto w = word();
    for (int i = 0; i <= int(DType::f64); ++i) if (w == text(DType(i))) return DType(i);
    fail("a number type");
  }
  Number literal() {
    const auto w = word();
    expect(":");
    const DType d = dtype();
    if (is_real(d)) return Number::of(d, whole<double>(w, "a real number"));
    if (is_signed(d)) return Number::of(d, whole<std::int64_t>(w, "an integer"));
    return Number::of(d, whole<std::uint64_t>(w, "an unsigned integer"));
  }
  template <class F> auto listed(F item) { std::vector<decltype(item())> v; expect("["); while (!accept("]")) { v.push_back(item()); accept(","); } return v; }
  Shape shape() {
    return listed([&] {
      space();
      const auto from = at;
      while (at < s.size() && s[at] != ',' && s[at] != ']') ++at;
      try { return parse_extent(s.substr(from, at - from)); } catch (const Error&) { fail("an extent"); }
    });
  }
  Type type() {
    Type t;
    t.buffer = accept("buffer ");
    t.dtype = dtype();
    if (at < s.size() && s[at] == '[') t.dims = shape();
    return t;
  }
  template <class T> T attr_of() {
    if constexpr (std::is_same_v<T, std::int64_t>) return number<std::int64_t>();
    else if constexpr (std::is_same_v<T, Number>) return literal();
    else if constexpr (std::is_same_v<T, DType>) return dtype();
    else if constexpr (std::is_same_v<T, Compare>) {
      const auto w = word();
      for (int i = 0; i < 6; ++i) if (w == compare_names[i]) return Compare(i);
      fail("a relation");
    }
    else if constexpr (std::is_same_v<T, Ints>) return listed([&] { return number<std::int64_t>(); });
    else if constexpr (std::is_same_v<T, Shape>) return shape();
    else if constexpr (std::is_same_v<T, Numbers>) return listed([&] { return literal(); });
    else if constexpr (std::is_same_v<T, Types>) return listed([&] { return type(); });
    else { static_assert(std::is_same_v<T, std::string>, "an attribute type without a text form"); return string(); }
  }
  template <std::size_t I = 0> Attr attr(std::size_t kind) {
    if constexpr (I < std::variant_size_v<Attr>) return I == kind ? Attr(attr_of<std::variant_alternative_t<I, Attr>>()) : attr<I + 1>(kind);
    else fail("an attribute");
  }
  Value* value() { auto it = values.find(std::string(word())); if (it == values.end()) fail("a defined value"); return it->second; }
  static std::string plain(std::string_view n) {                             // the user's name again
    n = n.substr(1, n.find('.') - 1);
    return n.empty() || std::isdigit((unsigned char)n[0]) ? "" : std::string(n);
  }

  void params(Builder& b) {
    expect("(");
    while (!accept(")")) {
      const std::string n(word());
      expect(":");
      values[n] = param(b, type(), plain(n)).v;
      accept(",");
    }
  }
  void block(Builder b) {
    expect("{");
    while (!accept("}")) {
      if (accept("yield ")) { do b.block->yields.push_back(value()); while (accept(",")); continue; }
      std::vector<std::string> names;
      for (space(); at < s.size() && s[at] == '%'; space()) { names.emplace_back(word()); if (!accept(",")) break; }
      if (!names.empty()) expect("=");
      auto* kind = find_kind(word());
      if (!kind) fail("the name of an op");
      std::vector<Value*> operands;
      for (space(); at < s.size() && s[at] == '%'; space()) { operands.push_back(value()); if (!accept(",")) break; }
      std::vector<Attr> attrs;
      for (auto& a : kind->attrs) { expect(attrs.empty() ? "{" : ","); expect(a.name); expect("="); attrs.push_back(attr(a.type)); }
      if (!attrs.empty()) expect("}");
      std::vector<Block*> regions;
      for (int i = 0; i < kind->regions; ++i) {
        Builder inner{b.function, regions.emplace_back(b.function.new_block())};
        params(inner);
        block(inner);
      }
      std::vector<Type> types;
      if (accept(": ")) do types.push_back(type()); while (accept(","));
      b.where = {};
      b.where.adjoint = accept("reverse ");
      if (b.where.adjoint ? (expect("at "), true) : accept("at ")) {
        b.where.file = intern(string());
        expect(":"); b.where.line = number<int>();
        expect(":"); b.where.column = number<int>();
        while (at < s.size() && s[at] == ' ') ++at;
        if (at < s.size() && s[at] == '"') b.where.text = intern(string());
      }
      Op* op = b.append(*kind, operands, attrs, regions);
      if (op->results.size() != names.size() || types.size() != names.size()) fail("as many results as the op has");
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (op->results[i]->type != types[i]) fail(text(op->results[i]->type) + " as the result's type");
        values[names[i]] = op->results[i];
        op->results[i]->name = plain(names[i]);
      }
    }
  }
  Rule rule() {
    Rule r;
    expect("(");
    r.known = number<int>();
    while (accept(",")) {
      if (accept("jvp ")) r.jvp = string();
      else if (accept("vjp ")) r.vjp = string();
      else if (accept("next ")) r.next = string();
      else fail("jvp, vjp or next");
    }
    expect(")");
    return r;
  }
  Function function() {
    expect("func ");
    values.clear();
    space();
    Function f{at < s.size() && s[at] == '"' ? string() : std::string(word())};
    Builder b{f};
    params(b);
    if (accept("-> ")) f.result_names = listed([&] { return string(); });
    if (accept("rule")) f.rule = rule();
    if (accept("external ")) { f.external = string(); f.declaration = string(); }
    block(b);
    return f;
  }
};

}  // namespace

std::string print(const Function& f) {
  Printer p;
  p.out << "func " << word_or_quoted(f.name);
  p.params(*f.body);
  if (!f.result_names.empty()) p.out << " -> [" << list(f.result_names, quoted) << "]";
  if (auto& r = f.rule) {
    p.out << " rule(" << r->known;
    if (!r->jvp.empty()) p.out << ", jvp " << quoted(r->jvp);
    if (!r->vjp.empty()) p.out << ", vjp " << quoted(r->vjp);
    if (r->next) p.out << ", next " << quoted(*r->next);
    p.out << ")";
  }
  if (!f.external.empty()) p.out << " external " << quoted(f.external) << " " << quoted(f.declaration);
  p.block(*f.body, "");
  return p.out.str() + "\n";
}
std::string print(const Program& program) {
  std::string s;
  for (auto& f : program.functions) s += (s.empty() ? "" : "\n") + print(f);
  return s;
}
Function parse_function(std::string_view s) { return Parser{s}.function(); }
Program parse(std::string_view s) {
  Program p;
  Parser parser{s};
  for (parser.space(); parser.at < s.size(); parser.space()) p.add(parser.function());
  return p;
}

static std::string cell(std::string_view text) {            // of a Markdown table
  std::string s;
  for (char c : text) s += c == '|' ? "\\|" : std::string(1, c);
  return s;
}
static std::string taken(const Kind& k) {
  std::string s;
  auto add = [&](const std::string& word) { s += (s.empty() ? "" : ", ") + word; };
  for (auto n : k.operands) { auto* i = k.integers.find(n); add(std::string(n) + (i ? ": " + text(i->dtype) : "")); }
  for (auto& a : k.attrs) add("`" + std::string(a.name) + "`");
  if (k.regions) add(std::to_string(k.regions) + (k.regions == 1 ? " region" : " regions"));
  return s;
}
static std::string differentiated(const Kind& k) {
  constexpr std::string_view forms[] = {"partials", "linear", "linear in each", "tangent", "by expansion", "zero", "structural", "refused"};
  std::string s(forms[k.derivative.form]);
  if (!k.derivative.why.empty()) s += ": " + std::string(k.derivative.why);
  for (auto& p : k.passive) s += ", not by " + std::string(p.operand);
  return s;
}
static std::string mapped(const Kind& k) {
  constexpr std::string_view forms[] = {"elementwise", "own rule", "by expansion", "structural", "refused"};
  return std::string(forms[k.batching.form]) + (k.batching.why.empty() ? "" : ": " + std::string(k.batching.why));
}
static std::string exported(const Kind& k) {
  const StableHlo& s = k.stablehlo;
  if (s.by_printer) return "structure";
  if (s.expands) return "by expansion";
  if (s.rule) return "by rule";
  return s.why.empty() ? "`" + std::string(s.text.substr(0, s.text.find(" :"))) + "`" : std::string(s.why);
}
std::string op_reference() {
  std::ostringstream o;
  o << "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Operations\n\n"
       "Written from the op table: `cmake --build build/dev --target docs_ops`. Names in quotes are attributes. Cost is that of one\n"
       "execution, or of one element of a tensor, where an addition is 1.\n\n"
       "| op | takes | derivative | batching | C++ | StableHLO | cost | meaning |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (auto* k : all_kinds()) {
    const std::string spelling = k->cpp.by_printer ? "structure" : k->cpp.by_name ? "as `ops::" + std::string(k->name) + "`" : k->cpp.expands ? "by expansion" : k->cpp.text.empty() ? std::string(k->cpp.why) : "`" + std::string(k->cpp.text) + "`";
    o << "| `" << k->name << "` | " << taken(*k) << " | " << differentiated(*k) << " | " << mapped(*k) << " | " << cell(spelling) << " | " << cell(exported(*k)) << " | " << k->cost << " | " << cell(k->doc) << " |\n";
  }
  return o.str();
}

}  // namespace tlaloc::ir
