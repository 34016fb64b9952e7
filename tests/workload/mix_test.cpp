#include "workload/mix.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "workload/check.hpp"
#include "workload/critical_path.hpp"
#include "workload/documents.hpp"
#include "workload/kinds.hpp"
#include "workload/rendering.hpp"

namespace railgauge::workload {
namespace {

Workload training_and_checkpoint() {
  Workload mix = mixed({make("dense", ""), make("checkpoint", "")}, {"train", "save"});
  mix.parts[0].traffic_class.text = "104";
  mix.parts[0].rank_count.text = "ranks - 1";
  return mix;
}

/// A compute beside a sum, of all ranks.
Workload pair_of_streams(const std::string& name, const std::string& more = "") {
  return read(
      R"({"schema": "railgauge/workload/1", "name": ")" + name + R"(", )" + more +
      R"("groups": [{"name": "g", "size": "ranks"}], "classes": [{"name": "all", "streams": [
        {"name": "a", "operations": [{"name": "wait", "kind": "compute", "microseconds": 100}]},
        {"name": "b", "operations": [{"name": "sum", "kind": "collective", "type": "all_reduce",
          "group": "g", "bytes": 64, "after": ["wait"], "times": 2}]}]}]})");
}

TEST(Mix, IsRightForAnyNumberOfRanks) {
  const Workload mix = training_and_checkpoint();
  for (const Rank ranks : kRanks) {
    if (ranks < 2) continue;
    const Job job = job_of(mix, ranks, {{"train.layers", 2}, {"train.microbatches", 1}});
    EXPECT_EQ(error_of([&] { check(mix, job); }), "") << ranks;
    const auto bytes = bytes_by_name(job);
    const auto alone = bytes_by_name(*job.parts[0].alone);
    EXPECT_EQ(bytes.at("train.dp"), alone.at("dp"));
    EXPECT_EQ(bytes.at("save.all"), bytes_by_name(job_of(mix.parts[1], ranks)).at("all"));
    EXPECT_EQ(job.parts[0].traffic_class, 104);
    EXPECT_EQ(job.parts[1].traffic_class, std::nullopt);
    for (const Task& task : job.tasks) {
      if (job.operations[task.operation].part == 0) {
        EXPECT_EQ(std::ranges::count(task.members, ranks - 1), 0)
            << "it is no rank of the training";
      }
    }
  }
}

