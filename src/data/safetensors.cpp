// SPDX-License-Identifier: Apache-2.0
#include "data/safetensors.hpp"

#include <algorithm>
#include <ostream>
#include <set>

#include <nlohmann/json.hpp>

namespace tlaloc::data {
namespace {

using ir::DType;
using nlohmann::json;

/// The widest first, which is the order of a file's tensors. Width in bits: some dtypes that we lack are smaller than a byte.
struct Dtype {
  const char* name;
  int bits;
  std::optional<DType> ours;
};
constexpr Dtype dtypes[] = {
    {"U64", 64, DType::u64}, {"I64", 64, DType::i64}, {"F64", 64, DType::f64}, {"C64", 64, {}},
    {"F32", 32, DType::f32}, {"U32", 32, DType::u32}, {"I32", 32, DType::i32}, {"BF16", 16, DType::bf16},
    {"F16", 16, DType::f16}, {"U16", 16, DType::u16}, {"I16", 16, DType::i16}, {"F8_E8M0", 8, {}},
    {"F8_E4M3", 8, {}},      {"F8_E5M2", 8, {}},      {"I8", 8, DType::i8},    {"U8", 8, DType::u8},
    {"F6_E3M2", 6, {}},      {"F6_E2M3", 6, {}},      {"F4", 4, {}},           {"BOOL", 8, DType::boolean}};

constexpr std::size_t max_header = 100'000'000;   // as the original has it

class Reader {
 public:
  Reader(const Bytes& file, const std::string& name) : file_(file), name_(name) {}

  SafetensorsHeader read() {
    const std::string_view all = file_.text();
    if (all.size() < 8) fail("is too short for the length of a header");
    std::uint64_t length = 0;
    for (int i = 8; i-- > 0;) length = length << 8 | std::uint8_t(all[std::size_t(i)]);
    if (length > max_header) fail("says that its header has " + std::to_string(length) + " bytes; 100000000 are allowed");
    if (length > all.size() - 8) fail("is cut off within its header");
    const std::string_view text = all.substr(8, length);
    if (!text.starts_with('{')) fail("its header is no JSON object");
    SafetensorsHeader out;
    out.data = 8 + length;
    const json header = parse(text);
    for (auto& [key, value] : header.items()) {
      if (key == "__metadata__") out.metadata = metadata(value);
      else out.entries.push_back(entry(key, value));
    }
    check_ranges(out, all.size() - out.data);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error("MALFORMED_FILE", name_, why); }

  json parse(std::string_view text) const {
    // A second value for a key would silently win.
    std::vector<std::set<std::string>> keys;
    auto callback = [&](int, json::parse_event_t event, json& value) {
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
        fail("its header has '" + value.get<std::string>() + "' twice");
      }
      return true;
    };
    try {
      return json::parse(text, callback);
    } catch (const json::exception& e) {
      fail(std::string("its header is no JSON: ") + e.what());
    }
  }
  std::map<std::string, std::string> metadata(const json& value) const {
    std::map<std::string, std::string> out;
    if (!value.is_object()) fail("its metadata is no object");
    for (auto& [key, text] : value.items()) {
      if (!text.is_string()) fail("its metadata '" + key + "' is no string");
      out[key] = text.get<std::string>();
    }
    return out;
  }
  static bool natural(const json& v) { return v.is_number_unsigned() && v.get<std::uint64_t>() <= std::uint64_t(INT64_MAX); }

