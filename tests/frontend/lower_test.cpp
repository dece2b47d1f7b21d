// SPDX-License-Identifier: Apache-2.0
//
// The lowering against the native compiler: each program of the *_programs.hpp beside it is parsed,
// lowered and interpreted, and must give what the natively compiled function gives. Then what is refused and where, what
// the leaves of a signature are, and which loops count.
#include "frontend/clang/lower.hpp"

#include "backend/interpreter/interpreter.hpp"

#include "clang/Tooling/Tooling.h"

#include <gtest/gtest.h>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include "frontend/language_programs.hpp"
#include "frontend/library_programs.hpp"
#include "frontend/record_programs.hpp"
#pragma clang diagnostic pop

using namespace clang;
namespace ir = tlaloc::ir;
using tlaloc::frontend::Bail;
using tlaloc::frontend::Leaf;
using tlaloc::frontend::Lowered;
using tlaloc::frontend::Lowering;

namespace {

using Numbers = std::vector<double>;

// --- parsing ---
struct Work : SemaConsumer {
  using Use = std::function<void(Sema&)>;
  explicit Work(Use u) : use(std::move(u)) {}
  Use use;
  Sema* sema = nullptr;
  void InitializeSema(Sema& s) override { sema = &s; }
  void HandleTranslationUnit(ASTContext&) override { use(*sema); }
};
struct Parse : ASTFrontendAction {
  explicit Parse(Work::Use u) : use(std::move(u)) {}
  Work::Use use;
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, StringRef) override { return std::make_unique<Work>(use); }
};
void parsed(const std::string& code, Work::Use use) {
  const bool fine = tooling::runToolOnCodeWithArgs(std::make_unique<Parse>(std::move(use)), code,
                                                   {"-std=c++20", "-w", "-resource-dir=" TLALOC_CLANG_RESOURCES, "-I" TLALOC_SOURCE_DIR "/tests"}, "test.cpp");
  EXPECT_TRUE(fine) << code;
}
FunctionDecl* find(DeclContext* in, ASTContext& context, llvm::StringRef name) {
  for (auto* d : in->lookup(&context.Idents.get(name)))
    if (auto* f = dyn_cast<FunctionDecl>(d)) return f;
  return nullptr;
}

// --- programs ---
struct Program {
  const char* name;
  std::vector<ir::Argument> arguments;
  double want;
};
ir::Argument argument(double x) { return ir::Number::of(ir::DType::f64, x); }
ir::Argument argument(float x) { return ir::Number::of(ir::DType::f32, double(x)); }
ir::Argument argument(int x) { return ir::Number::of(ir::DType::i32, x); }
ir::Argument argument(unsigned x) { return ir::Number::of(ir::DType::u32, std::int64_t(x)); }
ir::Argument argument(long long x) { return ir::Number::of(ir::DType::i64, std::int64_t(x)); }
ir::Argument argument(long x) { return ir::Number::of(ir::DType::i64, std::int64_t(x)); }
ir::Argument argument(unsigned long x) { return ir::Number::of(ir::DType::u64, std::uint64_t(x)); }
ir::Argument argument(signed char x) { return ir::Number::of(ir::DType::i8, std::int64_t(x)); }
ir::Argument argument(unsigned short x) { return ir::Number::of(ir::DType::u16, std::int64_t(x)); }
ir::Argument argument(unsigned char x) { return ir::Number::of(ir::DType::u8, std::int64_t(x)); }
ir::Argument argument(short x) { return ir::Number::of(ir::DType::i16, std::int64_t(x)); }
ir::Argument argument(const Numbers& xs) { return ir::buffer(xs); }
template <class T> T native(T x) { return x; }
const double* native(const Numbers& xs) { return xs.data(); }
template <class F, class... A> Program program(const char* name, F f, const A&... a) { return {name, {argument(a)...}, double(f(native(a)...))}; }
#define PROGRAM(NAME, ...) program(#NAME, programs::NAME::f, __VA_ARGS__)

