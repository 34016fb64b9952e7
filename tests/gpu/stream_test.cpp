#include "gpu/stream.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "gpu/staged_stream.hpp"

namespace railgauge::gpu {
namespace {

using reduce::ElementType;
using reduce::Operator;

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// All bits equal, or both NaN: of a NaN no payload is promised.
void expect_same(ElementType type, const std::vector<std::byte>& found,
                 const std::vector<std::byte>& expected) {
  reduce::visit(type, [&]<class T>(T) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size() / sizeof(T); ++i) {
      T a;
      T b;
      std::memcpy(&a, &found[i * sizeof(T)], sizeof(T));
      std::memcpy(&b, &expected[i * sizeof(T)], sizeof(T));
      const bool same = std::memcmp(&a, &b, sizeof(T)) == 0;
      if (!same && (measure::same_number(a, a) || measure::same_number(b, b))) ++wrong;
    }
    EXPECT_EQ(wrong, 0U) << reduce::name(type);
  });
}

class Combining : public testing::TestWithParam<std::tuple<ElementType, Operator>> {};

/// Of any bits, NaNs, infinities and subnormals among them; aligned to lines and not; the right
/// side in memory of the host.
TEST_P(Combining, IsTheHostsToTheBit) {
  const auto [type, op] = GetParam();
  const Device device(0);
  const std::size_t element = reduce::size_bytes(type);
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{16}, std::size_t{17}, std::size_t{70001}}) {
    for (const std::size_t off : {std::size_t{0}, element}) {
      const std::size_t bytes = count * element;
      const auto a = random_bytes(bytes, 1);
      auto b = random_bytes(bytes + off, 2);
      const Memory memory(device, bytes + off);
      std::byte* const ours = memory.bytes().data() + off;
      device.copy(ours, a.data(), bytes);
      for (const bool completes : {false, true}) {
        std::vector<std::byte> expected(bytes);
        const auto reduction = reduce::reduction(type, op, 7);
        const Memory result(device, bytes);
        Stream stream(device, type, op, 7);
        stream.reach(b);
        stream.combine(result.bytes().data(), ours, b.data() + off, count, completes);
        while (stream.done() < stream.started() && !stream.failed()) {
        }
        ASSERT_FALSE(stream.failed()) << stream.fault();
        if (completes) {
          reduction.complete(expected.data(), a.data(), b.data() + off, count);
        } else {
          reduction.combine(expected.data(), a.data(), b.data() + off, count);
        }
        std::vector<std::byte> found(bytes);
        device.copy(found.data(), result.bytes().data(), bytes);
        expect_same(type, found, expected);
      }
    }
  }
}

std::string combination_name(const testing::TestParamInfo<Combining::ParamType>& info) {
  return std::string(reduce::name(std::get<0>(info.param))) + "_" +
         std::string(reduce::name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, Combining,
                         testing::Combine(testing::ValuesIn(reduce::kElementTypes),
                                          testing::ValuesIn(reduce::kOperators)),
                         combination_name);

/// What no kernel reaches is told as a failure of the GPU, by its name.
TEST(Stream, NamesTheGpuThatFails) {
  const Device device(0);
  if (!device.description().name.starts_with("Fake "))
    GTEST_SKIP() << "a GPU that has failed is of no use";
  const Memory memory(device, 64);
  std::vector<std::byte> unreached(64);
  Stream stream(device, ElementType::float32, Operator::sum, 2);
  stream.combine(memory.bytes().data(), memory.bytes().data(), unreached.data(), 16, false);
  EXPECT_TRUE(stream.failed());
  EXPECT_EQ(stream.fault(), in_words(device.description()) + " failed: " + driver().launch.name +
                                ": an illegal memory access was encountered");
}

TEST(Stream, LeavesNothingBehind) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) library = dlopen("libamdhip64.so.6", RTLD_NOW | RTLD_NOLOAD);
  auto* const live = reinterpret_cast<int (*)()>(dlsym(library, "fake_gpu_live"));
  if (live == nullptr) GTEST_SKIP() << "this driver does not count what is left";
  {
    const Device device(0);
    std::vector<std::byte> host(4096);
    const Memory memory(device, 4096);
    StagedStream stream(device, ElementType::float32, Operator::sum, 2, 4096);
    stream.reach(host);
    stream.copy(memory.bytes().data(), host.data(), host.size());
    EXPECT_GT(live(), 0);
  }
  EXPECT_EQ(live(), 0);
}

TEST(Stream, DoesMoreThanItHasRoundsFor) {
  const Device device(0);
  const Memory memory(device, 64);
  Stream stream(device, ElementType::float32, Operator::sum, 2);
  constexpr std::uint64_t kCopies = 1000;
  for (std::uint64_t i = 0; i < kCopies; ++i)
    stream.copy(memory.bytes().data(), memory.bytes().data() + 32, 32);
  while (stream.done() < kCopies && !stream.failed()) {
  }
  EXPECT_FALSE(stream.failed());
  EXPECT_GT(stream.take_busy_time().copying.count(), 0);
  EXPECT_EQ(stream.take_busy_time().copying.count(), 0);
}

TEST(StagedStream, CombinesOnTheHost) {
  const Device device(0);
  constexpr std::size_t kBytes = 4096;
  const auto a = random_bytes(kBytes, 3);
  auto b = random_bytes(kBytes, 4);
  const Memory memory(device, kBytes);
  device.copy(memory.bytes().data(), a.data(), kBytes);
  StagedStream stream(device, ElementType::int32, Operator::avg, 3, kBytes);
  stream.combine(memory.bytes().data(), memory.bytes().data(), b.data(), kBytes / 4, true);
  EXPECT_EQ(stream.done(), stream.started());
  std::vector<std::byte> expected(kBytes);
  reduce::reduction(ElementType::int32, Operator::avg, 3)
      .complete(expected.data(), a.data(), b.data(), kBytes / 4);
  std::vector<std::byte> found(kBytes);
  device.copy(found.data(), memory.bytes().data(), kBytes);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace railgauge::gpu
