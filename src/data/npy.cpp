// SPDX-License-Identifier: Apache-2.0
#include "data/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ostream>

namespace tlaloc::data {
namespace {

using ir::DType;

constexpr std::pair<const char*, DType> dtypes[] = {
    {"b1", DType::boolean}, {"i1", DType::i8},  {"i2", DType::i16}, {"i4", DType::i32}, {"i8", DType::i64},
    {"u1", DType::u8},      {"u2", DType::u16}, {"u4", DType::u32}, {"u8", DType::u64}, {"f2", DType::f16},
    {"f4", DType::f32},     {"f8", DType::f64}};

constexpr std::string_view magic{"\x93NUMPY", 6};

/// The header is a Python dictionary with three known keys.
struct Header {
  std::string descr;
  bool fortran_order = false;
  ir::Ints shape;
};

class HeaderParser {
 public:
  HeaderParser(std::string_view s, const std::string& name) : s_(s), name_(name) {}
  Header parse() {
    Header h;
    bool seen[3] = {};
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (which == 3 || seen[which]) fail("its header has an unknown or a second '" + key + "'");
      seen[which] = true;
      if (which == 0) h.descr = descr();
      if (which == 1) h.fortran_order = boolean();
      if (which == 2) h.shape = shape();
      if (!take(',') && peek() != '}') fail("its header is no dictionary");
    }
    if (peek() != 0) fail("something follows its header's dictionary");
    if (!seen[0] || !seen[1] || !seen[2]) fail("its header lacks descr, fortran_order or shape");
    return h;
  }

 private:
  [[noreturn]] void fail(const std::string& why) { throw Error("MALFORMED_FILE", name_, why); }
  char peek() {
    while (!s_.empty() && (s_[0] == ' ' || s_[0] == '\n')) s_.remove_prefix(1);
    return s_.empty() ? '\0' : s_[0];
  }
  bool take(char c) {
    if (peek() != c || s_.empty()) return false;
    s_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("its header is malformed where '") + c + "' is expected");
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("its header is malformed where a string is expected");
    const auto end = s_.find(quote, 1);
    if (end == s_.npos) fail("a string in its header has no end");
    std::string out(s_.substr(1, end - 1));
    s_.remove_prefix(end + 1);
    return out;
  }
  std::string descr() {
    if (peek() == '[') throw Error("UNSUPPORTED_DTYPE", name_, "a structured dtype; way out: one file per field");
    return string();
  }
  bool boolean() {
    peek();
    for (bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (s_.starts_with(word)) return s_.remove_prefix(word.size()), value;
    }
    fail("fortran_order is neither True nor False");
  }
  ir::Ints shape() {
    ir::Ints out;
    expect('(');
    while (!take(')')) {
      peek();
      std::int64_t extent = 0;
      const auto [end, failed] = std::from_chars(s_.data(), s_.data() + s_.size(), extent);
      if (failed != std::errc{} || extent < 0) fail("an extent of its shape is no number of elements");
      s_.remove_prefix(std::size_t(end - s_.data()));
      out.push_back(extent);
      if (!take(',') && peek() != ')') fail("its shape is no tuple");
    }
    return out;
  }
  std::string_view s_;
  const std::string& name_;
};

/// Row-major from column-major.
ir::Array transposed(const ir::Array& a) {
  ir::Array out(a.type);
  const std::size_t width = ir::byte_width(a.type.dtype), n = a.size();
  const auto& dims = a.type.dims;
  ir::Ints at(dims.size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t from = 0;
    for (std::size_t k = dims.size(); k-- > 0;) from = from * std::size_t(dims[k]) + std::size_t(at[k]);
    std::memcpy(out.bytes.get() + i * width, a.bytes.get() + from * width, width);
    for (std::size_t k = dims.size(); k-- > 0 && ++at[k] == dims[k];) at[k] = 0;
  }
  return out;
}

ir::Array swapped(const ir::Array& a) {
  ir::Array out(a.type);
  const std::size_t width = ir::byte_width(a.type.dtype);
  for (std::size_t i = 0; i < a.size() * width; ++i) out.bytes.get()[i] = a.bytes.get()[i - i % width + (width - 1 - i % width)];
  return out;
}

}  // namespace

ir::Array read_npy(const Bytes& bytes, const std::string& name) {
  auto fail = [&](const std::string& why) { throw Error("MALFORMED_FILE", name, why); };
  const std::string_view all = bytes.text();
  if (!all.starts_with(magic) || all.size() < 10) fail("is no .npy file");
  const int version = all[6];
  if (version < 1 || version > 3) fail("has version " + std::to_string(version) + " of the format, known are 1 to 3");
  // The length of the header is of two bytes in version 1 and of four later, the lowest first.
  std::size_t begin = version == 1 ? 10 : 12, length = 0;
  for (std::size_t i = std::min(begin, all.size()); i-- > 8;) length = length << 8 | std::uint8_t(all[i]);
  if (all.size() < begin || length > all.size() - begin) fail("is cut off within its header");
  const Header h = HeaderParser(all.substr(begin, length), name).parse();

  const bool other_order = h.descr.starts_with('>');
  const auto known = std::ranges::find_if(dtypes, [&](auto& d) { return !h.descr.empty() && std::string_view(h.descr).substr(1) == d.first; });
  if (known == std::end(dtypes) || std::string_view("<>|=").find(h.descr[0]) == std::string_view::npos) {
    throw Error("UNSUPPORTED_DTYPE", name, "numpy's dtype '" + h.descr + "'");
  }
  const auto size = byte_size(known->second, h.shape);
  const Bytes content = bytes.from(begin + length);
  if (!size || *size > content.size) fail("is shorter than its shape says");
  if (*size < content.size) fail("is longer than its shape says");
  ir::Array out = view({known->second, h.shape}, content);
  if (other_order) out = swapped(out);
  if (h.fortran_order) out = transposed(out);
  return out;
}

ir::Array load_npy(const std::filesystem::path& path) { return read_npy(map_file(path), path.string()); }

void write_npy(std::ostream& file, const ir::Array& a, const std::string& name) {
  const auto known = std::ranges::find_if(dtypes, [&](auto& d) { return d.second == a.type.dtype; });
  if (known == std::end(dtypes)) throw Error("UNSUPPORTED_DTYPE", name, ".npy has no " + text(a.type.dtype) + "; way out: safetensors");
  std::string shape;
  for (std::int64_t d : a.type.dims) shape += (shape.empty() ? "" : ", ") + std::to_string(d);
  if (a.type.dims.size() == 1) shape += ",";
  std::string header = std::string("{'descr': '") + (ir::byte_width(a.type.dtype) == 1 ? "|" : "<") + known->first +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Room for the first extent to grow to 21 digits, then up to a multiple of 64, as numpy has it.
  if (!a.type.dims.empty()) header.append(21 - std::to_string(a.type.dims[0]).size(), ' ');
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  file << magic << '\1' << '\0' << char(header.size() & 255) << char(header.size() >> 8) << header;
  file.write(reinterpret_cast<const char*>(a.bytes.get()), std::streamsize(a.size() * ir::byte_width(a.type.dtype)));
}

void save_npy(const std::filesystem::path& path, const ir::Array& a) {
  write_file(path, [&](std::ostream& file) { write_npy(file, a, path.string()); });
}

}  // namespace tlaloc::data
