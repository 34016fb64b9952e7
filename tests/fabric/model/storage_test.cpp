#include "fabric/storage.hpp"

#include <gtest/gtest.h>

namespace railgauge::fabric {
namespace {

TEST(Storage, HasItsTrueRatiosAndFreePorts) {
  const StorageReport report = report_on({});
  EXPECT_EQ(report.compute.down, 64);  // x 200G: 32 ports
  EXPECT_EQ(report.compute.up, 32);
  EXPECT_EQ(report.compute.ports_used, 64);
  EXPECT_DOUBLE_EQ(report.compute.oversubscription, 1);
  EXPECT_EQ(report.storage.down, 64);  // x 400G: 32 ports
  EXPECT_EQ(report.storage.up, 32);
  EXPECT_EQ(report.storage.ports_used, 64);
  EXPECT_DOUBLE_EQ(report.storage.oversubscription, 1);
  EXPECT_EQ(report.spine_ports_used, 36);  // 64 x 400G on 32 ports, and 4 x 800G
  EXPECT_DOUBLE_EQ(report.servers_to_storage, 8);
}

TEST(Storage, NamesWhatTheTextContradicts) {
  const auto found = report_on({}).contradictions;
  ASSERT_EQ(found.size(), 6);
  EXPECT_EQ(found[0],
            "compute leaves: 2x400G uplinks cannot be all of a leaf: they reach 2 of 16 spines, at "
            "16:1; they are counted per spine.");
  EXPECT_EQ(found[4],
            "spines: 68 links need more than 64 ports unless those of compute leaves are split.");
  EXPECT_EQ(found[5],
            "storage: every leaf is 1:1, but compute servers can ask for 8 times what storage "
            "servers can send.");
}

TEST(Storage, WithoutContradictionsNamesNone) {
  StorageFabric plain;
  plain.compute = {
      .pods = 1, .servers = 16, .ports = 2, .port_gbps = 400, .leaf = {64, 400}, .uplinks = 1};
  plain.storage = plain.compute;
  plain.spines = 1;
  plain.compute.uplinks = plain.storage.uplinks = 16;
  plain.spine = {64, 400};
  EXPECT_TRUE(report_on(plain).contradictions.empty());
}

}  // namespace
}  // namespace railgauge::fabric
