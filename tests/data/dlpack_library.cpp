// SPDX-License-Identifier: Apache-2.0
//
// What dlpack.py calls by ctypes.
#include "data/dlpack.hpp"

#include <cstring>

using namespace tlaloc;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
ir::Array held;
std::string message;

template <class Managed> const char* take_any(Managed* m) {
  try {
    held = data::dlpack::take(m);
    message = text(held.type);
  } catch (const data::Error& e) {
    message = e.what();
  }
  return message.c_str();
}
}  // namespace

/// Takes a tensor and tells its type, or the error.
EXPORT const char* take_versioned(data::dlpack::VersionedManaged* m) { return take_any(m); }
EXPORT const char* take_unversioned(data::dlpack::Managed* m) { return take_any(m); }
/// Gives the array that is held.
EXPORT data::dlpack::VersionedManaged* give_versioned() { return data::dlpack::give(held); }
EXPORT data::dlpack::Managed* give_unversioned() { return data::dlpack::give_unversioned(held); }
EXPORT const void* address() { return held.bytes.get(); }
EXPORT long users() { return held.bytes.use_count(); }
EXPORT void drop() { held = {}; }
EXPORT void make(int dtype, std::int64_t rows, std::int64_t columns) {
  held = ir::Array(ir::Type{ir::DType(dtype), {rows, columns}});
  for (std::size_t i = 0; i < held.size() * ir::byte_width(held.type.dtype); ++i) {
    held.data<unsigned char>()[i] = static_cast<unsigned char>(held.type.dtype == ir::DType::boolean ? i % 2 : i % 61);
  }
}
EXPORT void give_back(data::dlpack::VersionedManaged* m) { m->deleter(m); }
EXPORT void give_back_unversioned(data::dlpack::Managed* m) { m->deleter(m); }
/// A tensor as a careless library might make it.
EXPORT const char* take_odd(int device, int code, int bits, int lanes, std::int64_t extent, int major) {
  static std::int64_t shape[1];
  static float memory[4];
  static bool freed;
  shape[0] = extent;
  freed = false;
  data::dlpack::VersionedManaged m{{std::uint32_t(major), 0}, nullptr, [](data::dlpack::VersionedManaged*) { freed = true; }, 0,
                                   {memory, {device, 0}, 1, {std::uint8_t(code), std::uint8_t(bits), std::uint16_t(lanes)}, shape, nullptr, 0}};
  take_any(&m);
  if (!freed && message.find(": ") != message.npos) message += " and it was not given back";
  return message.c_str();
}
