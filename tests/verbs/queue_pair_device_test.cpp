#include "verbs/queue_pair.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "device_fixture.hpp"
#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

using namespace std::chrono_literals;
using QueuePairDeviceTest = JoinedTest;

/// A byte that depends on its place, so that a shifted block shows.
std::byte pattern(std::size_t i) {
  return static_cast<std::byte>(i * 7 + i / 251);
}

void fill(std::vector<std::byte>& memory) {
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = pattern(i);
}

TEST_F(QueuePairDeviceTest, HalfAMebibyteArrivesWithItsImmediate) {
  fill(left_->memory);
  ASSERT_EQ(right_pair_->post_receives(1, 11), 0);
  const Write write{.from = left_->slice(kBytes), .to = right_->target(), .id = 22};
  ASSERT_EQ(left_pair_->write_with_immediate(write, 0x12345678), 0);

  const Completion arrival = right_->next();
  EXPECT_EQ(arrival.kind, CompletionKind::arrival) << describe(arrival);
  EXPECT_EQ(arrival.id, 11U);
  EXPECT_EQ(arrival.immediate, 0x12345678U);
  EXPECT_EQ(arrival.bytes, kBytes);
  EXPECT_EQ(arrival.qp_number, right_pair_->number());
  EXPECT_EQ(left_->memory, right_->memory);

  const Completion sent = left_->next();
  EXPECT_EQ(sent.kind, CompletionKind::write) << describe(sent);
  EXPECT_EQ(sent.id, 22U);
  EXPECT_EQ(sent.immediate, 0U);
}

TEST_F(QueuePairDeviceTest, WithoutAFlowLabelTheDriverChoosesTheSourcePort) {
  EXPECT_EQ(left_pair_->source_port(), SourcePort::by_driver);
}

TEST_F(QueuePairDeviceTest, InlineWriteMayReuseItsBytesAtOnce) {
  ASSERT_GT(left_pair_->inline_bytes(), 0U);
  const std::uint32_t bytes = left_pair_->inline_bytes();
  std::vector<std::byte> unregistered(bytes, std::byte{0x5a});
  const Write write{.from = {.data = unregistered.data(), .bytes = bytes}, .to = right_->target()};
  ASSERT_EQ(left_pair_->write(write), 0);
  std::fill(unregistered.begin(), unregistered.end(), std::byte{0});
  ASSERT_TRUE(left_->next().ok());
  EXPECT_EQ(right_->memory[0], std::byte{0x5a});
  EXPECT_EQ(right_->memory[bytes - 1], std::byte{0x5a});
  EXPECT_EQ(right_->memory[bytes], std::byte{0});
}

TEST_F(QueuePairDeviceTest, NoBytesStillNotify) {
  ASSERT_EQ(right_pair_->post_receives(1, 0), 0);
  ASSERT_EQ(left_pair_->write_with_immediate({.id = 1}, 0xffffffff), 0);
  const Completion arrival = right_->next();
  EXPECT_TRUE(arrival.ok()) << describe(arrival);
  EXPECT_EQ(arrival.bytes, 0U);
  EXPECT_EQ(arrival.immediate, 0xffffffffU);
  EXPECT_TRUE(left_->next().ok());
}

TEST_F(QueuePairDeviceTest, ManyReceivesInOneCall) {
  constexpr std::uint32_t kReceives = 100;  // more than one chain
  ASSERT_EQ(right_pair_->post_receives(kReceives, 9), 0);
  for (std::uint32_t i = 0; i < kReceives; ++i) {
    ASSERT_EQ(left_pair_->write_with_immediate({.id = i}, i), 0);
  }
  for (std::uint32_t i = 0; i < kReceives; ++i) {
    const Completion arrival = right_->next();
    ASSERT_EQ(arrival.kind, CompletionKind::arrival) << describe(arrival);
    EXPECT_EQ(arrival.immediate, i);
    EXPECT_EQ(arrival.id, 9U);
  }
}

