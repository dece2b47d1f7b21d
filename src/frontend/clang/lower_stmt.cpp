// SPDX-License-Identifier: Apache-2.0
//
// Statements. Control flow becomes structured and leaves at one place: a jump sets a bool and what follows it is guarded,
// unless the shape of the code makes the guard needless (`if (c) return a; rest` is an if with two arms). Every loop is
// lowered as a `while`; `count_loops` finds the counted ones once their counters are values. Refused: goto, labels inside
// nested statements of a switch, try around what throws, asm, coroutines.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;

// --- how control leaves a statement ---
Exits Lowerer::exits(const Stmt* s) {
  if (!s) return {};
  if (auto it = exits_.find(s); it != exits_.end()) return it->second;
  Exits r;
  auto parts = [&](std::initializer_list<const Stmt*> ss) { for (auto* x : ss) { const Exits e = exits(x); const bool a = r.always || e.always; r = r | e; r.always = a; } };
  if (isa<BreakStmt>(s)) r = {.breaks = true, .always = true};
  else if (isa<ContinueStmt>(s)) r = {.continues = true, .always = true};
  else if (isa<ReturnStmt>(s)) r = {.returns = true, .always = true};
  else if (auto* c = dyn_cast<CompoundStmt>(s)) for (auto* x : c->body()) { parts({x}); if (r.always) break; }
  else if (auto* i = dyn_cast<IfStmt>(s)) {
    if (auto taken = i->getNondiscardedCase(context)) r = exits(*taken);
    else {
      const Exits yes = exits(i->getThen()), no = exits(i->getElse());
      r = yes | no;
      r.always = yes.always && no.always && i->getElse();
    }
  } else if (isa<ForStmt>(s) || isa<WhileStmt>(s) || isa<DoStmt>(s) || isa<CXXForRangeStmt>(s)) {
    const Stmt* inner = isa<ForStmt>(s) ? cast<ForStmt>(s)->getBody() : isa<WhileStmt>(s) ? cast<WhileStmt>(s)->getBody()
                      : isa<DoStmt>(s) ? cast<DoStmt>(s)->getBody() : cast<CXXForRangeStmt>(s)->getBody();
    const Expr* test = isa<ForStmt>(s) ? cast<ForStmt>(s)->getCond() : isa<WhileStmt>(s) ? cast<WhileStmt>(s)->getCond()
                     : isa<DoStmt>(s) ? cast<DoStmt>(s)->getCond() : cast<CXXForRangeStmt>(s)->getCond();
    const Exits e = exits(inner);
    r.returns = e.returns;
    bool forever = isa<ForStmt>(s) && !test;
    if (bool value = false; test && !test->isValueDependent() && test->EvaluateAsBooleanCondition(value, context)) forever = value;
    r.always = forever && !e.breaks;              // ends by a return, if at all
  } else if (auto* w = dyn_cast<SwitchStmt>(s)) {
    const Exits e = exits_of_cases(w);
    r.returns = e.returns, r.continues = e.continues;
  } else if (auto* l = dyn_cast<SwitchCase>(s)) r = exits(l->getSubStmt());
  else if (auto* a = dyn_cast<AttributedStmt>(s)) r = exits(a->getSubStmt());
  else if (auto* l2 = dyn_cast<LabelStmt>(s)) r = exits(l2->getSubStmt());
  else if (auto* t = dyn_cast<CXXTryStmt>(s)) r = exits(t->getTryBlock());
  return exits_[s] = r;
}
/// Any case may be where a switch starts, so that one that always leaves does not hide those after it.
Exits Lowerer::exits_of_cases(const SwitchStmt* s) {
  auto* block = dyn_cast<CompoundStmt>(s->getBody());
  if (!block) return exits(s->getBody());
  Exits r;
  for (auto* x : block->body()) r = r | exits(x);
  return r;
}
Node* Lowerer::flag(const char* name) {
  mem.origin(frame->function, frame->id);
  return variable_of_our_own(ir::DType::boolean, name, mem.truth(false));
}
Node* Lowerer::variable_of_our_own(ir::DType type, const char* name, X value) {
  Node* n = mem.make(Node::scalar, name);
  n->dtype = type;
  n->buffer = b.append(ir::ops::alloc, {ir::index(b, 1).v}, {n->dtype})->results[0];
  n->buffer->name = name;
  mem.store(mem.at(n), value);
  return n;
}
X Lowerer::left(Exits e) {
  X r;
  auto either = [&](Node* n) {
    if (!n) return;
    const X x = mem.load(mem.at(n), ir::DType::boolean);
    r = r ? ir::ops::bit_or(r, x) : x;
  };
  if (e.breaks && !jumps.empty()) either(jumps.back().broken);
  if (e.continues) for (auto it = jumps.rbegin(); it != jumps.rend(); ++it) if (!it->is_switch) { either(it->continued); break; }
  if (e.returns) either(frame->returned);
  return r ? r : mem.truth(false);
}
void Lowerer::guarded(Exits e, const std::function<void()>& rest) {
  if (!e.any()) return rest();
  mem.when(ir::ops::logical_not(left(e)), rest);
}

