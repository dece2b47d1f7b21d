// SPDX-License-Identifier: Apache-2.0
//
// Hand tracking: a skinned hand of kBones bones is posed by 26 angles and
// offsets; residuals are measured points minus the matching skinned vertices.
//
//   theta [26]  global rotation vector 3, global translation 3,
//               then per finger: base joint 2, middle joint 1, tip joint 1
//   Bones: 0 forearm (root), 1 wrist, then four per finger; the fourth bone of
//   a finger has no angle of its own. A parent always precedes its children.
//
// Rigid transforms are 3 x 4, row-major: the rotation in columns 0-2 and the
// translation in column 3.
#pragma once

#include <math.h>

namespace bench::hand {

constexpr int kTheta = 26;
constexpr int kFingers = 5;
constexpr int kBones = 2 + 4 * kFingers;
constexpr int kTransform = 12;

struct Model {
  int vertices;
  const int* parents;             // [kBones], -1 for the root
  const double* relatives;        // [kBones][12] bone within its parent at rest
  const double* inverse_at_rest;  // [kBones][12] inverse of bone within world
  const double* positions;        // [vertices][3] at rest
  const double* weights;          // [kBones][vertices]
  bool mirrored;
};

/// Length of the scratch array that residuals needs.
constexpr int scratch_size(int vertices) {
  return kBones * kTransform + 3 * vertices;
}

/// out = a b, where b may be of another number type than a.
template <typename Real, typename Other>
void compose(const Real* a, const Other* b, Real* out) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) {
      Real sum = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] +
                 a[4 * r + 2] * b[8 + c];
      if (c == 3) sum += a[4 * r + 3];
      out[4 * r + c] = sum;
    }
}

/// The joint rotation Rz(z) Ry(y) Rx(x), with no translation.
template <typename Real>
void joint(const Real& x, const Real& y, const Real& z, Real* out) {
  Real cx = cos(x), sx = sin(x);
  Real cy = cos(y), sy = sin(y);
  Real cz = cos(z), sz = sin(z);
  out[0] = cz * cy;
  out[1] = cz * sy * sx - sz * cx;
  out[2] = cz * sy * cx + sz * sx;
  out[3] = 0.0;
  out[4] = sz * cy;
  out[5] = sz * sy * sx + cz * cx;
  out[6] = sz * sy * cx - cz * sx;
  out[7] = 0.0;
  out[8] = -sy;
  out[9] = cy * sx;
  out[10] = cy * cx;
  out[11] = 0.0;
}

/// The rotation about vector r by |r|; the identity when |r| < 1e-4.
template <typename Real>
void global_rotation(const Real* r, Real* out) {
  Real angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (angle < 1e-4) {
    for (int i = 0; i < 9; ++i) out[i] = i % 4 == 0 ? 1.0 : 0.0;
    return;
  }
  Real x = r[0] / angle, y = r[1] / angle, z = r[2] / angle;
  Real s = sin(angle), c = cos(angle);
  Real rest = 1.0 - c;
  out[0] = x * x * rest + c;
  out[1] = x * y * rest - z * s;
  out[2] = x * z * rest + y * s;
  out[3] = x * y * rest + z * s;
  out[4] = y * y * rest + c;
  out[5] = y * z * rest - x * s;
  out[6] = x * z * rest - y * s;
  out[7] = y * z * rest + x * s;
  out[8] = z * z * rest + c;
}

/// World transform of every bone: absolutes[kBones][12].
template <typename Real>
void pose(const Real* theta, const Model& model, Real* absolutes) {
  for (int bone = 0; bone < kBones; ++bone) {
    const int parent = model.parents[bone];
    const double* at_rest = model.relatives + kTransform * bone;
    Real* absolute = absolutes + kTransform * bone;
    Real placed[kTransform];
    if (parent < 0)
      for (int i = 0; i < kTransform; ++i) placed[i] = at_rest[i];
    else
      compose(absolutes + kTransform * parent, at_rest, placed);
    const int finger = (bone - 2) / 4, segment = (bone - 2) % 4;
    if (bone < 2 || segment == 3) {
      for (int i = 0; i < kTransform; ++i) absolute[i] = placed[i];
      continue;
    }
    const Real* angles = theta + 6 + 4 * finger;
    Real turn[kTransform];
    Real still = 0.0;
    if (segment == 0)
      joint<Real>(angles[0], still, angles[1], turn);
    else
      joint<Real>(angles[segment + 1], still, still, turn);
    compose(placed, turn, absolute);
  }
}

