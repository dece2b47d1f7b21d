// SPDX-License-Identifier: Apache-2.0
#include "data/sha256.hpp"

#include <stdexcept>

#include <openssl/evp.h>

namespace tlaloc::data {

std::string sha256(std::string_view bytes) {
  unsigned char digest[32];
  if (!EVP_Digest(bytes.data(), bytes.size(), digest, nullptr, EVP_sha256(), nullptr)) throw std::runtime_error("SHA-256 is not available");
  std::string out;
  for (unsigned char c : digest) {
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}

}  // namespace tlaloc::data