// --- sequences and ifs ---
/// Objects that are declared here end here, whichever way control left what is between.
void Lowerer::sequence(llvm::ArrayRef<const Stmt*> ss) {
  Restore outer(owned_, static_cast<std::vector<Owned>*>(nullptr));
  std::vector<Owned> own;
  statements(ss, own);
  for (auto& o : llvm::reverse(own)) {
    Restore at(here, o.variable->getLocation());
    destroy(o.place, o.variable->getType(), o.variable->getInit());
  }
}
void Lowerer::statements(llvm::ArrayRef<const Stmt*> ss, std::vector<Owned>& own) {
  for (std::size_t i = 0; i < ss.size(); ++i) {
    const Stmt* s = ss[i];
    const auto rest = ss.slice(i + 1);
    const Exits e = exits(s);
    auto* branch = dyn_cast<IfStmt>(s);
    if (branch && e.any() && !rest.empty() && !branch->getNondiscardedCase(context)) {
      // One arm always leaves: what follows belongs to the other.
      const Exits yes = exits(branch->getThen()), no = exits(branch->getElse());
      if (yes.always || no.always) {
        const bool both = yes.always && no.always;
        auto follow = [&](Exits arm) { return [this, arm, rest, both] { if (!arm.always && !both) guarded(arm, [&] { sequence(rest); }); }; };
        Restore at(here, s->getBeginLoc());
        Restore where(b.where, in_library(frame->function) ? b.where : shared.locate(s->getBeginLoc(), s));
        if_statement(branch, follow(yes), follow(no));
        return;
      }
    }
    {
      Restore in(owned_, isa<DeclStmt>(s) ? &own : nullptr);
      statement(s);
    }
    if (e.always) return;                         // what follows is never reached
    if (e.any() && !rest.empty()) return guarded(e, [&] { sequence(rest); });
  }
}
void Lowerer::if_statement(const IfStmt* s, const std::function<void()>& rest_yes, const std::function<void()>& rest_no) {
  if (s->getInit()) statement(s->getInit());
  if (s->isConsteval()) {                         // differentiated code runs
    if (const Stmt* taken = s->isNegatedConsteval() ? s->getThen() : s->getElse()) statement(taken);
    return rest_yes();
  }
  if (auto known = s->getNondiscardedCase(context)) {
    if (*known) statement(*known);
    return rest_yes();
  }
  if (auto* v = s->getConditionVariable()) declare(v);
  const X c = condition(s->getCond());
  mem.branch(c, [&] { statement(s->getThen()); rest_yes(); return std::vector<X>{}; },
             [&] { if (s->getElse()) statement(s->getElse()); rest_no(); return std::vector<X>{}; });
}

