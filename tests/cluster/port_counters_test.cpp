#include "cluster/port_counters.hpp"

#include <gtest/gtest.h>

namespace railgauge::cluster {
namespace {

std::vector<results::PortCounters> two_ports() {
  return {{.host = "host0", .device = "mlx5_0", .rail = 0, .before = {{"icrc_err", 5}}},
          {.host = "host1", .device = "mlx5_0", .rail = 0, .before = {{"icrc_err", 9}}}};
}

TEST(FinalCounters, FillWhatPortsCountedAtTheEnd) {
  auto counters = two_ports();
  std::vector<results::PortEvents> events;
  ASSERT_TRUE(add_final_counters(packed({{.port = 1,
                                          .after = {{"icrc_err", 12}, {"tx_pkts", 70}},
                                          .of_row = {{"icrc_err", 2}, {"tx_pkts", 30}}}}),
                                 counters, events));
  EXPECT_TRUE(counters[0].after.empty()) << "nobody has said anything of host0";
  EXPECT_EQ(counters[1].after, (telemetry::Counters{{"icrc_err", 12}, {"tx_pkts", 70}}));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].host, "host1");
  EXPECT_EQ(events[0].packets_sent, 30);
  EXPECT_EQ(events[0].moved, (std::map<std::string, std::int64_t>{{"icrc_err", 2}}));
}

/// All ranks of a host read its ports, and only one of them knows how the row began.
TEST(FinalCounters, OfSeveralRanksOfAHostAreTakenOnce) {
  auto counters = two_ports();
  std::vector<results::PortEvents> events;
  add_final_counters(packed({{.port = 1, .after = {{"icrc_err", 12}}}}), counters, events);
  add_final_counters(
      packed({{.port = 1, .after = {{"icrc_err", 13}}, .of_row = {{"icrc_err", 3}}}}), counters,
      events);
  EXPECT_EQ(counters[1].after.at("icrc_err"), 12U);
  EXPECT_EQ(events.size(), 1U);
}

TEST(FinalCounters, ThatCannotBeReadChangeNothing) {
  auto counters = two_ports();
  std::vector<results::PortEvents> events;
  std::string cut = packed({{.port = 1, .after = {{"icrc_err", 12}}}});
  cut.pop_back();
  EXPECT_FALSE(add_final_counters(cut, counters, events));
  EXPECT_FALSE(add_final_counters("", counters, events)) << "a rank that had no ports yet";
  EXPECT_FALSE(add_final_counters(packed({{.port = 2}}), counters, events))
      << "there is no such port";
  EXPECT_TRUE(counters[1].after.empty());
  EXPECT_TRUE(events.empty());
}

}  // namespace
}  // namespace railgauge::cluster
