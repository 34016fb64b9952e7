#include "transport/note_ring.hpp"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::transport {
namespace {

constexpr std::size_t kLanes = 20;

/// A station, as a rank has it.
class NoteRingTest : public testing::Test {
 protected:
  std::vector<std::byte> memory_ = std::vector<std::byte>(station_bytes(kLanes) + kCacheLine);
  Station station_ = station_in(aligned(), kLanes);
  Inbox inbox_{station_, kLanes};

 private:
  std::span<std::byte> aligned() {
    void* at = memory_.data();
    std::size_t bytes = memory_.size();
    std::align(kCacheLine, station_bytes(kLanes), at, bytes);
    return {static_cast<std::byte*>(at), bytes};
  }
};

TEST_F(NoteRingTest, HasRoomForAllThatMayBeOnTheirWay) {
  Outbox outbox(station_, 7);
  EXPECT_FALSE(inbox_.anything());
  for (std::uint32_t note = 0; note < kNotesPerRing; ++note) {
    ASSERT_TRUE(outbox.room());
    outbox.push(note);
  }
  EXPECT_FALSE(outbox.room());
  EXPECT_EQ(outbox.waiting(), kNotesPerRing);
  EXPECT_TRUE(inbox_.anything());
  std::array<Event, 1> event;
  for (std::uint32_t note = 0; note < kNotesPerRing; ++note) {
    ASSERT_EQ(inbox_.take(event), 1U);
    EXPECT_EQ(event[0].lane, 7U);
    EXPECT_EQ(event[0].value, note);
    ASSERT_TRUE(outbox.room());
  }
  EXPECT_FALSE(inbox_.anything());
}

TEST_F(NoteRingTest, GoesAroundManyTimes) {
  Outbox outbox(station_, 0);
  std::array<Event, 32> events;
  for (std::uint32_t note = 0, next = 0; note < 10'000;) {
    for (int i = 0; i < 23; ++i) outbox.push(note++);
    ASSERT_EQ(inbox_.take(events), 23U);
    for (int i = 0; i < 23; ++i) ASSERT_EQ(events[static_cast<std::size_t>(i)].value, next++);
  }
}

TEST_F(NoteRingTest, LetsNoLaneStarveTheOthers) {
  std::vector<Outbox> outboxes;
  for (Lane lane = 0; lane < kLanes; ++lane) outboxes.emplace_back(station_, lane);
  std::array<int, kLanes> came{};
  std::array<Event, 1> event;
  for (std::size_t i = 0; i < 5 * kLanes; ++i) {
    for (Outbox& outbox : outboxes) {
      if (outbox.room()) outbox.push(0);
    }
    ASSERT_EQ(inbox_.take(event), 1U);
    ++came[event[0].lane];
  }
  for (const int count : came) EXPECT_EQ(count, 5);
}

}  // namespace
}  // namespace railgauge::transport
