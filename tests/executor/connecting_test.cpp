// What it takes one of very many ranks to connect: exchanges with them are simulated.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "executor/channels.hpp"
#include "executor/simulated_exchange.hpp"
#include "schedule/algorithms.hpp"
#include "transport/in_process.hpp"

namespace railgauge::executor {
namespace {

using schedule::Schedule;
using transport::ChannelRequest;
using transport::InProcessFabric;
using transport::SimulatedExchange;

/// So many of one rank's, in connecting.
struct Cost {
  std::size_t channels = 0;
  std::size_t sent = 0;  // bytes
  std::size_t received = 0;
};

class Connecting {
 public:
  explicit Connecting(const Schedule& schedule) : schedule_(schedule), fabric_(schedule.ranks) {}

  /// Its peers have their first turn, then it connects to them.
  Cost connect(Rank rank) {
    const auto channels = channels_of(schedule_, rank, {});
    for (const ChannelRequest& channel : channels) {
      SimulatedExchange::keep(channel.peer, schedule_.ranks, kept_, [&](auto& exchange) {
        (void)fabric_.join(exchange, channels_of(schedule_, channel.peer, {}));
      });
    }
    SimulatedExchange exchange(rank, schedule_.ranks, kept_);
    const auto transport = fabric_.join(exchange, channels);
    (void)transport->allocate(1);
    expect_right_numbers(*transport);
    return {channels.size(), exchange.sent(), exchange.received()};
  }

 private:
  /// The k-th of ours to a peer leads to the peer's k-th to us.
  void expect_right_numbers(const transport::Transport& transport) const {
    const auto ours = transport.channels();
    for (transport::Channel channel = 0; channel < ours.size(); ++channel) {
      const auto theirs = channels_of(schedule_, ours[channel].peer, {});
      const transport::Channel back = transport.peer_channel(channel);
      ASSERT_LT(back, theirs.size());
      EXPECT_EQ(theirs[back].peer, transport.rank());
      EXPECT_EQ(std::count(theirs.begin(), theirs.begin() + back, theirs[back]),
                std::count(ours.begin(), ours.begin() + channel, ours[channel]));
    }
  }

  const Schedule& schedule_;
  InProcessFabric fabric_;
  SimulatedExchange::Kept kept_;
};

void expect_bytes_of_channels(const Schedule& schedule, std::size_t most_channels) {
  Connecting connecting(schedule);
  const Rank last = schedule.ranks - 1;
  for (const Rank rank : {0U, 1U, 62U, last / 2, last / 2 + 1, last - 1, last}) {
    const Cost cost = connecting.connect(rank);
    constexpr std::size_t kMostAChannel = 32;
    EXPECT_GT(cost.channels, 0U);
    EXPECT_LE(cost.channels, most_channels);
    EXPECT_GT(cost.sent, 0U);
    EXPECT_LE(cost.sent, kMostAChannel * cost.channels) << schedule.name << " " << rank;
    EXPECT_EQ(cost.sent, cost.received);
  }
}

/// However many ranks there are.
TEST(Connecting, TakesABoundedNumberOfBytesForEachChannel) {
  for (const Rank ranks : {64U, 8192U}) {
    const std::size_t logarithm = ranks == 64 ? 6 : 13;
    expect_bytes_of_channels(schedule::ring_all_reduce(ranks), 2);
    expect_bytes_of_channels(schedule::two_tree_all_reduce(ranks), 6);
    expect_bytes_of_channels(schedule::halving_doubling_all_reduce(ranks), logarithm);
  }
}

}  // namespace
}  // namespace railgauge::executor
