// SPDX-License-Identifier: Apache-2.0
//
// The client against two real plugins of different age. Programs are written by hand; what they give is plain arithmetic.
#include "runtime/pjrt/client.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::runtime::pjrt {
namespace {

using ir::Array;
using ir::DType;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T> Array array(DType d, ir::Ints dims, std::vector<T> values) {
  Array a(ir::Type{d, dims});
  EXPECT_EQ(a.size(), values.size());
  std::memcpy(a.bytes.get(), values.data(), values.size() * sizeof(T));
  return a;
}
Array floats(ir::Ints dims, std::vector<float> v) { return array(DType::f32, std::move(dims), std::move(v)); }
template <class T> std::vector<T> values(const Array& a) { return {a.data<T>(), a.data<T>() + a.size()}; }
std::string code_of(const std::function<void()>& f, std::string* text = nullptr) {
  try {
    f();
  } catch (const Error& e) {
    if (text) *text = e.what();
    return e.code;
  }
  return "no error";
}

class Pjrt : public testing::TestWithParam<const char*> {
 protected:
  Client client{Plugin::load(std::string(TLALOC_SITE_PACKAGES) + "/" + GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Plugins, Pjrt,
                         testing::Values("xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"),
                         [](auto& p) { return std::string(p.param).starts_with("xla") ? "Older" : "Newer"; });

const char* add = R"(module { func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x2xf32>  return %0 : tensor<2x2xf32> } })";

TEST_P(Pjrt, TellsWhatItIs) {
  EXPECT_EQ(client.plugin().major(), 0);
  EXPECT_GE(client.plugin().minor(), 81);
  EXPECT_EQ(client.platform(), "cpu");
  EXPECT_FALSE(client.platform_version().empty());
  ASSERT_FALSE(client.devices().empty());
  EXPECT_THAT(client.devices()[0].kind(), "cpu");
  EXPECT_FALSE(client.devices()[0].text().empty());
  const auto attributes = client.plugin().attributes();
  ASSERT_TRUE(attributes.contains("stablehlo_current_version"));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(attributes.at("stablehlo_current_version")).size(), 3u);
}

TEST_P(Pjrt, LoadsAPluginOnce) {
  EXPECT_EQ(&client.plugin(), &Plugin::load(client.plugin().path().parent_path() / "." / client.plugin().path().filename()));
}

TEST_P(Pjrt, Adds) {
  const Executable f = client.compile(add);
  EXPECT_EQ(f.results(), 1u);
  EXPECT_EQ(f.devices().size(), 1u);
  const Buffer a = client.put(floats({2, 2}, {1, 2, 3, 4})), b = client.put(floats({2, 2}, {10, 20, 30, 40}));
  const auto out = f.execute({&a, &b});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].type(), (ir::Type{DType::f32, {2, 2}}));
  EXPECT_THAT(values<float>(out[0].get()), ElementsAre(11, 22, 33, 44));
  EXPECT_FALSE(a.deleted());
}

/// Every dtype goes in and comes out with its bits, also rank 0 and arrays without elements.
TEST_P(Pjrt, CarriesEveryDtype) {
  for (DType d : {DType::boolean, DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64,
                  DType::f16, DType::bf16, DType::f32, DType::f64}) {
    for (const ir::Ints& dims : {ir::Ints{}, ir::Ints{3, 5}, ir::Ints{0, 4}}) {
      Array a(ir::Type{d, dims});
      for (std::size_t i = 0; i < a.size() * ir::byte_width(d); ++i) a.data<unsigned char>()[i] = d == DType::boolean ? i % 2 : (7 * i + 3) % 64;
      const Buffer b = client.put(a);
      const Array back = b.get();
      EXPECT_EQ(back.type, a.type);
      EXPECT_EQ(std::memcmp(back.bytes.get(), a.bytes.get(), a.size() * ir::byte_width(d)), 0) << text(a.type);
    }
  }
}

/// One of the two plugins would hand out its columns.
TEST_P(Pjrt, RefusesResultsThatAreNotRowMajor) {
  const Executable f = client.compile(R"(module { func.func @main(%a: tensor<2x3xf32>) -> (tensor<3x2xf32> {mhlo.layout_mode = "{0,1}"}) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>  return %0 : tensor<3x2xf32> } })");
  const Buffer a = client.put(floats({2, 3}, {1, 2, 3, 4, 5, 6}));
  const auto out = f.execute({&a});
  EXPECT_EQ(code_of([&] { out[0].get(); }), "UNSUPPORTED_LAYOUT");
}

