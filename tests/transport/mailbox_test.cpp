#include "transport/mailbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace railgauge::transport {
namespace {

constexpr std::size_t kChannels = 20;

/// A mailbox, as a rank has it.
class MailboxTest : public testing::Test {
 protected:
  std::vector<std::byte> memory_ = std::vector<std::byte>(mailbox_bytes(kChannels) + kCacheLine);
  Mailbox mailbox_ = mailbox_in(aligned());
  Inbox inbox_{mailbox_, kChannels};

 private:
  std::span<std::byte> aligned() {
    void* at = memory_.data();
    std::size_t bytes = memory_.size();
    std::align(kCacheLine, mailbox_bytes(kChannels), at, bytes);
    return {static_cast<std::byte*>(at), bytes};
  }
};

TEST_F(MailboxTest, HasRoomForAllThatMayBeOnTheirWay) {
  Outbox outbox(mailbox_, 7);
  EXPECT_FALSE(inbox_.anything());
  for (std::uint32_t notification = 0; notification < kNotificationsPerRing; ++notification) {
    ASSERT_TRUE(outbox.can_post());
    outbox.push(notification);
  }
  EXPECT_FALSE(outbox.can_post());
  EXPECT_EQ(outbox.waiting(), kNotificationsPerRing);
  EXPECT_TRUE(inbox_.anything());
  std::array<Event, 1> event;
  for (std::uint32_t notification = 0; notification < kNotificationsPerRing; ++notification) {
    ASSERT_EQ(inbox_.take(event), 1U);
    EXPECT_EQ(event[0].channel, 7U);
    EXPECT_EQ(event[0].value, notification);
    ASSERT_TRUE(outbox.can_post());
  }
  EXPECT_FALSE(inbox_.anything());
}

TEST_F(MailboxTest, GoesAroundManyTimes) {
  Outbox outbox(mailbox_, 0);
  std::array<Event, 32> events;
  for (std::uint32_t notification = 0, next = 0; notification < 10'000;) {
    for (int i = 0; i < 23; ++i) outbox.push(notification++);
    ASSERT_EQ(inbox_.take(events), 23U);
    for (int i = 0; i < 23; ++i) ASSERT_EQ(events[static_cast<std::size_t>(i)].value, next++);
  }
}

TEST_F(MailboxTest, PutsDataWhereTheyBelongBeforeItTellsOfThem) {
  std::array<std::byte, 100> first{};
  std::array<std::byte, 200> second{};
  inbox_.add_region(first);
  inbox_.add_region(second);
  Outbox outbox(mailbox_, 3);
  std::array<Event, 2> events;
  for (std::size_t bytes = 1; bytes <= Letter::kMostBytes; ++bytes) {
    second.fill(std::byte{1});
    const std::vector<std::byte> data(bytes, static_cast<std::byte>(100 + bytes));
    outbox.push(17, data, 1, 200 - bytes);
    outbox.push(18);
    EXPECT_EQ(second[200 - bytes], std::byte{1}) << "not before it has been taken";
    ASSERT_EQ(inbox_.take(events), 2U);
    EXPECT_EQ(events[0].value, 17U);
    EXPECT_EQ(events[1].value, 18U);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), second.end() - static_cast<int>(bytes)));
    EXPECT_EQ(second[199 - bytes], std::byte{1});
  }
  EXPECT_EQ(first, (std::array<std::byte, 100>{}));
}

TEST_F(MailboxTest, LetsNoChannelStarveTheOthers) {
  std::vector<Outbox> outboxes;
  for (Channel channel = 0; channel < kChannels; ++channel)
    outboxes.emplace_back(mailbox_, channel);
  std::array<int, kChannels> came{};
  std::array<Event, 1> event;
  for (std::size_t i = 0; i < 5 * kChannels; ++i) {
    for (Outbox& outbox : outboxes) {
      if (outbox.can_post()) outbox.push(0);
    }
    ASSERT_EQ(inbox_.take(event), 1U);
    ++came[event[0].channel];
  }
  for (const int count : came) EXPECT_EQ(count, 5);
}

}  // namespace
}  // namespace railgauge::transport
