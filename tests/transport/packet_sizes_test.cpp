#include "transport/packet_sizes.hpp"

#include <gtest/gtest.h>

namespace railgauge::transport {
namespace {

constexpr std::uint32_t kMtu = 4096;

PacketSizes after(std::initializer_list<std::uint32_t> writes) {
  PacketSizes sizes;
  std::uint64_t number = 0;
  for (const std::uint32_t bytes : writes) sizes.posted(++number, bytes, kMtu);
  return sizes;
}

TEST(PacketSizes, TellFromWhichSizeOnNothingArrives) {
  const auto limit = after({0, 8, 0, 1024, 0, 2048, 0, 4096}).limit(6);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->passes, 1024U);
  EXPECT_EQ(limit->lost, 2048U);
}

TEST(PacketSizes, AreOfPacketsNotOfWrites) {
  const auto limit = after({8, 1'000'000}).limit(2);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->lost, kMtu);
  EXPECT_FALSE(after({8, 4096, 1'000'000}).limit(3)) << "packets as large have arrived";
}

TEST(PacketSizes, OfAPathThatCarriesNothingSayNothing) {
  EXPECT_FALSE(after({4096}).limit(1));
  EXPECT_FALSE(after({8, 4096}).limit(1));
  EXPECT_FALSE(PacketSizes().limit(0));
}

/// A link that dies in mid-run.
TEST(PacketSizes, OfAPathThatCarriedAsLargeOnesSayNothing) {
  EXPECT_FALSE(after({8, 4096, 8, 4096}).limit(4));
  EXPECT_FALSE(after({8, 4096, 8, 4096}).limit(3));
  EXPECT_FALSE(after({1024, 8}).limit(2));
}

TEST(PacketSizes, OfMessagesWithoutPayloadAreSizesToo) {
  const auto limit = after({0, 0, 65'536}).limit(3);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->passes, 0U);
  EXPECT_EQ(limit->lost, kMtu);
}

/// A sweep by small steps has more sizes than are kept: what is said of the last is still true.
TEST(PacketSizes, AreKeptInFewBytes) {
  PacketSizes sizes;
  for (std::uint32_t number = 1; number <= 100; ++number) sizes.posted(number, 8 * number, kMtu);
  const auto limit = sizes.limit(100);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->lost, 800U);
  EXPECT_LT(limit->passes, limit->lost);
  EXPECT_FALSE(sizes.limit(50)) << "not known any more";
}

}  // namespace
}  // namespace railgauge::transport
