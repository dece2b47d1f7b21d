// SPDX-License-Identifier: Apache-2.0
//
// From a function with a body to an ir::Function: its locals, its constants. A function is lowered again when an attempt
// learns too late what a pointer may point to or that a parameter is written. Refused: long double, unions.
#include "frontend/clang/lower_eigen.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"
#include "transforms/reverse_plan.hpp"
#include "transforms/simplify.hpp"

#include "llvm/ADT/StringExtras.h"

namespace tlaloc::frontend {

using namespace clang;
using ir::DType;

// --- the library class ---
Lowering::Lowering(Sema& sema, ir::Program& program) : impl_(std::make_unique<Impl>(sema, program)) { impl_->api = this; }
Lowering::~Lowering() = default;

SourceLocation Lowering::place(const ir::Location& where) const {
  auto it = impl_->places.find({where.file, where.line, where.column});
  return it == impl_->places.end() ? SourceLocation() : it->second;
}

static void clean(ir::Function& f, const ir::Program& program) {
  ir::verify(f, &program);
  ir::simplify(f, &program);
  ir::verify(f, &program);
}

/// The function whose last yield counts the numbers of a vector becomes one that gives this count and writes nothing. It
/// throws what the function throws: no length is right then.
static ir::Function count_of(const ir::Function& f, ir::Program& program) {
  ir::Function count = ir::copy(f, f.name + "_length");
  count.body->yields = {count.body->yields.back()};
  count.result_names = {"length"};
  std::set<const ir::Value*> written;
  bool loud_callee = false;
  std::function<void(ir::Block&)> erase = [&](ir::Block& block) {
    std::erase_if(block.ops, [&](ir::Op* op) {
      for (auto* r : op->regions) erase(*r);
      if (op->kind == &ir::ops::call) loud_callee |= ir::has_outputs(program, op->at(ir::key::callee));
      if (op->kind == &ir::ops::output) return !op->at(ir::key::callee).starts_with("throw ");
      if (op->regions.size() || op->results.size()) return false;
      bool outside = false;
      for (auto* v : ir::written_buffers(*op)) if (!v->def) outside = true, written.insert(v);
      return outside;
    });
  };
  erase(*count.body);
  if (loud_callee) ir::without_outputs(program, *count.body);
  clean(count, program);
  ir::walk(*count.body, [&](ir::Op* op) {
    for (auto* v : op->operands)
      if (written.contains(v)) throw ir::Refusal("NOT_LOWERABLE", op->where, "the length of the vector that '" + f.name + "' returns depends on what it writes; write the vector through a parameter");
  });
  count.body->params.pop_back();
  return count;
}

const Lowered& Lowering::lower(const Callable& callable, const std::string& name) {
  auto& done = impl_->done[{callable.function->getCanonicalDecl(), callable.has_object}];
  if (done) return *done;
  Facts facts;
  for (int attempt = 0; attempt < 12; ++attempt) {
    auto lowered = std::make_unique<Lowered>();
    ir::Function function(name);
    facts.stale = false;
    const auto written = facts.written;
    Lowerer lowerer(*impl_, facts, function);
    try {
      lowerer.entry(callable, *lowered);
      if (facts.written != written) facts.keys.clear(), facts.frames.clear(), facts.candidates.clear(), facts.held.clear();  // copies are other objects
      if (facts.stale) continue;
      if (lowered->returns_vector) {
        lowered->length = &impl_->program.add(count_of(function, impl_->program));
        function.body->yields.pop_back();
      }
      clean(function, impl_->program);
    } catch (const ir::Refusal& e) {
      throw Bail{place(e.where), e.code, e.what()};
    } catch (const ir::Error& e) {
      throw Bail{lowerer.here, "INTERNAL", std::string("lowering '") + name + "' failed: " + e.what()};
    }
    lowered->function = &impl_->program.add(std::move(function));
    done = std::move(lowered);
    return *done;
  }
  throw Bail{callable.function->getLocation(), "NOT_LOWERABLE", "what the pointers in '" + name + "' may point to could not be settled"};
}

// --- what all functions share ---
const FunctionDecl* Lowering::Impl::definition(const FunctionDecl* f) {
  const FunctionDecl* found = nullptr;
  if (f->getBody(found)) return found;
  const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
  if (pattern && f->isImplicitlyInstantiable()) {
    sema.InstantiateFunctionDefinition(f->getLocation(), const_cast<FunctionDecl*>(f), true, true);
    if (f->getBody(found)) return found;
  }
  return nullptr;
}

/// What a body calls. The library is followed where its templates are instantiated already.
const std::vector<const FunctionDecl*>& Lowering::Impl::called_by(const FunctionDecl* f) {
  auto [it, fresh] = callees.try_emplace(f->getCanonicalDecl());
  if (!fresh) return it->second;
  struct Calls : RecursiveASTVisitor<Calls> {
    std::vector<const FunctionDecl*> found = {};
    bool shouldVisitImplicitCode() const { return true; }
    bool VisitCallExpr(CallExpr* e) { if (auto* d = e->getDirectCallee()) found.push_back(d->getCanonicalDecl()); return true; }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) { found.push_back(e->getConstructor()->getCanonicalDecl()); return true; }
  } calls;
  const FunctionDecl* body = nullptr;
  if (f->isInStdNamespace() || in_eigen(f)) f->getBody(body);
  else body = definition(f);
  if (body) {
    calls.TraverseStmt(body->getBody());
    if (auto* c = dyn_cast<CXXConstructorDecl>(body)) for (auto* i : c->inits()) calls.TraverseStmt(i->getInit());
  }
  return it->second = std::move(calls.found);
}
bool Lowering::Impl::calls_itself(const FunctionDecl* f) {
  f = f->getCanonicalDecl();
  if (auto it = recursion.find(f); it != recursion.end()) return it->second;
  std::set<const FunctionDecl*> seen;
  std::vector<const FunctionDecl*> todo{f};
  bool result = false;
  while (!todo.empty() && !result) {
    const auto callees_of = called_by(todo.back());
    todo.pop_back();
    for (auto* h : callees_of) {
      result |= h == f;
      if (seen.insert(h).second) todo.push_back(h);
    }
  }
  return recursion[f] = result;
}

