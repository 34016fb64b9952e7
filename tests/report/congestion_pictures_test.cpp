#include "report/congestion_pictures.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "report/congestion_lanes.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::CongestionBody;
using results::CongestionFlow;
using results::CongestionRow;
using results::CongestionSample;

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// What the first group of a pattern matches, all over the text.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    all.push_back((*at)[1]);
  return all;
}

results::Endpoint nic_of(int host) {
  return {.host = "host" + std::to_string(host), .rail = 0, .device = "mlx5_0"};
}

CongestionFlow flow_from(int host, double rate) {
  return {.from = nic_of(host), .to = nic_of(0), .gigabytes_per_second = rate};
}

/// Two seconds from `begin_s` on, in four samples of 100 packets and 10, 5, 0, 0 marks.
CongestionRow marked_step(const std::string& scenario, const std::string& name, double begin_s) {
  CongestionRow row{.scenario = scenario,
                    .step = name,
                    .load = 2,
                    .begin_s = begin_s,
                    .seconds = 2,
                    .verdict = "ECN_ONLY"};
  for (int part = 1; part <= 4; ++part)
    row.samples.push_back({.end_s = begin_s + 0.5 * part, .packets = 100});
  row.samples[0].marks = 10;
  row.samples[1].marks = 5;
  row.marks = {.counted = true,
               .observer = "switch",
               .count = 15,
               .first_after_s = begin_s,
               .first_until_s = begin_s + 0.25,
               .place = "leaf0 -> <host0>"};
  row.pauses.counted = row.losses.counted = true;
  row.flows = {flow_from(1, 1.5), flow_from(2, 0.5)};
  return row;
}

TEST(CongestionLanes, APartHasAllThatItsSamplesCounted) {
  CongestionRow row{.begin_s = 1};
  for (int at = 1; at <= 5; ++at) row.samples.push_back({.end_s = 1.0 + at, .marks = at});
  EXPECT_EQ(parts_of_time(row, &CongestionSample::marks, 2), (Parts{{1, 4, 2}, {4, 6, 4.5}}));
  EXPECT_EQ(parts_of_time(row, &CongestionSample::marks, 9).size(), 5U);
  row.samples = {{.end_s = 1, .marks = 7}};
  EXPECT_EQ(parts_of_time(row, &CongestionSample::marks, 2), Parts{}) << "it took no time";
}

TEST(CongestionLanes, PayloadIsSpreadOverPackets) {
  CongestionRow row = marked_step("incast", "a", 3);
  EXPECT_DOUBLE_EQ(gigabytes_of_packet(row).value_or(0), 2.0 * 2 / 400);
  row.flows.clear();
  EXPECT_FALSE(gigabytes_of_packet(row)) << "nothing was acknowledged";
  EXPECT_FALSE(knows_payload({&row}));
  row.samples.clear();
  EXPECT_TRUE(knows_payload({&row})) << "nothing was received";
}

TEST(CongestionTimeLine, HasAColumnWhereSomethingWasCounted) {
  const CongestionBody body{.rows = {marked_step("incast", "a", 3)}};
  const std::string html = congestion_time_lines(body);
  const auto columns = matches(html, "<path class='fill1' d='(M[^']*v-[^']*)'");
  ASSERT_EQ(columns.size(), 1U) << html;
  EXPECT_EQ(matches(columns[0], "(v-\\d+)"), (std::vector<std::string>{"v-34", "v-17"}));
  EXPECT_EQ(times_in(html, "up to 20 per s"), 1U);
  EXPECT_EQ(times_in(html, "<path class='fill2'"), 0U) << "no pauses";
  EXPECT_EQ(times_in(html, "up to 2 GB/s"), 1U) << html;
}

TEST(CongestionTimeLine, MarksTheFirstOfEachStepWhereItIs) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3), marked_step("incast", "b", 5)}};
  body.rows[1].pauses.first_until_s = 7;  // the end of the time line
  const std::string html = congestion_time_lines(body);
  EXPECT_EQ(
      times_in(html, "<title>a: first ECN mark at 3.25 s by leaf0 -&gt; &lt;host0&gt; (switch)"),
      1U)
      << html;
  EXPECT_EQ(times_in(html, "<title>b: first ECN mark at 5.25 s"), 1U);
  EXPECT_EQ(times_in(html, "first at 3.25 s</text>"), 1U);
  const auto box = matches(html, "<rect class='node' x='(\\d+)'");
  const auto pause = matches(html, "<path class='fill2' d='M(\\d+) \\d+l");
  ASSERT_EQ(box.size(), 2U);
  ASSERT_EQ(pause.size(), 1U);
  EXPECT_EQ(std::stoi(pause[0]), 2 * std::stoi(box[1]) - std::stoi(box[0]));
}