void agree(Sema& sema, const Program& p) {
  SCOPED_TRACE(p.name);
  auto& context = sema.getASTContext();
  DeclContext* in = nullptr;
  for (auto* outer : context.getTranslationUnitDecl()->lookup(&context.Idents.get("programs")))
    for (auto* inner : cast<NamespaceDecl>(outer)->lookup(&context.Idents.get(p.name))) in = cast<NamespaceDecl>(inner);
  ASSERT_TRUE(in);
  ir::Program made;
  Lowering lowering(sema, made);
  try {
    const Lowered& lowered = lowering.lower({find(in, context, "f"), false}, "f");
    ir::verify(made);
    EXPECT_EQ(lowered.params.size(), lowered.function->body->params.size());
    EXPECT_EQ(lowered.results.size(), lowered.function->body->yields.size());
    const auto got = ir::interpret(made, *lowered.function, p.arguments);
    ASSERT_EQ(got.size(), 1u);
    // Libraries of the two compilers may round the last bit of a function differently.
    EXPECT_NEAR(got[0].as_double(), p.want, 1e-14 * std::fabs(p.want)) << ir::print(made);
  } catch (const Bail& b) {
    FAIL() << b.where.printToString(context.getSourceManager()) << ": " << b.code << ": " << b.text;
  }
}

TEST(Lowering, ProgramsGiveWhatTheyGiveNatively) {
  const std::vector<Program> all = {
      PROGRAM(iterators, 1.3),
      PROGRAM(accumulate, 1.3),
      PROGRAM(inner_product, 1.3),
      PROGRAM(minmax, 1.3, 0.4),
      PROGRAM(temporaries_in_arms, 1.3, 0.4),
      PROGRAM(swap, 1.3, 0.4),
      PROGRAM(pointer_chosen, 1.3, 0.4),
      PROGRAM(pointers_swapped_in_loop, 1.3, 0.4),
      PROGRAM(pointer_walk, Numbers{1, 2, 4}, 3),
      PROGRAM(pointer_while, Numbers{1, 2, 4}, 3),
      PROGRAM(records, 1.3, 0.4),
      PROGRAM(struct_array, 1.3, 0.4),
      PROGRAM(curiously_recurring, 1.3, 0.4),
      PROGRAM(inherit, 1.3, 0.4),
      PROGRAM(default_init, 1.3),
      PROGRAM(operators, 1.3, 0.4),
      PROGRAM(lambda_mut, 1.3),
      PROGRAM(lambda_generic, 1.3, 0.4),
      PROGRAM(lambda_as_function_pointer, 1.3),
      PROGRAM(function_pointer, 1.3),
      PROGRAM(functor, 1.3, 0.4),
      PROGRAM(array2d, 1.3, 0.4),
      PROGRAM(array_of_array, 1.3),
      PROGRAM(vector_of_structs, 1.3, 4),
      PROGRAM(vectors_returned, 1.3),
      PROGRAM(vectors_copied, 1.3),
      PROGRAM(algorithms, 1.3),
      PROGRAM(spans, 1.3),
      PROGRAM(switches, 1.3, 4),
      PROGRAM(switch_enum, 1.3),
      PROGRAM(returns_in_loops, 1.3),
      PROGRAM(while_cond, 1.3),
      PROGRAM(integers, 7, 3u, 123456789LL, static_cast<unsigned char>(9), static_cast<short>(3)),
      PROGRAM(conversions, 1.3, 2.5f),
      PROGRAM(short_circuit, 1.3, 0.4),
      PROGRAM(assignments, 1.3),
      PROGRAM(constants, 1.3),
      PROGRAM(recursion_arr, 1.3),
      PROGRAM(recursion_ref, 1.3),
      PROGRAM(recursion_struct, 1.3, 0.4),
      PROGRAM(structured, 1.3),
      PROGRAM(pairs_and_tuples, 1.3),
      PROGRAM(mathematics, 1.3, 0.4),
      PROGRAM(mathematics_of_float, 1.3f),
      PROGRAM(template_ops, 1.3),
      PROGRAM(ref_member, 1.3, 0.4),
      PROGRAM(ptr_member, Numbers{1, 2, 4}, 3),
      PROGRAM(this_lambda, 1.3, 0.4),
      PROGRAM(static_member_fn, 1.3),
      PROGRAM(if_init, 1.3),
      PROGRAM(early_struct, 1.3),
      PROGRAM(ternary_struct, 1.3, 0.4),
      PROGRAM(loops, 1.3, 6),
      PROGRAM(float_loop, 1.3),
      PROGRAM(bool_ret, 1.3),
      PROGRAM(output, 1.3),
      PROGRAM(memcpy, 1.3),
      PROGRAM(blocks, 1.3),
      PROGRAM(vector_parameters, 1.3),
      PROGRAM(vector_member, 1.3),
      PROGRAM(sort_like, 1.3),
      PROGRAM(initializer_lists, 1.3),
      PROGRAM(null_pointers, 1.3),
      PROGRAM(linked_list, 1.3),
      PROGRAM(minmax_pair, 1.3, 0.4),
      PROGRAM(algorithms_with_lambdas, 1.3),
      PROGRAM(init_in_ctor, 1.3),
      PROGRAM(lambda_rec, 1.3),
      PROGRAM(devirtualised, 1.3),
      PROGRAM(rows_of_arrays, 1.3),
      PROGRAM(nested_types, 1.3),
      PROGRAM(vec_of_arrays, 1.3),
      PROGRAM(ref_return, 1.3, 0.4),
      PROGRAM(algos2, 1.3),
      PROGRAM(pointers_into_vectors, 1.3),
      PROGRAM(constant_objects, 1.3),
      PROGRAM(traits, 1.3),
      PROGRAM(structs2, 1.3, 0.4),
      PROGRAM(control2, 1.3, 6),
      PROGRAM(void_ret, 1.3),
      PROGRAM(unsigned_integers, static_cast<unsigned char>(100), static_cast<unsigned short>(40000), static_cast<signed char>(-100), 5u, 987654321ul),
      PROGRAM(pointers_to_structs, 1.3),
      PROGRAM(chained_members, 1.3),
      PROGRAM(converting_constructors, 1.3),
      PROGRAM(inherit2, 1.3),
      PROGRAM(tuple_fn, 1.3, 0.4),
      PROGRAM(capture_many, 1.3, 0.4),
      PROGRAM(functions_of_functions, 1.3),
      PROGRAM(array_ops, 1.3),
      PROGRAM(span2, 1.3),
      PROGRAM(default_args, 1.3),
      PROGRAM(shadow, 1.3),
      PROGRAM(float_mix, 1.3f, 2.7),
      PROGRAM(wide_integers, 1.3, 10l),
      PROGRAM(early_vec, 1.3),
      PROGRAM(class_tmpl, 1.3),
      PROGRAM(runge_kutta, 1.3, 0.4),
      PROGRAM(many_ptr, 1.3, 4),
      PROGRAM(if_chains, 1.3),
      PROGRAM(special_functions, 1.3, 0.4),
  };
  parsed("#include \"frontend/language_programs.hpp\"\n#include \"frontend/library_programs.hpp\"\n"
         "#include \"frontend/record_programs.hpp\"\n", [&](Sema& sema) {
    for (auto& p : all) agree(sema, p);
  });
}

