#include "verbs/completion_queue.hpp"

#include <gtest/gtest.h>

namespace railgauge::verbs {
namespace {

TEST(Completion, DescribesItselfInWords) {
  const Completion failed{.qp_number = 0x1a, .vendor_error = 0x81, .status = IBV_WC_WR_FLUSH_ERR};
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(describe(failed),
            "WR_FLUSH_ERR on queue pair 0x1a: flushed: the queue pair had already failed; look at "
            "its first failed completion (vendor error 0x81)");
}

TEST(Completion, IsSmallAndPlain) {
  static_assert(std::is_trivially_copyable_v<Completion>);
  static_assert(sizeof(Completion) <= 32);
  EXPECT_TRUE(Completion{}.ok());
}

TEST(CompletionQueue, MovesButIsNotCopied) {
  static_assert(std::is_nothrow_move_constructible_v<CompletionQueue>);
  static_assert(!std::is_copy_constructible_v<CompletionQueue>);
}

}  // namespace
}  // namespace railgauge::verbs
