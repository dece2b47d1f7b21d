// SPDX-License-Identifier: Apache-2.0
//
// Checkpointed loops: the numbers are those of the plain loop, the schedule is optimal, the memory does not grow.
#include "tlaloc/checkpoint.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <sys/resource.h>

// A function that the plugin cannot see into, and what it is: it counts its calls.
extern "C" TLALOC_VJP(counted_vjp) double tlaloc_test_counted(double) noexcept;
double counted_vjp(double x, double d) { return std::cos(x) * d; }
static long calls = 0;
double counting(double x) __asm__("tlaloc_test_counted");
double counting(double x) { return ++calls, std::sin(x); }

namespace {

using V2 = std::array<double, 2>;
struct Pendulum { double angle, speed; };

void swing(Pendulum& s, const V2& p, double push) {
  const double a = s.angle;
  s.angle += 1e-3 * s.speed * p[0];
  s.speed -= 1e-3 * (p[1] * std::sin(a) + push);
}
double plain(const V2& p, std::int64_t trips) {
  Pendulum s{1, 0};
  for (std::int64_t i = 0; i < trips; ++i) swing(s, p, 1e-9 * double(i));
  return s.angle * s.speed;
}
double kept_little(const V2& p, std::int64_t trips, tlaloc::checkpoint_options o) {
  Pendulum s{1, 0};
  tlaloc::checkpoint([&](Pendulum& at, std::int64_t i) { swing(at, p, 1e-9 * double(i)); }, o)(s, trips);
  return s.angle * s.speed;
}
const auto d_plain = tlaloc::grad<0>(plain);
const auto d_kept_little = tlaloc::grad<0>(kept_little);

long peak_kilobytes() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss;
}

// First, since a peak does not fall again.
TEST(Checkpoint, AMillionTripsInBoundedMemory) {
  const V2 p{1.1, 0.7};
  d_kept_little(p, 1000, tlaloc::checkpoint_options{});
  const long before = peak_kilobytes();
  const V2 d = d_kept_little(p, 1000000, tlaloc::checkpoint_options{.snapshots = 60});
  EXPECT_LT(peak_kilobytes() - before, 512);
  const V2 want = d_plain(p, 1000000);
  EXPECT_GT(peak_kilobytes() - before, 8000);      // what the plain loop keeps
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(d[i], want[i], 1e-9 * std::fabs(want[i]));
}
TEST(Checkpoint, AnyNumberOfTripsAndSnapshots) {
  const V2 p{1.1, 0.7};
  for (std::int64_t trips : {0, 1, 2, 15, 16, 17, 33, 100, 1000})
    for (const auto& o : {tlaloc::checkpoint_options{}, {.snapshots = 1}, {.snapshots = 3, .block = 1}, {.memory = 4 * sizeof(Pendulum), .block = 4}, {.repeats = 1, .block = 7}}) {
      EXPECT_EQ(kept_little(p, trips, o), plain(p, trips));
      const V2 d = d_kept_little(p, trips, o), want = d_plain(p, trips);
      for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(d[i], want[i], 1e-13) << trips;
    }
  EXPECT_THROW(kept_little(p, 10, {.memory = 8}), std::invalid_argument);
  EXPECT_THROW(kept_little(p, 10, {.block = 0}), std::invalid_argument);
}
TEST(Checkpoint, StatesInVectorsAndSecondDerivatives) {
  // Diffusion on a ring; the parameter is its strength.
  const auto spread = [](double k, std::int64_t trips, bool little) {
    std::vector<double> u(12);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(double(i * i));
    const auto step = [k](std::vector<double>& at, std::int64_t) {
      double last = at.back();
      for (std::size_t i = 0; i < at.size(); ++i) {
        const double here = at[i];
        at[i] = here + k * (last - here) * std::cos(here);
        last = here;
      }
    };
    if (little) tlaloc::checkpoint(step, {.snapshots = 4, .block = 2})(u, trips);
    else for (std::int64_t i = 0; i < trips; ++i) step(u, i);
    return u[3] * u[7];
  };
  const auto d = tlaloc::grad<0>(spread);
  EXPECT_EQ(spread(0.1, 40, true), spread(0.1, 40, false));
  EXPECT_NEAR(d(0.1, 40, true), d(0.1, 40, false), 1e-14);
  EXPECT_NEAR(tlaloc::jvp<0>(spread)(0.1, 40, true, 1.0), d(0.1, 40, false), 1e-14);
  EXPECT_NEAR(tlaloc::jvp<0>(d)(0.1, 40, true, 1.0), tlaloc::jvp<0>(d)(0.1, 40, false, 1.0), 1e-12);
}
TEST(Checkpoint, NoTripRunsMoreOftenThanPromised) {
  const auto d = tlaloc::grad<0>([](double k, std::int64_t trips, int repeats) {
    double x = 1;
    tlaloc::checkpoint([k](double& at, std::int64_t) { at -= 1e-3 * k * tlaloc_test_counted(at); }, {.repeats = repeats})(x, trips);
    return x * x;
  });
  for (int repeats : {1, 2, 3, 5}) {
    calls = 0;
    const double got = d(1.3, 4000, repeats);
    EXPECT_LE(calls, 4000 * (repeats + 2));       // once for the value, and once more in its block
    EXPECT_GT(calls, 4000 * 2);
    EXPECT_NEAR(got, (d(1.3, 4000, 9)), 1e-13);
  }
}
// Griewank and Walther: n blocks take r n - C(s + r, r - 1) trips again where C(s + r - 1, r - 1) < n <= C(s + r, r).
TEST(Checkpoint, TheScheduleIsOptimal) {
  auto choose = [](std::int64_t n, std::int64_t k) { double c = 1; for (std::int64_t i = 1; i <= k; ++i) c = c * double(n - k + i) / double(i); return std::int64_t(c + 0.5); };
  const std::function<std::int64_t(std::int64_t, std::int64_t)> again = [&](std::int64_t n, std::int64_t s) -> std::int64_t {
    if (n == 1) return 0;
    const std::int64_t left = tlaloc::detail::before_snapshot(n, s);
    EXPECT_TRUE(left > 0 && left < n) << n << " " << s;
    return left + again(left, s) + again(n - left, s > 1 ? s - 1 : 1);
  };
  for (std::int64_t s : {1, 2, 3, 5, 10, 40})
    for (std::int64_t n : {2, 3, 4, 7, 10, 11, 56, 57, 100, 150}) {
      std::int64_t r = 0;
      while (choose(s + r, r) < n) ++r;
      EXPECT_EQ(again(n, s), r * n - choose(s + r, r - 1)) << n << " " << s;
    }
}

}  // namespace
