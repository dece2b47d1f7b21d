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

/// The objective. `matches[i]` names the vertex that points[3 i ...] measures;
/// out has 3 * count numbers; `scratch` holds scratch_size(model.vertices).
template <typename Real>
void residuals(const Real* theta, const Model& model, int count,
               const int* matches, const double* points, Real* scratch,
               Real* out) {
  Real* absolutes = scratch;
  Real* skinned = absolutes + kBones * kTransform;
  pose(theta, model, absolutes);
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

}  // namespace bench::hand
