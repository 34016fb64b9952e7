#include "softroce/device/receive_queue.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "softroce/device/context.hpp"

namespace railgauge::softroce {
namespace {

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