// --- lowering one function f of a text ---
void lowered(const std::string& code, const std::function<void(const Lowered&, const ir::Program&)>& look) {
  parsed(code, [&](Sema& sema) {
    ir::Program made;
    Lowering lowering(sema, made);
    try {
      look(lowering.lower({find(sema.getASTContext().getTranslationUnitDecl(), sema.getASTContext(), "f"), false}, "f"), made);
    } catch (const Bail& b) {
      FAIL() << b.code << ": " << b.text;
    }
  });
}

TEST(Lowering, GlobalsComeAfterTheParameters) {
  lowered("double acc = 0; int count = 2; const double k = 3;\n"
          "void bump(double x) { acc += x; ++count; }\n"
          "double f(double x) { bump(x); bump(2 * x); return k * acc * count; }",
          [](const Lowered& l, const ir::Program& p) {
            ASSERT_EQ(l.sources.size(), 3u);
            EXPECT_EQ(l.sources[1].name, "acc");
            EXPECT_EQ(l.params[1].access, "&{}");
            EXPECT_TRUE(l.params[1].writable);
            auto acc = ir::buffer(std::vector<double>{0});
            auto count = std::make_shared<ir::Memory>(ir::Memory{ir::DType::i32, {ir::Number::of(ir::DType::i32, 2)}});
            const auto r = ir::interpret(p, *l.function, std::vector<ir::Argument>{argument(1.5), acc, count});
            EXPECT_EQ(r[0].as_double(), 3 * 4.5 * 4);
            EXPECT_EQ(ir::contents(*acc)[0], 4.5);
          });
  lowered("double gain = 1; double f(double x) { return gain * x; }", [](const Lowered& l, const ir::Program&) {
    EXPECT_EQ(l.params[1].kind, Leaf::scalar);    // only read: by value
    EXPECT_TRUE(l.params[1].differentiable);
  });
}

