// SPDX-License-Identifier: Apache-2.0
//
// A client of a PJRT plugin: buffers on its devices, programs compiled for them, and executions, which are asynchronous:
// they return buffers at once, and whoever reads one waits for it. Objects keep the client that they belong to alive.
//
//   Client client(Plugin::load("xla_cpu.so"));
//   Executable f = client.compile(stablehlo);
//   std::vector<Buffer> y = f.execute({client.put(x)});
//   ir::Array host = y[0].get();
#pragma once

#include "ir/array.hpp"
#include "runtime/pjrt/plugin.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace tlaloc::runtime::pjrt {

namespace detail {
struct Session;                                   // a client as all its objects share it
using SessionPtr = std::shared_ptr<const Session>;

/// An object of the plugin. Destroy is the call that takes it as its only argument.
template <class Object, class Destroy> class Owned {
 public:
  Owned() = default;
  Owned(SessionPtr s, Object* o) : session(std::move(s)), object(o) {}
  Owned(Owned&& o) noexcept : session(std::move(o.session)), object(std::exchange(o.object, nullptr)) {}
  Owned& operator=(Owned&& o) noexcept {
    std::swap(session, o.session);
    std::swap(object, o.object);
    return *this;
  }
  ~Owned();
  explicit operator bool() const { return object; }
  SessionPtr session;
  Object* object = nullptr;
};
}  // namespace detail

/// Something that will have happened.
class Event : detail::Owned<abi::Event, abi::Event_Destroy> {
 public:
  using Owned::Owned;
  using Owned::operator bool;
  bool ready(Where = Where::current()) const;
  /// Waits. Throws what went wrong.
  void await(Where = Where::current()) const;
  /// Calls f once, from a thread of the plugin or from this one, with null or with what went wrong. f must not throw.
  void then(std::function<void(std::exception_ptr)> f, Where = Where::current()) &&;
};

class Device {
 public:
  std::string kind(Where = Where::current()) const;
  std::string text(Where = Where::current()) const;

 private:
  friend class Client;
  friend class Executable;
  Device(detail::SessionPtr s, abi::Device* d) : session_(std::move(s)), device_(d) {}
  abi::DeviceDescription* description(Where) const;
  detail::SessionPtr session_;
  abi::Device* device_;
};

class Buffer : detail::Owned<abi::Buffer, abi::Buffer_Destroy> {
 public:
  using Owned::Owned;
  using Owned::operator bool;
  ir::Type type(Where = Where::current()) const;
  /// Copies to the host and waits.
  ir::Array get(Where = Where::current()) const;
  /// Begins to copy into memory that must stay until the event: row-major, as many bytes as the type has.
  Event get(std::byte* into, std::size_t size, Where = Where::current()) const;
  Event ready(Where = Where::current()) const;
  /// Whether the storage is gone: by a donation or by free().
  bool deleted(Where = Where::current()) const;
  void free(Where = Where::current()) const;
  /// Where it lies on the device.
  std::uintptr_t address(Where = Where::current()) const;

 private:
  friend class Executable;
};

struct CompileOptions {
  int replicas = 1, partitions = 1;
  bool spmd = false, shardy = false;              // partition by shardings in the program, in Shardy's dialect
  std::string proto() const;                      // as xla.CompileOptionsProto
};

class Executable : detail::Owned<abi::LoadedExecutable, abi::LoadedExecutable_Destroy> {
 public:
  using Owned::Owned;
  using Owned::operator bool;
  using Arguments = std::vector<const Buffer*>;
  /// One execution on one device. Arguments that the program donates are deleted, but for the indices in `keep`.
  std::vector<Buffer> execute(const Arguments&, std::vector<std::int64_t> keep = {}, Where = Where::current()) const;
  /// One execution on several: arguments and results by device, in the order of devices().
  std::vector<std::vector<Buffer>> execute_on_all(const std::vector<Arguments>&, std::vector<std::int64_t> keep = {},
                                                  Where = Where::current()) const;
  std::vector<Device> devices(Where = Where::current()) const;
  std::size_t results(Where = Where::current()) const;
  /// For Client::deserialize of the same plugin and version on the same kind of machine.
  std::string serialize(Where = Where::current()) const;
};

class Client {
 public:
  explicit Client(const Plugin&, const Attributes& options = {}, Where = Where::current());
  const Plugin& plugin() const;
  std::string platform(Where = Where::current()) const;
  std::string platform_version(Where = Where::current()) const;
  /// Those that this process can use. The default device is the first.
  std::vector<Device> devices(Where = Where::current()) const;

  /// Puts an array on a device. The plugin may read the array's bytes for as long as it likes: they stay, and nobody
  /// writes them.
  Buffer put(const ir::Array&, Where = Where::current()) const;
  Buffer put(const ir::Array&, const Device&, Where = Where::current()) const;

  /// A module in the text or bytecode of StableHLO.
  Executable compile(std::string_view module, const CompileOptions& = {}, Where = Where::current()) const;
  Executable deserialize(std::string_view, Where = Where::current()) const;

 private:
  detail::SessionPtr session_;
};

}  // namespace tlaloc::runtime::pjrt
