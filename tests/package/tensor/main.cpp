// SPDX-License-Identifier: Apache-2.0
//
// A gradient with a product that oneDNN computes, its number known: the sum of x w has the sums of x's columns as its derivative by w.
#include <tlaloc/jit.hpp>

#include <string_view>

using namespace tlaloc;

Scalar<float> total(const Matrix<float>& w, const Matrix<float>& x) { return sum(matmul(x, w)); }

int main() {
  const auto x = Matrix<float>::full({64, 64}, 0.5f), w = Matrix<float>::full({64, 64}, 2.0f);
  if (total(w, x).item() != 64 * 64 * 64 * 1.0f) return 1;
  const auto dw = jit(grad<0>(total))(w, x);
  for (float d : dw.data())
    if (d != 32.0f) return 1;
  try {
    matmul(x, Matrix<float>::zeros({3, 3}));
  } catch (const tensor_error& e) {
    return std::string_view(e.code()) == "TENSOR_SHAPE_MISMATCH" ? 0 : 1;
  }
  return 1;
}