TEST_P(Pjrt, RunsLoopsAndSeveralResults) {
  const Executable f = client.compile(R"(module { func.func @main(%n: tensor<i32>, %x: tensor<4xf64>) -> (tensor<i32>, tensor<f64>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %start = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = stablehlo.while(%i = %start, %acc = %zero) : tensor<i32>, tensor<f64>
      cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>  stablehlo.return %c : tensor<i1> }
      do {
        %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
        %a = stablehlo.add %acc, %s : tensor<f64>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %a : tensor<i32>, tensor<f64> }
    return %r#0, %r#1 : tensor<i32>, tensor<f64> } })");
  const Buffer n = client.put(array<std::int32_t>(DType::i32, {}, {10})), x = client.put(array<double>(DType::f64, {4}, {1, 2, 3, 4.5}));
  const auto out = f.execute({&n, &x});
  ASSERT_EQ(out.size(), 2u);
  EXPECT_THAT(values<std::int32_t>(out[0].get()), ElementsAre(10));
  EXPECT_THAT(values<double>(out[1].get()), ElementsAre(105.0));
}

/// The same storage, the input gone, and its use an error with a name.
TEST_P(Pjrt, Donates) {
  for (const char* how : {"tf.aliasing_output = 0 : i32", "jax.buffer_donor = true"}) {
    const Executable f = client.compile(std::string("module { func.func @main(%a: tensor<65536xf32> {") + how +
                                        "}) -> tensor<65536xf32> { %0 = stablehlo.add %a, %a : tensor<65536xf32> return %0 : tensor<65536xf32> } }");
    // A result of the plugin's own: memory of the host is never given away.
    const Buffer host = client.put(floats({65536}, std::vector<float>(65536, 1.5f)));
    const auto first = f.execute({&host}, {0});
    EXPECT_FALSE(host.deleted()) << "kept by its index";
    const auto address = first[0].address();
    const auto second = f.execute({&first[0]});
    EXPECT_TRUE(first[0].deleted()) << how;
    EXPECT_EQ(second[0].address(), address) << how;
    EXPECT_EQ(values<float>(second[0].get())[65535], 6.0f);
    EXPECT_EQ(code_of([&] { f.execute({&first[0]}); }), "INVALID_ARGUMENT");
    const Executable plain = client.compile("module { func.func @main(%a: tensor<65536xf32>) -> tensor<65536xf32> { %0 = stablehlo.add %a, %a : "
                                            "tensor<65536xf32> return %0 : tensor<65536xf32> } }");
    const auto third = plain.execute({&second[0]});
    EXPECT_FALSE(second[0].deleted());
    EXPECT_NE(third[0].address(), second[0].address());
  }
}

/// A donated argument whose bytes are ours: the plugin must not write into them.
TEST_P(Pjrt, NeverWritesIntoAnArray) {
  const Executable f = client.compile("module { func.func @main(%a: tensor<65536xf32> {tf.aliasing_output = 0 : i32}) -> tensor<65536xf32> { "
                                      "%0 = stablehlo.add %a, %a : tensor<65536xf32> return %0 : tensor<65536xf32> } }");
  const Array a = floats({65536}, std::vector<float>(65536, 1.5f));
  const Buffer b = client.put(a);
  EXPECT_EQ(values<float>(f.execute({&b})[0].get())[0], 3.0f);
  EXPECT_EQ(values<float>(a), std::vector<float>(65536, 1.5f));
}

