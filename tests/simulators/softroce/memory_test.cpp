#include "softroce/device/memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "softroce/device/ring.hpp"

namespace railgauge::softroce {
namespace {

class Memory : public ::testing::Test {
 protected:
  std::byte* resolve(std::uint64_t address, std::uint64_t length, unsigned access = 0) const {
    return table.resolve(region->rkey, address, length, &domain, access);
  }

  ibv_pd domain{}, other{};
  std::array<std::byte, 100> bytes{};
  MemoryTable table;
  static constexpr std::uint64_t kIova = 0x1000;
  Region* region = table.add(&domain, bytes.data(), bytes.size(), kIova,
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
};

TEST_F(Memory, BoundsAreThoseOfTheRegion) {
  EXPECT_EQ(resolve(kIova, 100), bytes.data());
  EXPECT_EQ(resolve(kIova + 99, 1), bytes.data() + 99);
  EXPECT_EQ(resolve(kIova + 100, 0), bytes.data() + 100);
  EXPECT_EQ(resolve(kIova + 99, 2), nullptr);
  EXPECT_EQ(resolve(kIova - 1, 1), nullptr);
  EXPECT_EQ(resolve(kIova + 101, 0), nullptr);
  EXPECT_EQ(resolve(kIova + 1, ~std::uint64_t{0}), nullptr);  // would come round
  EXPECT_EQ(resolve(~std::uint64_t{0}, 2), nullptr);
}

TEST_F(Memory, KeyDomainAndRightsHaveToFit) {
  EXPECT_NE(resolve(kIova, 1, IBV_ACCESS_REMOTE_READ), nullptr);
  EXPECT_EQ(resolve(kIova, 1, IBV_ACCESS_REMOTE_WRITE), nullptr);
  EXPECT_EQ(resolve(kIova, 1, IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC), nullptr);
  EXPECT_EQ(table.resolve(region->rkey, kIova, 1, &other, 0), nullptr);
  EXPECT_EQ(table.resolve(region->rkey + 1, kIova, 1, &domain, 0), nullptr);
  EXPECT_EQ(table.resolve(region->rkey + 256, kIova, 1, &domain, 0), nullptr);
  EXPECT_EQ(table.resolve(~0U, kIova, 1, &domain, 0), nullptr);
}

TEST_F(Memory, AKeyEndsWithItsRegion) {
  const std::uint32_t key = region->rkey;
  table.remove(region);
  EXPECT_EQ(table.resolve(key, kIova, 1, &domain, 0), nullptr);
  const Region* next = table.add(&domain, bytes.data(), bytes.size(), kIova, 0);
  EXPECT_EQ(next->place, key >> kRegionTagBits);  // the same place
  EXPECT_NE(next->rkey, key);
  EXPECT_EQ(table.resolve(key, kIova, 1, &domain, 0), nullptr);
}

TEST_F(Memory, AnotherDevicesKeysAreNotTheSame) {
  MemoryTable another;
  EXPECT_NE(another.add(&domain, bytes.data(), bytes.size(), kIova, 0)->place, region->place);
  EXPECT_NE(another.windows.add(&domain, IBV_MW_TYPE_1)->rkey >> kTagBits,
            table.windows.add(&domain, IBV_MW_TYPE_1)->rkey >> kTagBits);
}

TEST_F(Memory, RegisteredAnewTheOldKeyOpensNothing) {
  const std::uint32_t key = region->rkey;
  table.renew_key(region);
  EXPECT_EQ(table.resolve(key, kIova, 1, &domain, 0), nullptr);
  EXPECT_NE(resolve(kIova, 1), nullptr);
}

TEST_F(Memory, ElementsAreResolvedAllOrNone) {
  std::array<ibv_sge, 3> elements = {
      {{kIova, 10, region->lkey}, {~0ULL, 0, 77}, {kIova + 50, 20, region->lkey}}};
  EXPECT_TRUE(table.resolve_all(elements, &domain, IBV_ACCESS_LOCAL_WRITE));
  EXPECT_EQ(elements[0].addr, reinterpret_cast<std::uintptr_t>(bytes.data()));
  EXPECT_EQ(elements[2].addr, reinterpret_cast<std::uintptr_t>(bytes.data() + 50));

  std::array<ibv_sge, 2> wrong = {{{kIova, 10, region->lkey}, {kIova + 99, 2, region->lkey}}};
  EXPECT_FALSE(table.resolve_all(wrong, &domain, 0));
  EXPECT_EQ(wrong[0].addr, kIova);
  EXPECT_EQ(wrong[1].addr, kIova + 99);
}

TEST_F(Memory, ElementsAreOneRunOfBytes) {
  std::array<ibv_sge, 3> elements = {
      {{kIova, 10, region->lkey}, {kIova + 20, 0, region->lkey}, {kIova + 30, 10, region->lkey}}};
  ASSERT_TRUE(table.resolve_all(elements, &domain, 0));
  EXPECT_EQ(total_length(elements), 20U);
  std::array<std::byte, 6> data{};
  data.fill(std::byte{7});
  EXPECT_TRUE(scatter(elements, 7, data));
  EXPECT_EQ(bytes[6], std::byte{0});
  EXPECT_EQ(bytes[9], std::byte{7});
  EXPECT_EQ(bytes[10], std::byte{0});
  EXPECT_EQ(bytes[32], std::byte{7});
  EXPECT_EQ(bytes[33], std::byte{0});
  std::array<iovec, 3> pieces{};
  ASSERT_EQ(gather(elements, 7, 6, pieces.data()), 2U);
  EXPECT_EQ(pieces[0].iov_base, bytes.data() + 7);
  EXPECT_EQ(pieces[0].iov_len, 3U);
  EXPECT_EQ(pieces[1].iov_base, bytes.data() + 30);
  EXPECT_EQ(pieces[1].iov_len, 3U);
  EXPECT_EQ(gather(elements, 20, 0, pieces.data()), 0U);
}

TEST(Ring, KeepsOrderWhileItGrowsAndGoesRound) {
  Ring<int> ring;
  int in = 0;
  int out = 0;
  for (int turn = 0; turn < 200; ++turn) {
    for (int i = 0; i < turn % 41; ++i) ring.push_back(in++);
    for (int i = 0; i < turn % 37 && !ring.empty(); ++i, ring.pop_front()) {
      EXPECT_EQ(ring.front(), out++);
    }
    EXPECT_TRUE(ring.empty() || ring[ring.size() - 1] == in - 1);
  }
  ring.clear();
  EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace railgauge::softroce
