// SPDX-License-Identifier: Apache-2.0
//
// A27: Jacobian: an output that is read again.
#include "case.hpp"

void f(const double* x, double* out) {
  out[0] = x[0] * x[0] * x[1];
  out[1] = out[0] * 3 + x[1];
  out[0] = out[0] + out[1];
}

using Numbers = std::array<double, 2>;
using Matrix = std::array<double, 4>;
#ifdef TLALOC_CASE_PRINTED
#define JACOBIAN(transform, x, out, matrix) tlaloc::generated::f_##transform(x.data(), out.data(), 2, 2, matrix.data())
#else
#define JACOBIAN(transform, x, out, matrix) fill(tlaloc::transform(f)(tlaloc::view(x.data(), 2), tlaloc::view(out.data(), 2)), matrix)
void fill(const tlaloc::DenseMatrix<double>& from, Matrix& to) {
  for (std::size_t i = 0; i < 4; ++i) to[i] = from.at(i / 2, i % 2);
}
#endif

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  const Numbers x{cases::opaque(1.5), cases::opaque(-0.5)}, value{-5, -3.875};
  const Matrix slopes{-6, 10, -4.5, 7.75};
  auto check = [&](const std::string& what, const Numbers& out, const Matrix& matrix) {
    for (std::size_t i = 0; i < 2; ++i) run.number(what + " out[" + std::to_string(i) + "]", out[i], value[i], 1e-12);
    for (std::size_t i = 0; i < 4; ++i) run.number(what + "[" + std::to_string(i) + "]", matrix[i], slopes[i], 1e-11);
  };
  for (int again = 0; again < 2; ++again) {
    Numbers out{NAN, NAN};
    Matrix matrix{NAN, NAN, NAN, NAN};
    JACOBIAN(jacfwd, x, out, matrix);
    check("jacfwd", out, matrix);
    out = {NAN, NAN}, matrix = {NAN, NAN, NAN, NAN};
    JACOBIAN(jacrev, x, out, matrix);
    check("jacrev", out, matrix);
  }
  return run.done();
}
