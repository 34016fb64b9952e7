#include "transport/memory.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace railgauge::transport
