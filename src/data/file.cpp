// SPDX-License-Identifier: Apache-2.0
#include "data/file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tlaloc::data {

Bytes map_file(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat s {};
  if (descriptor < 0 || fstat(descriptor, &s) != 0 || !S_ISREG(s.st_mode)) {
    const std::string why = descriptor >= 0 && !S_ISREG(s.st_mode) ? "is no regular file" : std::strerror(errno);
    if (descriptor >= 0) close(descriptor);
    throw Error("CANNOT_READ", path.string(), why);
  }
  const std::size_t size = std::size_t(s.st_size);
  // A mapping of nothing is an error; the byte is for the pointer.
  void* mapped = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : new std::byte{};
  close(descriptor);
  if (mapped == MAP_FAILED) throw Error("CANNOT_READ", path.string(), std::strerror(errno));
  return {std::shared_ptr<std::byte>(static_cast<std::byte*>(mapped), [size](std::byte* p) { size ? void(munmap(p, size)) : delete p; }), size};
}

void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  const std::filesystem::path aside = path.string() + ".part" + std::to_string(getpid());
  std::ofstream file(aside, std::ios::binary);
  std::error_code failed;
  if (file) write(file);
  file.close();
  if (file) std::filesystem::rename(aside, path, failed);
  if (file && !failed) return;
  std::filesystem::remove(aside, failed);
  throw Error("CANNOT_WRITE", path.string(), "the file cannot be made or the disk is full");
}

ir::Array view(ir::Type type, const Bytes& bytes) {
  const std::size_t width = ir::byte_width(type.dtype);
  if (reinterpret_cast<std::uintptr_t>(bytes.data.get()) % width == 0) return {std::move(type), bytes.data};
  ir::Array copy(std::move(type));
  std::memcpy(copy.bytes.get(), bytes.data.get(), copy.size() * width);
  return copy;
}

std::optional<std::size_t> byte_size(ir::DType dtype, const ir::Ints& dims) {
  std::int64_t size = std::int64_t(ir::byte_width(dtype));
  bool empty = false;
  for (std::int64_t d : dims) {
    if (d < 0) return std::nullopt;
    if (d == 0) empty = true;
    else if (__builtin_mul_overflow(size, d, &size)) return std::nullopt;
  }
  return empty ? 0 : std::size_t(size);
}

}  // namespace tlaloc::data