TEST(Lowering, LeavesOfParameters) {
  struct Want { const char* access; Leaf::Kind kind; std::int64_t size; bool writable, differentiable; };
  auto check = [](const std::string& code, const std::vector<Want>& wanted) {
    SCOPED_TRACE(code);
    lowered(code, [&](const Lowered& l, const ir::Program&) {
      ASSERT_EQ(l.params.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(l.params[i].access, wanted[i].access);
        EXPECT_EQ(l.params[i].kind, wanted[i].kind) << i;
        EXPECT_EQ(l.params[i].size, wanted[i].size) << i;
        EXPECT_EQ(l.params[i].writable, wanted[i].writable) << i;
        EXPECT_EQ(l.params[i].differentiable, wanted[i].differentiable) << i;
      }
    });
  };
  check("double f(double x, int n, const double& y, double& z) { z = x; return n * y; }",
        {{"{}", Leaf::scalar, -1, false, true}, {"{}", Leaf::scalar, -1, false, false}, {"{}", Leaf::scalar, -1, false, true}, {"&{}", Leaf::buffer, 1, true, true}});
  check("double f(const double* x, float* y, const double (&z)[3]) { return x[0] + y[0] + z[1]; }",
        {{"{}", Leaf::buffer, -1, false, true}, {"{}", Leaf::buffer, -1, true, true}, {"&{}[0]", Leaf::buffer, 3, false, true}});
  check("#include <vector>\n#include <array>\n#include <span>\n"
        "double f(const std::vector<double>& v, const std::array<double, 4>& a, std::span<const double> s) { return v[0] + a[1] + s[0] + v.size() + s.size(); }",
        {{"{}.data()", Leaf::buffer, -1, false, true}, {"{}.size()", Leaf::extent, -1, false, false}, {"{}.data()", Leaf::buffer, 4, false, true},
         {"{}.data()", Leaf::buffer, -1, false, true}, {"{}.size()", Leaf::extent, -1, false, false}});
  check("struct P { double x; int n; const double* w; }; double f(const P& p) { return p.x * p.n + p.w[0]; }",
        {{"{}.x", Leaf::scalar, -1, false, true}, {"{}.n", Leaf::scalar, -1, false, false}, {"{}.w", Leaf::buffer, -1, false, true}});
  check("struct V { double x, y; }; double f(const V* v, int n) { double s = 0; for (int i = 0; i < n; ++i) s += v[i].x * v[i].y; return s; }",
        {{"{}", Leaf::buffer, -1, false, true}, {"{}", Leaf::scalar, -1, false, false}});
}

TEST(Lowering, AParameterByValueIsCopiedWhenItIsWritten) {
  lowered("#include <array>\ndouble f(std::array<double, 2> a) { a[0] *= 3; return a[0] + a[1]; }", [](const Lowered& l, const ir::Program& p) {
    auto a = ir::buffer(std::vector<double>{2, 5});
    EXPECT_EQ(ir::interpret(p, *l.function, std::vector<ir::Argument>{a})[0].as_double(), 11);
    EXPECT_EQ(ir::contents(*a)[0], 2);
    EXPECT_FALSE(l.params[0].writable);
  });
}

