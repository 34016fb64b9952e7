#include "soak/finding_list.hpp"

#include <gtest/gtest.h>

#include "finding/outcome.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Finding;
using finding::Severity;

Finding loss_at(const std::string& host, std::uint64_t window, std::int64_t packets) {
  Finding finding = finding::found("soak", Cause::packet_loss,
                                   {.scope = finding::Scope::port, .at = {.host = host}});
  finding.certainty = finding::Certainty::confirmed;
  finding.evidence = {{.metric = "lost packets",
                       .observed = static_cast<double>(packets),
                       .counters = {{"out_of_sequence", packets}}}};
  const auto begin = std::chrono::system_clock::from_time_t(static_cast<std::time_t>(60 * window));
  finding.when =
      finding::TimeWindow{.begin = begin, .end = begin + std::chrono::minutes(1), .window = window};
  return finding;
}

Finding stall(const std::string& host, double seconds) {
  Finding finding = finding::found("soak", Cause::descheduled, {.at = {.host = host}});
  finding.evidence = {{.metric = "longest", .unit = "s", .observed = seconds}};
  return finding;
}

TEST(FindingList, CountsWindowsOfOneCauseAtOnePlace) {
  FindingList list;
  list.add(loss_at("host1", 5, 2));
  list.add(loss_at("host1", 9, 3));
  list.add(loss_at("host2", 9, 1));
  ASSERT_EQ(list.findings().size(), 2U);
  const Finding& first = list.findings()[0];
  EXPECT_EQ(first.when->window, 5U);
  EXPECT_EQ(first.when->count, 2U);
  EXPECT_EQ(first.when->end, loss_at("host1", 9, 3).when->end);
  EXPECT_EQ(first.evidence[0].observed, 5);
  EXPECT_EQ(first.evidence[0].counters.at("out_of_sequence"), 5);
}

TEST(FindingList, KeepsTheWorstOfWhatDoesNotAddUp) {
  FindingList list;
  list.add(stall("host1", 2));
  list.add(stall("host1", 8));
  list.add(stall("host1", 1));
  EXPECT_EQ(list.findings().at(0).evidence[0].observed, 8);
}

TEST(FindingList, IsBoundedAndLosesNoFailure) {
  FindingList list(3);
  for (const char* const host : {"a", "b", "c", "d"}) list.add(stall(host, 1));
  EXPECT_EQ(list.findings().size(), 3U);
  list.add(loss_at("host1", 5, 1));
  ASSERT_EQ(list.findings().size(), 3U);
  EXPECT_EQ(list.findings().back().cause, Cause::packet_loss);
  EXPECT_EQ(outcome(finding::Report{.findings = list.findings()}), finding::Outcome::fail);
  for (const char* const host : {"e", "f", "g"}) list.add(loss_at(host, 6, 1));
  EXPECT_EQ(list.findings().size(), 3U);
}

}  // namespace
}  // namespace railgauge::soak