const Decl* Lowering::Impl::slot(std::size_t i) {
  while (slots.size() <= i) slots.push_back(EmptyDecl::Create(context, context.getTranslationUnitDecl(), SourceLocation()));
  return slots[i];
}

static std::string one_line(llvm::StringRef text) {
  std::string r;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) r += c;
    else if (!r.empty() && r.back() != ' ') r += ' ';
    if (r.size() > 100) return r.substr(0, 97) + "...";
  }
  while (!r.empty() && (r.back() == ' ' || r.back() == '{')) r.pop_back();
  return r;
}
/// The part of a statement that is worth quoting: without the body.
static SourceLocation quoted_end(const Stmt* s) {
  if (auto* x = dyn_cast<ForStmt>(s)) return x->getRParenLoc();
  if (auto* x = dyn_cast<WhileStmt>(s)) return x->getRParenLoc();
  if (auto* x = dyn_cast<CXXForRangeStmt>(s)) return x->getRParenLoc();
  if (auto* x = dyn_cast<IfStmt>(s)) return x->getRParenLoc();
  if (auto* x = dyn_cast<SwitchStmt>(s)) return x->getRParenLoc();
  return s->getEndLoc();
}
ir::Location Lowering::Impl::locate(SourceLocation at, const Stmt* text) {
  auto& sources = context.getSourceManager();
  const auto presumed = sources.getPresumedLoc(sources.getExpansionLoc(at));
  if (presumed.isInvalid()) return {};
  ir::Location r{ir::intern(llvm::sys::path::filename(presumed.getFilename()).str()), int(presumed.getLine()), int(presumed.getColumn()), {}};
  if (text) {
    const auto range = CharSourceRange::getTokenRange(sources.getExpansionLoc(text->getBeginLoc()), sources.getExpansionLoc(quoted_end(text)));
    std::string line = one_line(Lexer::getSourceText(range, sources, context.getLangOpts()));
    if (isa<Expr>(text) || isa<ReturnStmt>(text)) line += ";";
    r.text = ir::intern(line);
  }
  places.try_emplace({r.file, r.line, r.column}, at);
  return r;
}
std::string Lowering::Impl::type_name(QualType t) const {
  return t.getUnqualifiedType().getAsString(context.getPrintingPolicy());
}
/// tlaloc::passive<T>, if the header that declares it was included and T is specialised.
bool Lowering::Impl::passive(QualType t) {
  auto* unit = context.getTranslationUnitDecl();
  for (auto* d : unit->lookup(&context.Idents.get("tlaloc"))) {
    auto* space = dyn_cast<NamespaceDecl>(d);
    if (!space) continue;
    for (auto* v : space->lookup(&context.Idents.get("passive"))) {
      auto* variable = dyn_cast<VarTemplateDecl>(v);
      if (!variable) continue;
      for (auto* s : variable->specializations())
        if (s->getTemplateArgs().size() == 1 && s->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
            context.hasSameUnqualifiedType(s->getTemplateArgs()[0].getAsType(), t))
          if (auto* value = s->evaluateValue(); value && value->isInt() && value->getInt().getBoolValue()) return true;
    }
  }
  return false;
}

