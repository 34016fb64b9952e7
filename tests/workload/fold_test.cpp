#include "workload/fold.hpp"

#include <gtest/gtest.h>

#include "workload/check.hpp"
#include "workload/documents.hpp"
#include "workload/kinds.hpp"
#include "workload/mix.hpp"

namespace railgauge::workload {
namespace {

const std::string kGroupOfAll = R"("groups": [{"name": "g", "size": "ranks"}],)";

std::string operation(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", )" + more + "}";
}

std::string collective(const std::string& name, const std::string& type, const std::string& more) {
  return operation(name,
                   R"("kind": "collective", "type": ")" + type + R"(", "group": "g", )" + more);
}

std::string stream(const std::string& name, const std::vector<std::string>& operations) {
  std::string all;
  for (const std::string& one : operations) all += (all.empty() ? "" : ", ") + one;
  return R"({"name": ")" + name + R"(", "operations": [)" + all + "]}";
}

std::vector<std::string> names(const Job& job, const RankStream& stream) {
  std::vector<std::string> all;
  for (const Entry& entry : stream.entries) all.push_back(job.operations[entry.operation].name);
  return all;
}

std::uint64_t bytes_of(const Job& job, const std::string& name) {
  for (const Task& task : job.tasks) {
    if (job.operations[task.operation].name == name) return task.bytes;
  }
  return 0;
}

/// Every kind that ships, of any world onto any ranks, is a job without a deadlock.
TEST(Fold, IsAJobForAnyNumberOfRanks) {
  for (const auto& [kind, world] : std::vector<std::pair<std::string, Rank>>{
           {"dense", 16}, {"moe", 24}, {"kv", 13}, {"checkpoint", 13}, {"dataset", 12}}) {
    const Workload workload = make(kind, "");
    const Settings settings = kind == "dense" ? Settings{{"layers", 2}, {"tp", 2}} : Settings{};
    const Job whole = job_of(workload, world, settings);
    for (const Rank ranks : kRanks) {
      if (ranks >= world) continue;
      const FoldedJob made = folded(whole, ranks);
      EXPECT_EQ(error_of([&] { check(workload, made.job); }), "") << kind << ", " << ranks;
      ASSERT_EQ(made.kept.size(), ranks);
      EXPECT_EQ(made.job.streams.size(), ranks);
      EXPECT_LE(made.sent_percent, 100.001);
      for (Rank rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(made.job.class_of[rank], whole.class_of[made.kept[rank]]);
    }
  }
}

TEST(Fold, LeavesWhatAMemberHasForAnotherAsLargeAsItIs) {
  const Workload workload = read(
      document(stream("s", {collective("sum", "all_reduce", R"("bytes": 1200)"),
                            collective("gather", "all_gather", R"("bytes": 1200)"),
                            collective("exchange", "alltoall", R"("bytes": 1200)"),
                            collective("uneven", "alltoallv", R"("bytes": "100 * from + to")")}),
               kGroupOfAll));
  const FoldedJob made = folded(job_of(workload, 12), 3);
  EXPECT_EQ(made.kept, (std::vector<Rank>{0, 4, 8}));
  EXPECT_EQ(bytes_of(made.job, "sum"), 1200U);
  EXPECT_EQ(bytes_of(made.job, "gather"), 300U);
  EXPECT_EQ(bytes_of(made.job, "exchange"), 300U);
  EXPECT_EQ(made.job.tasks.back().pairs,
            (std::vector<std::uint64_t>{0, 4, 8, 400, 404, 408, 800, 804, 808}));
  ASSERT_EQ(made.groups.size(), 1U);
  EXPECT_EQ(made.groups[0].members, 3U);
  EXPECT_EQ(made.groups[0].of, 12U);
  const double in_world = 3 * (2200 + 2200) + (66 + 4462 + 8858);  // 2 * 11/12 of 1200, 11/12 twice
  const double alone = 3 * (1600 + 200 + 200) + (4 + 8 + 400 + 408 + 800 + 804);
  EXPECT_NEAR(made.sent_percent, 100 * alone / in_world, 1e-9);
}

/// Pairs of neighbours have 100 times the bytes of pairs of far ranks, or the other way round.
TEST(Fold, KeepsTheRanksThatSendMost) {
  for (const bool near : {true, false}) {
    const std::string of_near = near ? "100000" : "1000";
    const std::string of_far = near ? "1000" : "100000";
    const std::string groups = R"("groups": [{"name": "near", "size": 2},
      {"name": "far", "size": 2, "stride": "ranks / 2"}],)";
    const auto sum = [](const std::string& group, const std::string& bytes) {
      return operation(group, R"("kind": "collective", "type": "all_reduce", "group": ")" + group +
                                  R"(", "bytes": )" + bytes);
    };
    const Workload workload =
        read(document(stream("s", {sum("near", of_near), sum("far", of_far)}), groups));
    const FoldedJob made = folded(job_of(workload, 16), 2);
    EXPECT_EQ(made.kept, near ? (std::vector<Rank>{0, 1}) : (std::vector<Rank>{0, 8}));
    EXPECT_EQ(names(made.job, made.job.streams[1][0]),
              std::vector<std::string>{near ? "near" : "far"});
    EXPECT_EQ(made.job.operations.size(), 1U);
    EXPECT_EQ(made.groups[near ? 1 : 0].members, 0U);
  }
}

