#include "soak/packet_balance.hpp"

#include <gtest/gtest.h>

#include "soak/watcher.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Finding;

/// Two hosts with a soft device each on a rail.
Header fabric(const std::string& firmware = "softroce 0.1.0") {
  Header header;
  for (int rank = 0; rank < 2; ++rank) {
    results::Rank one{.rank = rank, .host = "host" + std::to_string(rank)};
    one.rails.push_back({.device = "soft0",
                         .address = "10.0.0." + std::to_string(rank),
                         .kind = results::DeviceKind::software,
                         .firmware = firmware});
    header.ranks.push_back(one);
  }
  return header;
}

using Moved = std::map<std::string, std::int64_t>;

class PacketBalances : public ::testing::Test {
 protected:
  /// The next window: what each host's port counted.
  Window window(const Moved& first, const Moved& second) {
    Window window{.number = ++number_};
    for (int host = 0; host < 2; ++host) {
      window.ports.push_back({.host = "host" + std::to_string(host),
                              .device = "soft0",
                              .address = "10.0.0." + std::to_string(host),
                              .moved = host == 0 ? first : second});
    }
    return window;
  }
  std::vector<Finding> findings(const Moved& first, const Moved& second) {
    return watcher_.take(window(first, second));
  }
  std::vector<Finding> healthy() {
    return findings({{"sent_pkts", 10}, {"rcvd_pkts", 20}}, {{"sent_pkts", 20}, {"rcvd_pkts", 10}});
  }

  /// As many windows as have to pass, and what is told with the last of them.
  std::vector<Finding> after(std::size_t more) {
    for (std::size_t i = 1; i < more; ++i) EXPECT_TRUE(healthy().empty());
    return healthy();
  }

  Watcher watcher_{fabric()};
  std::uint64_t number_ = 0;
};

TEST_F(PacketBalances, AGapInWhatArrivesWithoutALossIsOvertaking) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 14}, {"rcvd_pkts", 20}, {"retransmitted_pkts", 4}},
                       {{"sent_pkts", 20},
                        {"rcvd_pkts", 14},
                        {"out_of_seq_request", 1},
                        {"duplicate_request", 3}})
                  .empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, AGapAndAPacketThatStaysMissingAreALossOnce) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 14}, {"rcvd_pkts", 20}, {"rcvd_seq_err", 1}},
                       {{"sent_pkts", 20}, {"rcvd_pkts", 13}, {"out_of_seq_request", 1}})
                  .empty());
  const auto all = after(PacketBalance::kMoreIfNoticed);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::packet_loss);
  EXPECT_EQ(*all[0].when->window, 2U);
  EXPECT_EQ(in_words(all[0].where), "host0 soft0 (rail 0, rank 0) -> host1 soft0 (rail 0, rank 1)");
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, APacketThatNothingFollowsIsALoss) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 12}, {"rcvd_pkts", 20}, {"retransmitted_pkts", 1}},
                       {{"sent_pkts", 20}, {"rcvd_pkts", 11}})
                  .empty());
  const auto all = after(PacketBalance::kMoreIfNoticed);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(*all[0].when->window, 2U);
  EXPECT_EQ(all[0].where.at.rail, 0);
  EXPECT_EQ(sentence(all[0]),
            "host0 soft0 (rail 0, rank 0): packet loss in window 2: packets sent and never "
            "received 1 (retransmitted_pkts 1); check cable, transceiver and switch port");
  EXPECT_TRUE(healthy().empty());
}

/// What came late is a gap, too: five gaps, four packets lost.
TEST_F(PacketBalances, TellHowManyPacketsWereLostAndNotHowManyGapsThereWere) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 14}, {"rcvd_pkts", 20}},
                       {{"sent_pkts", 20}, {"rcvd_pkts", 10}, {"out_of_seq_request", 5}})
                  .empty());
  const auto all = after(PacketBalance::kMoreIfNoticed);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].evidence[0].observed, 4);
  EXPECT_EQ(all[0].where.at.host, "host1");
  EXPECT_EQ(all[0].where.at.device, "soft0");
}