// --- loops ---
/// Does the step of a `for` only count variables that the `for` declares?
static bool own_step(const Stmt* s, const Expr* step) {
  auto* f = dyn_cast<ForStmt>(s);
  auto* d = f ? dyn_cast_or_null<DeclStmt>(f->getInit()) : nullptr;
  step = step->IgnoreParenImpCasts();
  if (auto* c = dyn_cast<BinaryOperator>(step); c && c->getOpcode() == BO_Comma) return own_step(s, c->getLHS()) && own_step(s, c->getRHS());
  const Expr* target = nullptr;
  if (auto* u = dyn_cast<UnaryOperator>(step); u && u->isIncrementDecrementOp()) target = u->getSubExpr();
  if (auto* c = dyn_cast<CompoundAssignOperator>(step); c && isa<IntegerLiteral>(c->getRHS()->IgnoreParenImpCasts())) target = c->getLHS();
  auto* v = target ? dyn_cast<DeclRefExpr>(target->IgnoreParens()) : nullptr;
  return d && v && v->getDecl()->getType()->isIntegerType() && llvm::is_contained(d->decls(), v->getDecl());
}
/// while (test) { body; step } or do { body } while (test), with break, continue and return.
void Lowerer::loop(const Stmt* whole, const VarDecl* variable, const Expr* test, const std::function<void()>& start, const Stmt* body,
                   const Expr* step, bool test_first) {
  Exits e = exits(body);
  const bool leaves = e.breaks || e.returns;
  jumps.push_back({.broken = e.breaks ? flag("broken") : nullptr});
  const std::size_t own = jumps.size() - 1;
  if (e.returns && !frame->returned) refuse("a return that was not foreseen");
  const Exits stop{.breaks = e.breaks, .returns = e.returns};
  auto turn = [&] {
    if (e.continues) jumps[own].continued = flag("continued");
    if (start) start();
    if (body) statement(body);
    // The variables of the loop itself die with it: after a jump their step does no harm, so it needs no guard.
    if (step) guarded(own_step(whole, step) ? Exits{} : stop, [&] { Restore at(here, step->getBeginLoc()); effect(step); });
  };
  const auto where = b.where;
  auto finish = [&](ir::Block* first, ir::Block* second) { b.where = where; b.append(ir::ops::while_, {}, {}, {first, second}); };

  // The test as a region of its own, when it only computes.
  if (test_first && !variable) {
    ir::Block* first = mem.region([&]() -> std::vector<X> {
      if (!test) return {leaves ? ir::ops::logical_not(left(stop)) : mem.truth(true)};
      if (!leaves) return {condition(test)};
      return mem.branch(left(stop), [&] { return std::vector<X>{mem.truth(false)}; }, [&] { return std::vector<X>{condition(test)}; });
    });
    bool computes = true;
    ir::walk(*first, [&](ir::Op* op) {
      if (op->kind->effect == ir::Effect::outputs || op->kind == &ir::ops::call) computes = false;
      if (op->regions.empty()) for (auto* v : ir::written_buffers(*op)) computes &= ir::inside(v->block, first);
    });
    if (computes) {
      ir::Block* second = mem.region([&] { turn(); return std::vector<X>{}; });
      finish(first, second);
      jumps.pop_back();
      return;
    }
  }
  // The test as part of the body: a bool says whether to go on.
  Node* go = flag("more");
  mem.store(mem.at(go), mem.truth(true));
  ir::Block* first = mem.region([&] { return std::vector<X>{mem.load(mem.at(go), ir::DType::boolean)}; });
  auto retest = [&](const std::function<void()>& yes) {
    if (variable) declare(variable);
    const X c = test ? condition(test) : mem.truth(true);
    mem.store(mem.at(go), c);
    if (yes) mem.when(c, yes);
  };
  ir::Block* second = mem.region([&] {
    if (test_first) retest([&] { turn(); if (leaves) mem.when(left(stop), [&] { mem.store(mem.at(go), mem.truth(false)); }); });
    else {
      turn();
      if (!leaves) retest({});
      else mem.branch(left(stop), [&] { mem.store(mem.at(go), mem.truth(false)); return std::vector<X>{}; }, [&] { retest({}); return std::vector<X>{}; });
    }
    return std::vector<X>{};
  });
  finish(first, second);
  jumps.pop_back();
}