TEST_F(QueuePairDeviceTest, AChainLeavesWhenItIsPostedInItsOrder) {
  ASSERT_EQ(right_pair_->post_receives(WriteChain::kMost, 0), 0);
  fill(left_->memory);
  WriteChain chain;
  EXPECT_EQ(left_pair_->post(chain), 0);  // of nothing
  const std::uint32_t bytes = kBytes / WriteChain::kMost;
  for (std::uint32_t i = 0; i < WriteChain::kMost; ++i) {
    ASSERT_FALSE(chain.full());
    const std::byte* from = left_->memory.data() + std::size_t{i} * bytes;
    RemoteSlice to = right_->target();
    to.address += std::uint64_t{i} * bytes;
    chain.add({.from = {from, bytes, left_->slice(0).key}, .to = to, .id = i}, i);
  }
  EXPECT_TRUE(chain.full());
  std::vector<Completion> none(1);
  EXPECT_EQ(left_->queue.poll(none), 0);
  ASSERT_EQ(left_pair_->post(chain), 0);
  EXPECT_TRUE(chain.empty());
  for (std::uint32_t i = 0; i < WriteChain::kMost; ++i) {
    EXPECT_EQ(right_->next().immediate, i);
    EXPECT_EQ(left_->next().id, i);
  }
  EXPECT_EQ(left_->memory, right_->memory);
}

