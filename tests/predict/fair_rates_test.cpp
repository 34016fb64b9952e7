#include "predict/fair_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "fabric/sizing.hpp"
#include "predict/network.hpp"

namespace railgauge::predict {
namespace {

/// The definition, slowly: all rates grow together; who meets a full link stops.
std::vector<double> grown(const Flows& flows, const std::vector<double>& capacities) {
  std::vector<double> rates(flows.size());
  std::vector<bool> stopped(flows.size());
  std::vector<double> left = capacities;
  const auto crosses = [&](std::size_t flow, std::uint32_t link) {
    return std::count(flows.links.begin() + flows.first[flow],
                      flows.links.begin() + flows.first[flow + 1], link) > 0;
  };
  while (std::count(stopped.begin(), stopped.end(), false) > 0) {
    double step = std::numeric_limits<double>::infinity();
    std::vector<double> users(left.size());
    for (std::uint32_t link = 0; link < left.size(); ++link) {
      for (std::size_t flow = 0; flow < flows.size(); ++flow) {
        if (!stopped[flow] && crosses(flow, link)) ++users[link];
      }
      if (users[link] > 0) step = std::min(step, left[link] / users[link]);
    }
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (!stopped[flow]) rates[flow] += step;
    }
    for (std::uint32_t link = 0; link < left.size(); ++link) {
      left[link] -= step * users[link];
      if (users[link] == 0 || left[link] > 1e-12 * capacities[link]) continue;
      for (std::size_t flow = 0; flow < flows.size(); ++flow) {
        if (crosses(flow, link)) stopped[flow] = true;
      }
    }
  }
  return rates;
}

TEST(FairRates, AreThoseOfTheDefinition) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 100; ++round) {
    std::uniform_int_distribution<std::uint32_t> link(0, 11);
    std::uniform_real_distribution<double> capacity(1, 9);
    std::vector<double> capacities(12);
    for (double& one : capacities) one = capacity(random);
    Flows flows;
    for (int flow = 0; flow < 30; ++flow) {
      std::vector<std::uint32_t> path{link(random), link(random), link(random)};
      std::ranges::sort(path);
      path.erase(std::unique(path.begin(), path.end()), path.end());
      flows.links.insert(flows.links.end(), path.begin(), path.end());
      flows.end_flow();
    }
    const auto fast = fair_rates(flows, capacities);
    const auto slow = grown(flows, capacities);
    for (std::size_t flow = 0; flow < fast.size(); ++flow) {
      ASSERT_NEAR(fast[flow], slow[flow], 1e-9 * slow[flow]) << round;
    }
  }
}

/// 4 to 32 hosts of two NICs, oversubscribed or not, under any balance; random pairs.
TEST(FairRates, OfRandomFabricsAreThoseOfTheDefinition) {
  std::mt19937_64 random(11);
  const auto draw = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t hosts = 4 * draw(1, 8);
    const auto fabric = fabric::sized({.hosts = hosts,
                                       .nics = 2,
                                       .oversubscription = static_cast<double>(draw(1, 4)),
                                       .hosts_per_leaf = 4})
                            .fabric;
    const auto balance = static_cast<Balance>(draw(0, 3));
    Network network(fabric, 2, {.balance = balance, .seed = draw(1, 1000)});
    Flows flows;
    for (int flow = 0; flow < 30; ++flow) {
      const Endpoint from{draw(0, hosts - 1), draw(0, 1), 0};
      const Endpoint to{draw(0, hosts - 1), draw(0, 1), 0};
      if (from.host == to.host) continue;
      network.path(from, to, draw(0, 3), flows.links);
      flows.end_flow();
    }
    const auto fast = fair_rates(flows, network.bytes_per_us());
    const auto slow = grown(flows, network.bytes_per_us());
    for (std::size_t flow = 0; flow < fast.size(); ++flow) {
      ASSERT_NEAR(fast[flow], slow[flow], 1e-9 * slow[flow]) << round;
    }
  }
}

TEST(FairRates, LeaveToOthersWhatAFlowCannotUse) {
  Flows flows;
  flows.links = {0, 0, 1};
  flows.first = {0, 1, 3};
  EXPECT_EQ(fair_rates(flows, {10, 2}), (std::vector<double>{8, 2}));
}

}  // namespace
}  // namespace railgauge::predict
