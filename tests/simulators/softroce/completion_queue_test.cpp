#include "softroce/device/completion_queue.hpp"

#include <gtest/gtest.h>

#include "softroce/device/context.hpp"

namespace railgauge::softroce {
namespace {

using std::chrono::microseconds;

class Completions : public ::testing::Test {
 protected:
  Completions() {
    static_cast<ibv_cq_ex&>(queue) = {};
    queue.context = &context.context;
    queue.channel = &channel;
    queue.ring.resize(4);
  }
  void add(std::uint64_t id, bool solicited = false, ibv_wc_status status = IBV_WC_SUCCESS,
           std::uint32_t queue_pair = 1) {
    ibv_wc wc{};
    wc.wr_id = id;
    wc.status = status;
    wc.qp_num = queue_pair;
    queue.add(wc, solicited, now);
  }
  std::vector<std::uint64_t> take() {
    std::vector<std::uint64_t> ids;
    for (Completion entry; queue.take(entry);) ids.push_back(entry.wc.wr_id);
    return ids;
  }
  std::size_t events() const { return channel.waiting.size(); }
  using Ids = std::vector<std::uint64_t>;

  Context context;
  CompletionChannel channel;
  CompletionQueue queue;
  Time now{microseconds(5)};
};

TEST_F(Completions, ComeOutInOrderWithTheirTime) {
  for (std::uint64_t turn = 0; turn < 5; ++turn) {
    add(turn);
    add(turn + 100);
    add(turn + 200);
    EXPECT_EQ(take(), (Ids{turn, turn + 100, turn + 200}));
  }
  add(1);
  Completion entry;
  queue.take(entry);
  EXPECT_EQ(entry.stamp_ns, 5000U);
}

TEST_F(Completions, WhatIsTooMuchIsLostAndSaidOnce) {
  for (std::uint64_t id = 0; id < 6; ++id) add(id);
  ASSERT_EQ(context.events.waiting.size(), 1U);
  EXPECT_EQ(context.events.waiting.front().event_type, IBV_EVENT_CQ_ERR);
  EXPECT_EQ(context.events.waiting.front().element.cq, queue.verbs());
  EXPECT_EQ(take(), (Ids{0, 1, 2, 3}));
}

TEST_F(Completions, OneEventForOneRequest) {
  add(1);
  EXPECT_EQ(events(), 0U);  // nobody asked
  queue.armed = true;
  EXPECT_EQ(events(), 0U);
  add(2);
  add(3);
  EXPECT_EQ(events(), 1U);
}

TEST_F(Completions, SolicitedOnlyIsForSolicitedAndFailed) {
  queue.armed = queue.armed_for_solicited = true;
  add(1);
  EXPECT_EQ(events(), 0U);
  add(2, true);
  EXPECT_EQ(events(), 1U);
  queue.armed = queue.armed_for_solicited = true;
  add(3, false, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(events(), 2U);
}

TEST_F(Completions, ModeratedByCountOrByTime) {
  queue.moderation_count = 3;
  queue.moderation_period = microseconds(10);
  queue.armed = true;
  add(1);
  now += microseconds(7);
  add(2);
  EXPECT_EQ(events(), 0U);
  add(3);
  EXPECT_EQ(events(), 1U);
  EXPECT_EQ(queue.announce_at, Time::max());
  take();
  queue.armed = true;
  add(4);
  now += microseconds(7);
  add(5);  // the period is the first one's
  queue.announce_when_due(now);
  EXPECT_EQ(events(), 1U);
  now += microseconds(3);
  queue.announce_when_due(now);
  EXPECT_EQ(events(), 2U);
  queue.announce_when_due(now + microseconds(100));
  EXPECT_EQ(events(), 2U);
}

TEST_F(Completions, WithoutAChannelNobodyIsTold) {
  queue.channel = nullptr;
  queue.armed = true;
  add(1);
  EXPECT_EQ(take(), Ids{1});
}

TEST_F(Completions, ForgetsThoseOfOneQueuePair) {
  for (int turn = 0; turn < 3; ++turn) {  // at different places of the ring
    add(1, false, IBV_WC_SUCCESS, 7);
    add(2, false, IBV_WC_SUCCESS, 8);
    add(3, false, IBV_WC_SUCCESS, 7);
    queue.forget(7);
    EXPECT_EQ(take(), Ids{2});
  }
}

TEST_F(Completions, ResizingKeepsWhatWaits) {
  add(0);
  add(0);
  take();
  for (std::uint64_t id = 1; id < 5; ++id) add(id);
  queue.resize(6);
  add(5);
  add(6);
  EXPECT_EQ(take(), (Ids{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(queue.cqe, 6);
  EXPECT_TRUE(context.events.waiting.empty());
}

}  // namespace
}  // namespace railgauge::softroce