/// Linear blend skinning: skinned[3 v ...] is vertex v, moved by all bones.
template <typename Real>
void skin(const Real* absolutes, const Model& model, Real* skinned) {
  for (int i = 0; i < 3 * model.vertices; ++i) skinned[i] = 0.0;
  for (int bone = 0; bone < kBones; ++bone) {
    Real move[kTransform];
    compose(absolutes + kTransform * bone,
            model.inverse_at_rest + kTransform * bone, move);
    for (int v = 0; v < model.vertices; ++v) {
      const double* p = model.positions + 3 * v;
      const double weight = model.weights[bone * model.vertices + v];
      for (int r = 0; r < 3; ++r)
        skinned[3 * v + r] +=
            weight * (move[4 * r] * p[0] + move[4 * r + 1] * p[1] +
                      move[4 * r + 2] * p[2] + move[4 * r + 3]);
    }
  }
}

/// The objective. `matches[i]` names the vertex that points[3 i ...] measures;
/// out has 3 * count numbers; `scratch` holds scratch_size(model.vertices).
template <typename Real>
void residuals(const Real* theta, const Model& model, int count,
               const int* matches, const double* points, Real* scratch,
               Real* out) {
  Real* absolutes = scratch;
  Real* skinned = absolutes + kBones * kTransform;
  pose(theta, model, absolutes);
  skin(absolutes, model, skinned);
  Real turn[9];
  global_rotation(theta, turn);
  for (int i = 0; i < count; ++i) {
    const Real* p = skinned + 3 * matches[i];
    Real x = p[0];
    if (model.mirrored) x = -x;
    for (int r = 0; r < 3; ++r)
      out[3 * i + r] = points[3 * i + r] -
                       (turn[3 * r] * x + turn[3 * r + 1] * p[1] +
                        turn[3 * r + 2] * p[2] + theta[3 + r]);
  }
}

/// Half the sum of squared residuals, a scalar for gradient-only tools.
/// `scratch` holds scratch_size(model.vertices) + 3 * count numbers.
template <typename Real>
Real half_squared_error(const Real* theta, const Model& model, int count,
                        const int* matches, const double* points,
                        Real* scratch) {
  Real* out = scratch + scratch_size(model.vertices);
  residuals(theta, model, count, matches, points, scratch, out);
  Real sum = 0.0;
  for (int i = 0; i < 3 * count; ++i) sum += out[i] * out[i];
  return 0.5 * sum;
}

/// d_a += d_out b^T: the transpose of compose() by a.
inline void compose_transpose(const double* d_out, const double* b,
                              double* d_a) {
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 4; ++c) d_a[4 * r + k] += d_out[4 * r + c] * b[4 * k + c];
    d_a[4 * r + 3] += d_out[4 * r + 3];
  }
}

/// d_r += the transpose of global_rotation().
inline void global_rotation_transpose(const double* r, const double* d_out,
                                      double* d_r) {
  const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (angle < 1e-4) return;
  const double n[3] = {r[0] / angle, r[1] / angle, r[2] / angle};
  const double s = sin(angle), c = cos(angle), rest = 1.0 - c;
  double d_n[3] = {s * (d_out[7] - d_out[5]), s * (d_out[2] - d_out[6]),
                   s * (d_out[3] - d_out[1])};
  const double d_s = n[0] * (d_out[7] - d_out[5]) +
                     n[1] * (d_out[2] - d_out[6]) +
                     n[2] * (d_out[3] - d_out[1]);
  double d_c = d_out[0] + d_out[4] + d_out[8];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      d_c -= d_out[3 * i + j] * n[i] * n[j];
      d_n[i] += rest * (d_out[3 * i + j] + d_out[3 * j + i]) * n[j];
    }
  double d_angle = d_s * c - d_c * s;
  for (int i = 0; i < 3; ++i) d_angle -= d_n[i] * n[i] / angle;
  for (int i = 0; i < 3; ++i) d_r[i] += d_n[i] / angle + d_angle * n[i];
}

/// Length of the work array that half_squared_error_gradient needs.
constexpr int gradient_work_size(int vertices) {
  return kBones * kTransform + 3 * vertices;
}