bool is_std(const Decl* d, llvm::StringRef name) {
  auto* n = dyn_cast_or_null<NamedDecl>(d);
  return n && n->isInStdNamespace() && n->getDeclName().isIdentifier() && n->getName() == name;
}
QualType vector_element(QualType t) {
  auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(t->getAsCXXRecordDecl());
  return r && is_std(r, "vector") ? r->getTemplateArgs()[0].getAsType() : QualType();
}

llvm::ArrayRef<TemplateArgument> alternatives(QualType t) {
  auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(t->getAsCXXRecordDecl());
  return r && is_std(r, "variant") ? r->getTemplateArgs()[0].getPackAsArray() : llvm::ArrayRef<TemplateArgument>();
}
QualType optional_element(QualType t) {
  auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(t->getAsCXXRecordDecl());
  return r && is_std(r, "optional") ? r->getTemplateArgs()[0].getAsType() : QualType();
}

void Lowerer::refuse(SourceLocation where, const std::string& why, const char* code) {
  auto& sources = context.getSourceManager();
  std::string text = why;
  Frame* top = frame;
  if (!library_type_.empty()) text = "'" + library_type_ + "' of the standard library is not supported in differentiated code";
  if (library_type_.starts_with("std::function<")) text += "; use a lambda or a template parameter";
  else if (!library_type_.empty() && why == "use std::vector") text += "; " + why;
  // Nobody can change the library: the place is where the user's code enters it.
  const FunctionDecl* entered = nullptr;
  while (top && top->caller && (sources.isInSystemHeader(where) || in_library(top->function))) entered = top->function, where = top->where, top = top->caller;
  if (entered && library_type_.empty()) text = "'" + entered->getQualifiedNameAsString() + "' cannot be lowered: " + why;
  Bail bail{where, code, text};
  for (Frame* f = top; f && f->caller; f = f->caller) bail.chain.insert(bail.chain.begin(), {f->function, f->where});
  throw bail;
}

