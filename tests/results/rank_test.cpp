#include "results/rank.hpp"

#include <gtest/gtest.h>

#include "results/codec.hpp"
#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Rank, NamesItsPlaceAndItsRails) {
  Rank rank = ok_document().ranks[3];
  rank.rails.erase(rank.rails.begin());
  EXPECT_EQ(
      encode(rank).dump(),
      R"({"rank":3,"host":"host1","pid":403,"local_rank":1,"numa_node":1,"placement":{)"
      R"("mode":"rail","rails":[1],"cpus":"8-15","memory_node":1,"verified":true,"remark":""},)"
      R"("rails":[{"rail":1,"plane":0,)"
      R"("device":"rxe1","port":1,"netdev":"eth2","address":"10.11.0.2",)"
      R"("gid":"::ffff:10.11.0.2","gid_index":1,"mtu_bytes":4096,)"
      R"("link_gigabits_per_second":2.5,"kind":"software","firmware":"0.0.0","numa_node":1}]})");
}

TEST(RankPlacement, ComesBackFromJson) {
  for (const std::optional<bool> verified : {std::optional<bool>(), {true}, {false}}) {
    const RankPlacement placement{.mode = "file",
                                  .rails = {0, 2},
                                  .cpus = "3",
                                  .memory_node = 1,
                                  .verified = verified,
                                  .remark = "it shares cores"};
    const Json json = encode(placement);
    RankPlacement read;
    decode(json, read);
    EXPECT_EQ(encode(read), json);
    EXPECT_EQ(json["verified"].is_null(), !verified);
  }
}

TEST(DeviceKind, HasTheWordsOfTheSchema) {
  EXPECT_EQ(word(DeviceKind::hardware), "hardware");
  EXPECT_EQ(word(DeviceKind::software), "software");
  EXPECT_EQ(word(DeviceKind::software_shortcut), "software-shortcut");
}

TEST(Ranks, AreOnSoftwareIfAnyRailIs) {
  std::vector<Rank> ranks = ok_document().ranks;
  EXPECT_TRUE(on_software(ranks));
  for (Rank& rank : ranks) {
    for (RankRail& rail : rank.rails) rail.kind = DeviceKind::hardware;
  }
  EXPECT_FALSE(on_software(ranks));
  ranks.back().rails.back().kind = DeviceKind::software_shortcut;
  EXPECT_TRUE(on_software(ranks));
  EXPECT_FALSE(on_software({}));
}

TEST(Host, IsTheSameAfterJson) {
  const Json json = encode(ok_document().hosts[1]);
  EXPECT_EQ(json.dump(),
            R"({"name":"host1","kernel":"6.1.0-42-amd64","machine":"x86_64",)"
            R"("processor":"AMD EPYC 7763 64-Core Processor","libibverbs":"1.14.44.0",)"
            R"("mpi":"Open MPI v4.1.4"})");
  Host read;
  decode(json, read);
  EXPECT_EQ(encode(read), json);
}

}  // namespace
}  // namespace railgauge::results