/// compute -> (sum of neighbours, which is gone) -> update, on two streams.
TEST(Fold, WhoWaitedForWhatIsGoneWaitsForWhatItWaitedFor) {
  const std::string groups = R"("groups": [{"name": "g", "size": 4, "stride": "ranks / 4"},
    {"name": "near", "size": 2}],)";
  const Workload workload = read(document(
      stream("a",
             {operation("first", R"("kind": "compute", "microseconds": 10)"),
              operation("second", R"("kind": "compute", "microseconds": 10)"),
              operation("update", R"("kind": "compute", "microseconds": 1, "after": ["near"])")}) +
          ", " + stream("b", {operation("near", R"("kind": "collective", "type": "all_reduce",
                          "group": "near", "bytes": 8, "after": ["first"])")}) +
          ", " +
          stream("c",
                 {operation("late", R"("kind": "compute", "microseconds": 1, "after": ["near"])"),
                  collective("sum", "all_reduce", R"("bytes": 800)")}),
      groups));
  const FoldedJob made = folded(job_of(workload, 8), 4);
  EXPECT_EQ(made.kept, (std::vector<Rank>{0, 2, 4, 6}));
  const auto& streams = made.job.streams[3];
  EXPECT_TRUE(streams[1].entries.empty());
  EXPECT_TRUE(streams[0].entries[2].after.empty()) << "what it waited for is before it";
  ASSERT_EQ(streams[2].entries[0].after.size(), 1U);
  EXPECT_EQ(streams[2].entries[0].after[0].stream, 0U);
  EXPECT_EQ(streams[2].entries[0].after[0].position, 0U);
  EXPECT_EQ(error_of([&] { check(workload, made.job); }), "");
}

TEST(Fold, OfAMixHasItsParts) {
  Workload mix = mixed({make("dense", ""), make("checkpoint", "")}, {"train", "save"});
  mix.parts[0].rank_count.text = "ranks - 4";
  mix.parts[1].first_rank.text = "ranks / 2";
  const Job whole = job_of(mix, 16, {{"train.layers", 2}});
  const FoldedJob made = folded(whole, 4);
  EXPECT_EQ(error_of([&] { check(mix, made.job); }), "");
  ASSERT_EQ(made.job.parts.size(), 2U);
  EXPECT_EQ(made.job.parts[1].first_rank, 2U);
  EXPECT_EQ(made.job.parts[1].alone->ranks, 2U);
  const std::string error = error_of([&] { (void)folded(whole, 1); });
  EXPECT_NE(error.find("does the part save: take more ranks"), std::string::npos) << error;
}

/// The ranks that are farthest from each other would leave the second part out.
TEST(Fold, KeepsRanksOfEveryPart) {
  const auto fold = [](const std::string& first_rank, const std::string& rank_count) {
    const Workload sum = read(
        document(stream("s", {collective("sum", "all_reduce", R"("bytes": 8)")}), kGroupOfAll));
    Workload mix = mixed({sum, sum}, {"a", "b"});
    mix.parts[1].first_rank.text = first_rank;
    mix.parts[1].rank_count.text = rank_count;
    FoldedJob made = folded(job_of(mix, 8), 2);
    EXPECT_EQ(error_of([&] { check(mix, made.job); }), "");
    return made;
  };
  const FoldedJob made = fold("1", "3");
  EXPECT_EQ(made.kept, (std::vector<Rank>{0, 2}));
  EXPECT_EQ(made.job.parts[1].first_rank, 1U);
  EXPECT_EQ(fold("1", "1").kept, (std::vector<Rank>{0, 1}));
  EXPECT_EQ(fold("1", "4").kept, (std::vector<Rank>{0, 4}));
  EXPECT_EQ(error_of([&] { (void)fold("5", "3"); }),
            "none of 2 ranks does the part b: take more ranks");
}

TEST(Fold, IsOntoFewerRanks) {
  const Workload workload =
      read(document(stream("s", {collective("sum", "all_reduce", R"("bytes": 8)")}), kGroupOfAll));
  const Job world = job_of(workload, 4);
  for (const Rank ranks : {Rank{0}, Rank{4}, Rank{5}})
    EXPECT_NE(error_of([&] { (void)folded(world, ranks); }), "") << ranks;
}

}  // namespace
}  // namespace railgauge::workload
