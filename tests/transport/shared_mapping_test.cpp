#include "transport/shared_mapping.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace railgauge::transport {
namespace {

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
