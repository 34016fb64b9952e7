#include "fabric/fabric.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fabric/sizing.hpp"

namespace railgauge::fabric {
namespace {

/// Links of every node and tier above, counted one by one.
std::map<std::string, Count> counted_links(const Fabric& fabric) {
  std::map<std::string, Count> links;
  for_each_link(fabric, [&](const Link& link) {
    const bool spines = link.lower.tier == Tier::spine && link.upper.tier == Tier::spine;
    ++links[name_of(fabric, link.lower) + (spines ? " across" : " up")];
    ++links[name_of(fabric, link.upper) + (spines ? " across" : " down")];
  });
  return links;
}

TEST(Fabric, ListsTheLinksThatItCounts) {
  for (const std::string& generator : generators()) {
    Request request{.generator = generator,
                    .hosts = 24,
                    .nics = 2,
                    .leaf = {8, 400},
                    .spine = {16, 400},
                    .k = 4};
    if (generator == "multi-plane") request.planes = 2;
    const Fabric made = sized(request).fabric;
    const Parts parts = parts_of(made);
    const auto links = counted_links(made);
    Count spines = 0;
    Count cores = 0;
    Count across = 0;
    for (const auto& [name, count] : links) {
      if (name.starts_with("leaf") && name.ends_with("up")) {
        EXPECT_EQ(count, parts.leaf_up_ports) << generator << name;
      }
      if (name.starts_with("spine") && name.ends_with("down")) {
        EXPECT_LE(count, parts.spine_down_ports) << generator << name;
        ++spines;
      }
      if (name.ends_with("across")) {
        EXPECT_EQ(count, parts.spine_up_ports) << generator << name;
        across += count;
      }
      if (name.starts_with("core")) {
        EXPECT_EQ(count, parts.core_ports) << generator << name;
        ++cores;
      }
    }
    EXPECT_EQ(spines, parts.spines) << generator;
    EXPECT_EQ(cores, parts.cores) << generator;
    EXPECT_EQ(across, joins_pods_directly(made) ? 2 * parts.core_links : 0) << generator;
  }
}

TEST(Fabric, PutsEveryNicOfARailOnLeavesOfThatRail) {
  const Fabric made = sized({.hosts = 1024}).fabric;
  EXPECT_EQ(leaf_of(made, 0, 0), 0);
  EXPECT_EQ(leaf_of(made, 63, 0), 0);
  EXPECT_EQ(leaf_of(made, 64, 0), 1);
  EXPECT_EQ(leaf_of(made, 0, 1), 16);
  EXPECT_EQ(name_of(made, {Tier::leaf, 17}), "leaf1-1");
  EXPECT_NEAR(crossing_fraction(made), 960.0 / 1023, 1e-12);
}

TEST(Fabric, CarriesPayloadWithoutHeaders) {
  EXPECT_NEAR(payload_fraction() * 400, 392.1, 0.1);
  EXPECT_NEAR(payload_fraction(1024), 0.926, 5e-4);
}

}  // namespace
}  // namespace railgauge::fabric
