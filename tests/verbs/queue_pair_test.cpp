#include "verbs/queue_pair.hpp"

#include <gtest/gtest.h>

#include <type_traits>

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

}  // namespace
}  // namespace railgauge::verbs
