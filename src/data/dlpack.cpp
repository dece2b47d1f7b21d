// SPDX-License-Identifier: Apache-2.0
#include "data/dlpack.hpp"

#include <algorithm>

namespace tlaloc::data::dlpack {
namespace {

using ir::DType;

constexpr std::uint8_t code_int = 0, code_uint = 1, code_float = 2, code_bfloat = 4, code_bool = 6;
constexpr std::int32_t device_cpu = 1;
constexpr std::uint32_t known_major = 1;

constexpr std::pair<DType, DataType> dtypes[] = {
    {DType::boolean, {code_bool, 8, 1}}, {DType::i8, {code_int, 8, 1}},    {DType::i16, {code_int, 16, 1}},
    {DType::i32, {code_int, 32, 1}},     {DType::i64, {code_int, 64, 1}},  {DType::u8, {code_uint, 8, 1}},
    {DType::u16, {code_uint, 16, 1}},    {DType::u32, {code_uint, 32, 1}}, {DType::u64, {code_uint, 64, 1}},
    {DType::f16, {code_float, 16, 1}},   {DType::bf16, {code_bfloat, 16, 1}}, {DType::f32, {code_float, 32, 1}},
    {DType::f64, {code_float, 64, 1}}};

/// What the other library owns until it calls the deleter.
template <class M> struct Given {
  M managed{};
  ir::Array array;
  ir::Ints shape, strides;
};

template <class M> M* give_as(const ir::Array& a) {
  auto given = std::make_unique<Given<M>>();
  given->array = a;
  given->shape = a.type.dims;
  given->strides.assign(a.type.dims.size(), 1);
  for (std::size_t k = a.type.dims.size(); k-- > 1;) given->strides[k - 1] = given->strides[k] * a.type.dims[k];
  M& m = given->managed;
  const DataType dtype = std::ranges::find(dtypes, a.type.dtype, &std::pair<DType, DataType>::first)->second;
  m.tensor = {a.bytes.get(), {device_cpu, 0}, std::int32_t(given->shape.size()), dtype, given->shape.data(), given->strides.data(), 0};
  m.context = given.get();
  m.deleter = [](M* p) { delete static_cast<Given<M>*>(p->context); };
  return &given.release()->managed;
}

template <class M> ir::Array take_from(M* managed) {
  const std::shared_ptr<M> owner(managed, [](M* p) { if (p->deleter) p->deleter(p); });
  const Tensor& t = managed->tensor;
  auto fail = [](const char* code, const std::string& why) { throw Error(code, "a DLPack tensor", why); };
  if (t.device.device_type != device_cpu) {
    fail("UNSUPPORTED_LAYOUT", "lies on a device of type " + std::to_string(t.device.device_type) + "; way out: copy it to the host first");
  }
  const auto known = std::ranges::find_if(dtypes, [&](auto& d) {
    return d.second.code == t.dtype.code && d.second.bits == t.dtype.bits && d.second.lanes == t.dtype.lanes;
  });
  if (known == std::end(dtypes)) {
    fail("UNSUPPORTED_DTYPE", "has dtype code " + std::to_string(t.dtype.code) + " of " + std::to_string(t.dtype.bits) + " bits and " +
                                  std::to_string(t.dtype.lanes) + " lanes");
  }
  const ir::Ints shape(t.shape, t.shape + t.ndim);
  const auto size = byte_size(known->first, shape);
  if (!size) fail("UNSUPPORTED_LAYOUT", "has an impossible shape");
  std::int64_t step = 1;
  for (std::int32_t k = t.ndim; t.strides && *size && k-- > 0; step *= shape[std::size_t(k)]) {
    if (shape[std::size_t(k)] != 1 && t.strides[k] != step) fail("UNSUPPORTED_LAYOUT", "is not row-major; way out: make it contiguous first");
  }
  auto* bytes = static_cast<std::byte*>(t.data) + t.byte_offset;
  if (*size && reinterpret_cast<std::uintptr_t>(bytes) % ir::byte_width(known->first)) fail("UNSUPPORTED_LAYOUT", "is not aligned to its dtype");
  return {ir::Type{known->first, shape}, std::shared_ptr<std::byte>(owner, bytes)};
}

}  // namespace

VersionedManaged* give(const ir::Array& a) {
  auto* m = give_as<VersionedManaged>(a);
  m->version = {known_major, 0};
  m->flags = flag_read_only;
  return m;
}
Managed* give_unversioned(const ir::Array& a) { return give_as<Managed>(a); }

ir::Array take(VersionedManaged* m) {
  // Of a later major version only the version and the deleter can be relied upon.
  if (m->version.major != known_major) {
    const auto major = m->version.major;
    if (m->deleter) m->deleter(m);
    throw Error("UNSUPPORTED_LAYOUT", "a DLPack tensor", "of version " + std::to_string(major) + ", known is 1");
  }
  return take_from(m);
}
ir::Array take(Managed* m) { return take_from(m); }

}  // namespace tlaloc::data::dlpack