TEST_F(QueuePairDeviceTest, FullReceiveQueueIsAnErrorValue) {
  EXPECT_EQ(right_pair_->post_receives(10'000, 0), ENOMEM);
}

TEST_F(QueuePairDeviceTest, OnlySignaledWritesComplete) {
  ASSERT_EQ(left_pair_->write({.id = 1, .signaled = false}), 0);
  ASSERT_EQ(left_pair_->write({.id = 2}), 0);
  EXPECT_EQ(left_->next().id, 2U);
}

TEST_F(QueuePairDeviceTest, ReceivesPostedBeforeConnectingCount) {
  PendingQueuePair pending = make_pair(*right_);
  EXPECT_EQ(pending.state(), "initialised, not connected");
  ASSERT_EQ(pending.post_receives(1, 77), 0);
  PendingQueuePair other = make_pair(*left_);
  const Address address = pending.address();
  QueuePair right = std::move(pending).connect(other.address());
  QueuePair left = std::move(other).connect(address);
  ASSERT_EQ(left.write_with_immediate({}, 3), 0);
  EXPECT_EQ(right_->next().id, 77U);
  EXPECT_TRUE(left_->next().ok());
}

TEST_F(QueuePairDeviceTest, AReadFetchesWhatThePeerAllows) {
  join({.reads = 1});
  std::vector<std::byte> shared(64, std::byte{0x3c});
  const MemoryRegion region = register_memory(*domain_, shared, PeerAccess::read_and_write);
  const RemoteMemory there = remote_memory(*region);
  ASSERT_EQ(
      left_pair_->read({.from = {there.address, there.key}, .into = left_->slice(64), .id = 5}), 0);
  const Completion done = left_->next();
  EXPECT_EQ(done.kind, CompletionKind::read) << describe(done);
  EXPECT_EQ(done.id, 5U);
  EXPECT_TRUE(std::equal(shared.begin(), shared.end(), left_->memory.begin()));
}

TEST_F(QueuePairDeviceTest, AReadOfWhatIsForWritingOnlyIsRefused) {
  join({.reads = 1});
  ASSERT_EQ(left_pair_->read({.from = right_->target(), .into = left_->slice(64)}), 0);
  EXPECT_EQ(left_->next().status, IBV_WC_REM_ACCESS_ERR);
}

TEST_F(QueuePairDeviceTest, ASendGoesWhereTheReceiveSays) {
  fill(left_->memory);
  ASSERT_EQ(right_pair_->post_receives(1, 11, right_->slice(64)), 0);
  ASSERT_EQ(left_pair_->send(left_->slice(64), 6), 0);
  const Completion arrival = right_->next();
  EXPECT_EQ(arrival.kind, CompletionKind::arrival) << describe(arrival);
  EXPECT_EQ(arrival.bytes, 64U);
  EXPECT_EQ(arrival.immediate, 0U);
  EXPECT_TRUE(
      std::equal(right_->memory.begin(), right_->memory.begin() + 64, left_->memory.begin()));
  const Completion sent = left_->next();
  EXPECT_EQ(sent.kind, CompletionKind::send) << describe(sent);
  EXPECT_EQ(sent.id, 6U);
}

TEST_F(QueuePairDeviceTest, WrongKeyIsRefusedAsAValueWithWords) {
  RemoteSlice wrong = right_->target();
  wrong.key ^= 0xffffff00U;
  ASSERT_EQ(left_pair_->write({.from = left_->slice(4096), .to = wrong, .id = 4}), 0);
  const Completion refused = left_->next();
  EXPECT_EQ(refused.status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(refused.id, 4U);
  EXPECT_EQ(refused.kind, CompletionKind::unknown);
  EXPECT_NE(describe(refused).find("the peer refused the address or the key"), std::string::npos);
  EXPECT_EQ(left_pair_->state(), "error");
}

TEST_F(QueuePairDeviceTest, WritesAfterAFailureAreFlushed) {
  RemoteSlice wrong = right_->target();
  wrong.key ^= 0xffffff00U;
  ASSERT_EQ(left_pair_->write({.from = left_->slice(4096), .to = wrong, .id = 1}), 0);
  ASSERT_EQ(left_pair_->write({.from = left_->slice(8), .to = right_->target(), .id = 2}), 0);
  EXPECT_EQ(left_->next().status, IBV_WC_REM_ACCESS_ERR);
  const Completion flushed = left_->next();
  EXPECT_EQ(flushed.id, 2U);
  EXPECT_EQ(flushed.status, IBV_WC_WR_FLUSH_ERR) << describe(flushed);
}

TEST_F(QueuePairDeviceTest, WaitsForAReceiveThatIsPostedLate) {
  ASSERT_EQ(left_pair_->write_with_immediate({.id = 6}, 1), 0);
  EXPECT_FALSE(left_->wait(20ms));  // refused some ten times by now
  ASSERT_EQ(right_pair_->post_receives(1, 7), 0);
  const Completion written = left_->next();
  EXPECT_TRUE(written.ok()) << describe(written);
  EXPECT_EQ(right_->next().id, 7U);
}

TEST_F(QueuePairDeviceTest, DeadPeerExhaustsTheRetriesInTheTimePromised) {
  // 4.096 us * 2^14 = 67 ms a time-out, two of them; devices may take up to four times as long.
  join({.ack_timeout = 14, .retries = 1});
  right_pair_.reset();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(left_pair_->write({.from = left_->slice(8), .to = right_->target(), .id = 8}), 0);
  const Completion lost = left_->next();
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(lost.status, IBV_WC_RETRY_EXC_ERR) << describe(lost);
  EXPECT_EQ(lost.id, 8U);
  EXPECT_GE(took, 2 * 60ms);
  EXPECT_LE(took, 2 * 4 * 67ms + 1s);  // and a second for an emulated processor
}

TEST_F(QueuePairDeviceTest, DefaultSettingsGiveUpToo) {
  right_pair_.reset();
  ASSERT_EQ(left_pair_->write({.from = left_->slice(8), .to = right_->target()}), 0);
  EXPECT_EQ(left_->next().status, IBV_WC_RETRY_EXC_ERR);
}

TEST_F(QueuePairDeviceTest, StateIsInWords) {
  EXPECT_EQ(left_pair_->state(), "ready to send");
}

TEST_F(QueuePairDeviceTest, TooMuchInlineFallsBackToWhatTheDeviceGrants) {
  const PendingQueuePair pair = make_pair(*left_, {.inline_bytes = 1 << 20});
  EXPECT_LT(pair.inline_bytes(), 1U << 20U);
}

TEST_F(QueuePairDeviceTest, TooDeepAQueueNamesItsDepthsAndTheDevice) {
  try {
    make_pair(*left_, {.send_depth = 100'000'000});
    FAIL();
  } catch (const std::system_error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("100000000 sends and 128 receives (the device allows "), std::string::npos)
        << what;
  }
}

TEST_F(QueuePairDeviceTest, PortWithoutGidIsRefused) {
  port_.gid.reset();
  EXPECT_THROW(make_pair(*left_), std::system_error);
}

TEST_F(QueuePairDeviceTest, WrongOrderOfDestructionIsReportedAndSurvived) {
  auto context = open_device(port_.device);
  auto domain = allocate_domain(*context);
  std::vector<std::byte> memory(4096);
  const MemoryRegion region = register_memory(*domain, memory);
  testing::internal::CaptureStderr();
  ibv_pd* raw = domain.get();
  domain.reset();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("cannot destroy the protection domain"),
            std::string::npos);
  domain.reset(raw);  // it is still there: destroyed after the region, as it should be
}

}  // namespace
}  // namespace railgauge::verbs