// --- numbers ---
bool Lowerer::is_number(QualType t) const { return (t->isArithmeticType() && !t->isAnyComplexType()) || t->isEnumeralType(); }
DType Lowerer::dtype(QualType t) {
  t = t.getCanonicalType().getUnqualifiedType();
  if (const EnumDecl* e = enumeration(t)) t = e->getIntegerType().getCanonicalType().getUnqualifiedType();
  auto* builtin = t->getAs<BuiltinType>();
  const auto name = shared.type_name(t);
  if (!builtin) refuse("a value of type '" + name + "' is not a number; use double, float, an integer type or a struct of them");
  switch (builtin->getKind()) {
    case BuiltinType::Bool: return DType::boolean;
    case BuiltinType::Float: return DType::f32;
    case BuiltinType::Double: return DType::f64;
    case BuiltinType::Half: case BuiltinType::Float16: return DType::f16;
    case BuiltinType::BFloat16: return DType::bf16;
    default: break;
  }
  if (!builtin->isInteger() || context.getTypeSize(t) > 64) refuse("'" + name + "' is not supported in differentiated code; use double, float or an integer type of at most 64 bits");
  const bool is_signed = builtin->isSignedInteger();
  switch (context.getTypeSize(t)) {
    case 8: return is_signed ? DType::i8 : DType::u8;
    case 16: return is_signed ? DType::i16 : DType::u16;
    case 32: return is_signed ? DType::i32 : DType::u32;
    default: return is_signed ? DType::i64 : DType::u64;
  }
}

