// SPDX-License-Identifier: Apache-2.0
#include "backend/stablehlo/print.hpp"

#include "backend/stablehlo/numbers.hpp"
#include "ir/extent.hpp"
#include "ir/ops.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <unordered_map>

namespace tlaloc::ir {

std::string stablehlo_type(const Type& t) {
  if (t.buffer) throw Error("StableHLO has no mutable buffers");
  std::string s = "tensor<";
  for (auto d : t.dims) s += (is_number(d) ? std::to_string(d) : "?") + "x";
  return s + stablehlo_dtype(t.dtype) + ">";
}

namespace {

bool expands(const Op& op) { return op.kind->stablehlo.expands; }
Function spellable(const Function& f) {
  Function out = copy(f, f.name);
  expand(out, expands);
  return out;
}
template <class L, class F> std::string list(const L& l, F f, const char* between = ", ") {
  std::string s;
  for (auto& x : l) s += (s.empty() ? "" : between) + f(x);
  return s;
}
std::string types(std::span<Value* const> vs) { return list(vs, [](auto* v) { return stablehlo_type(v->type); }); }
std::string one_or_more(std::span<Value* const> vs) { return vs.size() == 1 ? types(vs) : "(" + types(vs) + ")"; }

std::string attributes(const std::vector<std::string>& facts) { return facts.empty() ? "" : " {" + list(facts, [](auto& s) { return s; }) + "}"; }
std::string sharding(const Sharding& axes) {
  return "sdy.sharding = #sdy.sharding<@mesh, [" + list(axes, [](auto& a) { return a.empty() ? "{}" : "{\"" + a + "\"}"; }) + "]>";
}

std::string attribute(const Attr& a) {
  struct {
    std::string operator()(std::int64_t x) { return std::to_string(x); }
    std::string operator()(const Number& x) { return stablehlo_number(x); }
    std::string operator()(DType x) { return stablehlo_dtype(x); }
    std::string operator()(Compare x) { constexpr const char* names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"}; return names[int(x)]; }
    std::string operator()(const Ints& x) { return "[" + list(x, [](auto i) { return std::to_string(i); }) + "]"; }
    std::string operator()(const Shape& x) { return (*this)(static_cast<const Ints&>(x)); }
    std::string operator()(const Numbers&) { throw Error("numbers are printed by the op that has them"); }
    std::string operator()(const Types&) { throw Error("types are printed by the op that has them"); }
    std::string operator()(const std::string& x) { return x; }
  } visit;
  return std::visit(visit, a);
}

class Printer {
 public:
  /// `options`: of the public function, null for others.
  std::string function(const Function& f, const std::string& name, const StableHloOptions* options) {
    out_ << "  func.func " << (options ? "public" : "private") << " @" << name << "(";
    for (std::size_t i = 0; i < f.body->params.size(); ++i) {
      const Value* p = f.body->params[i];
      std::vector<std::string> facts;
      if (options && i < options->parameters.size()) facts.push_back(sharding(options->parameters[i]));
      if (options)
        for (auto [parameter, result] : options->donated)
          if (parameter == int(i)) facts.push_back("tf.aliasing_output = " + std::to_string(result) + " : i32");
      out_ << (i ? ", " : "") << this->name(p) << ": " << stablehlo_type(p->type) << attributes(facts);
    }
    out_ << ") -> (";
    for (std::size_t i = 0; i < f.body->yields.size(); ++i) {
      std::vector<std::string> facts;
      if (options && i < options->results.size()) facts.push_back(sharding(options->results[i]));
      out_ << (i ? ", " : "") << stablehlo_type(f.body->yields[i]->type) << attributes(facts);
    }
    out_ << ") {\n";
    find_symbols(f, "    ");
    ops(*f.body, "    ");
    out_ << "    return" << (f.body->yields.empty() ? "" : " " + names(f.body->yields) + " : " + types(f.body->yields)) << "\n  }\n";
    return out_.str();
  }
  const std::set<std::string>& called() const { return called_; }

 private:
  // --- names: the user's where there are any; those of what only stands in the text begin with a dot ---
  std::string name(const Value* v) {
    auto& n = names_[v];
    if (!n.empty()) return n;
    std::string base;
    for (char c : v->name) base += std::isalnum((unsigned char)c) || c == '_' ? c : '_';
    if (base.empty()) return n = "%" + std::to_string(unnamed_++);
    if (std::isdigit((unsigned char)base[0])) base = "_" + base;
    n = "%" + base;
    for (int i = 1; !taken_.insert(n).second; ++i) n = "%" + base + "." + std::to_string(i);
    return n;
  }
  std::string names(std::span<Value* const> vs) { return list(vs, [&](auto* v) { return name(v); }); }
  std::string fresh() { return "%." + std::to_string(between_++); }

  // --- symbolic extents: each symbol is the extent of a parameter's axis ---
  void find_symbols(const Function& f, const std::string& pad) {
    for (auto* p : f.body->params) for (std::size_t k = 0; k < p->type.dims.size(); ++k) {
      const std::string s = extent_text(p->type.dims[k]);
      if (is_number(p->type.dims[k]) || symbols_.contains(s) || symbol(s) != p->type.dims[k]) continue;
      const std::string narrow = fresh();
      out_ << pad << narrow << " = stablehlo.get_dimension_size " << name(p) << ", dim = " << k << " : (" << stablehlo_type(p->type) << ") -> tensor<i32>\n";
      out_ << pad << (symbols_[s] = fresh()) << " = stablehlo.convert " << narrow << " : (tensor<i32>) -> tensor<i64>\n";
    }
  }
  std::string number(std::int64_t n, const std::string& pad) {
    const std::string v = fresh();
    out_ << pad << v << " = stablehlo.constant dense<" << n << "> : tensor<i64>\n";
    return v;
  }
  std::string combined(const char* how, const std::string& a, const std::string& b, const std::string& pad) {
    const std::string v = fresh();
    out_ << pad << v << " = stablehlo." << how << " " << a << ", " << b << " : tensor<i64>\n";
    return v;
  }
  // A tensor<i64>.
  std::string value(Extent e, const std::string& pad) {
    std::string sum;
    for (auto& [factors, c] : terms(e)) {
      std::string product = c != 1 || factors.empty() ? number(c, pad) : "";
      for (auto& f : factors) {
        auto it = symbols_.find(f);
        if (it == symbols_.end()) throw Error("no parameter has '" + f + "' as an extent");
        product = product.empty() ? it->second : combined("multiply", product, it->second, pad);
      }
      sum = sum.empty() ? product : combined("add", sum, product, pad);
    }
    return sum.empty() ? number(0, pad) : sum;
  }
  // A tensor<kxi64>, and its type.
  std::pair<std::string, std::string> shape_value(const Shape& shape, const std::string& pad) {
    std::string parts, part_types;
    for (auto e : shape) {
      const std::string v = value(e, pad), one = fresh();
      out_ << pad << one << " = stablehlo.reshape " << v << " : (tensor<i64>) -> tensor<1xi64>\n";
      parts += (parts.empty() ? "" : ", ") + one, part_types += (part_types.empty() ? "" : ", ") + std::string("tensor<1xi64>");
    }
    const std::string all = fresh(), type = "tensor<" + std::to_string(shape.size()) + "xi64>";
    out_ << pad << all << " = stablehlo.concatenate " << parts << ", dim = 0 : (" << part_types << ") -> " << type << "\n";
    return {all, type};
  }
  // The text of ops that take a shape, where it is symbolic; empty for others.
  std::string dynamic_text(const Op& op, const std::string& pad) {
    if (is_static(op.results[0]->type.dims)) return op.kind == &ops::extent && !is_number(elements(op.at(key::shape))) ? "stablehlo.reshape " + value(elements(op.at(key::shape)), pad) + " : (tensor<i64>) -> tensor<i64>" : "";
    auto with_shape = [&](const std::string& head, const std::string& tail, const char* first) {
      const auto [shape, type] = shape_value(op.results[0]->type.dims, pad);
      return head + shape + tail + " : (" + first + type + ") -> {type}";
    };
    if (op.kind == &ops::broadcast_in_dim) return with_shape("stablehlo.dynamic_broadcast_in_dim {x}, ", ", dims = {dims}", "{x:type}, ");
    if (op.kind == &ops::reshape) return with_shape("stablehlo.dynamic_reshape {x}, ", "", "{x:type}, ");
    if (op.kind == &ops::iota) return with_shape("stablehlo.dynamic_iota ", ", dim = {axis}", "");
    if (op.kind == &ops::slice) {
      const auto [start, type] = shape_value(op.at(key::start), pad);
      const std::string limit = shape_value(op.at(key::limit), pad).first, strides = shape_value(op.at(key::strides), pad).first;
      return "stablehlo.real_dynamic_slice {x}, " + start + ", " + limit + ", " + strides + " : ({x:type}, " + type + ", " + type + ", " + type + ") -> {type}";
    }
    if (op.kind == &ops::dynamic_slice || op.kind == &ops::gather) {
      for (auto e : op.at(key::sizes)) if (!is_number(e)) refuse(op, "a size that is not a number in StableHLO");
    }
    if (op.kind == &ops::sort_indices) refuse(op, "a symbolic extent in StableHLO");
    return "";
  }

  // --- ops ---
  void ops(const Block& b, const std::string& pad) { for (auto* op : b.ops) line(*op, pad); }
  void line(const Op& op, const std::string& pad) {
    const StableHlo& s = op.kind->stablehlo;
    if (!s.why.empty()) refuse(op, s.why);
    if (op.kind == &ops::for_) return counted(op, pad);
    if (op.kind == &ops::while_) return loop(op, pad);
    if (op.kind == &ops::if_) return branch(op, pad);
    if (op.kind == &ops::call) return call(op, pad);
    std::string text = dynamic_text(op, pad);
    if (text.empty()) text = s.by_printer ? structural(op) : s.rule ? s.rule(op) : std::string(s.text);
    if (text.find("{result}") == text.npos) text = "{result} = " + text;
    text = filled(op, text);
    for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += pad.size() + 1) if (at + 1 < text.size()) text.insert(at + 1, pad);
    out_ << pad << text << "\n";
  }
  std::string structural(const Op& op) {
    if (op.kind == &ops::constant) return "stablehlo.constant dense<" + stablehlo_number(op.at(key::value)) + "> : {type}";
    if (op.kind == &ops::literal) return "stablehlo.constant " + stablehlo_dense(op.at(key::shape), op.at(key::values)) + " : {type}";
    if (op.kind == &ops::extent) return "stablehlo.constant dense<" + std::to_string(elements(op.at(key::shape))) + "> : {type}";
    if (op.kind == &ops::slice) {
      std::string parts;
      for (std::size_t k = 0; k < op.at(key::start).size(); ++k)
        parts += (k ? ", " : "") + std::to_string(op.at(key::start)[k]) + ":" + std::to_string(op.at(key::limit)[k]) + ":" + std::to_string(op.at(key::strides)[k]);
      return "stablehlo.slice {x} [" + parts + "] : {signature}";
    }
    refuse(op, "has no StableHLO text");
  }
  std::string filled(const Op& op, std::string_view s) {
    std::map<std::string, std::string, std::less<>> between;
    std::string r;
    for (std::size_t at = 0; at < s.size(); ++at) {
      if ((s[at] == '{' || s[at] == '}') && at + 1 < s.size() && s[at + 1] == s[at]) { r += s[at++]; continue; }
      if (s[at] != '{') { r += s[at]; continue; }
      const auto close = s.find('}', at);
      r += word(op, s.substr(at + 1, close - at - 1), between);
      at = close;
    }
    return r;
  }
  std::string word(const Op& op, std::string_view w, std::map<std::string, std::string, std::less<>>& between) {
    const Type& type = op.results[0]->type;
    if (w == "result") return name(op.results[0]);
    if (w == "type") return stablehlo_type(type);
    if (w == "truths") return stablehlo_type(Type{DType::boolean, type.dims});
    if (w == "element") return stablehlo_type(Type{type.dtype});
    if (w == "signature") return "(" + types(op.operands) + ") -> " + stablehlo_type(type);
    if (w == "zero") return stablehlo_number(Number::of(type.dtype, 0));
    if (w == "one") return stablehlo_number(Number::of(type.dtype, 1));
    if (w == "lowest") return stablehlo_number(lowest_number(type.dtype));
    if (w == "highest") return stablehlo_number(highest_number(type.dtype));
    if (w.size() == 1 && std::isdigit((unsigned char)w[0])) {
      auto& n = between[std::string(w)];
      return n.empty() ? n = fresh() : n;
    }
    const auto colon = w.find(':');
    const int i = op.kind->operands.find(w.substr(0, colon));
    if (i < 0) return attribute(op.attr(w));
    if (colon != w.npos) return stablehlo_type(w.substr(colon + 1) == "element" ? Type{op.operands[std::size_t(i)]->type.dtype} : op.operands[std::size_t(i)]->type);
    if (i >= op.kind->operands.fixed()) return names(std::span(op.operands).subspan(std::size_t(i)));
    return name(op.operands[std::size_t(i)]);
  }

  // --- control ---
  // The results of an op with several are parts of one name.
  void define(const Op& op, const std::string& pad, std::size_t skipped = 0) {
    const std::size_t n = op.results.size() + skipped;
    const std::string base = n == 1 && !skipped ? name(op.results[0]) : fresh();
    out_ << pad << base << (n > 1 ? ":" + std::to_string(n) : "") << " = ";
    if (n > 1 || skipped) for (std::size_t k = 0; k < op.results.size(); ++k) names_[op.results[k]] = n == 1 ? base : base + "#" + std::to_string(k + skipped);
  }
  void yields(const Block& b, const std::string& pad, const std::string& first = "", const std::string& first_type = "") {
    out_ << pad << "stablehlo.return " << first << (first.empty() || b.yields.empty() ? "" : ", ") << names(b.yields) << " : " << first_type
         << (first.empty() || b.yields.empty() ? "" : ", ") << types(b.yields) << "\n";
  }
  void head(const std::vector<Value*>& params, const std::string& pad) {
    out_ << pad << "^bb0(" << list(params, [&](auto* p) { return name(p) + ": " + stablehlo_type(p->type); }) << "):\n";
  }
  void branch(const Op& op, const std::string& pad) {
    if (op.results.empty()) return;
    define(op, pad);
    out_ << "\"stablehlo.if\"(" << name(op.operands[0]) << ") ({\n";
    for (int i = 0; i < 2; ++i) {
      if (i) out_ << pad << "}, {\n";
      ops(*op.regions[std::size_t(i)], pad + "  ");
      yields(*op.regions[std::size_t(i)], pad + "  ");
    }
    out_ << pad << "}) : (tensor<i1>) -> " << one_or_more(op.results) << "\n";
  }
  void loop(const Op& op, const std::string& pad) {
    if (op.results.empty()) return;
    define(op, pad);
    out_ << "\"stablehlo.while\"(" << names(op.operands) << ") ({\n";
    for (int i = 0; i < 2; ++i) {
      const Block& r = *op.regions[std::size_t(i)];
      if (i) out_ << pad << "}, {\n";
      head(r.params, pad + "  ");
      ops(r, pad + "  ");
      yields(r, pad + "  ");
    }
    out_ << pad << "}) : (" << types(op.operands) << ") -> " << one_or_more(op.results) << "\n";
  }
  // The counter is carried in front.
  void counted(const Op& op, const std::string& pad) {
    if (op.results.empty()) return;
    const auto step = op.at(key::step);
    const Type counter = op.operands[0]->type;
    if (is_unsigned(counter.dtype) && step < -1) refuse(op, "an unsigned counter that goes down by more than 1");
    const std::string type = stablehlo_type(counter);
    std::vector<Value*> carried{op.operands[0]};
    carried.insert(carried.end(), op.operands.begin() + 2, op.operands.end());
    const Block& body = *op.regions[0];
    define(op, pad, 1);
    out_ << "\"stablehlo.while\"(" << names(carried) << ") ({\n" << pad << "^bb0(";
    std::string at = fresh();
    out_ << at << ": " << type;
    for (std::size_t k = 1; k < carried.size(); ++k) out_ << ", " << fresh() << ": " << stablehlo_type(carried[k]->type);
    const std::string more = fresh(), by = fresh(), next = fresh();
    out_ << "):\n" << pad << "  " << more << " = stablehlo.compare " << (step > 0 ? "LT" : "GT") << ", " << at << ", " << name(op.operands[1]) << " : (" << type << ", " << type << ") -> tensor<i1>\n"
         << pad << "  stablehlo.return " << more << " : tensor<i1>\n" << pad << "}, {\n";
    head(body.params, pad + "  ");
    ops(body, pad + "  ");
    out_ << pad << "  " << by << " = stablehlo.constant dense<" << (is_unsigned(counter.dtype) ? 1 : step) << "> : " << type << "\n"
         << pad << "  " << next << " = stablehlo." << (is_unsigned(counter.dtype) && step < 0 ? "subtract " : "add ") << name(body.params[0]) << ", " << by << " : " << type << "\n";
    yields(body, pad + "  ", next, type);
    out_ << pad << "}) : (" << types(carried) << ") -> (" << types(carried) << ")\n";
  }
  void call(const Op& op, const std::string& pad) {
    called_.insert(op.at(key::callee));
    if (op.results.empty()) return;
    define(op, pad);
    out_ << "func.call @" << op.at(key::callee) << "(" << names(op.operands) << ") : (" << types(op.operands) << ") -> " << one_or_more(op.results) << "\n";
  }

  std::ostringstream out_;
  std::unordered_map<const Value*, std::string> names_;
  std::set<std::string> taken_, called_;
  std::map<std::string, std::string, std::less<>> symbols_;      // to the tensor<i64> that has its number
  int unnamed_ = 0, between_ = 0;
};

}  // namespace

std::string stablehlo(const Program& program, const Function& f, const StableHloOptions& options) {
  std::set<std::string> done{options.function};
  std::vector<std::string> waiting;
  auto add = [&](const Function& g, const std::string& name, const StableHloOptions* facts) {
    Printer p;
    std::string s = p.function(spellable(g), name, facts);
    for (auto& c : p.called()) {
      if (c == options.function) throw Error("a called function has the name of the public one, '" + c + "'");
      if (done.insert(c).second) waiting.push_back(c);
    }
    return s;
  };
  std::string text = "module {\n";
  if (!options.mesh.empty())
    text += "  sdy.mesh @mesh = <[" + list(options.mesh, [](auto& a) { return "\"" + a.first + "\"=" + std::to_string(a.second); }) + "]>\n";
  text += add(f, options.function, &options);
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    const Function* g = program.find(name);
    if (!g) throw Error("no function '" + name + "'");
    text += add(*g, name, nullptr);
  }
  return text + "}\n";
}

}  // namespace tlaloc::ir