/// The bytes stay while the plugin may read them and are let go afterwards.
TEST_P(Pjrt, HoldsAnArrayForAsLongAsNeeded) {
  std::weak_ptr<std::byte> bytes;
  {
    Array a = floats({65536}, std::vector<float>(65536, 2.5f));
    bytes = a.bytes;
    const Buffer b = client.put(a);
    a = Array();
    EXPECT_EQ(values<float>(b.get())[65535], 2.5f);
  }
  for (int i = 0; i < 1000 && !bytes.expired(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(bytes.expired());
}

TEST_P(Pjrt, EventsTellWhenAResultIsThere) {
  const Executable f = client.compile(add);
  const Buffer a = client.put(floats({2, 2}, {1, 2, 3, 4}));
  const auto out = f.execute({&a, &a});
  std::promise<std::exception_ptr> told;
  out[0].ready().then([&](std::exception_ptr e) { told.set_value(e); });
  EXPECT_EQ(told.get_future().get(), nullptr);
  Array host(out[0].type());
  const Event copied = out[0].get(host.bytes.get(), 16);
  copied.await();
  EXPECT_TRUE(copied.ready());
  EXPECT_THAT(values<float>(host), ElementsAre(2, 4, 6, 8));
}

TEST_P(Pjrt, ObjectsOutliveTheClientThatMadeThem) {
  std::vector<Buffer> out;
  {
    const Client other(client.plugin());
    const Buffer a = other.put(floats({2, 2}, {1, 2, 3, 4}));
    out = other.compile(add).execute({&a, &a});
  }
  EXPECT_THAT(values<float>(out[0].get()), ElementsAre(2, 4, 6, 8));
}

TEST_P(Pjrt, RunsOnSeveralDevices) {
  const auto devices = client.devices();
  ASSERT_GE(devices.size(), 2u);
  CompileOptions two;
  two.replicas = 2;
  const Executable f = client.compile(add, two);
  ASSERT_EQ(f.devices().size(), 2u);
  const Buffer a = client.put(floats({2, 2}, {1, 2, 3, 4}), f.devices()[0]), b = client.put(floats({2, 2}, {5, 6, 7, 8}), f.devices()[1]);
  const auto out = f.execute_on_all({{&a, &a}, {&b, &b}});
  EXPECT_THAT(values<float>(out[0][0].get()), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(values<float>(out[1][0].get()), ElementsAre(10, 12, 14, 16));
}

TEST_P(Pjrt, SerializedExecutablesRun) {
  const std::string bytes = client.compile(add).serialize();
  EXPECT_FALSE(bytes.empty());
  const Client other(client.plugin());
  const Buffer a = other.put(floats({2, 2}, {1, 2, 3, 4}));
  EXPECT_THAT(values<float>(other.deserialize(bytes).execute({&a, &a})[0].get()), ElementsAre(2, 4, 6, 8));
}

TEST_P(Pjrt, ErrorsHaveTheirCodeTheirTextAndOurPlace) {
  std::string text;
  const int here = __LINE__ + 1;
  const std::string code = code_of([&] { client.compile("module { func.func @main() { %0 = stablehlo.nonsense : tensor<f32> return } }"); }, &text);
  EXPECT_NE(code, "no error");
  EXPECT_THAT(text, HasSubstr("nonsense"));
  EXPECT_THAT(text, HasSubstr("PJRT_Client_Compile"));
  EXPECT_THAT(text, HasSubstr("[pjrt_test.cpp:" + std::to_string(here) + "]"));

  const Executable f = client.compile(add);
  const Buffer a = client.put(floats({2, 2}, {1, 2, 3, 4})), wrong = client.put(floats({3}, {1, 2, 3}));
  EXPECT_EQ(code_of([&] { f.execute({&a}); }), "INVALID_ARGUMENT");
  EXPECT_EQ(code_of([&] { f.execute({&a, &wrong})[0].get(); }), "INVALID_ARGUMENT");
  EXPECT_NE(code_of([&] { client.deserialize("no executable"); }), "no error");
  std::byte small[4];
  EXPECT_EQ(code_of([&] { a.get(small, 4).await(); }), "INVALID_ARGUMENT");
}

TEST(PjrtPlugin, WhatIsNoPluginIsRefused) {
  EXPECT_EQ(code_of([] { Plugin::load("/nowhere/plugin.so"); }), "CANNOT_LOAD_PLUGIN");
  EXPECT_EQ(code_of([] { Plugin::load(TLALOC_SOURCE_DIR "/README.md"); }), "CANNOT_LOAD_PLUGIN");
}

TEST(PjrtPlugin, EachEntryIsCheckedBeforeItIsCalled) {
  std::string text;
  const Plugin& plugin = Plugin::load(TLALOC_INCOMPLETE_PLUGIN);
  EXPECT_EQ(plugin.minor(), 7);
  EXPECT_EQ(code_of([&] { plugin.attributes(); }, &text), "UNSUPPORTED_PLUGIN") << "a hole in the table";
  EXPECT_THAT(text, HasSubstr("(PJRT interface 0.7) has no PJRT_Plugin_Attributes"));
  EXPECT_EQ(code_of([&] { plugin.call(abi::Client_Destroy{}, Where::current()); }), "UNSUPPORTED_PLUGIN") << "one past its end";
  EXPECT_EQ(code_of([&] { Client{plugin}; }, &text), "UNAVAILABLE");
  EXPECT_THAT(text, HasSubstr("PJRT_Client_Create: no device today"));
  EXPECT_EQ(code_of([] { Plugin::load(TLALOC_UNINITIALIZED_PLUGIN); }), "UNSUPPORTED_PLUGIN");
  EXPECT_EQ(code_of([] { Plugin::load(TLALOC_NEXT_MAJOR_PLUGIN); }, &text), "UNSUPPORTED_PLUGIN");
  EXPECT_THAT(text, HasSubstr("has version 1.7 of the PJRT interface, known is 0"));
}

TEST(PjrtOptions, AreTheBytesOfTheProtocolBuffer) {
  EXPECT_EQ(CompileOptions{}.proto(), std::string("\x1a\x04\x20\x01\x28\x01", 6));
  EXPECT_EQ((CompileOptions{1, 4, true, true}.proto()), std::string("\x1a\x09\x20\x01\x28\x04\x30\x01\x98\x01\x01", 11));
}

}  // namespace
}  // namespace tlaloc::runtime::pjrt
