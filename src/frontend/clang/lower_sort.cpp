// SPDX-License-Identifier: Apache-2.0
//
// std::sort, stable_sort, partial_sort and nth_element: a stable merge sort of positions, which only compares, and then one
// move of the elements. So no value but the order takes part in the derivative of a sort. Where the library leaves open how
// equivalent elements lie, they keep their order.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

std::optional<Lowerer::Result> Lowerer::sorting(const FunctionDecl* f, const CallExpr* e) {
  const llvm::StringRef name = f->getName();
  const bool in_part = name == "partial_sort" || name == "nth_element";
  if (!f->isInStdNamespace() || (!in_part && name != "sort" && name != "stable_sort")) return {};
  const unsigned end = in_part ? 2 : 1;
  if (e->getNumArgs() < end + 1 || e->getNumArgs() > end + 2) return {};
  for (unsigned i = 1; i <= end; ++i) if (!context.hasSameUnqualifiedType(f->getParamDecl(i)->getType(), f->getParamDecl(0)->getType())) return {};

  auto& sema = shared.sema;
  const Pointer first = range_position(e->getArg(0)), last = range_position(e->getArg(end));
  std::optional<Pointer> order_given;
  if (e->getNumArgs() == end + 2) order_given = argument(f->getParamDecl(end + 1), e->getArg(end + 1));
  const QualType iterator_type = f->getParamDecl(0)->getType().getUnqualifiedType();
  const QualType t = iterator_type->isPointerType() ? iterator_type->getPointeeType().getUnqualifiedType()
                         : sema.BuildUnaryOp(nullptr, here, UO_Deref, as_expression(first, iterator_type)).get()->getType().getUnqualifiedType();
  auto less = [&](X i, X j) {                     // of the elements there
    Expr *x = as_expression(mem.advance(first, i), t), *y = as_expression(mem.advance(first, j), t);
    ExprResult holds;
    if (order_given) {
      Expr* both[] = {x, y};
      holds = sema.BuildCallExpr(nullptr, as_expression(*order_given, f->getParamDecl(end + 1)->getType()), here, both, here);
    } else {
      holds = sema.BuildBinOp(nullptr, here, BO_LT, x, y);
    }
    if (!holds.isInvalid()) holds = sema.PerformContextuallyConvertToBool(holds.get());
    if (holds.isInvalid()) refuse("this order of elements is not supported in differentiated code");
    return converted(number(holds.get()), context.BoolTy);
  };

  mem.origin(e, frame->id);
  const X n = mem.difference(last, first), zero = ir::index(b, 0), one = ir::index(b, 1);
  auto positions = [&](const char* own) {
    auto* v = b.append(ops::alloc, {n.v}, {ir::index_type})->results[0];
    v->name = own;
    return X{&b, v};
  };
  const X order = positions("order"), merged = positions("merged");
  mem.loop(zero, n, [&](X i) { ops::store(order, i, i); });
  auto load = [&](Node* v) { return mem.load(mem.at(v), ir::index_type); };
  auto store = [&](Node* v, X x) { mem.store(mem.at(v), x); };
  auto least = [](X x, X y) { return ops::select(x < y, x, y); };
  Node* width = variable_of_our_own(ir::index_type, "width", one);
  mem.repeat([&] { return load(width) < n; }, [&] {
    const X w = load(width);
    Node* low = variable_of_our_own(ir::index_type, "low", zero);
    mem.repeat([&] { return load(low) < n; }, [&] {
      const X from = load(low), middle = least(from + w, n), to = least(from + w + w, n);
      Node *left = variable_of_our_own(ir::index_type, "left", from), *right = variable_of_our_own(ir::index_type, "right", middle);
      mem.loop(from, to, [&](X k) {
        const X i = load(left), j = load(right);
        auto one_of = [](X x) { return std::vector<X>{x}; };
        // The right one goes first only when it is less.
        const X take_left = mem.branch(i < middle, [&] {
          return one_of(mem.branch(j < to, [&] { return one_of(ops::logical_not(less(ops::load(order, j), ops::load(order, i)))); },
                                   [&] { return one_of(mem.truth(true)); })[0]);
        }, [&] { return one_of(mem.truth(false)); })[0];
        mem.branch(take_left, [&] { ops::store(merged, k, ops::load(order, i)); store(left, i + one); return std::vector<X>{}; },
                   [&] { ops::store(merged, k, ops::load(order, j)); store(right, j + one); return std::vector<X>{}; });
      });
      store(low, to);
    });
    mem.loop(zero, n, [&](X i) { ops::store(order, i, ops::load(merged, i)); });
    store(width, w + w);
  });

  Node* sorted = growing(t, "sorted", [&](Node* leaf, std::int64_t per_element) {
    leaf->buffer = b.append(ops::alloc, {(n * ir::index(b, -per_element)).v}, {leaf->dtype})->results[0];
    leaf->buffer->name = leaf->name;
  });
  mem.clear_rows(sorted);                        // of elements that hold vectors
  const Pointer all = mem.at(sorted);
  mem.loop(zero, n, [&](X i) { mem.copy(mem.element(all, i), mem.advance(first, ops::load(order, i))); });
  mem.loop(zero, n, [&](X i) { mem.copy(mem.advance(first, i), mem.element(all, i)); });
  return Result{};
}

}  // namespace tlaloc::frontend
