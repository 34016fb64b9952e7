#include "predict/network.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "fabric/sizing.hpp"

namespace railgauge::predict {
namespace {

using Links = std::vector<std::uint32_t>;

Links path(Network& network, const Endpoint& from, const Endpoint& to, std::uint32_t number = 0) {
  Links links;
  network.path(from, to, number, links);
  return links;
}

fabric::Fabric of(const std::string& generator, fabric::Count hosts, fabric::Count nics) {
  return fabric::sized({.generator = generator,
                        .hosts = hosts,
                        .nics = nics,
                        .leaf = {16, 400},
                        .spine = {32, 400}})
      .fabric;
}

TEST(Network, TakesTheShortestPath) {
  Network network(of("rail-optimised", 32, 2), 2, {});
  const Endpoint here{0, 0, 0};
  EXPECT_EQ(network.kind_of(path(network, here, {0, 1, 1})[0]), LinkKind::nvlink);
  EXPECT_EQ(path(network, here, {0, 1, 1}).size(), 2);
  EXPECT_EQ(path(network, here, {1, 0, 2}).size(), 2);    // one leaf
  EXPECT_EQ(path(network, here, {1, 1, 3}).size(), 4);    // another rail: over a spine
  EXPECT_EQ(path(network, here, {31, 0, 62}).size(), 4);  // another pod
}

TEST(Network, ChangesRailsInsideTheHostIfSpinesDoNotJoinThem) {
  Network network(of("rail-only", 32, 2), 2, {});
  const Links links = path(network, {0, 0, 0}, {1, 1, 3});
  ASSERT_EQ(links.size(), 3);
  EXPECT_EQ(network.kind_of(links[0]), LinkKind::nvlink);
  EXPECT_EQ(network.name_of(links[1]), "host0 NIC 1 TX");
}

TEST(Network, StaysOnOneSpine) {
  Network network(of("rail-optimised", 32, 2), 2, {.balance = Balance::ecmp});
  std::set<std::string> ups;
  for (std::uint32_t pair = 0; pair < 200; ++pair) {
    const Links links = path(network, {0, 0, 0}, {31, 0, 62}, pair);
    const std::string up = network.name_of(links[1]);
    const std::string down = network.name_of(links[2]);
    EXPECT_EQ(up.substr(up.find("spine")), down.substr(down.find("spine"))) << up << down;
    ups.insert(up);
  }
  EXPECT_EQ(ups.size(), 8);  // all uplinks of the leaf
}

TEST(Network, AvoidsDeadSpines) {
  const auto fabric = of("rail-optimised", 32, 2);
  ASSERT_EQ(fabric.spines, 2);
  for (const Balance balance : {Balance::ecmp, Balance::pinned, Balance::adaptive}) {
    Network network(fabric, 2, {.balance = balance, .dead_spines = 1});
    for (std::uint32_t pair = 0; pair < 50; ++pair) {
      const Links links = path(network, {0, 0, 0}, {31, 0, 62}, pair);
      EXPECT_NE(network.name_of(links[1]).find("(to spine1)"), std::string::npos);
    }
  }
  EXPECT_THROW(Network(fabric, 2, {.dead_spines = 2}), std::invalid_argument);
}

TEST(Network, OfThreeTiersCrossesCoresBetweenPods) {
  Network network(of("clos-3", 256, 2), 2, {});
  const fabric::Fabric& fabric = network.fabric();
  ASSERT_GT(parts_of(fabric).pods, 1);
  const auto last = static_cast<std::uint32_t>(fabric.hosts - 1);
  const Links links = path(network, {0, 0, 0}, {last, 0, 2 * last});
  ASSERT_EQ(links.size(), 6);
  EXPECT_EQ(network.kind_of(links[2]), LinkKind::core);
  EXPECT_EQ(network.kind_of(links[3]), LinkKind::core);
}

}  // namespace
}  // namespace railgauge::predict