TEST(Lowering, LoopsThatCountAreCounted) {
  for (const char* loop : {
           "for (int i = 0; i < n; ++i) s += x;",
           "for (int i = n; i > 0; i--) s += x * i;",
           "for (long i = 1; i <= n; i += 2) s += x;",
           "for (unsigned i = 0; i < 5u; i++) s += x;",
           "for (int i = 0; i + 1 < n; ++i) s += x * i;",
           "for (int i = 0; i < n; ++i) { if (i == 3) continue; s += x; }",
           "int i = 0; while (i < n) { s += x; ++i; }",
           "double a[4] = {x, x, x, x}; for (double v : a) s += v;",
           "double a[4] = {x, x, x, x}; for (double* p = a; p != a + 4; ++p) s += *p;",
       }) {
    SCOPED_TRACE(loop);
    lowered(std::string("double f(double x, int n) { double s = 0; ") + loop + " return s; }", [](const Lowered&, const ir::Program& p) {
      EXPECT_NE(ir::print(p).find("= for "), std::string::npos) << ir::print(p);
      EXPECT_EQ(ir::print(p).find("= while"), std::string::npos) << ir::print(p);
    });
  }
}

TEST(Lowering, PlacesOfOpsLeadBackToTheSource) {
  parsed("double f(double x) {\n  double y = x * x;\n  return y;\n}\n", [](Sema& sema) {
    ir::Program made;
    Lowering lowering(sema, made);
    const Lowered& l = lowering.lower({find(sema.getASTContext().getTranslationUnitDecl(), sema.getASTContext(), "f"), false}, "f");
    const auto& where = l.function->body->ops.back()->where;
    EXPECT_EQ(where.file, "test.cpp");
    EXPECT_EQ(where.text, "double y = x * x;");
    EXPECT_EQ(sema.getSourceManager().getPresumedLoc(lowering.place(where)).getLine(), 2u);
  });
}

