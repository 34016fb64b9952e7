#include "transport/transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "transport/wire.hpp"

namespace railgauge::transport {
namespace {

constexpr std::size_t kBytes = 1 << 20;

std::vector<LaneRequest> to_everybody(const RankContext& context) {
  std::vector<LaneRequest> lanes;
  for (Rank peer = 0; peer < context.ranks; ++peer) {
    for (unsigned rail = 0; rail < context.wire.rails() && peer != context.rank; ++rail) {
      lanes.push_back({peer, rail});
    }
  }
  return lanes;
}

/// Position-dependent, so that bytes in the wrong place show.
std::byte pattern(Rank from, std::size_t at) {
  return static_cast<std::byte>((at * 31 + at / 256 * 7 + from * 101 + 1) & 0xff);
}

TEST(Transport, CarriesBytesAndNotesOnEveryLane) {
  run_ranks(3, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    const auto lanes = transport->lanes();
    const Region from = transport->allocate(kBytes);
    const Region into = transport->allocate(lanes.size() * kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) from.data[i] = pattern(context.rank, i);
    for (Lane lane = 0; lane < lanes.size(); ++lane) {
      transport->write(lane, {.local = from,
                              .remote_id = into.id,
                              .remote_offset = transport->peer_lane(lane) * kBytes,
                              .bytes = kBytes,
                              .note = 0xabcd0000 + context.rank,
                              .report = true});
    }
    std::size_t completed = 0;
    std::size_t arrived = 0;
    while (completed < lanes.size() || arrived < lanes.size()) {
      const Event event = next_event(*transport);
      ASSERT_NE(event.kind, Event::Kind::failed) << transport->explain(event);
      if (event.kind == Event::Kind::completed) {
        EXPECT_EQ(event.value, 1U);
        ++completed;
        continue;
      }
      ++arrived;
      const Rank peer = lanes[event.lane].peer;
      EXPECT_EQ(event.value, 0xabcd0000 + peer);
      const std::byte* begin = into.data + event.lane * kBytes;
      for (std::size_t i = 0; i < kBytes; ++i) {
        ASSERT_EQ(begin[i], pattern(peer, i)) << "byte " << i << " from rank " << peer;
      }
    }
    context.exchange.all_gather({});  // nobody leaves while others still write to it
  });
}

TEST(Transport, KeepsTheOrderOfALane) {
  run_ranks(2, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    constexpr std::uint32_t kNotes = 10'000;
    std::uint32_t sent = 0;
    std::uint32_t came = 0;
    // Both send, and keep within the notes that may be under way: one comes back for one sent.
    while (came < kNotes) {
      while (sent < kNotes && sent - came < transport->notes_in_flight() / 2 &&
             transport->room(0)) {
        transport->write(0, {.local = {}, .note = sent++});
      }
      const Event event = next_event(*transport);
      ASSERT_NE(event.kind, Event::Kind::failed) << transport->explain(event);
      if (event.kind == Event::Kind::arrived) {
        ASSERT_EQ(event.value, came++);
      }
    }
    context.exchange.all_gather({});
  });
}

TEST(Transport, FlushSendsWithoutPolling) {
  run_ranks(2, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    if (context.rank == 0) {
      for (std::uint32_t note = 0; note < transport->notes_in_flight() / 2; ++note) {
        transport->write(0, {.local = {}, .note = note});
      }
      transport->flush();
    } else {
      for (std::uint32_t note = 0; note < transport->notes_in_flight() / 2; ++note) {
        const Event event = next_event(*transport);
        ASSERT_EQ(event.kind, Event::Kind::arrived);
        ASSERT_EQ(event.value, note);
      }
    }
    context.exchange.all_gather({});
  });
}

TEST(Transport, RefusesALaneThatThePeerDoesNotHave) {
  run_ranks(2, [](RankContext& context) {
    std::vector<LaneRequest> lanes;
    if (context.rank == 0) lanes.push_back({1, 0});
    if (context.rank == 1) lanes.clear();
    try {
      const auto transport = context.wire.join(context.exchange, lanes);
      EXPECT_EQ(context.rank, 1U);
    } catch (const std::logic_error& error) {
      EXPECT_EQ(context.rank, 0U) << error.what();
      // It failed in the first; take part in what the other still waits for.
      for (int round = 1; round < context.wire.rounds(); ++round) context.exchange.all_gather({});
    }
  });
}

TEST(Transport, SaysWhereALaneRuns) {
  run_ranks(2, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    const std::string words = transport->describe(0);
    EXPECT_NE(words.find("rank " + std::to_string(1 - context.rank)), std::string::npos) << words;
    // Memory is no rail's.
    const bool by_memory = words.find("shared memory") != std::string::npos;
    EXPECT_NE(words.find("rail 0") != std::string::npos, by_memory) << words;
    context.exchange.all_gather({});
  });
}

}  // namespace
}  // namespace railgauge::transport
