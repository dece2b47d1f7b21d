// SPDX-License-Identifier: Apache-2.0
//
// Every op of the table goes out as StableHLO that XLA compiles, or is refused by its name: none is forgotten.
#include "tensor/cases.hpp"

#include <tlaloc/trace.hpp>

#include "backend/stablehlo/print.hpp"
#include "runtime/pjrt/client.hpp"
#include "tensor/program.hpp"

#include <set>

namespace {

using namespace cases;

void note(const ir::Block& b, std::set<std::string>& seen) {
  for (auto* op : b.ops) {
    seen.insert(std::string(op->kind->name));
    for (auto* r : op->regions) note(*r, seen);
  }
}
bool is_refused(const ir::Kind& k) { return !k.stablehlo.why.empty(); }

/// An elementwise op on numbers, as its record states it.
std::string scalar_program(const ir::Kind& k) {
  std::string params, names;
  for (int i = 0; i < k.operands.size(); ++i) {
    const std::string name = "%x" + std::to_string(i);
    const auto* integer = k.integers.find(k.operands[i]);
    params += (i ? ", " : "") + name + ": " + (integer ? std::string(text(integer->dtype)) : "f32");
    names += (i ? ", " : "") + name;
  }
  return "func f(" + params + ") {\n  %y = " + std::string(k.name) + " " + names;
}
/// Tries result types: the op's own rule says which fits.
std::string exported(const ir::Kind& k) {
  for (const char* type : {"f32", "i32", "i64", "bool"}) {
    for (const std::string in : {"f32", "i32"}) {
      std::string s = scalar_program(k) + " : " + type + "\n  yield %y\n}\n";
      for (std::size_t at = 0; in != "f32" && (at = s.find(": f32", at)) != s.npos && at < s.find('{'); at += 5) s.replace(at, 5, ": " + in);
      try {
        const ir::Function f = ir::parse_function(s);
        return ir::stablehlo({}, f);
      } catch (const ir::Error& e) {
        if (std::string(e.what()).find(k.stablehlo.why.empty() ? "?" : k.stablehlo.why) != std::string::npos) throw;
      }
    }
  }
  return "";
}

// What no case uses and what no list of operands tells.
const char* programs[] = {
    "func f(%n: i64, %x: f32) {\n  %z = constant {value = 0:i64} : i64\n  %y = for %z, %n, %x {step = 1} (%i: i64, %c: f32) {\n    %d = mul %c, %x : f32\n    yield %d\n  } : f32\n  yield %y\n}\n",
    "func f(%x: f32) {\n  %y = while %x (%c: f32) {\n    %b = compare %c, %x {direction = lt} : bool\n    yield %b\n  } (%e: f32) {\n    %d = mul %e, %x : f32\n    yield %d\n  } : f32\n  yield %y\n}\n",
    "func f(%b: bool, %x: f32) {\n  %y = if %b () {\n    %d = mul %x, %x : f32\n    yield %d\n  } () {\n    yield %x\n  } : f32\n  yield %y\n}\n",
    "func g(%x: f32) {\n  yield %x\n}\nfunc f(%x: f32) {\n  %y = call %x {callee = \"g\", results = [f32]} : f32\n  yield %y\n}\n",
    "func f(%x: bool) {\n  %y = logical_not %x : bool\n  yield %y\n}\n",
    "func f(%x: f32[n,3]) {\n  %y = extent {shape = [n]} : i64\n  yield %y\n}\n",
    "func f(%x: f32[4]) {\n  %y = cummax %x {axis = 0, reverse = 0} : f32[4]\n  %z = cummin %y {axis = 0, reverse = 1} : f32[4]\n  yield %z\n}\n",
    "func f(%x: f32[4]) {\n  %y = reduce_window_min %x {window = [2], strides = [1], dilations = [1], low = [0], high = [0]} : f32[3]\n  yield %y\n}\n",
    "func f(%x: f32[4]) {\n  %y = bitcast %x {dtype = i32} : i32[4]\n  yield %y\n}\n",
    "func f(%x: f32) {\n  %y = polygamma %x {order = 2} : f32\n  yield %y\n}\n",
    "func f(%a: u32[4], %b: u32[4], %c: u32[4], %d: u32[4]) {\n  %y = threefry2x32 %a, %b, %c, %d : u32[2,4]\n  yield %y\n}\n",
    "func f(%k: u32[3,2], %a: f32[3]) {\n  %y = random_gamma %k, %a {log_space = 0, partitionable = 1} : f32[3]\n  yield %y\n}\n",
    "func f(%v: f32[3], %b: f32[2,1]) {\n  %y = sparse_solve %v, %b {row_start = [0, 2, 3], columns = [0, 1, 1], transpose_a = 0} : f32[2,1]\n  yield %y\n}\n",
};

TEST(Exported, EveryOpOrRefusedByName) {
  const runtime::pjrt::Client client(runtime::pjrt::Plugin::load(TLALOC_XLA_CPU));
  std::set<std::string> seen;
  auto compiles = [&](const std::string& name, const std::string& text) {
    if (text.find('?') != text.npos) return;      // of symbolic extents: tests/jax refines and runs those
    try {
      client.compile(text);
    } catch (const runtime::pjrt::Error& e) {
      ADD_FAILURE() << name << ": " << e.what() << "\n" << text;
    }
  };
  for (auto* s : programs) {
    const ir::Program p = ir::parse(s);
    note(*p.find("f")->body, seen);
    compiles(s, ir::stablehlo(p, *p.find("f")));
  }
  for (auto& c : all()) {                         // compiled and run by device_test
    const Program p = trace([&](const List& x) { return c.f(x); }, spec<List>(c.operands));
    p.stablehlo();
    note(*p.recorded().function->body, seen);
    if (!golden().contains(c.name + ".grad0")) continue;
    const Program g = p.vjp();
    g.stablehlo();
    note(*g.recorded().function->body, seen);
  }
  for (auto* k : ir::all_kinds()) {
    const std::string name(k->name);
    const bool numbers = k->regions == 0 && !k->operands.variadic() && k->operands.size() > 0 && k->attrs.size() == 0;
    try {
      if (is_refused(*k)) {
        if (numbers && k->effect == ir::Effect::pure) ADD_FAILURE() << name << " is not refused: " << exported(*k);
        continue;
      }
      if (seen.contains(name)) continue;
      const std::string text = numbers ? exported(*k) : "";
      if (text.empty()) ADD_FAILURE() << name << " is exported by no program here";
      else compiles(name, text);
    } catch (const ir::Error& e) {
      EXPECT_TRUE(is_refused(*k)) << name << ": " << e.what();
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
  }
}

}  // namespace