// --- switch ---
void Lowerer::switch_statement(const SwitchStmt* s) {
  if (s->getInit()) statement(s->getInit());
  if (auto* v = s->getConditionVariable()) declare(v);
  const X value = condition(s->getCond());
  struct Part { std::vector<const SwitchCase*> labels; std::vector<const Stmt*> body; };
  std::vector<Part> parts;
  auto* block = dyn_cast<CompoundStmt>(s->getBody());
  std::vector<const Stmt*> top;
  if (block) top.assign(block->body_begin(), block->body_end()); else top.push_back(s->getBody());
  for (auto* x : top) {
    while (auto* label = dyn_cast<SwitchCase>(x)) {
      if (parts.empty() || !parts.back().body.empty()) parts.push_back({});
      parts.back().labels.push_back(label);
      x = label->getSubStmt();
    }
    if (parts.empty()) { if (isa<DeclStmt>(x)) refuse(x->getBeginLoc(), "a declaration before the first case of a switch; move it before the switch"); continue; }
    parts.back().body.push_back(x);
  }
  struct Labels : RecursiveASTVisitor<Labels> {
    int found = 0;
    bool VisitSwitchCase(SwitchCase*) { ++found; return true; }
    bool TraverseSwitchStmt(SwitchStmt*) { return true; }                 // has its own
  } labels;
  labels.TraverseStmt(const_cast<Stmt*>(s->getBody()));
  int seen = 0;
  for (auto& p : parts) seen += int(p.labels.size());
  if (labels.found != seen) refuse(s->getBeginLoc(), "a case label inside a nested statement; put every case directly into the switch");
  for (auto& p : parts)
    for (auto* x : p.body)
      if (isa<DeclStmt>(x) && &p != &parts.back() && !exits(p.body.back()).always) refuse(x->getBeginLoc(), "a declaration in a case that falls through; enclose it in braces");

  const Exits all = exits_of_cases(s);
  bool last_only = true;                          // every break ends its part, so that no bool is needed
  for (auto& p : parts) for (std::size_t i = 0; i < p.body.size(); ++i) {
    const Exits e = exits(p.body[i]);
    if (e.breaks && !(i + 1 == p.body.size() && isa<BreakStmt>(p.body[i]))) last_only = false;
  }
  jumps.push_back({.broken = all.breaks && !last_only ? flag("broken") : nullptr, .is_switch = true});
  auto matches = [&](const Part& p) -> X {         // without default
    X r;
    for (auto* l : p.labels) {
      auto* c = dyn_cast<CaseStmt>(l);
      if (!c) continue;
      auto bound = [&](const Expr* e) { return ir::constant(b, value.type().integer() || value.type().dtype == ir::DType::boolean ? ir::Number::of(value.type().dtype, std::int64_t(e->EvaluateKnownConstInt(context).getExtValue())) : ir::Number{}); };
      X hit = c->getRHS() ? ir::ops::bit_and(value >= bound(c->getLHS()), value <= bound(c->getRHS())) : value == bound(c->getLHS());
      r = r ? ir::ops::bit_or(r, hit) : hit;
    }
    return r ? r : mem.truth(false);
  };
  auto is_default = [](const Part& p) { return llvm::any_of(p.labels, [](auto* l) { return isa<DefaultStmt>(l); }); };
  // Parts that fall into each other form a chain; chains are the arms of an if.
  std::vector<std::vector<std::size_t>> chains;
  bool falls = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!falls) chains.emplace_back();
    chains.back().push_back(i);
    falls = true;
    for (auto* x : parts[i].body) if (exits(x).always) falls = false;
  }
  auto run = [&](const Part& p) {
    std::vector<const Stmt*> body = p.body;
    if (!body.empty() && isa<BreakStmt>(body.back()) && last_only) body.pop_back();
    sequence(body);
  };
  auto run_chain = [&](const std::vector<std::size_t>& chain) {
    if (chain.size() == 1) return run(parts[chain[0]]);
    // Where the chain is entered; the default, when it is here, is where no label matches.
    X entry = ir::index(b, std::int64_t(chain.size()));
    for (std::size_t k = 0; k < chain.size(); ++k) if (is_default(parts[chain[k]])) entry = ir::index(b, std::int64_t(k));
    for (std::size_t k = chain.size(); k-- > 0;) entry = ir::ops::select(matches(parts[chain[k]]), ir::index(b, std::int64_t(k)), entry);
    Exits before;
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const X runs = entry <= ir::index(b, std::int64_t(k));
      guarded(before, [&] { mem.when(runs, [&] { run(parts[chain[k]]); }); });
      for (auto* x : parts[chain[k]].body) before = before | exits(x);
      if (last_only) before.breaks = false;
    }
  };
  std::function<void(std::size_t)> arms = [&](std::size_t c) {
    // The chain with the default comes last: it runs when no other matches.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chains.size(); ++i) if (llvm::none_of(chains[i], [&](auto k) { return is_default(parts[k]); })) order.push_back(i);
    for (std::size_t i = 0; i < chains.size(); ++i) if (llvm::any_of(chains[i], [&](auto k) { return is_default(parts[k]); })) order.push_back(i);
    if (c == order.size()) return;
    const auto& chain = chains[order[c]];
    if (llvm::any_of(chain, [&](auto k) { return is_default(parts[k]); })) return run_chain(chain);
    X hit;
    for (auto k : chain) { const X m = matches(parts[k]); hit = hit ? ir::ops::bit_or(hit, m) : m; }
    mem.branch(hit, [&] { run_chain(chain); return std::vector<X>{}; }, [&] { arms(c + 1); return std::vector<X>{}; });
  };
  arms(0);
  jumps.pop_back();
}

