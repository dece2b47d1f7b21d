// SPDX-License-Identifier: Apache-2.0
//
// C++ text that generated functions rely on: printed once per file, guarded so that several generated files go together.
#include "backend/cpp/function.hpp"

#include <cctype>

namespace tlaloc::ir::cpp {

// These use no class of the library: instantiating one costs more than compiling everything else in a usual file.

const Helper scratch_helper{"Scratch", "", R"(#ifndef TLALOC_GENERATED_SCRATCH
#define TLALOC_GENERATED_SCRATCH
// Memory of one scope, taken from an arena of the thread and given back at the end of the scope. The arena takes chunks of
// just the size that is asked for and keeps them, as one when it is next empty, so that code that has run twice asks the
// heap for nothing more.
class Scratch {
  static constexpr std::size_t line = 64;
  struct Chunk {
    unsigned char* memory;
    std::size_t size;
    Chunk* next;
  };
  struct Arena {
    Chunk* first = nullptr;
    Chunk** chunk = &first;        // leads to the one in use
    std::size_t used = 0;          // of it
    static Chunk* make(std::size_t size) { return new Chunk{new unsigned char[size + line], size, nullptr}; }
    static void drop(Chunk*& from) {
      while (from) {
        Chunk* next = from->next;
        delete[] from->memory;
        delete from;
        from = next;
      }
    }
    void join() {
      std::size_t size = 0;
      for (Chunk* c = first; c; c = c->next) size += c->size;
      drop(first);
      first = make(size);
    }
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() { drop(first); }
  };
  static Arena& arena() {
    static thread_local Arena a;
    return a;
  }
  Arena& arena_ = arena();
  Chunk** const chunk_ = arena_.chunk;
  const std::size_t used_ = arena_.used;

 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { arena_.chunk = chunk_, arena_.used = used_; }

  // Room for n elements on a cache line of its own; the contents are undefined.
  template <class T>
  T* array(std::int64_t n) {
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(T) + line) / line * line;
    Arena& a = arena_;
    if (a.used == 0 && a.chunk == &a.first && a.first && a.first->next) a.join();
    while (*a.chunk && a.used + bytes > (*a.chunk)->size) {
      if (a.used == 0) Arena::drop(*a.chunk);  // nobody uses it or those after it: a larger one takes its place
      else a.chunk = &(*a.chunk)->next, a.used = 0;
    }
    if (!*a.chunk) *a.chunk = Arena::make(bytes);
    unsigned char* memory = (*a.chunk)->memory;
    unsigned char* p = memory + (line - reinterpret_cast<std::uintptr_t>(memory) % line) % line + a.used;
    a.used += bytes;
    return reinterpret_cast<T*>(p);
  }
};
#endif
)"};

const Helper lanes_helper{"TLALOC_LANES", "", R"text(#ifndef TLALOC_LANES
// Before a loop over lanes: it is to become vector code as a whole, not copies of its body.
#if defined(__clang__)
#define TLALOC_LANES _Pragma("clang loop unroll(disable)")
#else
#define TLALOC_LANES
#endif
#endif
)text"};

const Helper kept_helper{"Kept", "", R"(#ifndef TLALOC_GENERATED_KEPT
#define TLALOC_GENERATED_KEPT
// An array that grows. Its memory goes to the next one of the same thread when the scope ends.
template <class T>
class Kept {
  struct Store {
    T* memory = nullptr;
    std::size_t room = 0;
    Store* next = nullptr;
  };
  struct Spare {
    Store* first = nullptr;
    Spare() = default;
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    ~Spare() {
      while (first) {
        Store* next = first->next;
        delete[] first->memory;
        delete first;
        first = next;
      }
    }
  };
  static Store*& spare() {
    static thread_local Spare s;
    return s.first;
  }
  Store* store_ = spare();
  T* memory_ = nullptr;
  std::size_t room_ = 0;
  std::size_t size_ = 0;

  void grow(std::size_t room) {
    if (room <= room_) return;
    if (room < 2 * room_) room = 2 * room_;
    if (room < 64) room = 64;
    T* larger = new T[room];
    for (std::size_t i = 0; i < size_; ++i) larger[i] = memory_[i];
    delete[] memory_;
    memory_ = larger;
    room_ = room;
  }

 public:
  explicit Kept(std::int64_t n = 0) {
    if (store_) spare() = store_->next, memory_ = store_->memory, room_ = store_->room;
    else store_ = new Store;
    grow(static_cast<std::size_t>(n));
    size_ = static_cast<std::size_t>(n);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    *store_ = {memory_, room_, spare()};
    spare() = store_;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  T* data() { return memory_; }
  T& operator[](std::int64_t i) { return memory_[static_cast<std::size_t>(i)]; }
  void append(T x) {
    if (size_ == room_) grow(size_ + 1);
    memory_[size_++] = x;
  }
  T pop() { return memory_[--size_]; }
  void resize(std::int64_t n, T x) {
    grow(static_cast<std::size_t>(n));
    while (size_ < static_cast<std::size_t>(n)) memory_[size_++] = x;
    size_ = static_cast<std::size_t>(n);
  }
  void fill(T x) {
    for (std::size_t i = 0; i < size_; ++i) memory_[i] = x;
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

bool of_mathematics(const Helper& h) { return !h.doc.empty(); }

std::string text(const Helper& h) {
  if (!of_mathematics(h)) return std::string(h.source);
  std::string guard = "TLALOC_GENERATED_MATH_";
  for (const char c : h.name) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "#ifndef " + guard + "\n#define " + guard + "\nnamespace math {\n// " + std::string(h.doc) + "\n" + laid_out(h.source) + "}  // namespace math\n#endif\n";
}

}  // namespace tlaloc::ir::cpp