  SafetensorsEntry entry(const std::string& key, const json& value) const {
    const std::string tensor = "tensor '" + key + "' ";
    if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") || !value.contains("data_offsets")) {
      fail(tensor + "must have dtype, shape and data_offsets and nothing else");
    }
    const json &dtype = value["dtype"], &shape = value["shape"], &offsets = value["data_offsets"];
    if (!dtype.is_string()) fail(tensor + "has a dtype that is no string");
    if (!shape.is_array() || !std::ranges::all_of(shape, natural)) fail(tensor + "has a shape that is no list of extents");
    if (!offsets.is_array() || offsets.size() != 2 || !std::ranges::all_of(offsets, natural)) fail(tensor + "has no two data_offsets");
    SafetensorsEntry e{key, dtype.get<std::string>(), shape.get<ir::Ints>(), offsets[0].get<std::size_t>(), offsets[1].get<std::size_t>()};
    const auto known = std::ranges::find_if(dtypes, [&](auto& d) { return e.dtype == d.name; });
    if (known == std::end(dtypes)) fail(tensor + "has the unknown dtype '" + e.dtype + "'");
    const auto elements = byte_size(DType::u8, e.shape);
    std::size_t bits = 0;
    if (!elements || __builtin_mul_overflow(*elements, std::size_t(known->bits), &bits) || bits % 8) fail(tensor + "has an impossible shape");
    if (e.begin > e.end) fail(tensor + "has data_offsets that run backwards");
    if (e.end - e.begin != bits / 8) {
      fail(tensor + "of " + std::to_string(bits / 8) + " bytes has data_offsets for " + std::to_string(e.end - e.begin));
    }
    return e;
  }

  void check_ranges(SafetensorsHeader& h, std::size_t size) const {
    std::ranges::sort(h.entries, {}, [](auto& e) { return std::pair(e.begin, e.end); });
    std::size_t at = 0;
    for (auto& e : h.entries) {
      if (e.begin < at) fail("tensor '" + e.name + "' overlaps another one");
      if (e.begin > at) fail("there is a gap before tensor '" + e.name + "'");
      at = e.end;
    }
    if (at > size) fail("is cut off: its tensors need " + std::to_string(at) + " bytes and " + std::to_string(size) + " are there");
    if (at < size) fail("has " + std::to_string(size - at) + " bytes that belong to no tensor");
  }

  const Bytes& file_;
  const std::string& name_;
};

}  // namespace

SafetensorsHeader read_safetensors_header(const Bytes& file, const std::string& name) { return Reader(file, name).read(); }

Safetensors read_safetensors(const Bytes& file, const std::string& name) {
  const SafetensorsHeader header = read_safetensors_header(file, name);
  Safetensors out{{}, header.metadata};
  for (auto& e : header.entries) {
    const auto& known = *std::ranges::find_if(dtypes, [&](auto& d) { return e.dtype == d.name; });
    if (!known.ours) throw Error("UNSUPPORTED_DTYPE", name, "tensor '" + e.name + "' has dtype " + e.dtype);
    out.arrays[e.name] = view({*known.ours, e.shape}, file.from(header.data + e.begin));
  }
  return out;
}

Safetensors load_safetensors(const std::filesystem::path& path) { return read_safetensors(map_file(path), path.string()); }

void save_safetensors(const std::filesystem::path& path, const Arrays& arrays, const std::map<std::string, std::string>& metadata) {
  auto kind = [](const ir::Array& a) { return std::ranges::find_if(dtypes, [&](auto& d) { return d.ours == a.type.dtype; }); };
  std::vector<const Arrays::value_type*> order;
  for (auto& entry : arrays) {
    if (entry.first == "__metadata__") throw Error("CANNOT_WRITE", path.string(), "no tensor can be called __metadata__");
    order.push_back(&entry);
  }
  std::ranges::sort(order, {}, [&](auto* e) { return std::pair(kind(e->second), e->first); });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t at = 0;
  for (auto* e : order) {
    const auto& [name, a] = *e;
    const std::size_t size = a.size() * ir::byte_width(a.type.dtype);
    header[name] = {{"dtype", kind(a)->name}, {"shape", ir::Ints(a.type.dims)}, {"data_offsets", {at, at + size}}};
    at += size;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const json::exception& e) {
    throw Error("CANNOT_WRITE", path.string(), std::string("a name is not UTF-8: ") + e.what());
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > max_header) throw Error("CANNOT_WRITE", path.string(), "the header would have more than 100000000 bytes");
  write_file(path, [&](std::ostream& file) {
    for (int i = 0; i < 8; ++i) file.put(char(text.size() >> (8 * i)));
    file << text;
    for (auto* e : order) {
      const auto& a = e->second;
      file.write(reinterpret_cast<const char*>(a.bytes.get()), std::streamsize(a.size() * ir::byte_width(a.type.dtype)));
    }
  });
}

}  // namespace tlaloc::data
