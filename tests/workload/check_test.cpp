#include "workload/check.hpp"

#include <gtest/gtest.h>

#include "workload/documents.hpp"

namespace railgauge::workload {
namespace {

constexpr const char* kGroup = R"("groups": [{"name": "g", "size": "ranks"}],)";

std::string flaw_of(const std::string& streams, Rank ranks, const std::string& more = kGroup) {
  const Workload workload = read(document(streams, more));
  return error_of([&] { check(workload, job_of(workload, ranks)); });
}

std::string one_stream(const std::string& operations) {
  return R"({"name": "s", "operations": [)" + operations + "]}";
}

std::string reduce(const std::string& name, const std::string& more = "") {
  return R"({"name": ")" + name +
         R"(", "kind": "collective", "type": "all_reduce", "group": "g", "bytes": 8)" + more + "}";
}

/// Everyone passes something on around a ring; the even ones send first, and of an odd number the
/// last one, too.
TEST(Check, TakesARingOfTransfers) {
  const std::string send =
      R"({"name": "t", "kind": "send", "to": "(rank + 1) % ranks", "bytes": 5, "times": )";
  const std::string receive =
      R"({"name": "t", "kind": "receive", "from": "(rank + ranks - 1) % ranks", "bytes": 5},)";
  const std::string ring =
      one_stream(send + "\"rank % 2 == 0\"}," + receive + send + "\"rank % 2\"}");
  for (const Rank ranks : kRanks) {
    if (ranks == 1) continue;  // nobody else
    EXPECT_EQ(flaw_of(ring, ranks), "") << ranks;
  }
}

TEST(Check, FindsRanksThatAllSendFirst) {
  const std::string all =
      one_stream(R"({"name": "t", "kind": "send", "to": "(rank + 1) % ranks", "bytes": 5},
                    {"name": "t", "kind": "receive", "from": "(rank + ranks - 1) % ranks", "bytes": 5})");
  EXPECT_EQ(
      flaw_of(all, 3),
      "workload test.json:2: the field 'classes[0].streams[0].operations[0]' is part of a "
      "deadlock: rank 0 (s) waits at 't', rank 1 (s) waits at 't' and rank 2 (s) waits at 't', "
      "each for the next, and the last one for the first");
  for (const Rank ranks : kRanks) {
    if (ranks == 1) continue;
    EXPECT_NE(flaw_of(all, ranks).find("deadlock"), std::string::npos) << ranks;
  }
}

TEST(Check, FindsCollectivesInTwoOrders) {
  const std::string crossed =
      one_stream(reduce("a", R"(, "times": "rank == 0")") + "," + reduce("b") + "," +
                 reduce("a", R"(, "times": "rank > 0")"));
  for (const Rank ranks : kRanks) {
    const std::string flaw = flaw_of(crossed, ranks);
    EXPECT_EQ(flaw.find("deadlock") != std::string::npos, ranks > 1) << ranks << flaw;
  }
}

TEST(Check, FindsStreamsThatWaitForEachOther) {
  const std::string streams =
      R"({"name": "s", "operations": [{"name": "a", "kind": "marker", "after": ["b"]}]},
         {"name": "t", "operations": [{"name": "b", "kind": "marker", "after": ["a"]}]})";
  EXPECT_NE(flaw_of(streams, 1).find("rank 0 (s) waits at 'a' and rank 0 (t) waits at 'b'"),
            std::string::npos)
      << flaw_of(streams, 1);
  EXPECT_NE(
      flaw_of(one_stream(R"({"name": "a", "kind": "marker", "after": ["a"]})"), 1).find("deadlock"),
      std::string::npos);
}

/// Of two streams it does not matter that ranks are in different orders.
TEST(Check, TakesStreamsThatOverlap) {
  const std::string streams = R"({"name": "s", "operations": [)" + reduce("a") +
                              R"(]}, {"name": "t", "operations": [)" + reduce("b") + "]}";
  for (const Rank ranks : kRanks) EXPECT_EQ(flaw_of(streams, ranks), "");
}

TEST(Check, FindsASendWithoutItsReceive) {
  const std::string flaw = flaw_of(
      one_stream(
          R"({"name": "t", "kind": "send", "to": 1, "bytes": 5, "times": "rank == 0 ? 3 : 0"},
                    {"name": "t", "kind": "receive", "from": 0, "bytes": 5, "times": "rank == 1 ? 2 : 0"})"),
      2);
  EXPECT_NE(flaw.find("'t' from rank 0 to rank 1: it is sent 3 times and received 2 times"),
            std::string::npos)
      << flaw;
}

TEST(Check, FindsARankThatDoesACollectiveLessOften) {
  const std::string flaw = flaw_of(one_stream(reduce("a", R"(, "times": "rank == 2 ? 1 : 2")")), 3);
  EXPECT_NE(flaw.find("'a' of g[0]: rank 0 does it 2 times, rank 2 1 time"), std::string::npos)
      << flaw;
  EXPECT_NE(flaw_of(one_stream(reduce("a", R"(, "times": "rank < 2")")), 3).find("rank 2 0 times"),
            std::string::npos);
}

TEST(Check, ComparesBytesWithTheClosedForm) {
  const auto flaw = [](const std::string& bytes, Rank ranks) {
    return flaw_of(
        one_stream(reduce("a", R"(, "times": 3)")), ranks,
        std::string(kGroup) + R"("closed_forms": [{"of": "g", "bytes": ")" + bytes + "\"}],");
  };
  for (const Rank ranks : kRanks) EXPECT_EQ(flaw("24 * ranks", ranks), "");
  EXPECT_EQ(
      flaw("24 * ranks + 1", 2),
      "workload test.json:1: the field 'closed_forms[0].bytes' is 49, and the operations of g "
      "have 48 in a step of 2 ranks");
}

}  // namespace
}  // namespace railgauge::workload