TEST(Mix, ShiftsAPartToItsRanks) {
  Workload mix = mixed({pair_of_streams("a"), pair_of_streams("b")}, {"one", "two"});
  mix.parts[0].rank_count.text = "3";
  mix.parts[1].first_rank.text = "3";
  const Job job = job_of(mix, 5);
  ASSERT_EQ(job.tasks.size(), 2U);
  EXPECT_EQ(job.tasks[0].members, (std::vector<Rank>{0, 1, 2}));
  EXPECT_EQ(job.tasks[1].members, (std::vector<Rank>{3, 4}));
  EXPECT_EQ(job.describe(job.tasks[1]), "'two.sum' of two.g[0]");
  EXPECT_EQ(job.number_of(job.streams[4][1].entries[0], 4), 1U);
  EXPECT_EQ(job.class_of, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
}

TEST(Mix, IsTheSameAfterItWasWritten) {
  const Workload mix = training_and_checkpoint();
  const Workload again = workload_in(as_json(mix).dump(1), "again.json");
  EXPECT_EQ(as_json(again), as_json(mix));
  EXPECT_EQ(again.parts.size(), 2U);
  const std::string table = as_table(again, job_of(again, 8, {{"save.storage", 2}}));
  EXPECT_NE(table.find("from rank 0 on: train, 7 ranks, in a step, traffic class 104\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("storage=2"), std::string::npos) << table;
}

TEST(Mix, RefusesWhatItsPartsDo) {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string text = as_json(training_and_checkpoint()).dump(1);
    text.replace(text.find(from), from.size(), to);
    return error_of([&] {
      const Workload mix = workload_in(text, "mix.json");
      const Job job = job_of(mix, 8);
      check(mix, job);
    });
  };
  const std::string sends = refused("\"bursts\"\n", "\"rank < 2 ? 1 : bursts\"\n");
  EXPECT_EQ(sends.find("workload mix.json:"), 0U) << sends;
  EXPECT_NE(sends.find("the field 'parts[1].classes["), std::string::npos) << sends;
  EXPECT_NE(sends.find("is 'burst' of all[0]: rank "), std::string::npos) << sends;
  EXPECT_NE(refused("\"ranks - 1\"", "\"ranks + 1\"").find("makes the part of ranks 0 to 8"),
            std::string::npos);
  EXPECT_NE(refused("\"ranks - 1\"", "9223372036854775807, \"first_rank\": 2")
                .find("makes the part of ranks 2 to 9223372036854775808, and there are 8 ranks"),
            std::string::npos);
  const std::string beyond = refused("\"rank_count\": \"ranks - 1\"", "\"first_rank\": 8");
  EXPECT_NE(beyond.find("'parts[0].first_rank' is rank 8: there are 8 ranks"), std::string::npos)
      << beyond;
  EXPECT_NE(refused(": 104", ": 256").find("the most are 255"), std::string::npos);
  EXPECT_NE(refused("\"name\": \"save\"", "\"name\": \"train\"").find("as of one before it"),
            std::string::npos);
  EXPECT_NE(refused("\"name\": \"save\"", "\"name\": \"sa.ve\"").find("'parts[1].name'"),
            std::string::npos);
}

TEST(Mix, RefusesWhatIsNone) {
  EXPECT_NE(error_of([] { (void)mixed({make("moe", "")}, {"a"}); }).find("two workloads at least"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              (void)mixed({training_and_checkpoint(), make("moe", "")}, {"a", "b"});
            }).find("is a mix"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)pair_of_streams("a", "\"rank_count\": 2,"); }).find("of a part"),
            std::string::npos);
  const Workload mix = training_and_checkpoint();
  const auto setting = [&](const std::string& name) {
    return error_of([&] { (void)job_of(mix, 8, {{name, 1}}); });
  };
  EXPECT_NE(setting("storage").find("has parameters of train and save"), std::string::npos)
      << setting("storage");
  EXPECT_NE(setting("trian.tp").find("did you mean train?"), std::string::npos);
  EXPECT_NE(setting("train.storage").find("--set storage"), std::string::npos);
}

TEST(Mix, RepeatsItsParts) {
  const Workload mix = mixed({pair_of_streams("a"), pair_of_streams("b")}, {"one", "two"});
  const Job once = job_of(mix, 3);
  const Job job = repeated(once, std::vector<unsigned>{3, 0});
  EXPECT_EQ(job.streams[2][0].entries.size(), 3U);
  EXPECT_EQ(job.streams[2][1].entries.size(), 6U);
  EXPECT_TRUE(job.streams[2][2].entries.empty());
  // The second compute waits for the first two sums, which last 10 us each.
  EXPECT_DOUBLE_EQ(critical_path(once, std::vector<double>{10, 10}).time_us, 120);
  EXPECT_DOUBLE_EQ(critical_path(job, std::vector<double>{10, 10}).time_us, 360);
  const Job both = repeated(once, std::vector<unsigned>{1, 4});
  EXPECT_DOUBLE_EQ(critical_path(both, std::vector<double>{500, 10}).time_us, 1100);
  for (const Job& one : {job, both}) {
    Workload checked = mix;
    checked.parts.clear();
    EXPECT_EQ(error_of([&] { check(checked, one); }), "");
  }
}

TEST(Mix, MakesPartsAsLongAsEachOther) {
  using Times = std::vector<unsigned>;
  const auto times = [](std::vector<double> step_us, unsigned most = 100) {
    return as_long(step_us, most);
  };
  EXPECT_EQ(times({10, 10}), (Times{1, 1}));
  EXPECT_EQ(times({10, 35}), (Times{7, 2}));
  EXPECT_EQ(times({1, 1e6}), (Times{100, 1}));
  EXPECT_EQ(times({0, 5}), (Times{1, 1}));
  EXPECT_EQ(times({10, 35}, 1), (Times{1, 1}));
}

}  // namespace
}  // namespace railgauge::workload
