// SPDX-License-Identifier: Apache-2.0
//
// Pointers and references to objects that are chosen at run time: among locals, elements, members, and what belongs to the
// caller, whose layout is another one.
#include <tlaloc/ad.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

struct V {
  double a, b;
  double norm() const { return std::sqrt(0.5 + a * a + b * b); }
  void scale(double s) {
    a *= s;
    b += s;
  }
  double& at(int i) { return i ? b : a; }
};
struct W {
  int k;
  V v;
  double w[3];
};

// --- among locals ---
V made(V h, double t) {
  if (t > 0.3) return {t, h.a};
  return h;
}
double returned_early(double x, double y) {      // the object and the flag of the early return
  V o{x, 2 * y};
  const V p = made(o, std::tanh(x));
  return [&] { return std::erf(p.norm()); }();
}
double by_pointer(double x, double y) {
  V p{x, y}, q{y, x * x};
  V* r = x > 0.5 ? &p : &q;
  r->scale(y);
  return r->norm() * p.a + q.b;
}
double by_reference(double x, double y) {
  V p{x, y}, q{y, x * x};
  V& r = x > 0.5 ? p : q;
  r.scale(y);
  r.at(x > 0) *= 3;
  return r.norm() * p.a + q.b;
}
double from_a_lambda(double x, double y) {
  V p{x, y}, q{y, x};
  auto pick = [&](bool first) -> V& {
    if (first) return p;
    return q;
  };
  pick(x > 0).scale(y);
  pick(y > 1).a = x * y;
  return p.norm() + 2 * q.norm();
}
double swapped(double x, double y) {
  V p{x, y}, q{y, x * x};
  V *a = &p, *b = &q;
  for (int i = 0; i < 4; ++i) {
    a->scale(x);
    std::swap(a, b);
    b->a += y;
  }
  return a->norm() + 2 * b->norm();
}
double in_a_struct(double x, double y) {
  struct H {
    V* v;
    double k;
    double go() const { return v->norm() * k; }
  };
  V p{x, y}, q{y, x};
  H h{x > 0 ? &p : &q, y};
  p.scale(x);
  H g = h;
  if (y < 1) g.v = &p;
  return h.go() + g.go();
}
double in_an_array(double x, double y) {
  V p{x, y}, q{y, x * x};
  V* all[3] = {&p, &q, &p};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    all[i]->scale(y + i);
    s += all[i]->norm();
  }
  return s;
}
double linked(double x, double y) {
  struct N {
    double v;
    N* next;
  };
  N c{x * y, nullptr}, b{y, &c}, a{x, &b};
  if (x > 0) a.next = &c;
  double s = 0;
  for (N* p = &a; p; p = p->next) {
    p->v *= x;
    s += p->v * p->v;
  }
  return s;
}
TEST(Pointers, AmongLocals) {
  differentiates<returned_early>();
  differentiates<by_pointer>();
  differentiates<by_reference>();
  differentiates<from_a_lambda>();
  differentiates<swapped>();
  differentiates<in_a_struct>();
  differentiates<in_an_array>();
  differentiates<linked>();
}

// --- elements and members ---
double element(double x, double y) {
  V all[3] = {{x, y}, {y, x}, {x * y, 1}}, alone{y, y};
  V* r = x > 1 ? &all[1] : x > 0 ? &alone : all + 2;
  r->scale(x);
  V* s = x > 0 ? &all[1] : all + 2;
  --s;
  s->at(1) += y;
  return all[0].norm() + 2 * all[1].norm() + 3 * all[2].norm() + alone.norm();
}
double member_of_element(double x, double y) {
  W all[2] = {{1, {x, y}, {x, y, 1}}, {2, {y, x}, {y, x, 2}}}, alone{3, {x * y, y}, {1, x, y}};
  W* p = x > 0 ? &all[1] : &alone;
  V* v = &p->v;
  v->scale(2);
  double* d = y > 1 ? &p->w[1] : &v->b;
  *d *= x;
  return p->w[1] + v->norm() * p->k + all[0].v.norm();
}
double element_of_vector(double x, double y) {
  std::vector<V> all;
  all.push_back({x, y});
  all.push_back({y, x});
  V alone{x * x, y};
  V& r = x > 0 ? all[1] : alone;
  r.scale(y);
  V* t = y > 1 ? &all[0] : &all[1];
  t->scale(x);
  double s = alone.norm();
  for (auto& v : all) s += v.norm() * v.a;
  return s;
}
double largest(double x, double y) {
  std::array<V, 3> all{V{x, y}, V{y, x}, V{x * y, 2}};
  auto it = std::max_element(all.begin(), all.end(), [](const V& a, const V& b) { return a.norm() < b.norm(); });
  it->scale(x);
  return it->norm() + all[0].a * all[1].b * all[2].a;
}
TEST(Pointers, ToElementsAndMembers) {
  differentiates<element>();
  differentiates<member_of_element>();
  differentiates<element_of_vector>();
  differentiates<largest>();
}

// --- the caller's objects beside the function's own ---
double best(const V* v, int n, double x) {
  const V own{x, 2 * x};
  const V* found = &own;
  for (int i = 0; i < n; ++i)
    if (v[i].norm() > found->norm()) found = &v[i];
  return found->norm() * found->b + own.a;
}
double walked(V* v, int n, double x) {
  V own[2] = {{x, 1}, {x * x, 2}};
  V* p = x > 0 ? v + 1 : own;
  ++p;
  p->a *= x;
  double s = 0;
  for (int i = 0; i < n; ++i) s += v[i].a * v[i].b;
  return s + own[1].a + p->norm();
}
template <auto F> void differentiates_with_array() {
  const V given[3] = {{0.3, 0.6}, {-1.2, 0.8}, {0.1, 0.9}};
  const double e = 1e-6;
  auto at = [&](int i, double step, double x) {
    V v[3] = {given[0], given[1], given[2]};
    if (i >= 0) v[i / 2].at(i % 2) += step;
    return F(v, 3, x);
  };
  for (const double x : {0.7, -0.4, 3.0}) {
    V v[3] = {given[0], given[1], given[2]}, d_v[3] = {};
    V *values = v, *shadow = d_v;
    const double dx = tlaloc::grad(tlaloc::fn<F>)(tlaloc::shadow(values, shadow), 3, x);
    EXPECT_TRUE(near(dx, (at(-1, 0, x + e) - at(-1, 0, x - e)) / (2 * e)));
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(near(d_v[i / 2].at(i % 2), (at(i, e, x) - at(i, -e, x)) / (2 * e)));
  }
}
TEST(Pointers, TheCallersObjects) {
  differentiates_with_array<best>();
  differentiates_with_array<walked>();
}

}  // namespace

int main() { return check::run(); }