// --- return ---
void Lowerer::return_statement(const ReturnStmt* s) {
  const QualType t = frame->function->getReturnType();
  if (const Expr* e = s->getRetValue(); e && !t->isVoidType()) {
    if (t->isReferenceType()) {
      const Pointer p = place(e);
      if (frame->result) mem.store_pointer(mem.at(frame->result), p);
      else frame->place = p, frame->place_set = true;
    } else if (t->isFunctionPointerType()) {
      refuse("a function that returns a function pointer; return a lambda");
    } else if (is_number(t)) {
      const X x = number(e);
      mem.store(mem.at(frame->result), converted(x, t));
      if (auto* d = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts())) frame->result_name = d->getNameInfo().getAsString();
    } else if (t->isPointerType()) {
      mem.store_pointer(mem.at(frame->result), pointer(e));
    } else if (busy_destructor(t) && bare(e)->isGLValue()) {
      refuse("whether the variable that is returned is copied and destroyed is up to the compiler, and its destructor does something; return a new object");
    } else if (!frame->result) {
      frame->result = object(e, "");              // the only return, at the end: the object itself
    } else {
      initialise(mem.at(frame->result), t, e);
    }
  } else if (e) {
    effect(e);
  }
  if (frame->returned) mem.store(mem.at(frame->returned), mem.truth(true));
}
static int count_returns(const Stmt* s) {
  if (!s) return 0;
  if (isa<ReturnStmt>(s)) return 1;
  if (isa<LambdaExpr>(s) || isa<Expr>(s)) return 0;
  int n = 0;
  for (auto* c : s->children()) n += count_returns(c);
  return n;
}
/// Does the function have an error of the user's, which Clang has reported?
static bool erroneous(const FunctionDecl* f) {
  struct Errors : RecursiveASTVisitor<Errors> {
    bool VisitExpr(Expr* e) { return !e->containsErrors(); }               // false ends the visit
    bool VisitVarDecl(VarDecl* v) { return !v->isInvalidDecl(); }
  } none;
  return f->isInvalidDecl() || !none.TraverseDecl(const_cast<FunctionDecl*>(f));
}
void Lowerer::body(const FunctionDecl* f) {
  if (shared.sema.getDiagnostics().hasErrorOccurred() && erroneous(f)) throw Bail{};
  Restore outer_jumps(jumps, std::vector<Jump>{});
  if (auto* c = dyn_cast<CXXConstructorDecl>(f)) {
    for (auto* i : c->inits()) {
      Restore at(here, i->getSourceLocation());
      if (!in_library(f)) b.where = shared.locate(i->getSourceLocation(), nullptr);
      if (i->isDelegatingInitializer()) { initialise(frame->self, i->getTypeSourceInfo()->getType(), i->getInit()); continue; }
      if (i->isBaseInitializer()) {
        auto* base = i->getBaseClass()->getAsCXXRecordDecl()->getCanonicalDecl();
        initialise(mem.field(frame->self, base), QualType(i->getBaseClass(), 0), i->getInit());
        continue;
      }
      if (i->isIndirectMemberInitializer()) refuse("a member of an anonymous union or struct");
      const auto* field = i->getMember();
      initialise(mem.field(frame->self, field->getCanonicalDecl()), field->getType(), i->getInit());
    }
  }
  const Stmt* s = f->getBody();
  const auto* block = dyn_cast_or_null<CompoundStmt>(s);
  if (!block) refuse("a function body of a kind that is not supported");
  const QualType t = f->getReturnType();
  const bool last = count_returns(s) == 1 && !block->body_empty() && isa<ReturnStmt>(block->body_back());
  const bool by_reference = t->isReferenceType();
  if (!t->isVoidType() && !(last && (by_reference || t->isRecordType()))) {
    mem.origin(f, frame->id);
    if (by_reference) frame->result = mem.make_pointer("", 1);
    else frame->result = local(t, "");
  }
  Restore flag_of(frame->returned, static_cast<Node*>(nullptr));
  // A return inside a loop or switch, or followed by code that its position does not settle, sets a bool.
  if (count_returns(s) > (last ? 1 : 0)) {
    mem.origin(f->getCanonicalDecl(), frame->id);
    frame->returned = flag("returned");
  }
  std::vector<const Stmt*> all(block->body_begin(), block->body_end());
  sequence(all);
  if (by_reference && frame->result) frame->place = mem.load_pointer(mem.at(frame->result)), frame->place_set = true;
}

