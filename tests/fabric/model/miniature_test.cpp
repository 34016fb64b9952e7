#include "fabric/miniature.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fabric/document.hpp"
#include "fabric/sizing.hpp"

namespace railgauge::fabric {
namespace {

/// Uplinks over NICs of a leaf.
double uplinks_per_nic(const Fabric& fabric) {
  const Parts parts = parts_of(fabric);
  return real(parts.leaf_up_ports) / real(parts.leaf_down_ports);
}

std::string refusal(const Fabric& design, Count hosts, Count dead = 0) {
  try {
    static_cast<void>(miniature_of(design, hosts, dead));
  } catch (const std::invalid_argument& why) {
    return why.what();
  }
  return "";
}

TEST(Miniature, Of8192GpusKeepsItsRatios) {
  const Fabric design = sized({.hosts = 1024}).fabric;
  const Miniature mini = miniature_of(design, 16);
  EXPECT_EQ(mini.fabric.hosts, 16);
  EXPECT_EQ(mini.fabric.nics, 8);
  EXPECT_EQ(mini.fabric.hosts_per_leaf, 8);  // 2 leaves of 8 to 16 of 64
  EXPECT_EQ(mini.fabric.spines, 8);
  EXPECT_EQ(mini.fabric.bundle, 1);
  EXPECT_DOUBLE_EQ(oversubscription(mini.fabric), 1);
  EXPECT_LE(real(nics_of(mini.fabric)) * mini.fabric.port_gbps, 1.6 + 1e-9);
  EXPECT_EQ(mini.remarks.at(0),
            "Miniature: 16 hosts, 16 leaves of 8 NICs and 8 uplinks, 8 spines, 1:1; of a design of "
            "1,024 hosts, 128 leaves of 64 NICs and 64 uplinks, 64 spines, 1:1.");
}

TEST(Miniature, OfAnyDesignKeepsOversubscriptionAndUplinks) {
  for (const char* const generator : {"rail-optimised", "rail-only", "clos-2", "clos-3"}) {
    for (const double ratio : {1.0, 2.0, 4.0}) {
      const Fabric design = sized({.generator = generator,
                                   .hosts = std::string(generator) == "clos-3" ? 2048U : 256U,
                                   .nics = 2,
                                   .oversubscription = ratio,
                                   .hosts_per_leaf = 16})
                                .fabric;
      const Fabric mini = miniature_of(design, 16).fabric;
      const std::string which = generator + (" " + number(ratio));
      EXPECT_DOUBLE_EQ(oversubscription(mini), oversubscription(design)) << which;
      EXPECT_DOUBLE_EQ(core_oversubscription(mini), core_oversubscription(design)) << which;
      EXPECT_DOUBLE_EQ(uplinks_per_nic(mini), uplinks_per_nic(design)) << which;
      EXPECT_EQ(mini.nics, design.nics) << which;
      EXPECT_EQ(mini.joined_rails, design.joined_rails) << which;
      EXPECT_EQ(mini.spines > 1, design.spines > 1) << which;
    }
  }
}

TEST(Miniature, OfSlowUplinksKeepsTheirNumber) {
  const Fabric design = sized({.hosts = 32768, .uplink_gbps = 100}).fabric;
  const Fabric mini = miniature_of(design, 8).fabric;
  EXPECT_DOUBLE_EQ(uplinks_per_nic(mini), 4);
  EXPECT_DOUBLE_EQ(mini.port_gbps / mini.up_gbps, 4);
  EXPECT_FALSE(mini.joined_rails);
}

TEST(Miniature, IsReadAsTheFabricThatItIs) {
  const Miniature mini = miniature_of(sized({.hosts = 256, .nics = 2}).fabric, 8);
  const Fabric read = fabric_of(as_json(mini));
  EXPECT_EQ(parts_of(read).leaves, parts_of(mini.fabric).leaves);
  EXPECT_EQ(read.spines, mini.fabric.spines);
  EXPECT_EQ(as_json(mini)["switching"]["balance"], "ecmp");
}

TEST(Miniature, LeavesOutDeadSpines) {
  const Fabric design = sized({.hosts = 1024}).fabric;
  const Miniature mini = miniature_of(design, 16, 16);  // 16 of 64
  EXPECT_EQ(mini.dead_spines, 2);                       // of 8
  const auto document = as_json(mini);
  EXPECT_EQ(document["switches"].size(), 16 + 6);
  EXPECT_EQ(document["links"].size(), 16 * 8 + 16 * 6);
  EXPECT_EQ(fabric_of(document).spines, 6);
  EXPECT_EQ(miniature_of(design, 16, 1).dead_spines, 1);  // at least one, which is said
  EXPECT_EQ(miniature_of(design, 16, 1).remarks.at(1),
            "Dead: 12.5 % of a leaf's spines; in the design 1.56 %.");
}

TEST(Miniature, RefusesWithTheNearestPossible) {
  const Fabric design =
      sized({.hosts = 64, .nics = 1, .oversubscription = 2, .spines = 4, .hosts_per_leaf = 8})
          .fabric;
  EXPECT_EQ(refusal(design, 7),
            "no miniature of 7 hosts keeps the design's uplinks per leaf; possible numbers of "
            "hosts: 8, 12, 16");
  EXPECT_EQ(refusal(design, 65), "a miniature has from 2 to 64 hosts, not 65");
  EXPECT_EQ(refusal(design, 8, 4), "--fail spine=4: a leaf has 4 spines, and one has to be left");
}

}  // namespace
}  // namespace railgauge::fabric
