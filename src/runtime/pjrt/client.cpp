// SPDX-License-Identifier: Apache-2.0
#include "runtime/pjrt/client.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace tlaloc::runtime::pjrt {
namespace detail {

struct Session {
  Session(const Plugin& p, const Attributes& options, Where where) : plugin(p) {
    const auto values = named_values(options);
    client = call(abi::Client_Create{.create_options = values.data(), .num_options = values.size()}, where).client;
  }
  Session(const Session&) = delete;
  // An error here has nowhere to go, and a plugin that cannot free is broken: the call throws out of a destructor.
  ~Session() { call(abi::Client_Destroy{.client = client}, Where::current()); }
  template <class Call> Call call(Call arguments, Where where) const { return plugin.call(arguments, where); }
  const Plugin& plugin;
  abi::Client* client;
};

template <class Object, class Destroy> Owned<Object, Destroy>::~Owned() {
  if (object) session->call(Destroy{0, nullptr, object}, Where::current());
}
template class Owned<abi::Event, abi::Event_Destroy>;
template class Owned<abi::Buffer, abi::Buffer_Destroy>;
template class Owned<abi::LoadedExecutable, abi::LoadedExecutable_Destroy>;

}  // namespace detail

namespace {

constexpr std::pair<ir::DType, abi::BufferType> buffer_types[] = {
    {ir::DType::boolean, abi::type_pred}, {ir::DType::i8, abi::type_s8},   {ir::DType::i16, abi::type_s16},
    {ir::DType::i32, abi::type_s32},      {ir::DType::i64, abi::type_s64}, {ir::DType::u8, abi::type_u8},
    {ir::DType::u16, abi::type_u16},      {ir::DType::u32, abi::type_u32}, {ir::DType::u64, abi::type_u64},
    {ir::DType::f16, abi::type_f16},      {ir::DType::bf16, abi::type_bf16}, {ir::DType::f32, abi::type_f32},
    {ir::DType::f64, abi::type_f64}};

abi::BufferType buffer_type(ir::DType d) {
  for (auto& [ours, theirs] : buffer_types) if (ours == d) return theirs;
  return abi::type_invalid;
}

}  // namespace

// --- events ---
bool Event::ready(Where where) const { return session->call(abi::Event_IsReady{.event = object}, where).is_ready; }
void Event::await(Where where) const { session->call(abi::Event_Await{.event = object}, where); }

void Event::then(std::function<void(std::exception_ptr)> f, Where where) && {
  // Keeps no session: the last one would then destroy its client from within the plugin's own thread.
  struct Waiting {
    std::function<void(std::exception_ptr)> f;
    Where where;
    const Plugin& plugin;
    abi::Event* event;
  };
  auto callback = [](abi::Error* error, void* p) {
    const std::unique_ptr<Waiting> w(static_cast<Waiting*>(p));
    w->f(w->plugin.exception(error, abi::Event_OnReady::entry_name, w->where));
    w->plugin.call(abi::Event_Destroy{.event = w->event}, w->where);
  };
  auto waiting = std::make_unique<Waiting>(std::move(f), where, session->plugin, object);
  session->call(abi::Event_OnReady{.event = object, .callback = callback, .user_arg = waiting.get()}, where);
  waiting.release();
  object = nullptr;
}

// --- devices ---
abi::DeviceDescription* Device::description(Where where) const {
  return session_->call(abi::Device_GetDescription{.device = device_}, where).device_description;
}
std::string Device::kind(Where where) const {
  const auto r = session_->call(abi::DeviceDescription_Kind{.device_description = description(where)}, where);
  return {r.device_kind, r.device_kind_size};
}
std::string Device::text(Where where) const {
  const auto r = session_->call(abi::DeviceDescription_ToString{.device_description = description(where)}, where);
  return {r.to_string, r.to_string_size};
}

// --- buffers ---
ir::Type Buffer::type(Where where) const {
  const auto element = session->call(abi::Buffer_ElementType{.buffer = object}, where).type;
  const auto shape = session->call(abi::Buffer_Dimensions{.buffer = object}, where);
  for (auto& [ours, theirs] : buffer_types) {
    if (theirs == element) return {ours, ir::Ints(shape.dims, shape.dims + shape.num_dims)};
  }
  throw Error("UNSUPPORTED_DTYPE", "a buffer of PJRT's element type " + std::to_string(element), where);
}