TEST(CongestionTimeLine, IsToldInWords) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3)}};
  body.rows[0].losses.counted = false;
  EXPECT_EQ(times_in(congestion_time_lines(body),
                     "<desc>1 step from 3 to 5 s; first ECN mark at 3.25 s by leaf0 -&gt; "
                     "&lt;host0&gt; (switch); no PFC pauses; nobody counts drops.</desc>"),
            1U)
      << congestion_time_lines(body);
}

TEST(CongestionTimeLine, PacketsArePacketsWherePayloadIsNotKnown) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3)}};
  body.rows[0].flows.clear();
  EXPECT_EQ(times_in(congestion_time_lines(body), "up to 200 packets/s"), 1U);
}

TEST(CongestionTimeLine, AVoidStepIsMarkedAndOneWithoutSamplesIsNamed) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3), marked_step("incast", "b", 5)}};
  body.rows[1].verdict = "UNKNOWN";
  body.rows.push_back({.scenario = "incast", .step = "c<", .verdict = "UNKNOWN"});
  const std::string html = congestion_time_lines(body);
  EXPECT_EQ(times_in(html, "class='node'"), 1U);
  EXPECT_EQ(times_in(html, "class='device'"), 1U);
  EXPECT_EQ(times_in(html, ">b (void)</text>"), 1U) << html;
  EXPECT_EQ(times_in(html, "Steps without samples: c&lt; (void).<"), 1U) << html;
  EXPECT_EQ(times_in(html, "<desc>2 steps from 3 to 7 s"), 1U) << "no time before the first sample";
}

TEST(CongestionTimeLine, OfStepsWithoutSamplesIsNone) {
  const CongestionBody body{.rows = {{.scenario = "incast", .step = "a", .verdict = "UNKNOWN"}}};
  EXPECT_EQ(congestion_time_lines(body), "");
  EXPECT_EQ(congestion_time_lines({}), "");
}

TEST(CongestionTimeLine, EachScenarioHasItsOwn) {
  CongestionBody body;
  for (const char* scenario : {"incast", "incast", "victim", "classes"})
    body.rows.push_back(marked_step(scenario, "a", 2.0 * static_cast<double>(body.rows.size())));
  const std::string html = congestion_time_lines(body);
  EXPECT_EQ(times_in(html, "<svg"), 3U);
  EXPECT_EQ(times_in(html, "<details>"), 1U) << "two are open";
}

TEST(CongestionTimeLine, SaysWhichStepsDoNotCount) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3), marked_step("incast", "b", 5)}};
  body.rows[1].marks = {};
  body.rows[0].losses.counted = body.rows[1].losses.counted = false;
  const std::string html = congestion_time_lines(body);
  EXPECT_EQ(times_in(html, ">not counted</text>"), 2U) << "marks of b, and the lane of drops";
}

/// Forty steps of 64 senders; the last but one is short.
CongestionBody large_body() {
  CongestionBody body;
  double begin = 0;
  for (int step = 0; step < 40; ++step) {
    CongestionRow row = marked_step("incast", "64 senders, step " + std::to_string(step), begin);
    row.seconds = step == 38 ? 0.01 : 2;
    row.samples.assign(200, {.marks = 3, .pauses = 2, .losses = 1, .packets = 50});
    for (std::size_t at = 0; at < row.samples.size(); ++at)
      row.samples[at].end_s = begin + row.seconds * static_cast<double>(at + 1) / 200;
    row.flows.clear();
    for (int sender = 1; sender <= 64; ++sender)
      row.flows.push_back(flow_from(sender, sender == 7 ? 6 : 1));
    begin += row.seconds;
    body.rows.push_back(std::move(row));
  }
  return body;
}

TEST(CongestionTimeLine, NamesOfManyStepsDoNotOverlap) {
  const std::string html = congestion_time_lines(large_body());
  EXPECT_EQ(times_in(html, "class='node'"), 40U);
  const auto places = matches(html, "translate\\((\\d+) \\d+\\) rotate");
  EXPECT_EQ(places.size(), 39U) << "there is no room for the short one's";
  for (std::size_t at = 1; at < places.size(); ++at)
    EXPECT_GE(std::stoi(places[at]) - std::stoi(places[at - 1]), 14);
}

