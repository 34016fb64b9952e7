#include "report/parts.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Result with_row(const Json& placement) {
  Result result;
  result.document = {{"rows", Json::array()}};
  result.document["rows"].push_back({{"size_bytes", 8},
                                     {"type", "float"},
                                     {"rails", {0}},
                                     {"algorithm", "ring"},
                                     {"out_of_place", placement}});
  return result;
}

TEST(Parts, OfNothingAreNothing) {
  const Result none{.document = Json::object()};
  EXPECT_EQ(curves_part(none, {}), "");
  EXPECT_EQ(distribution_part(none), "");
  EXPECT_EQ(own_time_part(none), "");
  EXPECT_EQ(placement_part(none), "");
  EXPECT_EQ(rails_part(none), "");
  EXPECT_EQ(counters_part(none), "");
  EXPECT_EQ(predictions_part(none), "");
}

TEST(Parts, HeatGrowsWithARanksOwnTime) {
  const std::string html = own_time_part(with_row({{"rank_own_us", {10, 10, 10, 40}}}));
  EXPECT_TRUE(holds(html, "<td class=\"heat-0\">1</td>")) << html;
  EXPECT_TRUE(holds(html, "<td class=\"heat-4\">4</td>")) << html;
  EXPECT_TRUE(holds(own_time_part(with_row({{"rank_own_us", {10, 20}}})),
                    "<td class=\"heat-0\">1</td><td class=\"heat-2\">2</td>"));
}

TEST(Parts, CountersThatMovedErrorsFirst) {
  Result result;
  result.run_set.ports = {
      {.port = "a mlx5_0/1", .deltas = {{"port_xmit_data", 9}, {"rcvd_seq_err", 2}, {"x", 0}}}};
  const std::string html = counters_part(result);
  EXPECT_TRUE(holds(html, "<td class=\"bad\">2</td>")) << html;
  EXPECT_LT(html.find("rcvd_seq_err"), html.find("port_xmit_data"));
  EXPECT_FALSE(holds(html, "<td>x</td>"));
}

Json rank_with(int rank, const char* host, const Json& rails) {
  return {{"rank", rank}, {"host", host}, {"rails", rails}};
}

TEST(Parts, RailsStandBesideEachOtherByTheirDrivers) {
  Result result;
  const Json both{{{"rail", 0}, {"address", "10.0.0.1"}}, {{"rail", 1}, {"address", "10.1.0.1"}}};
  result.document["ranks"] = {rank_with(0, "a", both), rank_with(1, "a", both)};
  result.run_set.ports = {
      {.host = "a", .address = "10.0.0.1", .rail = 0, .deltas = {{"port_xmit_data", 2'000'000}}},
      {.host = "a", .address = "10.1.0.1", .rail = 1, .deltas = {{"port_xmit_data", 500'000}}},
      {.host = "b", .address = "10.1.0.2", .rail = 1, .deltas = {{"rcvd_seq_err", 3}}}};
  const std::string html = rails_part(result);
  EXPECT_TRUE(holds(html, "<th>MB sent</th><th>rail 0</th><th>rail 1</th>")) << html;
  EXPECT_TRUE(holds(html,
                    "<td>a, rank 0, 1</td><td class=\"load-4\">8</td>"
                    "<td class=\"load-1\">2</td>"))
      << html;
  EXPECT_TRUE(holds(html, "<td>b</td><td></td><td class=\"bad\">3</td>")) << html;  // no rail 0
  EXPECT_FALSE(holds(html, "packets"));
  result.run_set.ports[2].deltas.clear();
  EXPECT_FALSE(holds(rails_part(result), "errors"));
}

TEST(Parts, RailsAreBesideEachOtherOnEveryRank) {
  const Json fast{{"rail", 0}, {"rank_us", {100, 110, nullptr}}};
  const Json slow{{"rail", 1}, {"rank_us", {100, 450, 120}}};
  const std::string html = rail_times_part(with_row({{"rails", {fast, slow}}}));
  EXPECT_TRUE(holds(html, "<th>rail 0</th><th>rail 1</th>")) << html;
  EXPECT_TRUE(holds(html,
                    "<td>rank 1</td><td class=\"heat-0\">1.1</td>"
                    "<td class=\"heat-4\">4.5</td>"))
      << html;
  EXPECT_TRUE(holds(html, "<td>rank 2</td><td></td><td class=\"heat-0\">1.2</td>")) << html;
  EXPECT_EQ(rail_times_part(with_row({{"rails", Json::array({fast})}})), "");
  EXPECT_EQ(rail_times_part(with_row({{"wrong", 0}})), "");
}

/// Older documents do not say which rail a port is.
TEST(Parts, RailsAreNotGuessed) {
  Result result;
  result.run_set.ports = {{.host = "a", .deltas = {{"port_xmit_data", 9}}}};
  EXPECT_EQ(rails_part(result), "");
}

TEST(Parts, PredictionsStandBesideMeasurements) {
  Result result = with_row({{"time", {{"p50_us", 5.5}}}});
  EXPECT_EQ(predictions_part(result), "");
  result.document["rows"][0]["predictions"] = {{{"algorithm", "ring"}, {"time_us", 4.5}}};
  EXPECT_TRUE(holds(predictions_part(result), "<td>8</td><td>5.5</td><td>4.5</td>"));
}

TEST(Parts, ARankFarFromItsRailIsMarked) {
  Result result;
  const Json rail{{"rail", 0}, {"device", "mlx5_0"}, {"port", 1}, {"numa_node", 1}};
  result.document["ranks"].push_back(
      {{"rank", 0}, {"host", "a"}, {"numa_node", 0}, {"rails", Json::array({rail})}});
  EXPECT_TRUE(holds(placement_part(result), "not the rank&#39;s"));
}

}  // namespace
}  // namespace railgauge::report
