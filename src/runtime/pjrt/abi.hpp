// SPDX-License-Identifier: Apache-2.0
//
// PJRT's C interface as C++ types, made from abi.def. A call is the struct of its arguments, which knows its place in
// the plugin's table: Plugin::call takes it from there. Nothing here is a class with behaviour; see plugin.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tlaloc::runtime::pjrt::abi {

// What the plugin owns and only it can look into.
struct Error;
struct Event;
struct Client;
struct Device;
struct DeviceDescription;
struct Executable;
struct LoadedExecutable;
struct SerializedExecutable;
struct Buffer;

enum ErrorCode : int { error_ok = 0, error_invalid_argument = 3, error_unimplemented = 12, error_unauthenticated = 16 };
enum NamedValueType : int { value_string, value_int64, value_int64_list, value_float, value_bool };
enum MemoryLayoutType : int { layout_tiled, layout_strides };
enum HostBufferSemantics : int { immutable_only_during_call, immutable_until_transfer_completes, immutable_zero_copy };
enum BufferType : int {
  type_invalid, type_pred, type_s8, type_s16, type_s32, type_s64, type_u8, type_u16, type_u32, type_u64,
  type_f16, type_f32, type_f64, type_bf16
};
using OnReady = void (*)(Error*, void* user_arg);
using SerializedDeleter = void (*)(SerializedExecutable*);

#define BEGIN_(name)                              \
  struct name {                                   \
    std::size_t struct_size = 0;                  \
    void* extension_start = nullptr;
#define CALL(index, name)                         \
  BEGIN_(name)                                    \
  static constexpr std::size_t entry = index;     \
  static constexpr const char* entry_name = "PJRT_" #name;
#define STRUCT(name) BEGIN_(name)
#define FIELD(type, name) type name{};
#define END(name) };
#include "runtime/pjrt/abi.def"
#undef BEGIN_
#undef CALL
#undef STRUCT
#undef FIELD
#undef END

/// The value of struct_size: where the last field that we know ends. Not sizeof, which may have padding after it.
template <class Struct> inline constexpr std::size_t known_size = 0;
#define CALL(index, name) STRUCT(name)
#define STRUCT(name)                                                      \
  template <> inline constexpr std::size_t known_size<name> = [] {        \
    using Struct = name;                                                  \
    std::size_t end = offsetof(Struct, extension_start) + sizeof(void*);
#define FIELD(type, name) end = offsetof(Struct, name) + sizeof(type);
#define END(name) \
  return end;     \
  }();
#include "runtime/pjrt/abi.def"
#undef CALL
#undef STRUCT
#undef FIELD
#undef END

/// What GetPjrtApi returns. The table has as many entries as struct_size says.
struct Api {
  std::size_t struct_size;
  void* extension_start;
  Api_Version version;
  using Function = void (*)();                    // to be cast to what the entry is
  Function table[1];
};
inline constexpr std::size_t entry_offset(std::size_t entry) { return offsetof(Api, table) + entry * sizeof(Api::Function); }

}  // namespace tlaloc::runtime::pjrt::abi
