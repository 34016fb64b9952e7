#include "softfabric/routes.hpp"

#include <gtest/gtest.h>

#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

struct Routed {
  explicit Routed(Fabric described, const std::vector<std::size_t>& down = {})
      : fabric(std::move(described)), topology(fabric), routes(fabric, topology, up(down)) {}

  [[nodiscard]] std::vector<bool> up(const std::vector<std::size_t>& down) const {
    std::vector<bool> all(fabric.links.size(), true);
    for (const std::size_t link : down) all[link] = false;
    return all;
  }
  /// Names of the next nodes from a switch to the host of a link.
  [[nodiscard]] std::vector<std::string> next(const char* from, std::size_t link) const {
    std::vector<std::string> names;
    const auto destination = static_cast<Index>(2 * link + 1);
    for (const Index wire : routes.to(topology.node(from), destination).wires) {
      names.push_back(topology.names[topology.wires[wire].to]);
    }
    return names;
  }

  Fabric fabric;
  Topology topology;
  Routes routes;
};

using Names = std::vector<std::string>;

// Links: 0-3 hosts; 4-6 leaf0 to spines 0-2, 7-9 leaf1 to spines 0-2.
const Shape kClos{.hosts_per_leaf = 2, .leaves = 2, .spines = 3};

TEST(Routes, GoUpToEverySpineAndDownAgain) {
  const Routed routed(shaped(kClos));
  EXPECT_EQ(routed.next("leaf0", 1), Names{"host1"});
  EXPECT_EQ(routed.next("leaf0", 2), (Names{"spine0", "spine1", "spine2"}));
  EXPECT_EQ(routed.next("spine1", 2), Names{"leaf1"});
  EXPECT_EQ(routed.next("leaf1", 2), Names{"host2"});
}

TEST(Routes, LeaveOutWhatIsDownOnTheWholeWay) {
  const Routed routed(shaped(kClos), {8});  // leaf1 to spine1
  EXPECT_EQ(routed.next("leaf0", 2), (Names{"spine0", "spine2"}));
  EXPECT_EQ(routed.next("leaf1", 0), (Names{"spine0", "spine2"}));
  EXPECT_EQ(routed.next("spine1", 2), Names{"leaf0"}) << "by another leaf, as the shortest way is";
}

TEST(Routes, ThereMayBeNoWay) {
  const Routed routed(shaped(kClos), {1, 4, 5, 6});
  EXPECT_EQ(routed.next("leaf0", 2), Names{});
  EXPECT_EQ(routed.next("leaf0", 1), Names{}) << "the host's link is down";
  EXPECT_EQ(routed.next("leaf0", 0), Names{"host0"});
}

TEST(Routes, ThreeTiers) {
  Fabric fabric = shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 2});
  fabric.switches.push_back({.name = "core0", .tier = 3});
  // leaf0 has spine0 alone, leaf1 spine1 alone; core0 joins the spines.
  fabric.links.erase(fabric.links.begin() + 3, fabric.links.begin() + 5);
  fabric.links.push_back(
      {.a = {.node = "spine0", .port = "core0"}, .b = {.node = "core0", .port = "s0"}});
  fabric.links.push_back(
      {.a = {.node = "spine1", .port = "core0"}, .b = {.node = "core0", .port = "s1"}});
  const Routed routed(fabric);
  EXPECT_EQ(routed.next("leaf0", 1), Names{"spine0"});
  EXPECT_EQ(routed.next("spine0", 1), Names{"core0"});
  EXPECT_EQ(routed.next("core0", 1), Names{"spine1"});
}

TEST(Routes, WeighByRates) {
  Fabric fabric = shaped(kClos);
  fabric.links[5].rate_mbit_per_s = 250;
  const Routed routed(fabric);
  const NextHops& hops = routed.routes.to(routed.topology.node("leaf0"), 5);
  EXPECT_EQ(hops.cumulative_mbit_per_s, (std::vector<std::uint64_t>{1000, 1250, 2250}));
}

}  // namespace
}  // namespace railgauge::softfabric