// --- one statement ---
void Lowerer::statement(const Stmt* s) {
  if (!s) return;
  check_stack(s->getBeginLoc());
  Restore at(here, s->getBeginLoc());
  Restore where(b.where, isa<CompoundStmt>(s) || in_library(frame->function) ? b.where : shared.locate(s->getBeginLoc(), s));
  try {
    lower(s);
  } catch (const PointerError& e) {
    refuse(e.why + " is not supported");
  } catch (const ir::Refusal&) {
    throw;
  } catch (const ir::Error& e) {
    refuse(here, std::string("the program made from this statement is not well formed: ") + e.what(), "INTERNAL");
  }
}
void Lowerer::lower(const Stmt* s) {
  if (auto* e = dyn_cast<Expr>(s)) return effect(e);
  if (auto* c = dyn_cast<CompoundStmt>(s)) {
    std::vector<const Stmt*> all(c->body_begin(), c->body_end());
    return sequence(all);
  }
  if (auto* d = dyn_cast<DeclStmt>(s)) {
    for (auto* x : d->decls()) {
      if (auto* v = dyn_cast<VarDecl>(x)) declare(v);
      else if (!isa<TypeDecl>(x) && !isa<UsingDecl>(x) && !isa<UsingDirectiveDecl>(x) && !isa<StaticAssertDecl>(x) && !isa<EmptyDecl>(x) &&
               !isa<NamespaceAliasDecl>(x) && !isa<FunctionDecl>(x) && !isa<UsingEnumDecl>(x) && !isa<UsingShadowDecl>(x))
        refuse(std::string("a declaration of kind '") + x->getDeclKindName() + "' is not supported in differentiated code");
    }
    return;
  }
  if (auto* i = dyn_cast<IfStmt>(s)) return if_statement(i, [] {}, [] {});
  if (auto* f = dyn_cast<ForStmt>(s)) {
    if (f->getInit()) statement(f->getInit());
    return loop(s, f->getConditionVariable(), f->getCond(), {}, f->getBody(), f->getInc(), true);
  }
  if (auto* w = dyn_cast<WhileStmt>(s)) return loop(s, w->getConditionVariable(), w->getCond(), {}, w->getBody(), nullptr, true);
  if (auto* d = dyn_cast<DoStmt>(s)) return loop(s, nullptr, d->getCond(), {}, d->getBody(), nullptr, false);
  if (auto* r = dyn_cast<CXXForRangeStmt>(s)) {
    for (auto* x : {r->getInit(), static_cast<const Stmt*>(r->getRangeStmt()), static_cast<const Stmt*>(r->getBeginStmt()), static_cast<const Stmt*>(r->getEndStmt())})
      if (x) lower(x);
    return loop(s, nullptr, r->getCond(), [this, r] { lower(r->getLoopVarStmt()); }, r->getBody(), r->getInc(), true);
  }
  if (auto* w = dyn_cast<SwitchStmt>(s)) return switch_statement(w);
  if (auto* r = dyn_cast<ReturnStmt>(s)) return return_statement(r);
  if (isa<BreakStmt>(s)) { if (jumps.back().broken) mem.store(mem.at(jumps.back().broken), mem.truth(true)); return; }
  if (isa<ContinueStmt>(s)) {
    for (auto it = jumps.rbegin(); it != jumps.rend(); ++it) if (!it->is_switch) { mem.store(mem.at(it->continued), mem.truth(true)); break; }
    return;
  }
  if (isa<NullStmt>(s)) return;
  if (auto* a = dyn_cast<AttributedStmt>(s)) return statement(a->getSubStmt());
  if (auto* l = dyn_cast<LabelStmt>(s)) return statement(l->getSubStmt());
  if (isa<GotoStmt>(s) || isa<IndirectGotoStmt>(s)) refuse("goto is not supported in differentiated code; use a loop, break or return");
  if (auto* d = dyn_cast<OMPExecutableDirective>(s)) return openmp(d);
  if (auto* t = dyn_cast<CXXTryStmt>(s)) {        // whose body cannot throw: the handlers never run
    Restore around(try_, try_.frame ? try_ : Try{t->getBeginLoc(), frame});
    return statement(t->getTryBlock());
  }
  if (isa<SwitchCase>(s)) refuse("a case label inside a nested statement; put every case directly into the switch");
  refuse(std::string("a statement of kind '") + s->getStmtClassName() + "' is not supported in differentiated code");
}

}  // namespace tlaloc::frontend
