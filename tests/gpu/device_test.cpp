#include "gpu/device.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "reduce/reduction.hpp"

namespace railgauge::gpu {
namespace {

using measure::Pattern;
using reduce::ElementType;
using reduce::Operator;

// No multiple of a line of any type, and more than a block of threads.
constexpr std::size_t kElements = 5003;

std::vector<std::byte> fetched(const Device& device, std::span<const std::byte> memory) {
  std::vector<std::byte> host(memory.size());
  device.copy(host.data(), memory.data(), host.size());
  return host;
}

TEST(Device, IsListed) {
  const auto all = list_devices();
  ASSERT_FALSE(all.empty());
  EXPECT_FALSE(all[0].name.empty());
  EXPECT_NE(all[0].pci_address.find(':'), std::string::npos);
}

TEST(Device, HasZeroedMemoryThatIsCopiedBothWays) {
  const Device device(0);
  const Memory memory(device, 1000);
  EXPECT_EQ(fetched(device, memory.bytes().first(1000)), std::vector<std::byte>(1000));
  std::vector<std::byte> data(1000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i);
  device.copy(memory.bytes().data(), data.data(), data.size());
  EXPECT_EQ(fetched(device, memory.bytes().first(1000)), data);
  device.copy(memory.bytes().data(), data.data(), 0);
}

TEST(Device, ExportsItsMemoryAsADmaBuf) {
  const Device device(0);
  const Memory memory(device, 1000);
  if (!device.properties().exports_dma_bufs) GTEST_SKIP() << "this GPU's driver has no dma-buf";
  EXPECT_GE(memory.dma_buf().file.number(), 0);
}

/// Every type and operator.
class Patterns : public testing::TestWithParam<std::tuple<ElementType, Operator>> {
 protected:
  [[nodiscard]] static Pattern pattern(std::uint32_t ranks) {
    return {std::get<0>(GetParam()), std::get<1>(GetParam()), ranks, 41};
  }
};

TEST_P(Patterns, OfAGpuAreTheHosts) {
  const Device device(0);
  for (const std::uint32_t ranks : {1U, 2U, 3U, 13U}) {
    const std::size_t bytes = kElements * reduce::size_bytes(pattern(ranks).type);
    const Memory memory(device, bytes);
    const auto buffer = memory.bytes().first(bytes);
    device.fill_input(pattern(ranks), ranks - 1, buffer);
    const auto host = fetched(device, buffer);
    EXPECT_EQ(measure::verify_copy(pattern(ranks), ranks - 1, 0, host).wrong, 0U);
    std::vector<std::byte> expected(bytes);
    measure::fill_input(pattern(ranks), ranks - 1, expected);
    EXPECT_EQ(host, expected);
    EXPECT_EQ(device.verify_copy(pattern(ranks), ranks - 1, 0, buffer).wrong, 0U);
  }
}

TEST_P(Patterns, AreCheckedOnTheGpu) {
  const Device device(0);
  const Pattern five = pattern(5);
  const std::size_t element = reduce::size_bytes(five.type);
  std::vector<std::byte> sum(kElements * element);
  std::vector<std::byte> input(sum.size());
  measure::fill_input(five, 0, sum);
  const auto reduction = reduce::reduction(five.type, five.op, five.ranks);
  for (std::uint32_t rank = 1; rank < five.ranks; ++rank) {
    measure::fill_input(five, rank, input);
    const bool last = rank + 1 == five.ranks;
    if (last) {
      reduction.complete(sum.data(), sum.data(), input.data(), kElements);
    } else {
      reduction.combine(sum.data(), sum.data(), input.data(), kElements);
    }
  }
  const Memory memory(device, sum.size());
  const auto buffer = memory.bytes().first(sum.size());
  device.copy(buffer.data(), sum.data(), sum.size());
  EXPECT_EQ(device.verify_reduction(five, 0, buffer).wrong, 0U);

  // A bit in the middle, and the last.
  constexpr std::size_t kWrong = 4001;
  for (const std::size_t at : {kWrong, kElements - 1}) sum[at * element] ^= std::byte{1};
  device.copy(buffer.data(), sum.data(), sum.size());
  const measure::Verdict verdict = device.verify_reduction(five, 0, buffer);
  const measure::Verdict hosts = measure::verify_reduction(five, 0, sum);
  EXPECT_EQ(verdict.wrong, hosts.wrong);
  EXPECT_EQ(verdict.first_at, hosts.first_at);
  EXPECT_EQ(verdict.first, hosts.first);
  // From an element on.
  constexpr std::size_t kFirst = 4000;
  const auto tail = device.verify_reduction(five, kFirst, buffer.subspan(kFirst * element));
  EXPECT_EQ(tail.wrong, hosts.wrong);
  EXPECT_EQ(tail.first_at, hosts.first_at);
}

std::string name_of(const testing::TestParamInfo<Patterns::ParamType>& info) {
  return std::string(reduce::name(std::get<0>(info.param))) + "_" +
         std::string(reduce::name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, Patterns,
                         testing::Combine(testing::ValuesIn(reduce::kElementTypes),
                                          testing::ValuesIn(reduce::kOperators)),
                         name_of);

}  // namespace
}  // namespace railgauge::gpu
