// SPDX-License-Identifier: Apache-2.0
//
// DLPack: arrays handed between libraries in one process without a copy. Both forms of its C interface are known: the
// one with a version (1.x), which can say that a tensor must not be written, and the older one, which cannot.
#pragma once

#include "data/file.hpp"

namespace tlaloc::data::dlpack {

// The C interface: names and order are its own.
struct Device { std::int32_t device_type, device_id; };
struct DataType { std::uint8_t code, bits; std::uint16_t lanes; };
struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t *shape, *strides;                  // in elements; null strides: row-major
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct VersionedManaged {
  struct { std::uint32_t major, minor; } version;
  void* context;
  void (*deleter)(VersionedManaged*);
  std::uint64_t flags;
  Tensor tensor;
};
inline constexpr std::uint64_t flag_read_only = 1;

/// The array as the other library wants it; its bytes live until the deleter is called. An array is never written, so
/// the versioned form says "read only"; the older one is for libraries that ask for it and then do not write.
VersionedManaged* give(const ir::Array&);
Managed* give_unversioned(const ir::Array&);

/// Takes ownership. On an error (UNSUPPORTED_DTYPE, UNSUPPORTED_LAYOUT) the tensor has been given back.
/// Whoever hands it over must not write it afterwards.
ir::Array take(VersionedManaged*);
ir::Array take(Managed*);

}  // namespace tlaloc::data::dlpack
