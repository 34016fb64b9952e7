#include "workload/job.hpp"

#include <gtest/gtest.h>

#include "workload/documents.hpp"

namespace railgauge::workload {
namespace {

using Members = std::vector<std::vector<Rank>>;

std::string marker(const std::string& groups) {
  return document(R"({"name": "s", "operations": [{"name": "m", "kind": "marker"}]})",
                  "\"groups\": [" + groups + "],");
}

Members members(const std::string& group, Rank ranks) {
  const Workload workload = read(marker(group));
  return job_of(workload, ranks).groups[0].instances;
}

TEST(Groups, AreOfThreeRules) {
  EXPECT_EQ(members(R"({"name": "g", "size": 2})", 6), (Members{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(members(R"({"name": "g", "size": 2, "stride": "ranks / 2"})", 6),
            (Members{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(members(R"({"name": "g", "size": 2, "stride": 2})", 8),
            (Members{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(members(R"({"name": "g", "color": "rank == 0 ? -1 : rank % 2"})", 5),
            (Members{{1, 3}, {2, 4}}));
  EXPECT_EQ(members(R"({"name": "g", "lists": [[3, 1], [0]]})", 5), (Members{{3, 1}, {0}}));
}

TEST(Groups, OfAnyNumberOfRanksHaveEachOnce) {
  for (const Rank ranks : kRanks) {
    for (Rank size = 1; size <= ranks; ++size) {
      if (ranks % size != 0) continue;
      const std::string text = std::to_string(size);
      const Members all = members(
          R"({"name": "g", "size": )" + text + R"(, "stride": "ranks / )" + text + R"("})", ranks);
      std::vector<bool> seen(ranks);
      for (const auto& group : all) {
        EXPECT_EQ(group.size(), size);
        for (const Rank rank : group) {
          EXPECT_FALSE(seen[rank]);
          seen[rank] = true;
        }
      }
    }
  }
}

TEST(Groups, ThatDoNotFitAreRefused) {
  const auto refused = [](const std::string& group, Rank ranks) {
    return error_of([&] { (void)members(group, ranks); });
  };
  EXPECT_EQ(
      refused(R"({"name": "g", "size": 4})", 6),
      "workload test.json:1: the field 'groups[0]' has 4 ranks, each 1 from the next: 6 ranks "
      "are no multiple of that");
  EXPECT_NE(refused(R"({"name": "g", "lists": [[0, 6]]})", 6)
                .find("lists[0]' has rank 6: ranks are 0 to 5"),
            std::string::npos);
  EXPECT_NE(refused(R"({"name": "g", "lists": [[0], [0]]})", 6).find("lists[1]' has rank 0 twice"),
            std::string::npos);
  EXPECT_NE(refused(R"({"name": "g", "size": 0})", 6).find("size' is 0: it has to be 1 or more"),
            std::string::npos);
}

/// Two streams of rank 0, with `a` so often, and `b`, which waits for it, so often.
std::vector<std::uint32_t> awaited(int first, int second) {
  static std::vector<Workload> kept;  // which jobs point into
  kept.push_back(read(document(
      R"({"name": "s", "operations": [{"name": "a", "kind": "marker", "times": )" +
      std::to_string(first) +
      R"(}]}, {"name": "t", "operations": [{"name": "b", "kind": "marker", "after": ["a"], "times": )" +
      std::to_string(second) + "}]}")));
  std::vector<std::uint32_t> positions;
  const Job job = job_of(kept.back(), 1);
  for (const Entry& entry : job.streams[0][1].entries) {
    for (const Awaited& one : entry.after) positions.push_back(one.position);
  }
  return positions;
}

TEST(Job, WaitsForTheOperationOfTheSameNumber) {
  EXPECT_EQ(awaited(3, 3), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(awaited(6, 3), (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_EQ(awaited(2, 4), (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(awaited(0, 2), (std::vector<std::uint32_t>{}));
  EXPECT_NE(error_of([] {
              (void)awaited(2, 3);
            }).find("after[0]' is 'a', which occurs 2 times to 3 of 'b'"),
            std::string::npos);
}

TEST(Job, HasParametersInTheirOrder) {
  const Workload workload = read(document(
      R"({"name": "s", "operations": [{"name": "m", "kind": "compute", "microseconds": "b * rank"}]})",
      R"("parameters": [{"name": "a", "value": 2}, {"name": "b", "value": "a + ranks"}],)"));
  EXPECT_EQ(job_of(workload, 3).streams[2][0].entries[0].microseconds, 10U);
  EXPECT_EQ(job_of(workload, 3, {{"a", 5}}).streams[2][0].entries[0].microseconds, 16U);
  EXPECT_EQ(settings_of({"a=5,b=-1", "c=2"}), (Settings{{"a", 5}, {"b", -1}, {"c", 2}}));
  for (const char* word : {"a", "a=", "a=x", "a=1.5", "=", "a=1 "})
    EXPECT_THROW((void)settings_of({word}), std::invalid_argument) << word;
  EXPECT_EQ(error_of([&] {
              (void)job_of(workload, 3, {{"c", 5}});
            }),
            "--set c: the workload test.json has a and b");
}

TEST(Job, HasArrivalsOfAllOperationsOfANameOrNone) {
  const auto job = [](const std::string& arrival) {
    return job_of(read(document(
                      R"({"name": "s", "operations": [
      {"name": "t", "kind": "send", "to": 1, "bytes": 5, "arrival": 7, "times": "rank == 0"},
      {"name": "t", "kind": "receive", "from": 0, "bytes": 5, "times": "rank == 1")" +
                      arrival + "}]}")),
                  2);
  };
  const Job both = job(R"(, "arrival": "7 + rank")");
  EXPECT_TRUE(both.operations[0].arrives);
  EXPECT_EQ(both.streams[1][0].entries[0].arrival_us, 8U);
  EXPECT_NE(error_of([&] { (void)job(""); }).find("which is another operation"), std::string::npos);
}

TEST(Job, IsRefusedIfItsRanksDoNotAgree) {
  const auto refused = [](const std::string& operations, Rank ranks) {
    return error_of([&] {
      (void)job_of(read(document(R"({"name": "s", "operations": [)" + operations + "]}",
                                 R"("groups": [{"name": "g", "size": "ranks"}],)")),
                   ranks);
    });
  };
  const auto expect = [](const std::string& found, const std::string& what) {
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  expect(
      refused(
          R"({"name": "r", "kind": "collective", "type": "all_reduce", "group": "g", "bytes": "2 * rank"})",
          2),
      "bytes' is 2 for rank 1 and 0 before: 'r' of g[0] is always of one size");
  expect(
      refused(
          R"({"name": "r", "kind": "collective", "type": "all_gather", "group": "g", "bytes": 10})",
          3),
      "bytes' is 10: of all_gather of 3 ranks it has to be a multiple of 3");
  expect(
      refused(
          R"({"name": "r", "kind": "collective", "type": "alltoallv", "group": "g", "bytes": "rank"})",
          3),
      "'rank' is not known here");
  expect(refused(R"({"name": "s", "kind": "send", "to": "rank", "bytes": 1})", 2),
         "to' is rank 0 for rank 0: expected another of 2 ranks");
  expect(refused(R"({"name": "s", "kind": "send", "to": "rank + 1", "bytes": 1})", 2),
         "to' is rank 2 for rank 1");
  expect(refused(R"({"name": "s", "kind": "compute", "microseconds": "rank - 1"})", 2),
         "microseconds' is -1: it has to be 0 or more");
  expect(
      refused(
          R"({"name": "s", "kind": "marker"}, {"name": "s", "kind": "compute", "microseconds": 1})",
          2),
      "operations[1].name' is 's', as of classes[0].streams[0].operations[0]");
  expect(refused(R"({"name": "s", "kind": "marker", "times": 20000001})", 2), "the most are");
}

}  // namespace
}  // namespace railgauge::workload
