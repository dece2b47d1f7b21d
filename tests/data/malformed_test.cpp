// SPDX-License-Identifier: Apache-2.0
//
// Files that are not what they say: each is refused by name before any of it is used. A file that is right stands beside
// them, so that what is refused is the fault and not the form.
#include "data/safetensors.hpp"
#include "data/sha256.hpp"

#include <cstring>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::data {
namespace {

using testing::HasSubstr;

Bytes bytes(const std::string& s) {
  ir::Array a(ir::Type{ir::DType::u8, {std::int64_t(s.size())}});
  std::memcpy(a.bytes.get(), s.data(), s.size());
  return {a.bytes, s.size()};
}
template <class F> std::string error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// --- .npy ---
std::string npy(std::string header, std::size_t content, int version = 1, int length = -1) {
  if (length < 0) length = int(header.size());
  std::string out = std::string("\x93NUMPY") + char(version) + '\0' + char(length & 255) + char(length >> 8 & 255);
  if (version > 1) out += std::string(2, '\0');
  return out + header + std::string(content, '\1');
}
std::string npy_error(const std::string& file) {
  return error_of([&] { read_npy(bytes(file), "a.npy"); });
}
const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n";

TEST(Npy, TheRightFile) {
  EXPECT_EQ(npy_error(npy(good, 24)), "no error");
  EXPECT_EQ(npy_error(npy(good, 24, 2)), "no error");
  EXPECT_EQ(npy_error(npy("{\"shape\": (6,), 'fortran_order': True, 'descr': '<f4'}", 24)), "no error");
}
TEST(Npy, WrongFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "no .npy file"},
      {"PK\3\4 this is something else", "no .npy file"},
      {npy(good, 24, 4), "version 4"},
      {npy(good, 24, 0), "version 0"},
      {npy("", 0, 2).substr(0, 10), "cut off within its header"},
      {npy(good, 24, 1, 60000), "cut off within its header"},
      {npy(good, 23), "shorter than its shape says"},
      {npy(good, 25), "longer than its shape says"},
      {npy("", 0), "malformed where '{'"},
      {npy("{'descr': '<f4', 'fortran_order': False, }", 24), "lacks"},
      {npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", 24), "a second 'descr'"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}", 24), "unknown or a second 'more'"},
      {npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", 24), "neither True nor False"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}", 24), "no number of elements"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6.0,)}", 24), "no tuple"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", 24), "no number of elements"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4)}", 24), "shorter than its shape says"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", 24), "shorter than its shape says"},
      {npy("{'descr': '<f4, 'fortran_order': False, 'shape': (6,)}", 24), "header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} rest", 24), "follows"},
      {npy("{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}", 24), "no dictionary"},
  };
  for (auto& [file, why] : cases) {
    const std::string e = npy_error(file);
    EXPECT_THAT(e, testing::StartsWith("MALFORMED_FILE: a.npy: "));
    EXPECT_THAT(e, HasSubstr(why));
  }
  for (const char* dtype : {"<c8", "|O", "<U3", "|V2", "<f16", "f4", "<", "", "^f4"}) {
    EXPECT_THAT(npy_error(npy("{'descr': '" + std::string(dtype) + "', 'fortran_order': False, 'shape': (6,)}", 24)),
                HasSubstr("UNSUPPORTED_DTYPE: a.npy: numpy's dtype '" + std::string(dtype) + "'"));
  }
  EXPECT_THAT(npy_error(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", 24)), HasSubstr("structured"));
}

// --- safetensors ---
std::string safetensors(const std::string& header, std::size_t content, std::uint64_t length = ~0ull) {
  if (length == ~0ull) length = header.size();
  std::string out;
  for (int i = 0; i < 8; ++i) out += char(length >> (8 * i));
  return out + header + std::string(content, '\1');
}
std::string safetensors_error(const std::string& file) {
  return error_of([&] { read_safetensors(bytes(file), "a.safetensors"); });
}
std::string tensor(const char* dtype, const char* shape, const char* offsets) {
  return std::string("{\"dtype\":\"") + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
std::string one(const char* dtype, const char* shape, const char* offsets) { return "{\"x\":" + tensor(dtype, shape, offsets) + "}"; }
std::string two(const char* first, const char* second) {
  return "{\"x\":" + tensor("F32", "[2]", first) + ",\"y\":" + tensor("F32", "[2]", second) + "}";
}

TEST(Safetensors, TheRightFile) {
  EXPECT_EQ(safetensors_error(safetensors(one("F32", "[2,3]", "[0,24]"), 24)), "no error");
  EXPECT_EQ(safetensors_error(safetensors(one("F32", "[2,0]", "[0,0]") + "   ", 0)), "no error");
  EXPECT_EQ(safetensors_error(safetensors(two("[8,16]", "[0,8]"), 16)), "no error");
  EXPECT_EQ(safetensors_error(safetensors("{}", 0)), "no error");
}
TEST(Safetensors, WrongFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "too short"},
      {"1234567", "too short"},
      {safetensors("{}", 0, 3), "cut off within its header"},
      {safetensors("{}", 0, 100'000'001), "100000000 are allowed"},
      {safetensors("{}", 0, ~0ull - 1), "100000000 are allowed"},
      {safetensors("", 0), "no JSON object"},
      {safetensors(" {}", 0), "no JSON object"},
      {safetensors("[]", 0), "no JSON object"},
      {safetensors("{", 0), "no JSON"},
      {safetensors("{}x", 0), "no JSON"},
      {safetensors("{\"\xff\":1}", 0), "no JSON"},
      {safetensors("{\"x\":1}", 0), "tensor 'x' must have"},
      {safetensors("{\"x\":{\"dtype\":\"F32\",\"shape\":[]}}", 0), "tensor 'x' must have"},
      {safetensors("{\"x\":{\"dtype\":1,\"shape\":[],\"data_offsets\":[0,4]}}", 4), "no string"},
      {safetensors(one("F33", "[2]", "[0,8]"), 8), "unknown dtype 'F33'"},
      {safetensors(one("F32", "[-2]", "[0,8]"), 8), "no list of extents"},
      {safetensors(one("F32", "[2.5]", "[0,8]"), 8), "no list of extents"},
      {safetensors(one("F32", "2", "[0,8]"), 8), "no list of extents"},
      {safetensors(one("F32", "[2]", "[0]"), 8), "no two data_offsets"},
      {safetensors(one("F32", "[2]", "[-8,0]"), 8), "no two data_offsets"},
      {safetensors(one("F32", "[2]", "[8,0]"), 8), "backwards"},
      {safetensors(one("F32", "[2]", "[0,9]"), 9), "of 8 bytes has data_offsets for 9"},
      {safetensors(one("F32", "[4294967296,4294967296]", "[0,0]"), 0), "impossible shape"},
      {safetensors(one("F64", "[2305843009213693952]", "[0,0]"), 0), "impossible shape"},
      {safetensors(one("F32", "[18446744073709551615]", "[0,0]"), 0), "no list of extents"},
      {safetensors(one("F4", "[3]", "[0,1]"), 1), "impossible shape"},
      {safetensors(one("F32", "[2]", "[0,8]"), 7), "is cut off: its tensors need 8 bytes and 7 are there"},
      {safetensors(one("F32", "[2]", "[0,8]"), 9), "belong to no tensor"},
      {safetensors(one("F32", "[2]", "[4,12]"), 12), "gap before tensor 'x'"},
      {safetensors(two("[0,8]", "[4,12]"), 12), "tensor 'y' overlaps"},
      {safetensors(two("[0,8]", "[0,8]"), 8), "overlaps"},
      {safetensors(two("[0,8]", "[12,20]"), 20), "gap before tensor 'y'"},
      {safetensors("{\"x\":" + tensor("F32", "[1]", "[0,4]") + ",\"x\":" + tensor("F32", "[1]", "[0,4]") + "}", 4), "'x' twice"},
      {safetensors("{\"x\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4), "'dtype' twice"},
      {safetensors("{\"__metadata__\":{\"a\":1}}", 0), "metadata 'a' is no string"},
      {safetensors("{\"__metadata__\":[]}", 0), "metadata is no object"},
  };
  for (auto& [file, why] : cases) {
    const std::string e = safetensors_error(file);
    EXPECT_THAT(e, testing::StartsWith("MALFORMED_FILE: a.safetensors: "));
    EXPECT_THAT(e, HasSubstr(why));
  }
}
/// Random damage is refused or read, and nothing else happens to the process (the sanitizers watch).
TEST(Safetensors, RandomDamage) {
  const std::string right = safetensors("{\"__metadata__\":{\"k\":\"v\"},\"x\":" + tensor("F32", "[2,3]", "[0,24]") + ",\"y\":" +
                                        tensor("BF16", "[4]", "[24,32]") + "}", 32);
  ASSERT_EQ(safetensors_error(right), "no error");
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string file = right;
    for (int k = int(random() % 3); k >= 0; --k) file[random() % (right.size() - 32)] = char(random());
    if (i % 3 == 0) file.resize(random() % file.size());
    refused += safetensors_error(file) != "no error";
  }
  EXPECT_GT(refused, 15000);
}

// --- files ---
TEST(Files, WhatIsNotThereIsRefused) {
  EXPECT_THAT(error_of([] { load_npy("/nowhere/x.npy"); }), HasSubstr("CANNOT_READ: /nowhere/x.npy: No such file"));
  EXPECT_THAT(error_of([] { load_npy(testing::TempDir()); }), HasSubstr("is no regular file"));
  EXPECT_THAT(error_of([] { save_npy("/nowhere/x.npy", ir::Array(ir::Type{ir::DType::f32, {2}})); }), HasSubstr("CANNOT_WRITE"));
  EXPECT_THAT(error_of([] { save_npy(testing::TempDir() + "x.npy", ir::Array(ir::Type{ir::DType::bf16, {2}})); }), HasSubstr("way out: safetensors"));
  EXPECT_THAT(error_of([] { save_safetensors(testing::TempDir() + "x.safetensors", {{"__metadata__", ir::Array(ir::Type{ir::DType::f32, {2}})}}); }), HasSubstr("CANNOT_WRITE"));
  EXPECT_THAT(error_of([] { save_safetensors(testing::TempDir() + "x.safetensors", {{"\xff", ir::Array(ir::Type{ir::DType::f32, {2}})}}); }), HasSubstr("not UTF-8"));
  const std::string empty = testing::TempDir() + "empty.npy";
  std::ofstream{empty};
  EXPECT_THAT(error_of([&] { load_npy(empty); }), HasSubstr("is no .npy file"));
}

/// The standard's own example.
TEST(Sha256, OfAbc) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace tlaloc::data
