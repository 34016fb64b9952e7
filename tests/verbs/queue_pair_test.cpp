#include "verbs/queue_pair.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "verbs/completion_queue.hpp"

namespace railgauge::verbs {
namespace {

template <class Pair>
constexpr bool kCanWrite = requires(Pair pair, Write write) {
  pair.write(write);
};
template <class Pair>
constexpr bool kCanNotify = requires(Pair pair, Write write) {
  pair.write_with_immediate(write, 1U);
};
template <class Pair>
constexpr bool kCanReceive = requires(Pair pair) {
  pair.post_receives(1, 0U);
};
template <class Pair>
constexpr bool kCanConnect = requires(Pair pair, Address peer) {
  std::move(pair).connect(peer);
};
template <class Pair>
constexpr bool kCanConnectAgain = requires(Pair& pair, Address peer) {
  pair.connect(peer);
};

TEST(QueuePair, WritingOnAnUnconnectedPairDoesNotCompile) {
  static_assert(kCanWrite<QueuePair> && kCanNotify<QueuePair>);
  static_assert(!kCanWrite<PendingQueuePair> && !kCanNotify<PendingQueuePair>);
}

TEST(QueuePair, ReceivesMayBePostedBeforeConnecting) {
  static_assert(kCanReceive<QueuePair> && kCanReceive<PendingQueuePair>);
}

TEST(QueuePair, ConnectingUsesThePendingPairUp) {
  static_assert(kCanConnect<PendingQueuePair> && !kCanConnectAgain<PendingQueuePair>);
  static_assert(!kCanConnect<QueuePair>);
}

TEST(QueuePair, OperationsDoNotThrow) {
  static_assert(noexcept(std::declval<QueuePair&>().write({})));
  static_assert(noexcept(std::declval<QueuePair&>().write_with_immediate({}, 0)));
  static_assert(noexcept(std::declval<QueuePair&>().post_receives(1, 0)));
  static_assert(std::is_nothrow_move_constructible_v<QueuePair>);
}

TEST(Address, CanBeExchangedAsBytes) {
  static_assert(std::is_trivially_copyable_v<Address>);
  static_assert(std::has_unique_object_representations_v<Address>);  // no padding to leak
}

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
