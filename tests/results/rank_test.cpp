#include "results/rank.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_documents.hpp"

namespace railgauge::results {
namespace {

TEST(Rank, NamesItsPlaceAndItsRails) {
  Rank rank = ok_document().ranks[3];
  rank.rails.erase(rank.rails.begin());
  EXPECT_EQ(
      nlohmann::ordered_json(rank).dump(),
      R"({"rank":3,"host":"host1","pid":403,"local_rank":1,"numa_node":1,"rails":[{"rail":1,)"
      R"("device":"rxe1","port":1,"netdev":"eth2","address":"10.11.0.2",)"
      R"("gid":"::ffff:10.11.0.2","gid_index":1,"mtu_bytes":4096,)"
      R"("link_gigabits_per_second":2.5,"kind":"software","firmware":"0.0.0","numa_node":1}]})");
}

TEST(DeviceKind, HasTheWordsOfTheSchema) {
  EXPECT_EQ(word(DeviceKind::hardware), "hardware");
  EXPECT_EQ(word(DeviceKind::software), "software");
  EXPECT_EQ(word(DeviceKind::software_shortcut), "software-shortcut");
}

}  // namespace
}  // namespace railgauge::results