Event Buffer::get(std::byte* into, std::size_t size, Where where) const {
  const auto rank = session->call(abi::Buffer_Dimensions{.buffer = object}, where).num_dims;
  ir::Ints minor_to_major(rank);
  std::iota(minor_to_major.rbegin(), minor_to_major.rend(), 0);
  // Some plugins hand out the device's order whatever they are asked for.
  const auto own = session->call(abi::Buffer_GetMemoryLayout{.buffer = object}, where).layout;
  if (own.type != abi::layout_tiled || !std::ranges::equal(std::span(own.tiled.minor_to_major, own.tiled.minor_to_major_size), minor_to_major)) {
    throw Error("UNSUPPORTED_LAYOUT", "the buffer is not row-major on the device; way out: no layout_mode in the program", where);
  }
  abi::Buffer_MemoryLayout layout{.struct_size = abi::known_size<abi::Buffer_MemoryLayout>, .type = abi::layout_tiled};
  layout.tiled.struct_size = abi::known_size<abi::Buffer_MemoryLayout_Tiled>;
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = rank;
  return {session, session->call(abi::Buffer_ToHostBuffer{.src = object, .host_layout = &layout, .dst = into, .dst_size = size}, where).event};
}
ir::Array Buffer::get(Where where) const {
  ir::Array out(type(where));
  if (out.size()) get(out.bytes.get(), out.size() * ir::byte_width(out.type.dtype), where).await(where);
  return out;
}
Event Buffer::ready(Where where) const {
  return {session, session->call(abi::Buffer_ReadyEvent{.buffer = object}, where).event};
}
bool Buffer::deleted(Where where) const { return session->call(abi::Buffer_IsDeleted{.buffer = object}, where).is_deleted; }
void Buffer::free(Where where) const { session->call(abi::Buffer_Delete{.buffer = object}, where); }
std::uintptr_t Buffer::address(Where where) const {
  return session->call(abi::Buffer_UnsafePointer{.buffer = object}, where).buffer_pointer;
}

// --- executables ---
std::string CompileOptions::proto() const {
  // Field numbers of xla.ExecutableBuildOptionsProto; every value here is a small number.
  std::string build;
  auto field = [&](int number, int value) {
    if (value == 0) return;
    for (unsigned key = unsigned(number) << 3; true; key >>= 7) {
      build += char((key & 127) | (key > 127 ? 128 : 0));
      if (key <= 127) break;
    }
    for (unsigned v = unsigned(value); true; v >>= 7) {
      build += char((v & 127) | (v > 127 ? 128 : 0));
      if (v <= 127) break;
    }
  };
  field(4, replicas);
  field(5, partitions);
  field(6, spmd);
  field(19, shardy);
  return std::string("\x1a", 1) + char(build.size()) + build;   // executable_build_options = 3
}

std::vector<Device> Executable::devices(Where where) const {
  const auto r = session->call(abi::LoadedExecutable_AddressableDevices{.executable = object}, where);
  std::vector<Device> out;
  for (std::size_t i = 0; i < r.num_addressable_devices; ++i) out.push_back({session, r.addressable_devices[i]});
  return out;
}

using Unloaded = detail::Owned<abi::Executable, abi::Executable_Destroy>;

std::size_t Executable::results(Where where) const {
  const Unloaded e(session, session->call(abi::LoadedExecutable_GetExecutable{.loaded_executable = object}, where).executable);
  return session->call(abi::Executable_NumOutputs{.executable = e.object}, where).num_outputs;
}
std::string Executable::serialize(Where where) const {
  const Unloaded e(session, session->call(abi::LoadedExecutable_GetExecutable{.loaded_executable = object}, where).executable);
  const auto r = session->call(abi::Executable_Serialize{.executable = e.object}, where);
  std::string out(r.serialized_bytes, r.serialized_bytes_size);
  r.serialized_executable_deleter(r.serialized_executable);
  return out;
}

