// SPDX-License-Identifier: Apache-2.0
//
// C++ text that generated functions rely on: printed once per file, guarded so that several generated files go together.
#include "backend/cpp/function.hpp"

#include <cctype>

namespace tlaloc::ir::cpp {

const Helper scratch_helper{"Scratch", "", R"(#ifndef TLALOC_GENERATED_SCRATCH
#define TLALOC_GENERATED_SCRATCH
// Memory of one scope, taken from an arena of the thread and given back at the end of the scope. The arena grows by
// chunks and keeps them, so that code that has run once asks the heap for nothing more.
class Scratch {
  struct Chunk {
    unsigned char* memory;
    std::size_t size;
  };
  struct Arena {
    std::vector<Chunk> chunks;
    std::size_t chunk = 0;  // the one in use
    std::size_t used = 0;   // of it
    void drop(std::size_t first) {
      for (std::size_t i = first; i < chunks.size(); ++i) delete[] chunks[i].memory;
      chunks.resize(first);
    }
    ~Arena() { drop(0); }
  };
  static Arena& arena() {
    static thread_local Arena a;
    return a;
  }
  Arena& arena_ = arena();
  const std::size_t chunk_ = arena_.chunk;
  const std::size_t used_ = arena_.used;
  static constexpr std::size_t line = 64;

 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { arena_.chunk = chunk_, arena_.used = used_; }

  // Room for n elements on a cache line of its own; the contents are undefined.
  template <class T>
  T* array(std::int64_t n) {
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(T) + line) / line * line;
    auto& chunks = arena_.chunks;
    while (arena_.chunk < chunks.size() && arena_.used + bytes > chunks[arena_.chunk].size) {
      if (arena_.used == 0) arena_.drop(arena_.chunk);  // nobody uses it or those after it: a larger one takes its place
      else ++arena_.chunk, arena_.used = 0;
    }
    if (arena_.chunk == chunks.size()) {
      std::size_t size = chunks.empty() ? 16 * 1024 : 2 * chunks.back().size;
      if (size < bytes) size = bytes;
      chunks.push_back({new unsigned char[size + line], size});
    }
    unsigned char* memory = chunks[arena_.chunk].memory;
    unsigned char* p = memory + (line - reinterpret_cast<std::uintptr_t>(memory) % line) % line + arena_.used;
    arena_.used += bytes;
    return reinterpret_cast<T*>(p);
  }
};
#endif
)"};

const Helper kept_helper{"Kept", "", R"(#ifndef TLALOC_GENERATED_KEPT
#define TLALOC_GENERATED_KEPT
// An array that grows. Its memory goes to the next one of the same thread when the scope ends.
template <class T>
class Kept {
  struct Store {
    T* memory = nullptr;
    std::size_t room = 0;
  };
  struct Spare {
    std::vector<Store> stores;
    ~Spare() {
      for (Store& s : stores) delete[] s.memory;
    }
  };
  static std::vector<Store>& spare() {
    static thread_local Spare s;
    return s.stores;
  }
  Store store_;
  std::size_t size_ = 0;

  void grow(std::size_t room) {
    if (room <= store_.room) return;
    if (room < 2 * store_.room) room = 2 * store_.room;
    if (room < 64) room = 64;
    T* larger = new T[room];
    for (std::size_t i = 0; i < size_; ++i) larger[i] = store_.memory[i];
    delete[] store_.memory;
    store_ = {larger, room};
  }

 public:
  explicit Kept(std::int64_t n = 0) {
    auto& s = spare();
    if (!s.empty()) store_ = s.back(), s.pop_back();
    grow(static_cast<std::size_t>(n));
    size_ = static_cast<std::size_t>(n);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { spare().push_back(store_); }

  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  T* data() { return store_.memory; }
  T& operator[](std::int64_t i) { return store_.memory[static_cast<std::size_t>(i)]; }
  void append(T x) {
    if (size_ == store_.room) grow(size_ + 1);
    store_.memory[size_++] = x;
  }
  T pop() { return store_.memory[--size_]; }
  void resize(std::int64_t n, T x) {
    grow(static_cast<std::size_t>(n));
    while (size_ < static_cast<std::size_t>(n)) store_.memory[size_++] = x;
    size_ = static_cast<std::size_t>(n);
  }
  void fill(T x) {
    for (std::size_t i = 0; i < size_; ++i) store_.memory[i] = x;
  }
};
#endif
)"};

namespace {

/// The text of a helper comes without line ends: breaks and indents it.
std::string laid_out(std::string_view s) {
  std::string out, pad;
  int parentheses = 0;
  std::vector<bool> lists;                        // of the open braces: is it an initialiser?
  auto new_line = [&] { out += "\n" + pad; };
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    const bool in_list = !lists.empty() && lists.back();
    parentheses += (c == '(') - (c == ')');
    if (c == '{') {
      const auto before = out.find_last_not_of(' ');
      lists.push_back(before != out.npos && out[before] != ')' && !out.ends_with("else "));
      out += c;
      if (!lists.back()) pad += "  ", new_line();
    } else if (c == '}' && !in_list) {
      lists.pop_back();
      pad.resize(pad.size() - 2);
      while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
      new_line();
      out += c;
      const bool goes_on = s.substr(i + 1).starts_with(" else");
      if (!goes_on) new_line();
    } else if (c == '}') {
      lists.pop_back();
      out += c;
    } else if (c == ';' && parentheses == 0) {
      out += c;
      new_line();
    } else if (c != ' ' || (!out.empty() && out.back() != ' ' && out.back() != '\n')) {
      out += c;
    }
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out + "\n";
}

}  // namespace

std::string text(const Helper& h) {
  if (&h == &scratch_helper || &h == &kept_helper) return std::string(h.source);
  std::string guard = "TLALOC_GENERATED_MATH_";
  for (const char c : h.name) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "#ifndef " + guard + "\n#define " + guard + "\nnamespace math {\n// " + std::string(h.doc) + "\n" + laid_out(h.source) + "}  // namespace math\n#endif\n";
}

}  // namespace tlaloc::ir::cpp