TEST(CongestionPictures, OfALargeRunAreSmall) {
  constexpr std::size_t kMost = 300'000;
  EXPECT_LT(parts_of(large_body(), {}).size(), kMost);
}

TEST(CongestionShares, HaveABarForEachSenderAndTheGreedyOnesDiffer) {
  const CongestionBody body{.rows = {large_body().rows[0]}};
  const std::string html = congestion_shares(body);
  EXPECT_EQ(times_in(html, "<rect class='fill"), 64U);
  EXPECT_EQ(times_in(html, "<rect class='fill1'"), 1U);
  EXPECT_EQ(times_in(html, "<title>host7: 8.7 %</title>"), 1U) << html;
  EXPECT_EQ(times_in(html, ">fair share 1.6 %</text>"), 1U);
  EXPECT_LT(html.find("host7: "), html.find("host1: ")) << "the largest comes first";
}

TEST(CongestionShares, ABarIsAsLongAsItsShare) {
  const CongestionBody body{.rows = {marked_step("incast", "a", 3)}};
  const std::string html = congestion_shares(body);
  const auto widths = matches(html, "<rect class='fill\\d'[^>]* width='(\\d+)'");
  ASSERT_EQ(widths.size(), 2U) << html;
  EXPECT_NEAR(std::stoi(widths[0]), 3 * std::stoi(widths[1]), 3);
  const auto left = matches(html, "<rect class='fill\\d' x='(\\d+)'");
  const auto fair = matches(html, "<path class='gap'[^>]* d='M(\\d+) ");
  ASSERT_EQ(fair.size(), 1U);
  EXPECT_NEAR(std::stoi(fair[0]) - std::stoi(left[0]), 2 * std::stoi(widths[1]), 2);
  EXPECT_EQ(times_in(html, "Of 2 senders host1 has most, 75.0 %, and host2 least, 25.0 %. "), 1U);
}

TEST(CongestionShares, AreOfStepsThatOverloadAReceiver) {
  const CongestionRow good = marked_step("incast", "a", 3);
  std::vector<CongestionRow> rows(4, good);
  rows[0].load = 0.9;
  rows[1].scenario = "permutation";
  rows[2].flows.resize(1);
  for (CongestionFlow& flow : rows[3].flows) flow.gigabytes_per_second = 0;
  EXPECT_EQ(congestion_shares({.rows = rows}), "");
  rows.push_back(good);
  rows.back().scenario = "victim";
  rows.back().flows.push_back(
      {.from = nic_of(3), .to = nic_of(0), .victim = true, .gigabytes_per_second = 9});
  const std::string html = congestion_shares({.rows = rows});
  EXPECT_EQ(times_in(html, "<svg"), 1U);
  EXPECT_EQ(times_in(html, "<rect class='fill"), 2U) << "the victim has no share";
}

TEST(CongestionShares, OfNicsOfOneHostHaveTheirDevices) {
  CongestionRow row = marked_step("incast", "a", 3);
  row.flows[1].from.host = "host1";
  row.flows[1].from.device = "mlx5_<1>";
  const std::string html = congestion_shares({.rows = {row}});
  EXPECT_EQ(times_in(html, ">host1 mlx5_0 (rail 0)</text>"), 1U) << html;
  EXPECT_EQ(times_in(html, ">host1 mlx5_&lt;1&gt; (rail 0)</text>"), 1U);
}

TEST(CongestionShares, OfTooManySendersAreTheLargestAndTheSmallest) {
  CongestionRow row = marked_step("incast", "a", 3);
  row.flows.clear();
  for (int sender = 1; sender <= 100; ++sender) row.flows.push_back(flow_from(sender, sender));
  const std::string html = congestion_shares({.rows = {row}});
  EXPECT_EQ(times_in(html, "<rect class='fill"), 64U);
  EXPECT_EQ(times_in(html, "And 36 more senders in between"), 1U) << html;
  EXPECT_EQ(times_in(html, "fair share 1.0 %"), 1U);
  EXPECT_EQ(times_in(html, "<title>host1: "), 1U);
  EXPECT_EQ(times_in(html, "<title>host100: "), 1U);
  EXPECT_EQ(times_in(html, "<title>host50: "), 0U);
}

