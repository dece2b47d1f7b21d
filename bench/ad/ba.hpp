// SPDX-License-Identifier: Apache-2.0
//
// Bundle adjustment: the residuals of one observation of one point by one
// camera, and the block-sparse Jacobian over many observations.
//
// Camera, 11 numbers: rotation vector 3, centre 3, focal length 1,
// principal point 2, radial distortion 2.
#pragma once

#include <math.h>

namespace bench::ba {

constexpr int kCamera = 11;
constexpr int kPoint = 3;
constexpr int kInputs = kCamera + kPoint + 1;  // camera, point, weight
constexpr int kResiduals = 3;  // two reprojection errors, one weight error

template <typename Real>
void cross(const Real* a, const Real* b, Real* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Rotates p by the rotation vector r (Rodrigues). With t = |r|:
///   cos(t) p + sin(t)/t (r x p) + (1 - cos(t))/t^2 (r . p) r,
/// and its first-order limit p + r x p when r is exactly zero.
template <typename Real>
void rotate(const Real* r, const Real* p, Real* out) {
  Real turned[3];
  cross(r, p, turned);
  Real angle_squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (angle_squared == 0.0) {
    for (int i = 0; i < 3; ++i) out[i] = p[i] + turned[i];
    return;
  }
  Real angle = sqrt(angle_squared);
  Real cosine = cos(angle);
  Real a = sin(angle) / angle;
  Real b = (1.0 - cosine) / angle_squared;
  Real along = b * (r[0] * p[0] + r[1] * p[1] + r[2] * p[2]);
  for (int i = 0; i < 3; ++i)
    out[i] = cosine * p[i] + a * turned[i] + along * r[i];
}

/// Pixel coordinates of `point` in `camera`.
template <typename Real>
void project(const Real* camera, const Real* point, Real* pixel) {
  Real offset[3];
  Real seen[3];
  for (int i = 0; i < 3; ++i) offset[i] = point[i] - camera[3 + i];
  rotate(camera, offset, seen);
  Real u = seen[0] / seen[2];
  Real v = seen[1] / seen[2];
  Real radius = u * u + v * v;
  Real distortion = 1.0 + camera[9] * radius + camera[10] * radius * radius;
  pixel[0] = camera[6] * u * distortion + camera[7];
  pixel[1] = camera[6] * v * distortion + camera[8];
}

/// The three residuals of one observation.
template <typename Real>
void residuals(const Real* camera, const Real* point, const Real* weight,
               const double* feature, Real* out) {
  Real pixel[2];
  project(camera, point, pixel);
  out[0] = weight[0] * (pixel[0] - feature[0]);
  out[1] = weight[0] * (pixel[1] - feature[1]);
  out[2] = 1.0 - weight[0] * weight[0];
}

/// One scalar per observation, for tools that only offer gradients:
/// seed . residuals.
template <typename Real>
Real weighted_residual(const Real* camera, const Real* point,
                       const Real* weight, const double* feature,
                       const double* seed) {
  Real out[3];
  residuals(camera, point, weight, feature, out);
  return seed[0] * out[0] + seed[1] * out[1] + seed[2] * out[2];
}

/// All residuals: out[3 * i + r] is residual r of observation i, which pairs
/// camera observations[2 i] with point observations[2 i + 1].
template <typename Real>
void all_residuals(int count, const Real* cameras, const Real* points,
                   const Real* weights, const int* observations,
                   const double* features, Real* out) {
  for (int i = 0; i < count; ++i)
    residuals(cameras + kCamera * observations[2 * i],
              points + kPoint * observations[2 * i + 1], weights + i,
              features + 2 * i, out + kResiduals * i);
}

/// Jacobian of the two reprojection errors by hand: jacobian[2][15], columns
/// camera, point, weight. (The weight error's only entry is -2 w.)
inline void residual_jacobian(const double* camera, const double* point,
                              const double* weight, const double* feature,
                              double* out, double* jacobian) {
  const double* r = camera;
  double p[3], turned[3], seen[3];
  for (int i = 0; i < 3; ++i) p[i] = point[i] - camera[3 + i];
  cross(r, p, turned);
  const double t2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  double cosine = 1.0, a = 1.0, b = 0.5, a_slope = -1.0 / 3, b_slope = -1.0 / 12;
  if (t2 != 0.0) {
    const double t = sqrt(t2);
    cosine = cos(t);
    a = sin(t) / t;
    b = (1.0 - cosine) / t2;
    a_slope = (cosine - a) / t2;
    b_slope = (a - 2.0 * b) / t2;
  }
  const double dot = r[0] * p[0] + r[1] * p[1] + r[2] * p[2];
  double by_rotation[3][3], by_point[3][3];  // [component of seen][input]
  for (int i = 0; i < 3; ++i)
    seen[i] = cosine * p[i] + a * turned[i] + b * dot * r[i];
  for (int j = 0; j < 3; ++j) {
    double unit[3] = {0, 0, 0}, unit_x_p[3], r_x_unit[3];
    unit[j] = 1.0;
    cross(unit, p, unit_x_p);
    cross(r, unit, r_x_unit);
    for (int i = 0; i < 3; ++i) {
      by_rotation[i][j] = -a * r[j] * p[i] + a_slope * r[j] * turned[i] +
                          a * unit_x_p[i] + b_slope * r[j] * dot * r[i] +
                          b * (p[j] * r[i] + dot * unit[i]);
      by_point[i][j] = cosine * unit[i] + a * r_x_unit[i] + b * r[j] * r[i];
    }
  }
  const double depth = 1.0 / seen[2], u = seen[0] * depth, v = seen[1] * depth;
  const double radius = u * u + v * v, focal = camera[6], w = weight[0];
  const double distortion = 1.0 + radius * (camera[9] + camera[10] * radius);
  const double slope = camera[9] + 2.0 * camera[10] * radius;
  const double pixel_u[2][2] = {
      {focal * (distortion + 2 * slope * u * u), focal * 2 * slope * u * v},
      {focal * 2 * slope * u * v, focal * (distortion + 2 * slope * v * v)}};
  const double uv[2] = {u, v};
  for (int e = 0; e < 2; ++e) {
    double* row = jacobian + kInputs * e;
    const double by_u = w * pixel_u[e][0], by_v = w * pixel_u[e][1];
    const double by_seen[3] = {by_u * depth, by_v * depth,
                               -(by_u * u + by_v * v) * depth};
    for (int j = 0; j < 3; ++j) {
      double rotation = 0, shift = 0;
      for (int i = 0; i < 3; ++i) {
        rotation += by_seen[i] * by_rotation[i][j];
        shift += by_seen[i] * by_point[i][j];
      }
      row[j] = rotation;
      row[3 + j] = -shift;
      row[kCamera + j] = shift;
    }
    row[6] = w * uv[e] * distortion;
    row[7] = e == 0 ? w : 0.0;
    row[8] = e == 1 ? w : 0.0;
    row[9] = w * focal * uv[e] * radius;
    row[10] = w * focal * uv[e] * radius * radius;
    const double error = focal * uv[e] * distortion + camera[7 + e] - feature[e];
    row[14] = error;
    out[e] = w * error;
  }
  out[2] = 1.0 - w * w;
}

}  // namespace bench::ba
