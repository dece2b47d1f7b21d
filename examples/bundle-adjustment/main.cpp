// SPDX-License-Identifier: Apache-2.0
//
// Finds 12 cameras and 150 points from 900 sights: where in whose picture each point was seen. The residuals are ordinary
// C++; their sparse Jacobian serves the method of Levenberg and Marquardt, whose steps conjugate gradients find.
#include <tlaloc/sparse_jacobian.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr std::size_t cameras = 12, points = 150, sights = 6;
constexpr std::size_t camera = 6, point = 3;      // numbers: a rotation and a position, a position
using Vector = std::vector<double>;

struct Sights {
  std::vector<std::size_t> camera, point;         // of each sight
  Vector u, v;
  std::size_t size() const { return u.size(); }
};

/// A point as the camera sees it: turned by the vector c[0..2] (axis times angle), moved by c[3..5], divided by its depth.
void project(const double* c, const double* p, double& u, double& v) {
  const double angle2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + 1e-12, angle = std::sqrt(angle2);
  const double cs = std::cos(angle), sn = std::sin(angle) / angle, along = (c[0] * p[0] + c[1] * p[1] + c[2] * p[2]) * (1 - cs) / angle2;
  const double x = p[0] * cs + (c[1] * p[2] - c[2] * p[1]) * sn + c[0] * along + c[3];
  const double y = p[1] * cs + (c[2] * p[0] - c[0] * p[2]) * sn + c[1] * along + c[4];
  const double z = p[2] * cs + (c[0] * p[1] - c[1] * p[0]) * sn + c[2] * along + c[5];
  u = x / z;
  v = y / z;
}

double squares(const Vector& r) {
  double s = 0;
  for (double e : r) s += e * e;
  return s;
}
Vector times(const tlaloc::SparseMatrix<double>& a, const Vector& x) {
  Vector y(a.pattern.rows());
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t k = a.pattern.starts[i]; k < a.pattern.starts[i + 1]; ++k) y[i] += a.values[k] * x[a.pattern.column_of[k]];
  return y;
}
Vector transposed_times(const tlaloc::SparseMatrix<double>& a, const Vector& y) {
  Vector x(a.pattern.width);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t k = a.pattern.starts[i]; k < a.pattern.starts[i + 1]; ++k) x[a.pattern.column_of[k]] += a.values[k] * y[i];
  return x;
}
double dot(const Vector& a, const Vector& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
/// (JᵀJ + damping D) x = b by conjugate gradients; D, the diagonal of JᵀJ, also preconditions.
Vector solve(const tlaloc::SparseMatrix<double>& jacobian, const Vector& b, double damping) {
  Vector diagonal(b.size(), 1e-12), x(b.size()), r = b, z(b.size());
  for (std::size_t k = 0; k < jacobian.values.size(); ++k) diagonal[jacobian.pattern.column_of[k]] += jacobian.values[k] * jacobian.values[k];
  const auto precondition = [&] { for (std::size_t i = 0; i < b.size(); ++i) z[i] = r[i] / diagonal[i]; };
  precondition();
  Vector p = z;
  double rz = dot(r, z);
  const double enough = 1e-12 * rz;
  for (int step = 0; step < 500 && rz > enough; ++step) {
    Vector q = transposed_times(jacobian, times(jacobian, p));
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += damping * diagonal[i] * p[i];
    const double by = rz / dot(p, q);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * p[i], r[i] -= by * q[i];
    precondition();
    const double before = rz;
    rz = dot(r, z);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + rz / before * p[i];
  }
  return x;
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("WRONG: %s\n", what);
  ++failures;
}

int main() {
  unsigned state = 5;
  const auto random = [&state] { state = state * 1103515245u + 12345u; return double(state >> 8 & 0xffff) / 65536 - 0.5; };
  // Cameras on a ring look at a cloud around the origin.
  Vector truth(cameras * camera + points * point);
  for (std::size_t c = 0; c < cameras; ++c) {
    truth[c * camera + 1] = 2 * M_PI * (double(c) + 0.5) / cameras - M_PI;
    truth[c * camera + 0] = 0.3 * random();
    truth[c * camera + 5] = 5;
  }
  for (std::size_t i = cameras * camera; i < truth.size(); ++i) truth[i] = 2 * random();
  Sights seen;
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t k = 0; k < sights; ++k) {
      double u = 0, v = 0;
      seen.camera.push_back((p + 2 * k) % cameras), seen.point.push_back(p);
      project(&truth[seen.camera.back() * camera], &truth[cameras * camera + p * point], u, v);
      seen.u.push_back(u), seen.v.push_back(v);
    }

  const auto residuals = [&seen](std::span<const double> x, std::span<double> r) {
    for (std::size_t k = 0; k < seen.size(); ++k) {
      double u = 0, v = 0;
      project(&x[seen.camera[k] * camera], &x[cameras * camera + seen.point[k] * point], u, v);
      r[2 * k] = u - seen.u[k];
      r[2 * k + 1] = v - seen.v[k];
    }
  };

  Vector x = truth, r(2 * seen.size());
  for (double& e : x) e += 0.05 * random();
  const auto jacobian = tlaloc::sparse_jacobian(residuals);
  const auto pattern = jacobian.pattern(x, r);
  std::printf("Jacobian: %zu by %zu, %zu entries, %zu colours\n", pattern.rows(), pattern.width, pattern.entries(), pattern.colours);
  expect(pattern.entries() == 2 * seen.size() * (camera - 1 + point), "a coordinate depends on its camera, but for the other's shift, and on its point");

  double best = 0, damping = 1e-4;
  {
    residuals(x, r);
    best = squares(r);
  }
  const double start = best;
  std::printf("at first: %.3e\n", start);
  for (int round = 0; round < 30 && best > 1e-18; ++round) {
    const auto j = jacobian(pattern, x, r);
    const Vector by = solve(j, transposed_times(j, r), damping);
    Vector next = x, there(r.size());
    for (std::size_t i = 0; i < x.size(); ++i) next[i] -= by[i];
    residuals(next, there);
    std::printf("round %2d: %.3e\n", round, squares(there));
    if (squares(there) < best) x = next, best = squares(there), damping /= 10;
    else damping *= 10;
  }
  expect(start > 1e-3 && best < 1e-16, "what the cameras see");
  return failures == 0 ? 0 : 1;
}
