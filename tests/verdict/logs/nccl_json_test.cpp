#include "verdict/logs/formats.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace railgauge::verdict {
namespace {

using Json = nlohmann::ordered_json;

/// The shape of version 3, with its oddities: a padded root, "nan", null.
Json document() {
  const Json measured{{"time", 100.0}, {"alg_bw", 10.48}, {"bus_bw", 18.35}, {"nwrong", 0.0}};
  Json unchecked = measured;
  unchecked["nwrong"] = nullptr;
  const Json device{{"rank", 0}, {"hostname", "a"}};
  const Json other{{"rank", 4}, {"hostname", "b"}};
  return {{"version", 3},
          {"args", {"/opt/build/all_reduce_perf", "-g", "4"}},
          {"nccl_version", 23004},
          {"config", {{"nthreads", 1}, {"ngpus", 4}, {"devices", {device, other}}}},
          {"results",
           {{{"size", 1048576},
             {"count", 262144},
             {"type", "float"},
             {"redop", "sum"},
             {"root", "    -1"},
             {"out_of_place", measured},
             {"in_place", unchecked}}}}};
}

TEST(NcclJson, IsRead) {
  for (const int version : {1, 2, 3}) {
    Json json = document();
    json["version"] = version;
    ASSERT_TRUE(kNcclJson.recognises(json.dump()));
    const LogContent content = kNcclJson.read(json.dump());
    EXPECT_TRUE(content.complaints.empty());
    ASSERT_EQ(content.runs.size(), 1u);
    const verdict::Run& run = content.runs[0];
    EXPECT_EQ(run.collective, "all_reduce");
    EXPECT_EQ(run.library, "NCCL 2.30.4");
    EXPECT_EQ(run.ranks, 8);
    EXPECT_EQ(run.nodes, 2);
    ASSERT_EQ(run.points.size(), 2u);
    EXPECT_EQ(run.points[0].time_us, 100.0);
    EXPECT_EQ(run.points[1].buffers, BufferMode::in_place);
    EXPECT_EQ(run.points[1].busbw_gigabytes_per_second, 18.35);
  }
}

TEST(NcclJson, LeavesOutWhatIsWrong) {
  Json json = document();
  json["results"][0]["out_of_place"]["nwrong"] = 2.0;
  json["results"][0]["in_place"]["bus_bw"] = "nan";
  const LogContent content = kNcclJson.read(json.dump());
  ASSERT_EQ(content.complaints.size(), 2u);
  EXPECT_EQ(content.complaints[0].line, 1u);
  EXPECT_EQ(content.complaints[0].text, "out_of_place: elements are wrong");
  EXPECT_EQ(content.complaints[1].text, "in_place: bus_bw is nan");
  EXPECT_EQ(content.ended, Ended::wrong_data);
}

/// A cycle of -N prints the same sizes again.
TEST(NcclJson, HasARunForEveryCycle) {
  Json json = document();
  json["results"].push_back(json["results"][0]);
  const LogContent content = kNcclJson.read(json.dump());
  ASSERT_EQ(content.runs.size(), 2u);
  EXPECT_EQ(content.runs[1].name, "2");
  EXPECT_EQ(content.runs[1].ranks, 8);
  EXPECT_EQ(content.runs[1].points.size(), 2u);
}

/// Without MPI, of one process of 4 GPUs, with what versions 2 and 3 have besides: iterations by
/// themselves, comparisons of bits, and no figures out of place.
TEST(NcclJson, MayHoldMore) {
  Json json = document();
  json["config"]["devices"].erase(1);
  json["config"]["bitwise_repeats"] = 2;
  Json& result = json["results"][0];
  result["out_of_place"] = nullptr;
  result["in_place_per_iter"] = {{"skipped_iterations", 0}, {"min_us", 90.0}};
  result["experiment_name"] = "all_reduce_perf";
  const LogContent content = kNcclJson.read(json.dump());
  EXPECT_TRUE(content.complaints.empty());
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].ranks, 4);
  EXPECT_EQ(content.runs[0].nodes, 1);
  ASSERT_EQ(content.runs[0].points.size(), 1u);
  EXPECT_EQ(content.runs[0].points[0].buffers, BufferMode::in_place);
}

TEST(NcclJson, OfAnUnknownVersionIsRefused) {
  Json json = document();
  json["version"] = 4;
  EXPECT_THROW(kNcclJson.read(json.dump()), std::runtime_error);
}

TEST(NcclJson, IsNoOtherJson) {
  EXPECT_FALSE(kNcclJson.recognises("{}"));
  EXPECT_FALSE(kNcclJson.recognises("[]"));
  EXPECT_FALSE(kNcclJson.recognises("# nThread"));
}

}  // namespace
}  // namespace railgauge::verdict
