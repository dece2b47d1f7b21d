// SPDX-License-Identifier: Apache-2.0
//
// Compares two pieces of work in one process: on one pinned thread, by CPU time, alternating, so that a change of the
// machine's speed meets both. The ratio is the median of the ratios of neighbouring samples.
#pragma once

#include <sched.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

namespace bench {

using Work = std::function<void()>;

/// CPU time of this process so far.
inline double cpu_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Keeps this thread on the CPU it runs on now.
inline void pin_to_one_cpu() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// Milliseconds of one run of `work`, averaged over `batch` runs.
inline double sample_ms(const Work& work, int batch) {
  const double begin = cpu_ms();
  for (int i = 0; i < batch; ++i) work();
  return (cpu_ms() - begin) / batch;
}

/// How many runs make a sample of at least 2 ms, well above the clock's resolution. Also warms up.
inline int batch_for(const Work& work) {
  for (int batch = 1;; batch *= 2)
    if (sample_ms(work, batch) * batch >= 2.0) return batch;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Comparison {
  double ours_ms, reference_ms, ratio;
};

inline constexpr int kPairs = 15;

inline Comparison compare(const Work& ours, const Work& reference) {
  const int ours_batch = batch_for(ours), reference_batch = batch_for(reference);
  std::vector<double> a, b, ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    a.push_back(sample_ms(ours, ours_batch));
    b.push_back(sample_ms(reference, reference_batch));
    ratios.push_back(a.back() / b.back());
  }
  return {median(a), median(b), median(ratios)};
}

}  // namespace bench