/// Gradient written by hand: overwrites `gradient` [kTheta] and returns the
/// objective. Residuals meet only in sums, so none is kept; a bone's joint is
/// computed again on the way back, children before their parents.
inline double half_squared_error_gradient(const double* theta,
                                          const Model& model, int count,
                                          const int* matches,
                                          const double* points,
                                          double* scratch, double* work,
                                          double* gradient) {
  double* absolutes = scratch;
  double* skinned = absolutes + kBones * kTransform;
  double* d_absolutes = work;
  double* d_skinned = work + kBones * kTransform;
  pose(theta, model, absolutes);
  for (int i = 0; i < gradient_work_size(model.vertices); ++i) work[i] = 0.0;
  for (int i = 0; i < kTheta; ++i) gradient[i] = 0.0;
  skin(absolutes, model, skinned);

  double turn[9], d_turn[9] = {};
  global_rotation(theta, turn);
  const double sign = model.mirrored ? -1.0 : 1.0;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const double* at = skinned + 3 * matches[i];
    double* d_at = d_skinned + 3 * matches[i];
    const double p[3] = {sign * at[0], at[1], at[2]};
    double d_p[3] = {};
    for (int r = 0; r < 3; ++r) {
      const double error =
          points[3 * i + r] - (turn[3 * r] * p[0] + turn[3 * r + 1] * p[1] +
                               turn[3 * r + 2] * p[2] + theta[3 + r]);
      sum += error * error;
      gradient[3 + r] -= error;
      for (int c = 0; c < 3; ++c) {
        d_turn[3 * r + c] -= error * p[c];
        d_p[c] -= error * turn[3 * r + c];
      }
    }
    d_at[0] += sign * d_p[0];
    d_at[1] += d_p[1];
    d_at[2] += d_p[2];
  }
  global_rotation_transpose(theta, d_turn, gradient);

  for (int bone = kBones - 1; bone >= 0; --bone) {
    double d_move[kTransform] = {};
    for (int v = 0; v < model.vertices; ++v) {
      const double* p = model.positions + 3 * v;
      const double weight = model.weights[bone * model.vertices + v];
      for (int r = 0; r < 3; ++r) {
        const double d = weight * d_skinned[3 * v + r];
        for (int c = 0; c < 3; ++c) d_move[4 * r + c] += d * p[c];
        d_move[4 * r + 3] += d;
      }
    }
    double* d_absolute = d_absolutes + kTransform * bone;
    compose_transpose(d_move, model.inverse_at_rest + kTransform * bone,
                      d_absolute);
    const int parent = model.parents[bone];
    const double* at_rest = model.relatives + kTransform * bone;
    const int finger = (bone - 2) / 4, segment = (bone - 2) % 4;
    double d_placed[kTransform] = {};
    if (bone < 2 || segment == 3) {
      for (int i = 0; i < kTransform; ++i) d_placed[i] = d_absolute[i];
    } else {
      double placed[kTransform], own[kTransform], d_own[kTransform] = {};
      if (parent < 0)
        for (int i = 0; i < kTransform; ++i) placed[i] = at_rest[i];
      else
        compose(absolutes + kTransform * parent, at_rest, placed);
      const double* angles = theta + 6 + 4 * finger;
      const double x = angles[segment == 0 ? 0 : segment + 1];
      const double z = segment == 0 ? angles[1] : 0.0;
      joint(x, 0.0, z, own);
      compose_transpose(d_absolute, own, d_placed);
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 4; ++c)
          for (int r = 0; r < 3; ++r)
            d_own[4 * k + c] += placed[4 * r + k] * d_absolute[4 * r + c];
      // own = {cz, -sz cx, sz sx; sz, cz cx, -cz sx; 0, sx, cx}
      const double cz = own[0], sz = own[4], sx = own[9], cx = own[10];
      double* d_angles = gradient + 6 + 4 * finger;
      d_angles[segment == 0 ? 0 : segment + 1] +=
          sz * (sx * d_own[1] + cx * d_own[2]) -
          cz * (sx * d_own[5] + cx * d_own[6]) + cx * d_own[9] - sx * d_own[10];
      if (segment == 0)
        d_angles[1] += cz * (d_own[4] - cx * d_own[1] + sx * d_own[2]) -
                       sz * (d_own[0] + cx * d_own[5] - sx * d_own[6]);
    }
    if (parent >= 0)
      compose_transpose(d_placed, at_rest, d_absolutes + kTransform * parent);
  }
  return 0.5 * sum;
}

}  // namespace bench::hand