// --- locals ---
Node* Lowerer::layout(QualType t, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf) {
  t = t.getCanonicalType();
  if (t.isVolatileQualified()) refuse("a volatile object cannot be differentiated through; copy it to an ordinary variable first");
  if (is_number(t)) {
    Node* n = mem.make(Node::scalar, name);
    n->dtype = dtype(t);
    leaf(n, inner);
    return n;
  }
  if (t->isFunctionPointerType() || t->isFunctionReferenceType() || t->isMemberPointerType()) return mem.make(Node::function, name);
  if (t->isNullPtrType()) return mem.make_pointer(name, inner);
  if (t->isPointerType() || t->isReferenceType()) return mem.make_pointer(name, inner);
  auto* a = context.getAsConstantArrayType(t);
  if (a || t->isAnyComplexType()) {
    Node* n = mem.make(Node::array, name);
    n->extent = n->scale = a ? std::int64_t(a->getZExtSize()) : 2;
    n->whole = inner == 1;
    n->element = layout(a ? a->getElementType() : complex_element(t), inner * n->extent, name, leaf);
    return n;
  }
  if (QualType e = vector_element(t); !e.isNull()) {
    return inner == 1 && !in_vector_ ? growing(e, name, leaf) : row(e, inner, name, leaf);
  }
  if (is_std(t->getAsCXXRecordDecl(), "function")) {
    if (inner != 1) refuse("an array of std::function is not supported in differentiated code; use a std::tuple of lambdas or a switch");
    return callable_slot(name);
  }
  // A value and whether it is there; the alternatives and which of them it is.
  const QualType value = optional_element(t);
  if (const auto types = alternatives(t); !value.isNull() || !types.empty()) {
    Node* n = mem.make(Node::record, name);
    auto add = [&](QualType type, const std::string& part) {
      Node* child = layout(type, inner, part, leaf);
      child->member = true, child->parent = n, n->fields.push_back({shared.slot(n->fields.size()), child});
    };
    if (!value.isNull()) add(value, name);
    for (auto& type : types) add(type.getAsType(), name);
    if (!value.isNull()) add(context.BoolTy, name.empty() ? "has_value" : name + "_has_value");
    else add(context.getSizeType(), name.empty() ? "index" : name + "_index");
    return n;
  }
  auto* r = t->getAsCXXRecordDecl();
  if (r && in_eigen(r)) return eigen_layout(t, inner, name, leaf);
  if (!r || !r->getDefinition()) refuse("an object of type '" + shared.type_name(t) + "' cannot be lowered");
  r = r->getDefinition();
  Restore library(library_type_, library_type_.empty() && r->isInStdNamespace() && !r->getName().starts_with("_") ? shared.type_name(t) : library_type_);
  if (r->isUnion()) refuse("'" + shared.type_name(t) + "' is a union, whose members overlap; use a struct");
  if (r->isInStdNamespace() && llvm::is_contained({"list", "forward_list", "deque", "map", "multimap", "set", "multiset", "unordered_map", "unordered_set", "valarray", "shared_ptr"}, r->getName()))
    refuse("use std::vector");                    // see refuse
  if (const std::string means = meaning(r); means == "tensor" || means == "operand") {
    if (in_vector_) refuse("a std::vector of tensors that differentiated code makes or copies, which has no "
             "length while compiling; use std::array, or a tensor with one more axis");
    Node* n = tensor_variable(r, name);
    if (inner != 1)
      n->rows = {inner};
    return n;
  }
  Node* n = mem.make(Node::record, name);
  if (r->isPolymorphic()) n->type = r->getCanonicalDecl();
  auto add = [&](const void* key, QualType type, const std::string& field) {
    Node* child = layout(type, inner, field, leaf);
    child->member = true, child->parent = n;
    n->fields.push_back({key, child});
  };
  if (r->getNumVBases()) refuse("'" + shared.type_name(t) + "' has a virtual base class, which is not supported");
  for (auto& base : r->bases()) add(base.getType()->getAsCXXRecordDecl()->getCanonicalDecl(), base.getType(), name);
  std::map<const FieldDecl*, std::string> captured;
  if (r->isLambda()) {
    auto field = r->field_begin();
    for (auto& c : r->captures()) captured[*field++] = c.capturesVariable() ? c.getCapturedVar()->getNameAsString() : name;
  }
  for (auto* f : r->fields()) {
    const std::string own = captured.count(f) ? captured[f] : f->getNameAsString();
    if (is_tensor(t)) add(f->getCanonicalDecl(), f->getType(), name), n->fields.back().second->axes = axes_of(r);
    else add(f->getCanonicalDecl(), f->getType(), is_std(r, "complex") ? name : r->isLambda() || name.empty() ? own : own.empty() ? name : name + "_" + own);
  }
  return n;
}
/// A vector of such elements.
Node* Lowerer::growing(QualType element, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf) {
  Node* n = mem.make(Node::vector, name);
  n->scale = 1;
  Restore within(in_vector_, true);
  n->element = layout(element, 1, name, [&](Node* l, std::int64_t per_element) {
    l->extent = per_element;
    leaf(l, -per_element);                        // negative: a growable buffer
  });
  Objects::leaves(n->element, [&](Node* l) { if (l->kind == Node::pointer) refuse("pointers in a std::vector or in memory made by new are not supported; store indices"); });
  return n;
}
/// A vector that is an element of something.
Node* Lowerer::row(QualType element, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf) {
  Node* n = mem.make(Node::vector, name);
  n->scale = 1;
  auto count = [&](const char* what) {
    Node* c = mem.make(Node::scalar, name + what);
    c->dtype = ir::index_type;
    leaf(c, inner);
    return c;
  };
  n->start = count("_start"), n->size = count("_size"), n->room = count("_room");
  const std::function<void(Node*, std::int64_t)> grows = [&](Node* l, std::int64_t per_element) {
    l->extent = per_element;
    leaf(l, -per_element);
  };
  const bool outermost = !in_vector_;
  Restore within(in_vector_, true);
  n->element = layout(element, 1, name, outermost ? grows : leaf);
  return n;
}
Node* Lowerer::local(QualType t, const std::string& name, X count) {
  Node* made = layout(t, 1, name, [&](Node* n, std::int64_t inner) {
    X size = ir::index(b, inner < 0 ? 0 : inner);
    if (inner < 0 && count) size = count * ir::index(b, -inner);
    n->buffer = b.append(ir::ops::alloc, {size.v}, {n->dtype})->results[0];
    n->buffer->name = n->name;
    n->whole = true;
  });
  mem.clear_rows(made);
  return made;
}

