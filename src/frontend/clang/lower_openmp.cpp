// SPDX-License-Identifier: Apache-2.0
//
// OpenMP: a derivative runs what a directive stands before as a team of one thread does, in order. A program whose result
// does not depend on the number of threads has the same value then, but for how the sums of a `reduction` are rounded.
// Refused: directives for other devices and tasks, and clauses whose meaning would be lost.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;

namespace {

bool is_for_the_processor(llvm::omp::Directive d) {
  using namespace llvm::omp;
  for (auto k : {OMPD_parallel, OMPD_for, OMPD_simd, OMPD_parallel_for, OMPD_for_simd, OMPD_parallel_for_simd, OMPD_sections, OMPD_section,
                 OMPD_parallel_sections, OMPD_single, OMPD_master, OMPD_masked, OMPD_critical, OMPD_atomic, OMPD_barrier})
    if (d == k) return true;
  return false;
}
/// Clauses that say how a team shares the work: one thread does all of it.
bool shares_work(const OMPClause* c) {
  using namespace llvm::omp;
  for (auto k : {OMPC_shared, OMPC_default, OMPC_schedule, OMPC_num_threads, OMPC_collapse, OMPC_nowait, OMPC_if, OMPC_proc_bind, OMPC_safelen,
                 OMPC_simdlen, OMPC_aligned, OMPC_hint, OMPC_order, OMPC_lastprivate, OMPC_read, OMPC_write, OMPC_update, OMPC_capture,
                 OMPC_seq_cst, OMPC_acq_rel, OMPC_acquire, OMPC_release, OMPC_relaxed})
    if (c->getClauseKind() == k) return true;
  return false;
}
/// Operators that OpenMP itself defines.
bool own_operator(const OMPReductionClause* c) {
  const DeclarationName name = c->getNameInfo().getName();
  return name.getNameKind() == DeclarationName::CXXOperatorName || (name.isIdentifier() && (name.getAsString() == "min" || name.getAsString() == "max"));
}
template <class Clause> auto variables_of(const Clause* c) { return llvm::make_range(c->varlist_begin(), c->varlist_end()); }
const VarDecl* named(const Expr* e) {
  auto* r = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return r ? dyn_cast<VarDecl>(r->getDecl()) : nullptr;
}

}  // namespace

void Lowerer::openmp(const OMPExecutableDirective* d) {
  auto source = [&](SourceLocation from, SourceLocation to) {
    return Lexer::getSourceText(CharSourceRange::getTokenRange(from, to), context.getSourceManager(), context.getLangOpts()).str();
  };
  if (!is_for_the_processor(d->getDirectiveKind())) refuse("this OpenMP directive is not supported in differentiated code; use parallel, for, simd, sections, single, critical or atomic, or compile this file without -fopenmp");
  if (!d->hasAssociatedStmt()) return;            // a barrier
  // What a clause gives the thread for itself stands in the place of the variable until the directive's end.
  std::map<const VarDecl*, Pointer> outer;
  std::vector<std::function<void()>> at_end;
  auto own = [&](const Expr* e, const OMPClause* c) -> std::pair<const VarDecl*, Pointer> {
    const VarDecl* v = named(e);
    const std::string clause = "the OpenMP clause '" + source(c->getBeginLoc(), c->getEndLoc()) + "' ";
    if (!v || !frame->vars.contains(v)) refuse(c->getBeginLoc(), clause + "names something else than a local variable or parameter of the function, which is not supported in differentiated code");
    const QualType t = v->getType().getNonReferenceType();
    if (t->isRecordType() && vector_element(t).isNull() && !t.isTrivialType(context)) refuse(c->getBeginLoc(), clause + "makes an object of class '" + shared.type_name(t) + "' for each thread, which is not supported in differentiated code; declare it inside the loop");
    outer.try_emplace(v, frame->vars[v]);
    mem.origin(c, frame->id);
    return {v, mem.at(local(t, v->getNameAsString()))};
  };
  for (const OMPClause* c : d->clauses()) {
    if (c->isImplicit() || shares_work(c)) continue;
    if (auto* p = dyn_cast<OMPPrivateClause>(c)) {
      for (auto* e : variables_of(p)) { const auto [v, place] = own(e, c); frame->vars[v] = place; }
    } else if (auto* f = dyn_cast<OMPFirstprivateClause>(c)) {
      for (auto* e : variables_of(f)) { const auto [v, place] = own(e, c); mem.copy(place, frame->vars[v]); frame->vars[v] = place; }
    } else if (auto* r = dyn_cast<OMPReductionClause>(c)) {
      if (!own_operator(r)) refuse(c->getBeginLoc(), "a reduction with an operation of the user's is not supported in differentiated code; use +, *, min or max on numbers");
      auto parts = llvm::zip(variables_of(r), r->privates(), r->lhs_exprs(), r->rhs_exprs(), r->reduction_ops());
      for (auto [e, part, left, right, combine] : parts) {
        if (!is_number(e->getType())) continue;   // an array: added to in place
        const Expr* start = named(part)->getInit();
        const auto [v, place] = own(e, c);
        const Pointer whole = frame->vars[v];
        mem.store(place, converted(number(start), e->getType()));
        frame->vars[v] = place;
        at_end.push_back([this, whole, place, l = named(left), r = named(right), combine] {
          frame->vars[l] = whole, frame->vars[r] = place;
          effect(combine);
        });
      }
    } else {
      refuse(c->getBeginLoc(), "the OpenMP clause '" + source(c->getBeginLoc(), c->getEndLoc()) + "' is not supported in differentiated code");
    }
  }
  const Stmt* body = d->getRawStmt();
  if (auto* loop = dyn_cast<OMPCanonicalLoop>(body)) body = loop->getLoopStmt();
  statement(body);
  for (auto& end : at_end) end();
  for (auto& [v, place] : outer) frame->vars[v] = place;
}

}  // namespace tlaloc::frontend
