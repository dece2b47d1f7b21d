// SPDX-License-Identifier: Apache-2.0
//
// A plugin with a short table: what a client may meet in a very old or very small one. Compiled in three ways.
#include "runtime/pjrt/abi.hpp"

namespace abi = tlaloc::runtime::pjrt::abi;

namespace {

// The table ends after Client_Create, and has a hole.
struct Table {
  std::size_t struct_size;
  void* extension_start;
  abi::Api_Version version;
  void* table[11];
};

abi::Error* fails(void*) { return reinterpret_cast<abi::Error*>(1); }
abi::Error* works(void*) { return nullptr; }
void destroys(abi::Error_Destroy*) {}
void tells(abi::Error_Message* m) {
  m->message = "no device today";
  m->message_size = 15;
}
abi::Error* has_code(abi::Error_GetCode* c) {
  c->code = abi::ErrorCode(14);
  return nullptr;
}

Table table{sizeof(Table), nullptr, {abi::known_size<abi::Api_Version>, nullptr, TLALOC_MAJOR, 7},
            {(void*)destroys, (void*)tells, (void*)has_code, TLALOC_INITIALIZE ? (void*)works : nullptr, nullptr, nullptr, nullptr,
             nullptr, nullptr, nullptr, (void*)fails}};

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return &table; }