std::vector<Buffer> Executable::execute(const Arguments& arguments, std::vector<std::int64_t> keep, Where where) const {
  return std::move(execute_on_all({arguments}, std::move(keep), where)[0]);
}
std::vector<std::vector<Buffer>> Executable::execute_on_all(const std::vector<Arguments>& arguments,
                                                            std::vector<std::int64_t> keep, Where where) const {
  const std::size_t devices_used = arguments.size(), count = results(where);
  std::vector<std::vector<abi::Buffer*>> in(devices_used), out(devices_used, std::vector<abi::Buffer*>(count));
  std::vector<abi::Buffer* const*> in_lists;
  std::vector<abi::Buffer**> out_lists;
  for (std::size_t d = 0; d < devices_used; ++d) {
    if (arguments[d].size() != arguments[0].size()) throw Error("INVALID_ARGUMENT", "devices are given different numbers of arguments", where);
    for (const Buffer* b : arguments[d]) in[d].push_back(b->object);
    in_lists.push_back(in[d].data());
    out_lists.push_back(out[d].data());
  }
  const abi::ExecuteOptions options{.struct_size = abi::known_size<abi::ExecuteOptions>,
                                    .non_donatable_input_indices = keep.data(),
                                    .num_non_donatable_input_indices = keep.size()};
  // Only an execution without results needs its own events: others are waited for by their buffers.
  std::vector<abi::Event*> done(devices_used);
  session->call(abi::LoadedExecutable_Execute{.executable = object, .options = &options, .argument_lists = in_lists.data(),
                                              .num_devices = devices_used, .num_args = in.empty() ? 0 : in[0].size(),
                                              .output_lists = out_lists.data(),
                                              .device_complete_events = count ? nullptr : done.data()}, where);
  std::vector<std::vector<Buffer>> buffers(devices_used);
  for (std::size_t d = 0; d < devices_used; ++d) {
    for (abi::Buffer* b : out[d]) buffers[d].emplace_back(session, b);
    if (done[d]) Event(session, done[d]).await(where);
  }
  return buffers;
}

// --- the client ---
Client::Client(const Plugin& plugin, const Attributes& options, Where where)
    : session_(std::make_shared<const detail::Session>(plugin, options, where)) {}
const Plugin& Client::plugin() const { return session_->plugin; }
std::string Client::platform(Where where) const {
  const auto r = session_->call(abi::Client_PlatformName{.client = session_->client}, where);
  return {r.platform_name, r.platform_name_size};
}
std::string Client::platform_version(Where where) const {
  const auto r = session_->call(abi::Client_PlatformVersion{.client = session_->client}, where);
  return {r.platform_version, r.platform_version_size};
}
std::vector<Device> Client::devices(Where where) const {
  const auto r = session_->call(abi::Client_AddressableDevices{.client = session_->client}, where);
  std::vector<Device> out;
  for (std::size_t i = 0; i < r.num_addressable_devices; ++i) out.push_back({session_, r.addressable_devices[i]});
  return out;
}

Buffer Client::put(const ir::Array& array, Where where) const {
  const auto all = devices(where);
  if (all.empty()) throw Error("NOT_FOUND", "platform " + platform(where) + " has no device", where);
  return put(array, all[0], where);
}
Buffer Client::put(const ir::Array& array, const Device& device, Where where) const {
  const auto r = session_->call(
      abi::Client_BufferFromHostBuffer{.client = session_->client, .data = array.bytes.get(), .type = buffer_type(array.type.dtype),
                                       .dims = array.type.dims.data(), .num_dims = array.type.dims.size(),
                                       .host_buffer_semantics = abi::immutable_zero_copy, .device = device.device_}, where);
  Buffer buffer(session_, r.buffer);
  // A failed transfer is told by the buffer too, to whoever reads it.
  Event(session_, r.done_with_host_buffer).then([keep = array.bytes](std::exception_ptr) {}, where);
  return buffer;
}

Executable Client::compile(std::string_view module, const CompileOptions& options, Where where) const {
  const abi::Program program{.struct_size = abi::known_size<abi::Program>, .code = module.data(), .code_size = module.size(),
                             .format = "mlir", .format_size = 4};
  const std::string proto = options.proto();
  return {session_, session_->call(abi::Client_Compile{.client = session_->client, .program = &program,
                                                       .compile_options = proto.data(), .compile_options_size = proto.size()},
                                   where).executable};
}
Executable Client::deserialize(std::string_view bytes, Where where) const {
  return {session_, session_->call(abi::Executable_DeserializeAndLoad{.client = session_->client, .serialized_executable = bytes.data(),
                                                                      .serialized_executable_size = bytes.size()}, where).loaded_executable};
}

}  // namespace tlaloc::runtime::pjrt
