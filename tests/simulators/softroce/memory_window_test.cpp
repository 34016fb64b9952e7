// What may be bound to what, and who may use it (InfiniBand volume 1, 10.6.7).

#include "softroce/device/memory_window.hpp"

#include <gtest/gtest.h>

#include <array>

#include "softroce/device/memory.hpp"

namespace railgauge::softroce {
namespace {

constexpr unsigned kAll =
    IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;

class MemoryWindows : public ::testing::Test {
 protected:
  Region* make_region(unsigned access, ibv_pd* of = nullptr) {
    return table.add(of == nullptr ? &domain : of, bytes.data(), bytes.size(), kIova, access);
  }
  Window* window(ibv_mw_type type, ibv_pd* of = nullptr) {
    return table.windows.add(of == nullptr ? &domain : of, type);
  }
  static Binding wanted(const Window* which, const Region* to, std::uint64_t offset,
                        std::uint64_t length, unsigned access = kAll) {
    return {.place = which->place,
            .identity = which->identity,
            .tag = kTag,
            .region_key = to == nullptr ? 0 : to->lkey,
            .address = kIova + offset,
            .length = length,
            .access = access};
  }
  bool bind(const Window* which, const Region* to, std::uint64_t offset = 0,
            std::uint64_t length = 100, unsigned access = kAll) {
    return table.bind(wanted(which, to, offset, length, access), owner);
  }
  std::byte* resolve(const Window* by, std::uint64_t address, std::uint64_t length,
                     unsigned access = 0) const {
    return table.resolve_remote(by->key, address, length, owner, access);
  }

  static constexpr std::uint64_t kIova = 0x1000;
  static constexpr std::uint8_t kTag = 0x77;
  ibv_pd domain{}, other_domain{};
  std::array<std::byte, 100> bytes{};
  MemoryTable table;
  const Accessor owner{&domain, 1}, other_pair{&domain, 2}, stranger{&other_domain, 1};
  Region* region = make_region(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
};

TEST_F(MemoryWindows, AreNotBoundToBeginWith) {
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    const Window* fresh = window(type);
    EXPECT_EQ(fresh->rkey, fresh->key);
    EXPECT_TRUE(is_window(fresh->key));
    EXPECT_EQ(resolve(fresh, kIova, 1), nullptr);
    EXPECT_FALSE(table.windows.invalidate(fresh->key, owner));
  }
  EXPECT_FALSE(is_window(region->lkey));
}

TEST_F(MemoryWindows, HaveTheBoundsTheyWereBoundWith) {
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    const Window* bound = window(type);
    ASSERT_TRUE(bind(bound, region, 10, 20));
    EXPECT_EQ(bound->key & kTagMask, kTag);
    EXPECT_EQ(resolve(bound, kIova + 10, 20), &bytes[10]);
    EXPECT_EQ(resolve(bound, kIova + 29, 1), &bytes[29]);
    EXPECT_EQ(resolve(bound, kIova + 9, 1), nullptr);
    EXPECT_EQ(resolve(bound, kIova + 29, 2), nullptr);
    EXPECT_EQ(resolve(bound, kIova + 10, ~std::uint64_t{0}), nullptr);
    EXPECT_EQ(table.resolve_remote(bound->key + 1, kIova + 10, 1, owner, 0), nullptr);
    EXPECT_EQ(table.resolve(bound->key, kIova + 10, 1, &domain, 0), nullptr);  // as a local key
  }
}

TEST_F(MemoryWindows, OfTheZeroBasedBeginAtZero) {
  const Window* bound = window(IBV_MW_TYPE_2);
  ASSERT_TRUE(bind(bound, region, 10, 20, kAll | IBV_ACCESS_ZERO_BASED));
  EXPECT_EQ(resolve(bound, 0, 20), &bytes[10]);
  EXPECT_EQ(resolve(bound, 20, 1), nullptr);
  EXPECT_EQ(resolve(bound, kIova + 10, 1), nullptr);
  EXPECT_FALSE(bind(window(IBV_MW_TYPE_1), region, 10, 20, IBV_ACCESS_ZERO_BASED));
}

TEST_F(MemoryWindows, MustLieInsideTheRegion) {
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    EXPECT_FALSE(bind(window(type), region, 0, 101));
    EXPECT_FALSE(bind(window(type), region, 99, 2));
    EXPECT_FALSE(bind(window(type), region, ~std::uint64_t{0}, 2));  // one in front
    EXPECT_TRUE(bind(window(type), region, 99, 1));
    EXPECT_FALSE(bind(window(type), nullptr));
  }
}

TEST_F(MemoryWindows, GrantWhatTheyWereBoundWithWhateverTheRegionGrants) {
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    const Window* reads = window(type);
    ASSERT_TRUE(bind(reads, region, 0, 100, IBV_ACCESS_REMOTE_READ));
    EXPECT_NE(resolve(reads, kIova, 1, IBV_ACCESS_REMOTE_READ), nullptr);
    EXPECT_EQ(resolve(reads, kIova, 1, IBV_ACCESS_REMOTE_WRITE), nullptr);
    EXPECT_EQ(resolve(reads, kIova, 8, IBV_ACCESS_REMOTE_ATOMIC), nullptr);
  }
}

