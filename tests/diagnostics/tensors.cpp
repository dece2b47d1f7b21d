// SPDX-License-Identifier: Apache-2.0
//
// What functions of tensors may not do where they are differentiated.
#include <tlaloc/jit.hpp>

#include <tlaloc/sparse.hpp>

#include <vector>

using namespace tlaloc;
struct Row : axis<> {};
using V = Tensor<double, Row>;

struct Mixed {
  V row;
  double times;
};
Scalar<double> of_many(const std::vector<Mixed>& all) { return sum(all[0].row); }
Scalar<double> of_any(const AnyTensor& x, const V& y) { return sum(y) * double(x.rank()); }
Scalar<double> in_a_vector(const V& x) {
  std::vector<V> both{x, x};
  return sum(both[0]);
}
Scalar<double> growing(const V& x) {
  auto y = x;
  for (int i = 0; i < 3; ++i) y = concat<Row>(y, x);
  return sum(y);
}
double first_of(const V& x) { return x.at(0); }
Scalar<double> cut(const V& x, int n) { return sum(slice<Row>(x, 0, n)); }
Scalar<double> moving(const V& x) {
  Scalar<double> s = 0.0;
  for (int i = 0; i < 3; ++i) s = s + sum(slice<Row>(x, i, 4));
  return s;
}
Scalar<double> deep(const V& x, int n) { return n ? deep(x * x, n - 1) : sum(x); }
Scalar<double> overwritten(V& x) {
  x = x * x;
  return sum(x);
}
Scalar<double> drifting(const V& x, int n) {
  Scalar<double> s = 0.0;
  int first = 0;
  while (n-- > 0) {
    s = s + sum(slice<Row>(x, first, 4));
    first = 1;
  }
  return s;
}
struct Two {
  V a, b;
};
Scalar<double> of_two(const Two& x) { return sum(x.a * x.b); }
Two both_of(const V& x) { return {x, x * x}; }
struct Rule {
  virtual ~Rule() = default;
  virtual Scalar<double> of(const V& x) const = 0;
};
Scalar<double> by_rule(const Rule& rule, const V& x) { return rule.of(x); }
Scalar<double> through(const std::vector<V>& all, std::size_t i) {
  return i < all.size() ? sum(all[i]) + through(all, i + 1) : Scalar<double>(0);
}
Scalar<double> of_sparse(const sparse::Csr<double>& a, const V& x) { return sum(matmul(a, x)); }

void use(const sparse::Csr<double>& a, const V& x, const std::vector<Mixed>& all, V& out, const Two& two, const Rule& rule,
         const std::vector<V>& rows) {
  grad(of_many)(all);
  grad<1>(of_any)(x.any(), x);
  grad(in_a_vector)(x);
  grad(growing)(x);
  grad(first_of)(x);
  grad<0>(cut)(x, 3);
  grad(moving)(x);
  grad<0>(deep)(x, 3);
  hessian(of_two)(two);
  jacfwd(both_of)(x);
  grad<1>(by_rule)(rule, x);
  grad<0>(through)(rows, 0);
  grad<1>(of_sparse)(a, x);
  grad(overwritten)(out);
  grad<0>(drifting)(x, 3);
}

// expect: 18:50 NOT_LOWERABLE ... 'all_times' of type 'double' belongs to an element of an array or vector of tensors, and is neither a tensor nor a struct of tensors, which is not supported; give it an array of its own
// expect: 19:40 NOT_LOWERABLE ... 'x' is a tlaloc::AnyTensor, whose element type and rank are known at run time only; make it a tlaloc::Tensor
// expect: 21:18 NOT_LOWERABLE ... a std::vector of tensors that differentiated code makes or copies, which has no length while compiling; use std::array, or a tensor with one more axis
// expect: 26:33 NOT_LOWERABLE ... 'tlaloc::Tensor<double, Row>::operator=' cannot be lowered: 'y' of type f64[row] gets a value of type f64[2*row]; in differentiated code a tensor keeps its shape
// expect: 29:40 NOT_LOWERABLE ... elements by position are not supported in differentiated code; use slice, gather or a sum with a mask
// expect: 30:52 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
// expect: 33:43 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
// expect: 36:53 NOT_LOWERABLE ... 'deep' calls itself and handles tensors, which is not supported; write a loop
// expect: 75:3 NOT_LOWERABLE ... hessian of a function of tensors is by tensors and numbers, of which 'x' holds several; use vjp, jvp or hvp, or pass them one by one
// expect: 76:3 NOT_LOWERABLE ... jacfwd of a function of tensors has one result, a tensor or a number; this function has 2
// expect: 59:68 NOT_LOWERABLE ... a call of the virtual function 'of' on an object whose class is not known at compile time; use a template or mark the class final
// expect: 61:41 NOT_LOWERABLE ... 'through' calls itself and handles tensors, which is not supported; write a loop
// expect: 63:53 NOT_LOWERABLE ... 'a' is a sparse matrix or its pattern, whose structure only the run tells, which is not supported; record the function with tlaloc::jit
// expect: 38:5 NOT_LOWERABLE ... 'tlaloc::Tensor<double, Row>::operator=' cannot be lowered: giving the caller's tensor 'x' another value is not supported
// expect: 45:17 NOT_LOWERABLE ... 'tlaloc::slice' cannot be lowered: an argument that only the run tells; here it must be a constant
