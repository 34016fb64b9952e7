#include "telemetry/meaning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "telemetry/counters.hpp"
#include "tree.hpp"

namespace railgauge::telemetry {
namespace {

using finding::Direction;

void expect(std::string_view name, Counted counted, Direction direction) {
  const auto meaning = meaning_of(name);
  ASSERT_TRUE(meaning) << name;
  EXPECT_EQ(meaning->counted, counted) << name;
  EXPECT_EQ(meaning->direction, direction) << name;
}

TEST(Meaning, TheSameThingHasOneWordWhicheverDriverCountsIt) {
  for (const char* name : {"packet_seq_err", "seq_err_naks_rcvd", "rcvd_seq_err",
                           "requester_oos_nak", "req_rx_pkt_seq_err", "Nak Sequence Error"}) {
    expect(name, Counted::loss, Direction::transmit);
  }
  for (const char* name : {"out_of_sequence", "oos_drop_count", "res_oos_drop_count",
                           "out_of_seq_request", "responder_oos", "resp_rx_outouf_seq"}) {
    expect(name, Counted::loss, Direction::receive);
  }
  for (const char* name : {"local_ack_timeout_err", "to_retransmits", "completer_retry_err",
                           "requester_timeout", "tx_rdma_ack_timeout", "RTO"}) {
    expect(name, Counted::loss, Direction::both);
  }
  for (const char* name : {"np_ecn_marked_roce_packets", "rx_ecn_marked_pkts", "RxECNMrkd",
                           "rx_rdma_ecn_pkts", "received_ecns"}) {
    expect(name, Counted::congestion, Direction::receive);
  }
}

/// The names of a driver, a line for each meaning: "loss sent 32: NAME, NAME" or "ignored: NAME".
void expect_as_listed(const std::string& line) {
  const std::size_t colon = line.find(": ");
  ASSERT_NE(colon, std::string::npos) << line;
  std::istringstream words(line.substr(0, colon));
  const std::vector<std::string> is{std::istream_iterator<std::string>(words), {}};
  for (std::size_t at = colon + 2; at < line.size();) {
    const std::size_t comma = std::min(line.find(", ", at), line.size());
    const std::string name = line.substr(at, comma - at);
    at = comma + 2;
    const auto meaning = meaning_of(name);
    ASSERT_EQ(meaning.has_value(), is.at(0) != "ignored") << name;
    if (!meaning) continue;
    const Direction direction = is.at(1) == "sent"       ? Direction::transmit
                                : is.at(1) == "received" ? Direction::receive
                                                         : Direction::both;
    const std::string more = is.size() > 2 ? is[2] : "";
    EXPECT_EQ(word(meaning->counted), is[0]) << name;
    EXPECT_EQ(meaning->direction, direction) << name;
    EXPECT_EQ(meaning->wraps_at_32_bits, more == "32") << name;
    EXPECT_EQ(meaning->microseconds, more == "us") << name;
  }
}

TEST(Meaning, EveryNameOfADriverIsKnownOrIgnoredOnPurpose) {
  int drivers = 0;
  for (const auto& driver : std::filesystem::directory_iterator(in_tree("tests/telemetry/names"))) {
    ++drivers;
    std::ifstream names(driver.path());
    for (std::string line; std::getline(names, line);) {
      if (!line.starts_with("#")) expect_as_listed(line);
    }
  }
  EXPECT_EQ(drivers, 10);
}

/// Of irdma a version of IP each has a counter; of a port that carries but one, the other rests.
TEST(Meaning, PacketsAreCountedByAnyDriver) {
  for (const char* name : {"sent_pkts", "tx_pkts", "tx_packets", "ip4OutPkts", "ip6OutPkts",
                           "tx_rdma_ucast_pkts", "tx_pkt", "tx_packets_cnt"}) {
    EXPECT_EQ(packets({{name, 7}}, Direction::transmit), 7) << name;
    EXPECT_EQ(packets({{name, 7}}, Direction::receive), std::nullopt) << name;
  }
}

TEST(Meaning, WhoeverReceivesPauseIsKeptFromSending) {
  expect("rx_prio3_pause", Counted::pause, Direction::transmit);
  expect("tx_prio3_pause", Counted::pause, Direction::receive);
  expect("rx_pfc_ena_frames_pri5", Counted::pause, Direction::transmit);
  EXPECT_FALSE(meaning_of("rx_prio3_pause")->microseconds);
  EXPECT_TRUE(meaning_of("rx_prio3_pause_duration")->microseconds);
  EXPECT_TRUE(meaning_of("pfc_pri0_rx_duration_us")->microseconds);
}

TEST(Meaning, AnUnknownNameHasNone) {
  for (const char* name :
       {"", "lifespan", "rx_prio_pause", "rx_prio3_pause_transition", "loss", "#"}) {
    EXPECT_FALSE(meaning_of(name)) << name;
  }
}

TEST(Meaning, EveryClassHasAWordOfItsOwn) {
  for (std::size_t i = 0; i < kCountedClasses; ++i) {
    const auto counted = static_cast<Counted>(i);
    EXPECT_EQ(counted_of(word(counted)), counted) << i;
  }
  EXPECT_EQ(static_cast<std::size_t>(Counted::protocol) + 1, kCountedClasses);
  EXPECT_FALSE(counted_of("lost"));
  EXPECT_FALSE(counted_of(""));
}

TEST(Meaning, FaultsAreWhatAHealthyFabricDoesNotHave) {
  EXPECT_TRUE(is_fault(Counted::loss));
  EXPECT_TRUE(is_fault(Counted::link));
  EXPECT_FALSE(is_fault(Counted::traffic));
  EXPECT_FALSE(is_fault(Counted::congestion));
  EXPECT_FALSE(is_fault(Counted::pause));
  EXPECT_FALSE(is_fault(Counted::repetition));
}

/// The receiver counts gaps, the sender what it was told of them; a time-out is no loss.
TEST(Meaning, LostPacketsAreThoseOfOneWay) {
  const std::map<std::string, std::uint64_t> before{{"out_of_seq_request", 10},
                                                    {"icrc_err", 0},
                                                    {"rcvd_seq_err", 7},
                                                    {"completer_retry_err", 3},
                                                    {"sent_pkts", 1000}};
  const std::map<std::string, std::int64_t> moved{
      {"out_of_seq_request", 4}, {"icrc_err", 1}, {"completer_retry_err", 9}, {"sent_pkts", 500}};
  EXPECT_EQ(lost_packets(before, moved, Direction::receive), 4) << "the highest, not the sum";
  EXPECT_EQ(lost_packets(before, moved, Direction::transmit), 0);
  EXPECT_EQ(lost_packets({{"sent_pkts", 1}}, {{"sent_pkts", 1}}, Direction::transmit), std::nullopt)
      << "no counter tells";
}

TEST(Meaning, ResendsAreNoGaps) {
  for (const char* name : {"tcpRetransSegs", "RetransSegs", "retrans_pkts"})
    EXPECT_TRUE(meaning_of(name)->resent) << name;
  for (const char* name : {"rcvd_seq_err", "packet_seq_err", "completer_retry_err"})
    EXPECT_FALSE(meaning_of(name)->resent) << name;
}

TEST(Meaning, OvertakenPacketsAreNeitherDroppedNorSentAgain) {
  const std::map<std::string, std::int64_t> gaps{{"out_of_sequence", 900}, {"rx_pkts", 5000}};
  EXPECT_TRUE(only_overtaken({{"tx_pkts", 5000}}, gaps));
  for (const char* again : {"packet_seq_err", "local_ack_timeout_err", "RetransSegs"})
    EXPECT_FALSE(only_overtaken({{again, 1}}, gaps)) << again;
  for (const char* dropped : {"rx_discards_phy", "rx_drops", "ip4InDiscards", "icrc_err"})
    EXPECT_FALSE(only_overtaken({}, {{"out_of_sequence", 900}, {dropped, 1}})) << dropped;
}

TEST(Meaning, ANarrowCounterWraps) {
  constexpr std::uint64_t kWrap = std::uint64_t{1} << 32U;
  EXPECT_EQ(advance("packet_seq_err", 5, 12), 7);
  EXPECT_EQ(advance("packet_seq_err", kWrap - 3, 4), 7);
  EXPECT_EQ(advance("packet_seq_err", 20, 4), -16) << "a reset";
  EXPECT_EQ(advance("sent_pkts", kWrap - 3, 4), -static_cast<std::int64_t>(kWrap) + 7)
      << "it is 64 bits wide: a reset";
  EXPECT_EQ(advance("unheard of", kWrap - 3, 4), -static_cast<std::int64_t>(kWrap) + 7);
}

TEST(Meaning, CountersThatMovedDoSoAcrossAWrap) {
  EXPECT_EQ(
      moved({{"out_of_sequence", 0xffffffff}}, {{"out_of_sequence", 1}}).at("out_of_sequence"), 2);
}

}  // namespace
}  // namespace railgauge::telemetry
