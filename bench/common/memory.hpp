// SPDX-License-Identifier: Apache-2.0
//
// How much memory a piece of work takes from the heap at its peak. Include it in one file of a program: it replaces malloc
// and its relatives, of libraries that are loaded too.
#pragma once

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <thread>

namespace bench {
inline std::atomic<std::size_t> heap_live{0}, heap_peak{0};

inline void* taken(void* p) {
  if (!p) return p;
  const std::size_t live = heap_live += malloc_usable_size(p);
  std::size_t peak = heap_peak;
  while (live > peak && !heap_peak.compare_exchange_weak(peak, live)) {}
  return p;
}
inline void given_back(void* p) {
  if (p) heap_live -= malloc_usable_size(p);
}

/// Of one run on this thread.
inline std::size_t peak_bytes_here(const std::function<void()>& work) {
  const std::size_t before = heap_live;
  heap_peak = before;
  work();
  return heap_peak - before;
}
/// In a thread of its own, whose memory kept from call to call is empty at first.
inline std::size_t peak_bytes(const std::function<void()>& work) {
  std::size_t bytes = 0;
  std::thread([&] { bytes = peak_bytes_here(work); }).join();
  return bytes;
}
/// In a child process, which may crash; nothing where it does not come to its end.
inline std::optional<std::size_t> peak_bytes_in_child(const std::function<void()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const std::size_t bytes = peak_bytes_here(work);
    _exit(write(ends[1], &bytes, sizeof bytes) == ssize_t(sizeof bytes) ? 0 : 1);
  }
  close(ends[1]);
  std::size_t bytes = 0;
  const bool whole = child > 0 && read(ends[0], &bytes, sizeof bytes) == ssize_t(sizeof bytes);
  close(ends[0]);
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  return whole && status == 0 ? std::optional(bytes) : std::nullopt;
}
}  // namespace bench

// glibc's own, under its other names. Visible, so that libraries call ours.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t n) { return bench::taken(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t size) { return bench::taken(__libc_calloc(n, size)); }
void* realloc(void* p, std::size_t n) {
  const std::size_t before = p ? malloc_usable_size(p) : 0;
  void* moved = __libc_realloc(p, n);
  if (moved || n == 0) bench::heap_live -= before;
  return bench::taken(moved);
}
void* memalign(std::size_t alignment, std::size_t n) { return bench::taken(__libc_memalign(alignment, n)); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
  *p = memalign(alignment, n);
  return *p ? 0 : ENOMEM;
}
void free(void* p) {
  bench::given_back(p);
  __libc_free(p);
}
}
#pragma GCC visibility pop
