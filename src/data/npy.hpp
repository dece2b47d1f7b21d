// SPDX-License-Identifier: Apache-2.0
//
// NumPy's files: .npy holds one array, .npz is a zip of them. Bits are kept. Read: versions 1 to 3, either byte order,
// either memory order, stored or deflated members. Written: what numpy.save writes, byte for byte. Refused by name:
// bf16 and every dtype that is no bool, integer or float of 16 to 64 bits.
#pragma once

#include "data/file.hpp"

#include <map>

namespace tlaloc::data {

/// `name` stands in errors.
ir::Array read_npy(const Bytes&, const std::string& name);
ir::Array load_npy(const std::filesystem::path&);
void write_npy(std::ostream&, const ir::Array&, const std::string& name);
void save_npy(const std::filesystem::path&, const ir::Array&);

using Arrays = std::map<std::string, ir::Array>;
Arrays load_npz(const std::filesystem::path&);
void save_npz(const std::filesystem::path&, const Arrays&, bool compressed = false);

}  // namespace tlaloc::data