TEST(CongestionShares, TheLabelOfASmallFairShareIsInThePicture) {
  CongestionRow row = large_body().rows[0];
  row.flows[6].gigabytes_per_second = 1e6;
  const auto label =
      matches(congestion_shares({.rows = {row}}), "<text x='([-\\d]+)'[^>]*>fair share");
  ASSERT_EQ(label.size(), 1U);
  EXPECT_GE(std::stoi(label[0]), 0);
}

TEST(CongestionShares, AVoidStepComesLast) {
  CongestionBody body{.rows = {marked_step("incast", "a", 3), marked_step("incast", "b", 5)}};
  body.rows[0].verdict = "UNKNOWN";
  body.rows[0].flows[0].gigabytes_per_second = 90;
  const std::string html = congestion_shares(body);
  EXPECT_LT(html.find("incast, b: shares"), html.find("incast, a (void): shares")) << html;
}

/// A flow alone, with half of its bandwidth and four times its time next to others.
CongestionBody victims() {
  CongestionFlow flow{.from = nic_of(3),
                      .to = nic_of(1),
                      .victim = true,
                      .gigabytes_per_second = 10,
                      .time = measure::Summary{.p50_us = 20, .p99_us = 30}};
  CongestionBody body;
  body.rows.push_back({.scenario = "victim", .step = "alone", .verdict = "NO_CONGESTION"});
  body.rows[0].flows = {flow};
  flow.gigabytes_per_second = 5;
  flow.time = measure::Summary{.p50_us = 80, .p99_us = 30};
  body.rows.push_back({.scenario = "victim", .step = "next to <it>", .verdict = "ECN_FIRST"});
  body.rows[1].flows = {flow_from(1, 7), flow};
  return body;
}

TEST(CongestionInterference, IsOverTheSameFlowAlone) {
  const std::string html = congestion_interference(victims());
  EXPECT_EQ(times_in(html, "<th>alone</th><th>next to &lt;it&gt;</th>"), 1U) << html;
  EXPECT_EQ(
      times_in(html, "<td>GB/s</td><td class=\"heat-0\">10</td><td class=\"heat-2\">0.5</td>"), 1U)
      << html;
  EXPECT_EQ(times_in(html, "<td class=\"heat-0\">20</td><td class=\"heat-4\">4</td>"), 1U);
  EXPECT_EQ(times_in(html, "<td class=\"heat-0\">30</td><td class=\"heat-0\">1</td>"), 1U);
  EXPECT_EQ(times_in(html, "host3 mlx5_0 to host1 mlx5_0"), 3U) << "flows of the incast are none";
}

TEST(CongestionInterference, NeedsBothSteps) {
  CongestionBody body = victims();
  std::swap(body.rows[0], body.rows[1]);
  EXPECT_NE(congestion_interference(body), "") << "their order is nothing";
  body.rows.pop_back();
  EXPECT_EQ(congestion_interference(body), "");
  EXPECT_EQ(congestion_interference({.rows = {victims().rows[0]}}), "");
  body = victims();
  for (CongestionRow& row : body.rows) row.scenario = "incast";
  EXPECT_EQ(congestion_interference(body), "");
}

TEST(CongestionInterference, WithoutMessagesHasNoTimes) {
  CongestionBody body = victims();
  body.rows[1].flows[1].time = {};
  EXPECT_EQ(times_in(congestion_interference(body), "<td class=\"heat-0\">20</td><td></td>"), 1U);
  body.rows[0].flows[0].time = {};
  body.rows[0].flows[0].gigabytes_per_second = 0;
  EXPECT_EQ(congestion_interference(body), "") << "there is nothing to divide by";
}

TEST(CongestionInterference, OfAVoidStepIsNotShaded) {
  CongestionBody body = victims();
  body.rows[1].verdict = "UNKNOWN";
  std::string html = congestion_interference(body);
  EXPECT_EQ(times_in(html, "<td class=\"heat-0\">10</td><td class=\"warn\">0.5 (void)</td>"), 1U)
      << html;
  std::swap(body.rows[0].verdict, body.rows[1].verdict);
  html = congestion_interference(body);
  EXPECT_EQ(times_in(html, "<td class=\"warn\">10 (void)</td><td class=\"warn\">0.5 (void)</td>"),
            1U)
      << html;
}

}  // namespace
}  // namespace railgauge::report