// --- constants ---
void Lowerer::prologue(const std::function<void()>& emit) {
  Restore block(b.block, b.function.body);
  auto before = std::move(b.block->ops);
  b.block->ops.clear();
  emit();
  prologue_.insert(prologue_.end(), b.block->ops.begin(), b.block->ops.end());
  b.block->ops = std::move(before);
}
static ir::Number number_of(DType d, const APValue& v) {
  if (v.isFloat()) {
    llvm::APFloat f = v.getFloat();
    bool lossy = false;
    f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lossy);
    return ir::Number::of(d, f.convertToDouble());
  }
  const auto& i = v.getInt();
  return i.isSigned() ? ir::Number::of(d, std::int64_t(i.getSExtValue())) : ir::Number::of(d, std::uint64_t(i.getZExtValue()));
}
X Lowerer::constant(QualType t, const APValue& v) { return ir::constant(b, number_of(dtype(t), v)); }

void Lowerer::fill_constant(Node* n, std::int64_t index, const APValue& v, std::map<Node*, ir::Numbers>& numbers) {
  switch (n->kind) {
    case Node::scalar:
      if (!v.isInt() && !v.isFloat()) refuse("the constant '" + n->name + "' is not a number that the compiler knows");
      numbers[n][std::size_t(index)] = number_of(n->dtype, v);
      return;
    case Node::array:
      if (v.isComplexFloat()) {
        fill_constant(n->element, index * 2, APValue(v.getComplexFloatReal()), numbers);
        return fill_constant(n->element, index * 2 + 1, APValue(v.getComplexFloatImag()), numbers);
      }
      for (std::int64_t i = 0; i < n->extent; ++i)
        fill_constant(n->element, index * n->scale + i, std::size_t(i) < v.getArrayInitializedElts() ? v.getArrayInitializedElt(unsigned(i)) : v.getArrayFiller(), numbers);
      return;
    case Node::record: {
      if (!v.isStruct()) refuse("the constant '" + n->name + "' is not known to the compiler");
      if (v.getStructNumBases() + v.getStructNumFields() != n->fields.size()) refuse("the constant '" + n->name + "' is of a class of the library that is not supported as a constant");
      unsigned base = 0, field = 0;
      for (auto& [key, child] : n->fields) {
        const bool is_base = isa<CXXRecordDecl>(static_cast<const Decl*>(key));
        fill_constant(child, index, is_base ? v.getStructBase(base++) : v.getStructField(field++), numbers);
      }
      return;
    }
    default: refuse("the constant '" + n->name + "' holds a pointer, which is not supported");
  }
}
Node* Lowerer::constant_object(QualType t, const APValue& v, const std::string& name, const void* key) {
  std::map<Node*, ir::Numbers> numbers;
  mem.origin(key, -1);
  Node* n = nullptr;
  prologue([&] {
    n = layout(t, 1, name, [&](Node* leaf, std::int64_t count) { numbers[leaf] = ir::Numbers(std::size_t(count < 0 ? 0 : count), ir::Number::of(leaf->dtype, 0)); });
    fill_constant(n, 0, v, numbers);
    Objects::leaves(n, [&](Node* leaf) {
      leaf->table = &tables_.emplace_back(numbers[leaf]);
      leaf->buffer = b.append(ir::ops::table, {}, {leaf->dtype, numbers[leaf]})->results[0];
      leaf->buffer->name = leaf->name;
    });
  });
  return n;
}

/// A string literal: a constant array of characters.
Pointer Lowerer::characters(const StringLiteral* s) {
  if (auto it = globals_.find(s); it != globals_.end()) return it->second;
  const auto size = unsigned(context.getAsConstantArrayType(s->getType())->getZExtSize());
  const QualType type = context.getBaseElementType(s->getType());
  APValue value(APValue::UninitArray(), size, size);
  for (unsigned i = 0; i < size; ++i)
    value.getArrayInitializedElt(i) = APValue(llvm::APSInt(llvm::APInt(unsigned(context.getTypeSize(type)), i < s->getLength() ? s->getCodeUnit(i) : 0), type->isUnsignedIntegerType()));
  return globals_[s] = mem.at(constant_object(s->getType(), value, "text", s));
}

