// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/times.hpp"

#include <cstdio>
#include <ctime>
#include <utility>

namespace tlaloc::frontend {

namespace {
constexpr const char* names[] = {"templates", "find", "lower", "derive", "print", "format", "parse", "glue"};

double cpu_ms() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}
std::string shown(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", ms);
  return text;
}
}  // namespace

Times::Step Times::enter(Step step) {
  const double at = cpu_ms();
  ms_[now_] += at - since_;
  since_ = at;
  return std::exchange(now_, step);
}

double Times::total() const {
  double sum = 0;
  for (int s = find; s < outside; ++s) sum += ms_[std::size_t(s)];
  return sum;
}

std::string Times::report() const {
  std::string parts;
  for (int s = find; s < outside; ++s) parts += (parts.empty() ? "" : ", ") + std::string(names[s]) + " " + shown(ms_[std::size_t(s)]);
  return "tlaloc: " + shown(total()) + " (" + parts + "), and " + shown(ms_[templates]) + " for templates of the unit itself\n";
}

}  // namespace tlaloc::frontend