TEST_F(MemoryWindows, NeedTheRegionsConsent) {
  const Region* not_bindable = make_region(IBV_ACCESS_LOCAL_WRITE | kAll);
  const Region* read_only = make_region(IBV_ACCESS_MW_BIND);
  const Region* elsewhere = make_region(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND, &other_domain);
  for (const ibv_mw_type type : {IBV_MW_TYPE_1, IBV_MW_TYPE_2}) {
    EXPECT_FALSE(bind(window(type), not_bindable, 0, 1, 0));
    EXPECT_FALSE(bind(window(type), read_only, 0, 1, IBV_ACCESS_REMOTE_WRITE));
    EXPECT_FALSE(bind(window(type), read_only, 0, 1, IBV_ACCESS_REMOTE_ATOMIC));
    EXPECT_TRUE(bind(window(type), read_only, 0, 1, IBV_ACCESS_REMOTE_READ));
    EXPECT_TRUE(bind(window(type), read_only, 0, 1, 0));
    EXPECT_FALSE(bind(window(type), elsewhere));
    EXPECT_FALSE(bind(window(type, &other_domain), region));
  }
}

TEST_F(MemoryWindows, OfTypeOneAreTheDomainsAndOfTypeTwoTheQueuePairs) {
  const Window* first = window(IBV_MW_TYPE_1);
  const Window* second = window(IBV_MW_TYPE_2);
  ASSERT_TRUE(bind(first, region));
  ASSERT_TRUE(bind(second, region));
  EXPECT_NE(table.resolve_remote(first->key, kIova, 1, other_pair, 0), nullptr);
  EXPECT_EQ(table.resolve_remote(second->key, kIova, 1, other_pair, 0), nullptr);
  EXPECT_EQ(table.resolve_remote(first->key, kIova, 1, stranger, 0), nullptr);
  EXPECT_EQ(table.resolve_remote(second->key, kIova, 1, stranger, 0), nullptr);
}

TEST_F(MemoryWindows, OfTypeOneMoveAndEndWithLengthZero) {
  const Window* moved = window(IBV_MW_TYPE_1);
  ASSERT_TRUE(bind(moved, region));
  const std::uint32_t old_key = moved->key;
  Binding again = wanted(moved, region, 50, 10);
  again.tag = kTag + 1;
  ASSERT_TRUE(table.bind(again, other_pair));  // any queue pair of the domain
  EXPECT_EQ(table.resolve_remote(old_key, kIova + 50, 1, owner, 0), nullptr);
  EXPECT_EQ(resolve(moved, kIova + 50, 1), &bytes[50]);
  EXPECT_EQ(resolve(moved, kIova, 1), nullptr);
  EXPECT_EQ(region->windows, 1U);
  EXPECT_FALSE(table.windows.invalidate(moved->key, owner));
  ASSERT_TRUE(bind(moved, nullptr, 0, 0));
  EXPECT_EQ(resolve(moved, kIova + 50, 0), nullptr);
  EXPECT_EQ(region->windows, 0U);
}

TEST_F(MemoryWindows, OfTypeTwoAreInvalidatedBeforeTheyAreBoundAgain) {
  const Window* bound = window(IBV_MW_TYPE_2);
  EXPECT_FALSE(bind(bound, region, 0, 0));
  ASSERT_TRUE(bind(bound, region));
  EXPECT_FALSE(bind(bound, region));
  EXPECT_FALSE(bind(bound, region, 0, 0));
  EXPECT_FALSE(table.windows.invalidate(bound->key, other_pair));
  EXPECT_FALSE(table.windows.invalidate(bound->key, stranger));
  EXPECT_FALSE(table.windows.invalidate(bound->key + 1, owner));
  EXPECT_FALSE(table.windows.invalidate(region->rkey, owner));  // regions are deregistered
  EXPECT_NE(resolve(bound, kIova, 1), nullptr);
  EXPECT_TRUE(table.windows.invalidate(bound->key, owner));
  EXPECT_EQ(resolve(bound, kIova, 1), nullptr);
  EXPECT_EQ(region->windows, 0U);
  EXPECT_FALSE(table.windows.invalidate(bound->key, owner));
  EXPECT_TRUE(bind(bound, region));
}

TEST_F(MemoryWindows, ThatAreGoneGiveNothingNorDoTheirPlaces) {
  Window* gone = window(IBV_MW_TYPE_2);
  ASSERT_TRUE(bind(gone, region));
  const std::uint32_t key = gone->key;
  const Binding late = wanted(gone, region, 0, 1);
  table.windows.remove(gone);
  EXPECT_EQ(region->windows, 0U);
  EXPECT_EQ(table.resolve_remote(key, kIova, 1, owner, 0), nullptr);
  EXPECT_FALSE(table.bind(late, owner));
  const Window* next = window(IBV_MW_TYPE_2);
  EXPECT_EQ(next->place, late.place);
  EXPECT_FALSE(table.bind(late, owner));
}

TEST_F(MemoryWindows, DifferInKeysThoughTheirTagsAreTheSame) {
  const Window* one = window(IBV_MW_TYPE_2);
  const Window* two = window(IBV_MW_TYPE_2);
  ASSERT_TRUE(bind(one, region));
  ASSERT_TRUE(bind(two, region));
  EXPECT_NE(one->key, two->key);
}

}  // namespace
}  // namespace railgauge::softroce
