#include "experiments/pairs/pair_tester.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

/// Two hosts of one NIC each; the ranks have the hosts' names, as events do.
struct TwoHosts {
  TwoHosts() {
    for (int rank = 0; rank < 2; ++rank) {
      results::Rank one{.rank = rank, .host = "vm"};
      one.rails.push_back({.device = "soft0", .address = "127.64.0." + std::to_string(rank + 1)});
      document.ranks.push_back(one);
      document.counters.push_back({.host = "vm",
                                   .device = "soft0",
                                   .address = one.rails[0].address,
                                   .before = {{"sent_pkts", 1}}});
    }
    all = nics_of(document.ranks);
  }

  [[nodiscard]] results::PortEvents events(std::size_t nic,
                                           std::map<std::string, std::int64_t> moved) const {
    return {.host = "vm",
            .device = "soft0",
            .address = all.nics[nic].address,
            .moved = std::move(moved)};
  }

  results::Document document;
  AllNics all;
};

TEST(DirectionCounters, WhatAPortSaysOfItsOwnPacketsIsOfTheDirectionThatItSends) {
  const TwoHosts hosts;
  // NIC 0 sent packets again, for which NIC 1 saw gaps.
  const DirectionCounters counters(
      hosts.document, hosts.all,
      {hosts.events(0, {{"packet_seq_err", 7}}), hosts.events(1, {{"out_of_sequence", 9}})});
  DirectionFigures there{.from = 0, .to = 1};
  counters.add_to(there);
  EXPECT_EQ(there.figures.sender_events.at("packet_seq_err"), 7);
  EXPECT_EQ(there.figures.receiver_events.at("out_of_sequence"), 9);
  EXPECT_EQ(there.figures.retransmissions, 9);
  DirectionFigures back{.from = 1, .to = 0};
  counters.add_to(back);
  EXPECT_TRUE(back.figures.sender_events.empty());
  EXPECT_TRUE(back.figures.receiver_events.empty());
  EXPECT_EQ(back.figures.retransmissions, 0);
}

TEST(DirectionCounters, WhatIsOnlyOvertakenIsNotSentAgain) {
  const TwoHosts hosts;
  const DirectionCounters counters(hosts.document, hosts.all,
                                   {hosts.events(1, {{"out_of_sequence", 9}})});
  DirectionFigures there{.from = 0, .to = 1};
  counters.add_to(there);
  EXPECT_EQ(there.figures.retransmissions, 0);
}

TEST(DirectionCounters, APortThatCannotCountDoesNotSayThatNothingWasLost) {
  TwoHosts hosts;
  hosts.document.counters[1].before.clear();
  const DirectionCounters counters(hosts.document, hosts.all, {});
  DirectionFigures direction{.from = 0, .to = 1};
  counters.add_to(direction);
  EXPECT_FALSE(direction.figures.retransmissions);
}

/// A round of a large fabric has as many directions as NICs: a search for each would take seconds.
TEST(DirectionCounters, OfThousandsOfNicsAreEachItsOwn) {
  constexpr int kHosts = 1024;
  constexpr int kRails = 8;
  results::Document document;
  std::vector<results::PortEvents> events;
  for (int host = 0; host < kHosts; ++host) {
    results::Rank& rank =
        document.ranks.emplace_back(results::Rank{.rank = host, .host = std::to_string(host)});
    for (int rail = 0; rail < kRails; ++rail) {
      const std::string device = "mlx5_" + std::to_string(rail);
      rank.rails.push_back({.rail = rail, .device = device});
      document.counters.push_back(
          {.host = rank.host, .device = device, .before = {{"packet_seq_err", 1}}});
      events.push_back({.host = rank.host,
                        .device = device,
                        .moved = {{"packet_seq_err", kRails * host + rail}}});
    }
  }
  const AllNics all = nics_of(document.ranks);
  const DirectionCounters counters(document, all, events);
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic) {
    DirectionFigures direction{.from = nic, .to = all.nics.size() - 1 - nic};
    counters.add_to(direction);
    ASSERT_EQ(direction.figures.sender_events.at("packet_seq_err"), static_cast<std::int64_t>(nic));
  }
}

}  // namespace
}  // namespace railgauge::runner