// --- the function ---
void Lowerer::check_written() {
  ir::walk(*b.function.body, [&](ir::Op* op) {
    if (op->regions.size()) return;
    for (auto* v : ir::written_buffers(*op)) {
      auto it = watched_.find(v);
      if (it == watched_.end() || it->second.second == op) continue;
      if (!facts.written[it->second.first]) facts.stale = true;
      facts.written[it->second.first] = true;
    }
  });
}
void Lowerer::entry(const Callable& callable, Lowered& out) {
  const FunctionDecl* f = shared.definition(callable.function);
  here = callable.function->getLocation();
  const auto rules = rules_of(callable.function);
  const bool of_library = !f && !rules && !callable.has_object && context.getSourceManager().isInSystemHeader(here);
  if (!f && (rules || of_library)) f = callable.function;
  if (!f) refuse(here, "'" + callable.function->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
  lowered = &out;
  Frame top{.function = f, .block = b.block};
  frame = &top;
  auto* method = dyn_cast<CXXMethodDecl>(f);
  b.where = shared.locate(f->getLocation(), nullptr);
  if (callable.has_object) {
    auto* r = method->getParent();
    if (r->isLambda()) r->getCaptureFields(top.captures, top.captured_this);
    const QualType t = context.getCanonicalType(method->getThisType()->getPointeeType());
    out.sources.push_back({Source::object, nullptr, r->isLambda() ? "lambda" : "self", t});
    // A derivative holds its closure or functor by value and is const: what a call writes into it is the call's own.
    top.self = caller_variable(r, 0, callable.object_by_value ? t.getUnqualifiedType() : context.getLValueReferenceType(t), r->isLambda() ? "" : "self", false);
  }
  for (unsigned i = 0; i < f->getNumParams(); ++i) {
    const auto* p = f->getParamDecl(i);
    const std::string name = p->getName().empty() ? "arg" + std::to_string(i + 1) : p->getNameAsString();
    here = p->getLocation();
    out.sources.push_back({Source::parameter, p, name, p->getType().getCanonicalType()});
    if (callable.function->getParamDecl(i) != p) out.sources.back().decl = callable.function->getParamDecl(i);
    top.vars[p] = caller_variable(p, int(out.sources.size()) - 1, p->getType(), name, false);
  }
  if (rules) {
    std::vector<Pointer> args;
    for (auto* p : f->parameters()) args.push_back(top.vars[p]);
    const Result r = by_rule(*rules, f, callable.has_object ? &top.self : nullptr, args, f);
    mem.origin(f, 0);
    top.result = r.object ? r.object : local(f->getReturnType().getNonReferenceType().getUnqualifiedType(), "");
    if (r.number) mem.store(mem.at(top.result), r.number);
  } else if (of_library) {                        // the library's mathematics have no bodies, but calls of them have a meaning
    auto* called = const_cast<FunctionDecl*>(f);
    std::vector<Expr*> args;
    for (auto* p : f->parameters()) args.push_back(as_expression(top.vars[p], p->getType()));
    const ExprResult e = shared.sema.BuildCallExpr(nullptr, shared.sema.BuildDeclRefExpr(called, f->getType(), VK_LValue, here), here, args, here);
    if (e.isInvalid() || !is_number(f->getReturnType())) refuse(here, "'" + f->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
    const X x = number(e.get());
    mem.origin(f, 0);
    top.result = local(f->getReturnType(), "");
    mem.store(mem.at(top.result), x);
  } else {
    body(f);
  }
  out.result = f->getReturnType();
  results(f->getReturnType().getCanonicalType(), out);
  check_written();
  check_stored();
  auto& ops = b.function.body->ops;
  ops.insert(ops.begin(), prologue_.begin(), prologue_.end());
  out.function = &b.function;
  frame = nullptr;
}

}  // namespace tlaloc::frontend
