// SPDX-License-Identifier: Apache-2.0
//
// Files as bytes, and the one error of everything that reads or writes them.
#pragma once

#include "ir/array.hpp"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>

namespace tlaloc::data {

/// Codes: CANNOT_READ, CANNOT_WRITE, MALFORMED_FILE, UNSUPPORTED_DTYPE.
struct Error : ir::Error {
  Error(std::string code_, const std::string& name, const std::string& why)
      : ir::Error(code_ + ": " + name + ": " + why), code(std::move(code_)) {}
  std::string code;
};

/// Bytes that somebody keeps: a mapped file, or a part of one.
struct Bytes {
  std::shared_ptr<std::byte> data;
  std::size_t size = 0;
  std::string_view text() const { return {reinterpret_cast<const char*>(data.get()), size}; }
  Bytes from(std::size_t begin) const { return {{data, data.get() + begin}, size - begin}; }
};

/// Maps a file: nothing is copied, and pages are read when they are used.
Bytes map_file(const std::filesystem::path&);

/// Writes a file aside and renames it: it is there completely or not at all.
void write_file(const std::filesystem::path&, const std::function<void(std::ostream&)>&);

/// The first bytes as a row-major array. Copies only if the alignment of the dtype asks for it.
ir::Array view(ir::Type, const Bytes&);

/// Bytes of an array of this dtype and shape; nothing when a dimension is negative or they are more than memory can have.
std::optional<std::size_t> byte_size(ir::DType, const ir::Ints&);

}  // namespace tlaloc::data
