// SPDX-License-Identifier: Apache-2.0
//
// convert IN OUT [IN OUT]...: reads and writes array files by their suffix; for against_originals.py.
#include "data/safetensors.hpp"

#include <iostream>

using namespace tlaloc;

int main(int argc, char** argv) try {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::filesystem::path in = argv[i], out = argv[i + 1];
    data::Safetensors all;
    if (in.extension() == ".npy") all.arrays["x"] = data::load_npy(in);
    else if (in.extension() == ".npz") all.arrays = data::load_npz(in);
    else all = data::load_safetensors(in);
    if (out.extension() == ".npy") data::save_npy(out, all.arrays.at("x"));
    else if (out.extension() == ".npz") data::save_npz(out, all.arrays, out.stem().string().ends_with("small"));
    else data::save_safetensors(out, all.arrays, all.metadata);
  }
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
