// SPDX-License-Identifier: Apache-2.0
//
// How much memory a piece of work takes from the heap at its peak. Include it in one file of a program: it replaces the
// global operator new.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <thread>

namespace bench {
inline std::atomic<std::size_t> heap_live{0}, heap_peak{0};

/// In a thread of its own, whose memory kept from call to call is empty at first.
inline std::size_t peak_bytes(const std::function<void()>& work) {
  std::size_t taken = 0;
  std::thread([&] {
    const std::size_t before = heap_live;
    heap_peak = before;
    work();
    taken = heap_peak - before;
  }).join();
  return taken;
}
}  // namespace bench

void* operator new(std::size_t n) {
  void* p = std::malloc(std::max<std::size_t>(n, 1));
  if (!p) throw std::bad_alloc();
  const std::size_t live = bench::heap_live += malloc_usable_size(p);
  if (live > bench::heap_peak) bench::heap_peak = live;
  return p;
}
void operator delete(void* p) noexcept {
  if (p) bench::heap_live -= malloc_usable_size(p);
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
