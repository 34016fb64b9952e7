#include "verbs/completion_queue.hpp"

#include <poll.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "device_fixture.hpp"

namespace railgauge::verbs {
namespace {

using namespace std::chrono_literals;
using CompletionQueueDeviceTest = JoinedTest;

TEST_F(CompletionQueueDeviceTest, EmptyQueueGivesNothing) {
  std::array<Completion, 4> completions;
  EXPECT_EQ(left_->queue.poll(completions), 0);
  EXPECT_EQ(left_->queue.poll({}), 0);
  EXPECT_GE(left_->queue.depth(), 1024);
}

/// As many as eight pairs need, where a queue of the device takes two of them.
TEST_F(CompletionQueueDeviceTest, SeveralQueuesOfASmallDeviceAreOne) {
  constexpr int kPairs = 8, kDepth = 8;
  CompletionQueue queue(*context_, 2 * kPairs * kDepth, 4 * kDepth);
  EXPECT_GE(queue.depth(), 2 * kPairs * kDepth);
  std::map<ibv_cq*, int> taken;
  for (int i = 0; i < 2 * kPairs; ++i) taken[&queue.raw_for(kDepth)] += kDepth;
  for (const auto& [raw, outstanding] : taken) EXPECT_LE(outstanding, raw->cqe);
  EXPECT_GT(taken.size(), 2U);
}

/// Completions of pairs in different queues come by one poll, and wake one sleeper.
TEST_F(CompletionQueueDeviceTest, CompletionsOfSeveralQueuesComeTogether) {
  left_pair_.reset();
  left_ = std::make_unique<End>(*context_, *domain_, kBytes, 256);
  std::vector<std::unique_ptr<QueuePair>> left, right;
  for (int i = 0; i < 4; ++i) {
    join();
    left.push_back(std::move(left_pair_));
    right.push_back(std::move(right_pair_));
  }
  std::set<std::uint64_t> came;
  for (std::uint64_t id = 0; id < left.size(); ++id) {
    ASSERT_EQ(left_->queue.arm(), 0);
    ASSERT_EQ(left[id]->write({.from = left_->slice(8), .to = right_->target(), .id = id}), 0);
    EXPECT_TRUE(left_->wait(10s));
    came.insert(left_->next().id);
  }
  EXPECT_EQ(came.size(), left.size());
}

TEST_F(CompletionQueueDeviceTest, WaitEndsAtTheTimeOut) {
  ASSERT_EQ(left_->queue.arm(), 0);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(left_->wait(50ms));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 49ms);
}

TEST_F(CompletionQueueDeviceTest, ArrivalWakesASleeper) {
  ASSERT_EQ(right_pair_->post_receives(1, 5), 0);
  ASSERT_EQ(right_->queue.arm(), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(50ms);
    left_pair_->write_with_immediate({.from = left_->slice(8), .to = right_->target()}, 1);
  });
  EXPECT_TRUE(right_->wait(10s));
  EXPECT_EQ(right_->next().id, 5U);
  writer.join();
}

TEST_F(CompletionQueueDeviceTest, SeveralQueuesCanBePolledTogether) {
  ASSERT_EQ(right_pair_->post_receives(1, 0), 0);
  ASSERT_EQ(left_->queue.arm() + right_->queue.arm(), 0);
  left_pair_->write_with_immediate({.signaled = false}, 1);
  std::array<pollfd, 2> waiting{pollfd{.fd = left_->queue.fd(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = right_->queue.fd(), .events = POLLIN, .revents = 0}};
  EXPECT_EQ(::poll(waiting.data(), waiting.size(), 10'000), 1);
  EXPECT_FALSE(left_->queue.take_events());
  EXPECT_TRUE(right_->queue.take_events());
  EXPECT_FALSE(right_->queue.take_events());
}

TEST_F(CompletionQueueDeviceTest, ArmingIsForWhatComesLater) {
  // The race that polling again after arming closes: the completion was there before.
  ASSERT_EQ(left_pair_->write({.from = left_->slice(8), .to = right_->target(), .id = 3}), 0);
  std::this_thread::sleep_for(100ms);
  ASSERT_EQ(left_->queue.arm(), 0);
  EXPECT_EQ(left_->next().id, 3U);
}

TEST_F(CompletionQueueDeviceTest, PollsMoreThanOneBatch) {
  constexpr std::size_t kWrites = 50;
  for (std::size_t i = 0; i < kWrites; ++i) ASSERT_EQ(left_pair_->write({.id = i}), 0);
  std::vector<Completion> all(kWrites);
  std::size_t taken = 0;
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  while (taken < kWrites && std::chrono::steady_clock::now() < deadline) {
    const int count = left_->queue.poll(std::span(all).subspan(taken));
    ASSERT_GE(count, 0);
    taken += static_cast<std::size_t>(count);
  }
  ASSERT_EQ(taken, kWrites);
  for (std::size_t i = 0; i < kWrites; ++i) EXPECT_EQ(all[i].id, i) << describe(all[i]);
}

}  // namespace
}  // namespace railgauge::verbs
