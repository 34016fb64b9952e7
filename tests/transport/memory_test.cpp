#include "transport/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace railgauge::transport {
namespace {

constexpr std::size_t kHuge = std::size_t{2} * 1024 * 1024;

TEST(Memory, BeginsAtAPageAndIsZero) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4097}, kHuge / 2,
                                  kHuge - 1, kHuge, kHuge + 1}) {
    const Memory memory(bytes);
    ASSERT_EQ(memory.bytes().size(), bytes);
    const std::size_t page = bytes >= kHuge / 2 ? kHuge : 4096;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % page, 0U) << bytes;
    EXPECT_TRUE(std::ranges::all_of(memory.bytes(), [](std::byte b) { return b == std::byte{}; }));
  }
}

TEST(Memory, RefusesWhatNoHostHas) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {kMost, kMost - kHuge / 2}) {
    EXPECT_THROW(Memory{bytes}, std::runtime_error) << bytes;
  }
}

TEST(SharedMapping, IsOneInAProcess) {
  const FileHandle file = make_shared_memory(10'000);
  const auto first = SharedMapping::of(file);
  const FileHandle again(dup(file.number()));
  EXPECT_EQ(SharedMapping::of(again), first);
  EXPECT_EQ(first->bytes().size(), 10'000U);
  EXPECT_NE(SharedMapping::of(make_shared_memory(10'000)), first);
}

TEST(SharedMapping, IsZeroedAndOutlivesItsFile) {
  auto mapping = SharedMapping::of(make_shared_memory(100));
  for (const std::byte byte : mapping->bytes()) ASSERT_EQ(byte, std::byte{0});
  mapping->bytes()[99] = std::byte{1};
  EXPECT_EQ(mapping->bytes()[99], std::byte{1});
}

TEST(SharedMapping, IsThereEvenForNoBytes) {
  EXPECT_GE(SharedMapping::of(make_shared_memory(0))->bytes().size(), 1U);
}

}  // namespace
}  // namespace railgauge::transport
