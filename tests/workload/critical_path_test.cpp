#include "workload/critical_path.hpp"

#include <gtest/gtest.h>

#include "workload/check.hpp"
#include "workload/documents.hpp"
#include "workload/kinds.hpp"

namespace railgauge::workload {
namespace {

constexpr const char* kAllRanks = R"("groups": [{"name": "g", "size": "ranks"}],)";

std::string compute_of(const std::string& name, const std::string& microseconds,
                       const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "kind": "compute", "microseconds": ")" + microseconds +
         "\"" + more + "}";
}

std::string sum_of(const std::string& more = "") {
  return R"({"name": "sum", "kind": "collective", "type": "all_reduce", "group": "g", "bytes": 8)" +
         more + "}";
}

std::string stream_of(const std::string& name, const std::string& operations) {
  return R"({"name": ")" + name + R"(", "operations": [)" + operations + "]}";
}

/// Of a workload whose tasks all last as long.
CriticalPath path_of(const Workload& workload, Rank ranks, double task_us,
                     const Settings& settings = {}) {
  const Job job = job_of(workload, ranks, settings);
  check(workload, job);
  return critical_path(job, std::vector<double>(job.tasks.size(), task_us));
}

CriticalPath path_of(const std::string& streams, double task_us, Rank ranks = 3) {
  return path_of(read(document(streams, kAllRanks)), ranks, task_us);
}

TEST(CriticalPath, GoesThroughTheRankThatComesLast) {
  const CriticalPath path =
      path_of(stream_of("s", compute_of("work", "10 * (rank + 1)") + "," + sum_of()), 7);
  EXPECT_EQ(path.time_us, 37);
  EXPECT_EQ(path.operation_us, (std::vector<double>{30, 7}));
}

TEST(CriticalPath, BeginsNothingBeforeItArrives) {
  const CriticalPath path = path_of(
      stream_of("s", compute_of("work", "10") + "," + sum_of(R"(, "arrival": "50 + rank")")), 7);
  EXPECT_EQ(path.time_us, 59);
  EXPECT_EQ(path.operation_us, (std::vector<double>{0, 59})) << "with what it waited to arrive";
}

TEST(CriticalPath, LeavesOutWhatOverlaps) {
  const std::string streams =
      stream_of("a", compute_of("work", "50")) + "," + stream_of("b", sum_of());
  EXPECT_EQ(path_of(streams, 7).operation_us, (std::vector<double>{50, 0}));
  EXPECT_EQ(path_of(streams, 70).operation_us, (std::vector<double>{0, 70}));
  const CriticalPath behind = path_of(stream_of("a", compute_of("work", "50")) + "," +
                                          stream_of("b", sum_of(R"(, "after": ["work"])")),
                                      7);
  EXPECT_EQ(behind.operation_us, (std::vector<double>{50, 7}));
}

TEST(CriticalPath, OfATransferWaitsForItsSenderOnly) {
  const std::string send =
      R"({"name": "t", "kind": "send", "to": 1, "bytes": 5, "times": "rank == 0"})";
  const std::string receive =
      R"({"name": "t", "kind": "receive", "from": 0, "bytes": 5, "times": "rank == 1"})";
  const std::string late_sender =
      stream_of("s", compute_of("work", "20 * (rank == 0)") + "," + send + "," + receive);
  EXPECT_EQ(path_of(late_sender, 3, 2).time_us, 23);
  const std::string late_receiver =
      stream_of("s", compute_of("work", "20 * (rank == 1)") + "," + send + "," + receive + "," +
                         compute_of("rest", "5"));
  EXPECT_EQ(path_of(late_receiver, 3, 2).time_us, 28) << "the sender is over at 8";
}

/// All kinds, as a sum that its closed form knows.
TEST(CriticalPath, OfKindsAddsUp) {
  const CriticalPath moe = path_of(make("moe", ""), 6, 11, {{"moe_layers", 4}});
  EXPECT_EQ(moe.time_us, 4 * (100 + 11 + 100 + 11));
  for (const std::string& kind : kinds()) {
    const CriticalPath path = path_of(make(kind, ""), kind == "kv" ? 5 : 8, 1);
    double sum = 0;
    for (const double us : path.operation_us) sum += us;
    EXPECT_GT(path.time_us, 0) << kind;
    EXPECT_NEAR(sum, path.time_us, 1e-6 * path.time_us) << kind;
  }
}

TEST(CriticalPath, OfNothingIsZero) {
  EXPECT_EQ(path_of(stream_of("s", compute_of("work", "10", R"(, "times": 0)")), 1).time_us, 0);
}

TEST(LineRate, IsOfTheBusiestRank) {
  const auto us_of = [](const std::string& operation) {
    const Workload workload = read(document(R"({"name": "s", "operations": [)" + operation + "]}",
                                            R"("groups": [{"name": "g", "size": "ranks"}],)"));
    const Job job = job_of(workload, 4);
    return line_rate_us(job, job.tasks[0], 10);
  };
  EXPECT_DOUBLE_EQ(us_of(R"({"name": "a", "kind": "collective", "type": "all_reduce", "group": "g",
    "bytes": 400})"),
                   60);  // 2 * 3 / 4
  EXPECT_DOUBLE_EQ(us_of(R"({"name": "a", "kind": "collective", "type": "alltoallv", "group": "g",
    "bytes": "to == 2 ? 100 : 10"})"),
                   30);  // three others send 100 to rank 2
  EXPECT_DOUBLE_EQ(us_of(R"({"name": "a", "kind": "collective", "type": "alltoallv", "group": "g",
    "bytes": "from == 1 ? 70 : 0"})"),
                   21);
  EXPECT_DOUBLE_EQ(us_of(R"({"name": "a", "kind": "collective", "type": "barrier", "group": "g"})"),
                   0);
}

}  // namespace
}  // namespace railgauge::workload
