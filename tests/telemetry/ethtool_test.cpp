#include "telemetry/ethtool.hpp"

#include <gtest/gtest.h>
#include <linux/ethtool.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace railgauge::telemetry {
namespace {

/// A driver with these statistics, as the kernel would ask it.
struct Driver {
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  std::string netdev = "rail0";

  bool operator()(const std::string& asked, void* request) const {
    if (asked != netdev) return false;
    std::uint32_t command = 0;
    std::memcpy(&command, request, sizeof command);
    switch (command) {
      case ETHTOOL_GSSET_INFO: return count(static_cast<ethtool_sset_info*>(request));
      case ETHTOOL_GSTRINGS: return names(static_cast<ethtool_gstrings*>(request));
      case ETHTOOL_GSTATS: return values(static_cast<ethtool_stats*>(request));
      default: return false;
    }
  }

 private:
  bool count(ethtool_sset_info* request) const {
    if (request->sset_mask != 1ULL << ETH_SS_STATS) return false;
    if (statistics.empty()) request->sset_mask = 0;
    request->data[0] = static_cast<std::uint32_t>(statistics.size());
    return true;
  }
  bool names(ethtool_gstrings* request) const {
    if (request->string_set != ETH_SS_STATS || request->len != statistics.size()) return false;
    for (std::size_t i = 0; i < statistics.size(); ++i) {
      std::strncpy(reinterpret_cast<char*>(request->data) + i * ETH_GSTRING_LEN,
                   statistics[i].first.c_str(), ETH_GSTRING_LEN);
    }
    return true;
  }
  bool values(ethtool_stats* request) const {
    if (request->n_stats != statistics.size()) return false;
    for (std::size_t i = 0; i < statistics.size(); ++i) request->data[i] = statistics[i].second;
    return true;
  }
};

TEST(Ethtool, IsAsOldAsTheDriverSays) {
  using std::chrono::milliseconds;
  const auto of = [](std::uint32_t usecs) {
    return ethtool_refresh_time("rail0", [&](const std::string& netdev, void* request) {
      auto* const settings = static_cast<ethtool_coalesce*>(request);
      if (netdev != "rail0" || settings->cmd != ETHTOOL_GCOALESCE) return false;
      settings->stats_block_coalesce_usecs = usecs;
      return true;
    });
  };
  EXPECT_EQ(of(0), milliseconds(0));
  EXPECT_EQ(of(1500), milliseconds(2));
  EXPECT_EQ(of(1'000'000), milliseconds(1000));
  EXPECT_EQ(of(16'000'000), milliseconds(1000));
  EXPECT_EQ(ethtool_refresh_time("rail0", Driver{}), milliseconds(0)) << "it does not say";
}

TEST(Ethtool, GivesWhatIsKnown) {
  const Driver driver{.statistics = {{"rx0_packets", 10},
                                     {"rx_prio3_pause", 7},
                                     {"rx_prio3_pause_duration", 900},
                                     {"link_down_events_phy", 2},
                                     {"rx_pcs_symbol_err_phy", 1ULL << 40U}}};
  EXPECT_EQ(read_ethtool_counters("rail0", driver),
            (Counters{{"rx_prio3_pause", 7},
                      {"rx_prio3_pause_duration", 900},
                      {"link_down_events_phy", 2},
                      {"rx_pcs_symbol_err_phy", 1ULL << 40U}}));
}

TEST(Ethtool, LeavesOutTheQueuesOfEthernet) {
  const Driver driver{.statistics = {{"rx_out_of_buffer", 10}, {"rx_packets", 5}, {"tx_bytes", 7}}};
  EXPECT_TRUE(read_ethtool_counters("rail0", driver).empty());
}

TEST(Ethtool, GivesDiscardsByPriorityOrAllOfThem) {
  const Driver by_priority{.statistics = {{"rx_discards_phy", 3},
                                          {"rx_prio0_discards", 3},
                                          {"rx_prio3_discards", 0},
                                          {"tx_discards_phy", 1}}};
  EXPECT_EQ(read_ethtool_counters("rail0", by_priority),
            (Counters{{"rx_prio0_discards", 3}, {"rx_prio3_discards", 0}, {"tx_discards_phy", 1}}));
  const Driver all{.statistics = {{"rx_discards_phy", 3}}};
  EXPECT_EQ(read_ethtool_counters("rail0", all), (Counters{{"rx_discards_phy", 3}}));
}

TEST(Ethtool, ANameMayFillItsPlace) {
  const std::string longest(ETH_GSTRING_LEN, 'x');
  const Driver driver{.statistics = {{longest, 1}, {"tx_prio5_pause", 4}}};
  EXPECT_EQ(read_ethtool_counters("rail0", driver), (Counters{{"tx_prio5_pause", 4}}));
}

TEST(Ethtool, WithoutStatisticsThereAreNone) {
  EXPECT_TRUE(read_ethtool_counters("rail0", Driver{}).empty());
  EXPECT_TRUE(
      read_ethtool_counters("rail1", Driver{.statistics = {{"rx_prio3_pause", 7}}}).empty());
}

TEST(Ethtool, TheKernelIsAsked) {
  EXPECT_TRUE(read_ethtool_counters("lo").empty());  // loopback has no statistics
  EXPECT_TRUE(read_ethtool_counters("").empty());
  EXPECT_TRUE(read_ethtool_counters("no-netdev-of-this-name").empty());
  std::vector<std::uint64_t> request(8);        // room for any small request
  const std::uint32_t command = ETHTOOL_GLINK;  // which every device has
  std::memcpy(request.data(), &command, sizeof command);
  EXPECT_TRUE(ask_kernel("lo", request.data()));
}

}  // namespace
}  // namespace railgauge::telemetry