// --- refusals ---
struct Refused {
  const char* code;                               // the caret: where the error stands is marked by /*!*/ before it
  const char* error;
  const char* says;
};
TEST(Lowering, RefusesByNameAtThePlace) {
  const Refused all[] = {
      {"double g(double);\ndouble f(double x) { return 2 * /*!*/g(x); }", "NOT_DIFFERENTIABLE", "call to 'g' has no visible body"},
      {"double f(double x) { /*!*/try { return x > 0 ? x : throw 1; } catch (int) { return 0; } }", "NOT_LOWERABLE", "try"},
      {"double f(double x) { return x > 0 ? x : /*!*/throw 1; }", "NOT_LOWERABLE", "throw"},
      {"double f(double x) { /*!*/goto end; end: return x; }", "NOT_LOWERABLE", "goto"},
      {"struct N { double v; N* next; }; double f(double x) { N* p = /*!*/new N{x, nullptr}; return p->v; }", "NOT_LOWERABLE", "store indices"},
      {"double f(double x) { long double /*!*/y = x; return y; }", "NOT_LOWERABLE", "long double"},
      {"union U { double d; int i; }; double f(double x) { U /*!*/u; u.d = x; return u.d; }", "NOT_LOWERABLE", "union"},
      {"double f(double x) { static double n = 0; /*!*/n += x; return n; }", "NOT_LOWERABLE", "static local"},
      {"double f(double x) { return */*!*/reinterpret_cast<float*>(&x); }", "NOT_LOWERABLE", "as another type"},
      {"double f(double* p) { if (/*!*/p) return *p; return 0; }", "NOT_LOWERABLE", "for null"},
      {"struct B { virtual double v() { return 1; } }; double f(double x, B& b) { return x * b./*!*/v(); }", "NOT_LOWERABLE", "virtual"},
      {"double g(double (*h)(double)) { return h(1); } double f(double x, double (*/*!*/h)(double)) { return h(x); }", "NOT_LOWERABLE", "function pointer"},
      {"double f(double x, int n) { switch (n) { case 0: if (x > 0) { case 1: x = 2; } } return x; }", "NOT_LOWERABLE", "case label inside"},
      {"#include <vector>\ndouble f(double x) { std::vector<bool> v(2); return v./*!*/begin() == v.end() ? x : 0; }", "NOT_LOWERABLE", "std::vector<bool>::begin"},
      {"#include <vector>\ndouble f(const std::vector<std::vector<std::vector<double>>>& /*!*/v) { return v[0][0][0]; }", "NOT_LOWERABLE", "one vector per member"},
      {"#include <functional>\ndouble f(double x) { std::function<double(double)> /*!*/g[2]; return g[0](x); }", "NOT_LOWERABLE", "std::function"},
      {"struct S { union { double d; int i; }; }; double f(S /*!*/s) { return s.d; }", "NOT_LOWERABLE", "union"},
      {"struct Item { double v; Item* next; }; double f(const Item& /*!*/i) { return i.v; }", "NOT_LOWERABLE", "lists and trees"},
      {"struct A { double x; }; struct B : A { double x; }; double f(const B& /*!*/b) { return b.x * b.A::x; }", "NOT_LOWERABLE", "hides the other"},
      {"double f(double x) { static const double w = x; return /*!*/w * x; }", "NOT_LOWERABLE", "static local"},
      {"double g = 2; double h() { return /*!*/g; } double f(double x) { static const double w = h(); return w * x; }", "NOT_LOWERABLE", "static constant 'w' depends on the variable 'g'"},
      {"#include <stdexcept>\n#include <string>\ndouble f(double x) { if (x < 0) /*!*/throw std::runtime_error(std::to_string(1)); return x; }", "NOT_LOWERABLE", "must be a literal"},
      {"struct B { virtual double v() { return 1; } B() { a = /*!*/v(); } double a; }; double f(double x) { B b; return x * b.a; }", "NOT_LOWERABLE", "under construction"},
      {"#include <string>\ndouble f(double x) { std::string /*!*/s; return x; }", "NOT_LOWERABLE", "std::"},
      {"struct S { double& r; ~S() { r *= 2; } }; double f(double x) { /*!*/S{x}; return x; }", "NOT_LOWERABLE", "destructor"},
      {"struct S { double& r; ~S() { r *= 2; } }; double g(S) { return 1; } double f(double x) { S s{x}; return /*!*/g(s); }", "NOT_LOWERABLE", "destructor"},
      {"#include <vector>\nstruct S { double r; ~S() { r *= 2; } }; double f(double x) { std::vector<S> /*!*/s(2); return x; }", "NOT_LOWERABLE", "destructor"},
      {"struct S { double a, b; }; double f(double x, bool c) { double S::*p = /*!*/c ? &S::a : &S::b; return S{x, 2}.*p; }", "NOT_LOWERABLE", "pointer to a member"},
      {"double f(double** /*!*/x) { return **x; }", "NOT_LOWERABLE", "pointer to pointers"},
      {"double f(double x, int n) { double /*!*/a[n][n]; a[0][0] = x; return a[0][0]; }", "NOT_LOWERABLE", "two lengths"},
  };
  for (auto& r : all) {
    SCOPED_TRACE(r.code);
    std::string code = r.code;
    const auto mark = code.find("/*!*/");
    if (mark != std::string::npos) code.replace(mark, 5, "");
    parsed(code, [&](Sema& sema) {
      ir::Program made;
      Lowering lowering(sema, made);
      try {
        lowering.lower({find(sema.getASTContext().getTranslationUnitDecl(), sema.getASTContext(), "f"), false}, "f");
        EXPECT_STREQ(r.error, "") << "was lowered";
      } catch (const Bail& b) {
        EXPECT_EQ(b.code, r.error);
        EXPECT_NE(b.text.find(r.says), std::string::npos) << b.text;
        if (mark != std::string::npos) EXPECT_EQ(sema.getSourceManager().getFileOffset(b.where), mark) << b.where.printToString(sema.getSourceManager());
      }
    });
  }
}

TEST(Lowering, ErrorsTellTheChainOfCalls) {
  parsed("double g(double);\ndouble h(double x) { return g(x); }\ndouble k(double x) { return h(x) + 1; }\ndouble f(double x) { return k(x); }", [](Sema& sema) {
    ir::Program made;
    Lowering lowering(sema, made);
    try {
      lowering.lower({find(sema.getASTContext().getTranslationUnitDecl(), sema.getASTContext(), "f"), false}, "f");
      FAIL() << "was lowered";
    } catch (const Bail& b) {
      ASSERT_EQ(b.chain.size(), 2u);
      EXPECT_EQ(b.chain[0].callee->getNameAsString(), "k");
      EXPECT_EQ(b.chain[1].callee->getNameAsString(), "h");
    }
  });
}

}  // namespace
