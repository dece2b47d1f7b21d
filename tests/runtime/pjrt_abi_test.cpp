// SPDX-License-Identifier: Apache-2.0
//
// Each line of abi.def against the header that a plugin's authors ship.
#include "runtime/pjrt/abi.hpp"

#include <pjrt_c_api.h>

#include <gtest/gtest.h>

namespace tlaloc::runtime::pjrt::abi {
namespace {

#define CALL(index, name)                                                                   \
  TEST(PjrtEntry, name) { EXPECT_EQ(entry_offset(name::entry), offsetof(PJRT_Api, PJRT_##name)); } \
  TEST(PjrtSize, name) { EXPECT_EQ(known_size<name>, PJRT_##name##_Args_STRUCT_SIZE); }    \
  COMPARE(name, PJRT_##name##_Args)
#define STRUCT(name)                                                                \
  TEST(PjrtSize, name) { EXPECT_EQ(known_size<name>, PJRT_##name##_STRUCT_SIZE); } \
  COMPARE(name, PJRT_##name)
#define COMPARE(name, theirs)                                              \
  TEST(PjrtStruct, name) {                                                 \
    using Ours = abi::name;                                                \
    using Theirs = ::theirs;                                               \
    EXPECT_EQ(offsetof(Ours, struct_size), offsetof(Theirs, struct_size)); \
    EXPECT_EQ(offsetof(Ours, extension_start), offsetof(Theirs, extension_start));
#define FIELD(type, name)                                   \
  EXPECT_EQ(offsetof(Ours, name), offsetof(Theirs, name));  \
  EXPECT_EQ(sizeof(Ours::name), sizeof(Theirs::name));
#define END(name)                          \
  EXPECT_EQ(sizeof(Ours), sizeof(Theirs)); \
  }
#include "runtime/pjrt/abi.def"

TEST(PjrtApi, Head) {
  EXPECT_EQ(offsetof(Api, struct_size), offsetof(PJRT_Api, struct_size));
  EXPECT_EQ(offsetof(Api, extension_start), offsetof(PJRT_Api, extension_start));
  EXPECT_EQ(offsetof(Api, version), offsetof(PJRT_Api, pjrt_api_version));
  EXPECT_EQ(PJRT_API_MAJOR, 0);
}

TEST(PjrtApi, Constants) {
  EXPECT_EQ(int(error_ok), int(PJRT_Error_Code_OK));
  EXPECT_EQ(int(error_invalid_argument), int(PJRT_Error_Code_INVALID_ARGUMENT));
  EXPECT_EQ(int(error_unimplemented), int(PJRT_Error_Code_UNIMPLEMENTED));
  EXPECT_EQ(int(error_unauthenticated), int(PJRT_Error_Code_UNAUTHENTICATED));
  EXPECT_EQ(int(value_string), int(PJRT_NamedValue_kString));
  EXPECT_EQ(int(value_int64), int(PJRT_NamedValue_kInt64));
  EXPECT_EQ(int(value_int64_list), int(PJRT_NamedValue_kInt64List));
  EXPECT_EQ(int(value_float), int(PJRT_NamedValue_kFloat));
  EXPECT_EQ(int(value_bool), int(PJRT_NamedValue_kBool));
  EXPECT_EQ(int(layout_tiled), int(PJRT_Buffer_MemoryLayout_Type_Tiled));
  EXPECT_EQ(int(immutable_zero_copy), int(PJRT_HostBufferSemantics_kImmutableZeroCopy));
  const std::pair<BufferType, PJRT_Buffer_Type> types[] = {
      {type_pred, PJRT_Buffer_Type_PRED}, {type_s8, PJRT_Buffer_Type_S8},   {type_s16, PJRT_Buffer_Type_S16},
      {type_s32, PJRT_Buffer_Type_S32},   {type_s64, PJRT_Buffer_Type_S64}, {type_u8, PJRT_Buffer_Type_U8},
      {type_u16, PJRT_Buffer_Type_U16},   {type_u32, PJRT_Buffer_Type_U32}, {type_u64, PJRT_Buffer_Type_U64},
      {type_f16, PJRT_Buffer_Type_F16},   {type_f32, PJRT_Buffer_Type_F32}, {type_f64, PJRT_Buffer_Type_F64},
      {type_bf16, PJRT_Buffer_Type_BF16}};
  for (auto& [ours, theirs] : types) EXPECT_EQ(int(ours), int(theirs));
}

}  // namespace
}  // namespace tlaloc::runtime::pjrt::abi
