#include "softroce/device/work_queues.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "softroce/device/context.hpp"

namespace railgauge::softroce {
namespace {

SendQueue queue_of(std::size_t requests) {
  SendQueue queue;
  queue.allocate(requests, 2, 8);
  return queue;
}

TEST(SendQueue, WhatIsBuiltCountsOnceItIsCommitted) {
  SendQueue queue = queue_of(4);
  queue.build().id = 1;
  EXPECT_TRUE(queue.empty());
  queue.abort();
  queue.build().id = 2;
  queue.commit();
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.oldest().id, 2U);
}

TEST(SendQueue, FullWithWhatIsOnlyBuilt) {
  SendQueue queue = queue_of(2);
  queue.build();
  queue.build();
  EXPECT_TRUE(queue.full());
  queue.commit();
  queue.pop();
  EXPECT_FALSE(queue.full());
}

TEST(SendQueue, ABuiltRequestHasNothingOfTheOneBefore) {
  SendQueue queue = queue_of(1);
  SendRequest& request = queue.build();
  request.started = true;
  request.length = 5;
  queue.commit();
  queue.pop();
  EXPECT_FALSE(queue.build().started);
  EXPECT_EQ(queue.last_built().length, 0U);
}

TEST(SendQueue, GoesBackAndForth) {
  SendQueue queue = queue_of(3);
  for (std::uint64_t id = 0; id < 3; ++id) queue.build().id = id;
  queue.commit();
  queue.advance();
  queue.advance();
  EXPECT_EQ(queue.current().id, 2U);
  EXPECT_FALSE(queue.current_is_oldest());
  queue.pop();
  EXPECT_EQ(queue.current().id, 2U);
  queue.back_to_oldest();
  EXPECT_EQ(queue.current().id, 1U);
  queue.pop();  // what was to be sent is answered: the next one is
  EXPECT_EQ(queue.current().id, 2U);
  queue.advance();
  EXPECT_TRUE(queue.all_sent());
}

TEST(SendQueue, ElementsAndInlineBytesHaveTheirBounds) {
  SendQueue queue = queue_of(2);
  queue.build();
  std::array<ibv_sge, 3> three{};
  three[0].length = 3;
  three[1].length = 4;
  EXPECT_FALSE(queue.set_elements(three));
  EXPECT_TRUE(queue.set_elements(std::span(three).first(2)));
  EXPECT_EQ(queue.last_built().length, 7U);

  SendRequest& request = queue.build();
  EXPECT_EQ(queue.append_inline("abcde", 5), 0);
  EXPECT_EQ(queue.append_inline("fgh", 3), 0);
  EXPECT_EQ(queue.append_inline("i", 1), ENOMEM);
  EXPECT_EQ(request.length, 8U);
  ASSERT_EQ(queue.elements(request).size(), 1U);
  const auto address = static_cast<std::uintptr_t>(queue.elements(request)[0].addr);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): verbs carry addresses as integers
  EXPECT_EQ(std::memcmp(reinterpret_cast<const void*>(address), "abcdefgh", 8), 0);
}

int post(ReceiveQueue& queue, std::uint64_t id, int elements = 1) {
  std::array<ibv_sge, 4> list{};
  for (ibv_sge& element : list) element.length = static_cast<std::uint32_t>(id);
  ibv_recv_wr request{id, nullptr, list.data(), elements};
  return queue.post(request);
}

TEST(ReceiveQueue, FirstInFirstOutManyTimesRound) {
  ReceiveQueue queue;
  queue.allocate(3, 2);
  Receive receive;
  for (std::uint64_t id = 1; id < 50; ++id) {
    EXPECT_EQ(post(queue, id, 2), 0);
    ASSERT_TRUE(queue.take(receive));
    EXPECT_EQ(receive.id, id);
    ASSERT_EQ(receive.elements().size(), 2U);
    EXPECT_EQ(receive.elements()[1].length, id);
  }
  EXPECT_FALSE(queue.take(receive));
}

TEST(ReceiveQueue, RefusesWhatIsTooMuch) {
  ReceiveQueue queue;
  queue.allocate(2, 2);
  EXPECT_EQ(post(queue, 1, 3), EINVAL);
  EXPECT_EQ(post(queue, 1, -1), EINVAL);
  EXPECT_EQ(post(queue, 1, 0), 0);
  EXPECT_EQ(post(queue, 2), 0);
  EXPECT_EQ(post(queue, 3), ENOMEM);
}

TEST(ReceiveQueue, WithoutRoomNothingCanBePosted) {
  ReceiveQueue queue;
  queue.allocate(0, 0);
  EXPECT_EQ(post(queue, 1), ENOMEM);
  Receive receive;
  EXPECT_FALSE(queue.take(receive));
}

TEST(ReceiveQueue, ResizingKeepsWhatWaits) {
  ReceiveQueue queue;
  queue.allocate(2, 1);
  Receive receive;
  post(queue, 1);
  queue.take(receive);
  post(queue, 2);
  post(queue, 3);
  queue.resize(5);
  EXPECT_EQ(queue.capacity(), 5U);
  EXPECT_EQ(queue.size(), 2U);
  for (const std::uint64_t id : {2U, 3U}) {
    ASSERT_TRUE(queue.take(receive));
    EXPECT_EQ(receive.id, id);
    EXPECT_EQ(receive.elements()[0].length, id);
  }
}

TEST(SharedReceiveQueue, SaysOnceWhenFewerThanTheLimitWait) {
  Context context;
  SharedReceiveQueue shared;
  static_cast<ibv_srq&>(shared) = {};
  shared.context = &context.context;
  shared.queue.allocate(8, 1);
  for (std::uint64_t id = 0; id < 6; ++id) post(shared.queue, id);
  shared.limit = 4;
  Receive receive;
  EXPECT_TRUE(shared.take(receive));
  EXPECT_TRUE(shared.take(receive));
  EXPECT_TRUE(context.events.waiting.empty());  // four still wait
  EXPECT_TRUE(shared.take(receive));
  ASSERT_EQ(context.events.waiting.size(), 1U);
  EXPECT_EQ(context.events.waiting.front().event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
  EXPECT_EQ(context.events.waiting.front().element.srq, &shared);
  EXPECT_EQ(shared.limit, 0U);
  EXPECT_TRUE(shared.take(receive));
  EXPECT_EQ(context.events.waiting.size(), 1U);
}

}  // namespace
}  // namespace railgauge::softroce