/// Both miss packets of each other: one of them, or the other, and each is named.
TEST_F(PacketBalances, NameTheOtherPortWhereNoCounterTellsWhichItIs) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 12}, {"rcvd_pkts", 19}, {"out_of_seq_request", 1}},
                       {{"sent_pkts", 20}, {"rcvd_pkts", 10}, {"out_of_seq_request", 2}})
                  .empty());
  const auto all = after(PacketBalance::kMoreIfNoticed);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].evidence[0].observed, 3);
  EXPECT_EQ(in_words(all[0].where), "host1 soft0 (rail 0, rank 1) RX");
  ASSERT_EQ(all[0].alternatives.size(), 1U);
  EXPECT_EQ(in_words(all[0].alternatives[0]), "host0 soft0 (rail 0, rank 0) RX");
}

TEST_F(PacketBalances, ALostAcknowledgementThatNobodyMissedIsFoundLater) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 11}}, {{"rcvd_pkts", 10}}).empty());
  const auto all = after(PacketBalance::kMore);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(*all[0].when->window, 2U);
  EXPECT_TRUE(after(PacketBalance::kMore).empty());
}

/// Another one each time, seen on a busy machine.
TEST_F(PacketBalances, PacketsUnderWayAtTheEndOfEveryWindowAreNotLost) {
  EXPECT_TRUE(healthy().empty());
  for (int window = 0; window < 4; ++window) {
    EXPECT_TRUE(findings({{"sent_pkts", 13}}, {{"rcvd_pkts", 12}}).empty());
    EXPECT_TRUE(findings({{"sent_pkts", 13}}, {{"rcvd_pkts", 12}}).empty());
    EXPECT_TRUE(findings({{"sent_pkts", 10}}, {{"rcvd_pkts", 12}}).empty());
  }
}

TEST_F(PacketBalances, AGapIsNoLossThoughAPacketIsUnderWay) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(
      findings({{"sent_pkts", 14}}, {{"rcvd_pkts", 12}, {"out_of_seq_request", 1}}).empty());
  EXPECT_TRUE(findings({{"sent_pkts", 10}}, {{"rcvd_pkts", 12}}).empty());
  EXPECT_TRUE(after(PacketBalance::kMore).empty());
}

TEST_F(PacketBalances, WhatIsStillUnderWayIsNotLost) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 13}}, {{"rcvd_pkts", 10}}).empty());
  EXPECT_TRUE(findings({{"sent_pkts", 10}}, {{"rcvd_pkts", 13}}).empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, TimeOutsOfABusyMachineAreNoLoss) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 15}, {"completer_retry_err", 5}},
                       {{"rcvd_pkts", 15}, {"duplicate_request", 5}})
                  .empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, WhatWasCorruptedIsNotLostToo) {
  EXPECT_TRUE(healthy().empty());
  const auto all = findings({{"sent_pkts", 15}, {"rcvd_seq_err", 1}},
                            {{"rcvd_pkts", 14}, {"icrc_err", 1}, {"out_of_seq_request", 1}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::corruption);
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, DevicesBeginToCountOneAfterTheOther) {
  EXPECT_TRUE(findings({{"sent_pkts", 15}}, {{"rcvd_pkts", 12}}).empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, ANewRunCountsFromZero) {
  EXPECT_TRUE(healthy().empty());
  EXPECT_TRUE(findings({{"sent_pkts", 15}}, {{"rcvd_pkts", 12}}).empty());
  EXPECT_TRUE(watcher_.take(Gap{}).empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, CountersThatCouldNotBeReadFindNothing) {
  EXPECT_TRUE(healthy().empty());
  Window unread = window({{"sent_pkts", 15}}, {});
  unread.ports[1].counters_read = false;
  EXPECT_TRUE(watcher_.take(unread).empty());
  EXPECT_TRUE(healthy().empty());
}

TEST_F(PacketBalances, OthersThanOurDevicesDoNotCountEveryPacket) {
  Watcher watcher(fabric("rxe"));
  EXPECT_TRUE(watcher.take(window({{"sent_pkts", 15}}, {})).empty());
  EXPECT_TRUE(watcher.take(window({{"sent_pkts", 15}}, {})).empty());
  const auto all = watcher.take(window({{"rcvd_seq_err", 1}}, {{"out_of_seq_request", 1}}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].cause, Cause::packet_loss);
}

}  // namespace
}  // namespace railgauge::soak
