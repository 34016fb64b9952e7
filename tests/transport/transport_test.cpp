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

std::vector<ChannelRequest> to_everybody(const RankContext& context) {
  std::vector<ChannelRequest> channels;
  for (Rank peer = 0; peer < context.ranks; ++peer) {
    for (unsigned rail = 0; rail < context.wire.rails() && peer != context.rank; ++rail) {
      channels.push_back({peer, rail});
    }
  }
  return channels;
}

/// Position-dependent, so that bytes in the wrong place show.
std::byte pattern(Rank from, std::size_t at) {
  return static_cast<std::byte>((at * 31 + at / 256 * 7 + from * 101 + 1) & 0xff);
}

TEST(Transport, CarriesBytesAndNotificationsOnEveryChannel) {
  run_ranks(3, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    const auto channels = transport->channels();
    const Region from = transport->allocate(kBytes);
    const Region into = transport->allocate(channels.size() * kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) from.data[i] = pattern(context.rank, i);
    for (Channel channel = 0; channel < channels.size(); ++channel) {
      transport->write(channel, {.local = from,
                                 .remote_id = into.id,
                                 .remote_offset = transport->peer_channel(channel) * kBytes,
                                 .bytes = kBytes,
                                 .notification = 0xabcd0000 + context.rank,
                                 .report = true});
    }
    std::size_t completed = 0;
    std::size_t arrived = 0;
    while (completed < channels.size() || arrived < channels.size()) {
      const Event event = next_event(*transport);
      ASSERT_NE(event.kind, Event::Kind::failed) << transport->explain(event);
      if (event.kind == Event::Kind::completed) {
        EXPECT_EQ(event.value, 1U);
        ++completed;
        continue;
      }
      ++arrived;
      const Rank peer = channels[event.channel].peer;
      EXPECT_EQ(event.value, 0xabcd0000 + peer);
      const std::byte* begin = into.data + event.channel * kBytes;
      for (std::size_t i = 0; i < kBytes; ++i) {
        ASSERT_EQ(begin[i], pattern(peer, i)) << "byte " << i << " from rank " << peer;
      }
    }
    context.exchange.all_gather({});  // nobody leaves while others still write to it
  });
}

TEST(Transport, KeepsTheOrderOfAChannel) {
  run_ranks(2, [](RankContext& context) {
    const auto transport = context.wire.join(context.exchange, to_everybody(context));
    constexpr std::uint32_t kNotifications = 10'000;
    std::uint32_t sent = 0;
    std::uint32_t came = 0;
    // Both send, and keep within the notifications that may be under way: one comes back for one
    // sent.
    while (came < kNotifications) {
      while (sent < kNotifications && sent - came < transport->notifications_in_flight() / 2 &&
             transport->can_post(0)) {
        transport->write(0, {.local = {}, .notification = sent++});
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
      for (std::uint32_t notification = 0; notification < transport->notifications_in_flight() / 2;
           ++notification) {
        transport->write(0, {.local = {}, .notification = notification});
      }
      transport->flush();
    } else {
      for (std::uint32_t notification = 0; notification < transport->notifications_in_flight() / 2;
           ++notification) {
        const Event event = next_event(*transport);
        ASSERT_EQ(event.kind, Event::Kind::arrived);
        ASSERT_EQ(event.value, notification);
      }
    }
    context.exchange.all_gather({});
  });
}

TEST(Transport, RefusesAChannelThatThePeerDoesNotHave) {
  run_ranks(2, [](RankContext& context) {
    const std::size_t channels = 2 - context.rank;
    try {
      context.wire.join(context.exchange,
                        std::vector<ChannelRequest>(channels, {1 - context.rank, 0}));
      ADD_FAILURE() << "two channels to a rank that has one";
    } catch (const std::logic_error& error) {
      EXPECT_NE(std::string(error.what()).find("do not agree how many channels"), std::string::npos)
          << error.what();
    }
  });
}

/// What a rank tells and is told, and that it asks its neighbours only.
class CountingExchange final : public Exchange {
 public:
  explicit CountingExchange(Exchange& exchange) : exchange_(exchange) {}
  [[nodiscard]] Rank rank() const override { return exchange_.rank(); }
  [[nodiscard]] Rank ranks() const override { return exchange_.ranks(); }
  std::vector<Bytes> all_gather(std::span<const std::byte>) override {
    throw std::logic_error("a rank that connects asks everybody");
  }
  std::vector<Bytes> exchange_with(std::span<const Rank> peers,
                                   std::span<const Bytes> own) override {
    auto theirs = exchange_.exchange_with(peers, own);
    for (const Bytes& message : own) bytes += message.size();
    for (const Bytes& message : theirs) bytes += message.size();
    return theirs;
  }
  std::size_t bytes = 0;

 private:
  Exchange& exchange_;
};

/// Of a rank of a ring of so many, in connecting and for two regions; nothing if there is no wire.
std::size_t bytes_to_connect_a_ring(Rank ranks) {
  std::vector<std::size_t> bytes(ranks);
  run_ranks(ranks, [&](RankContext& context) {
    const Rank next = (context.rank + 1) % ranks;
    const Rank previous = (context.rank + ranks - 1) % ranks;
    CountingExchange exchange(context.exchange);
    const auto transport =
        context.wire.join(exchange, std::vector<ChannelRequest>{{next, 0}, {previous, 0}});
    (void)transport->allocate(kBytes);
    (void)transport->allocate(kBytes);
    bytes[context.rank] = exchange.bytes;
    context.exchange.all_gather({});
  });
  return bytes[0];
}

TEST(Transport, ConnectsByAsManyBytesAsItHasChannels) {
  const std::size_t of_four = bytes_to_connect_a_ring(4);
  if (IsSkipped()) return;
  EXPECT_GT(of_four, 0U);
  EXPECT_LT(of_four, 2 * 1000U);  // two channels
  EXPECT_EQ(bytes_to_connect_a_ring(10), of_four);
}

TEST(Transport, SaysWhereAChannelRuns) {
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
