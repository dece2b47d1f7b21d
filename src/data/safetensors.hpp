// SPDX-License-Identifier: Apache-2.0
//
// The safetensors format: named arrays behind a JSON header. A file is mapped, and its arrays lie in the mapping. It is
// checked before any of it is used: the header's length, every dtype, shape and range, and that the ranges cover the
// data without a gap or an overlap.
#pragma once

#include "data/npy.hpp"

namespace tlaloc::data {

/// What the header says of one tensor. The dtype is the file's own name: not all of them are ours.
struct SafetensorsEntry {
  std::string name, dtype;
  ir::Ints shape;
  std::size_t begin = 0, end = 0;                 // in the data
};
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;          // in the order of the data
  std::map<std::string, std::string> metadata;
  std::size_t data = 0;                           // where the data begins in the file
};
SafetensorsHeader read_safetensors_header(const Bytes&, const std::string& name);

struct Safetensors {
  Arrays arrays;
  std::map<std::string, std::string> metadata;
};
Safetensors read_safetensors(const Bytes&, const std::string& name);
Safetensors load_safetensors(const std::filesystem::path&);
/// What the original package writes, byte for byte.
void save_safetensors(const std::filesystem::path&, const Arrays&, const std::map<std::string, std::string>& metadata = {});

}  // namespace tlaloc::data
