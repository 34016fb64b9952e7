#include "report/ratio_table.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Forty rows of 1, but for one that is slow in every column and one that is once.
RatioTable forty() {
  RatioTable ratios{"host", {"rail 0", "rail 1"}, {}};
  for (int row = 0; row < 40; ++row) {
    ratios.rows.push_back({"h" + std::to_string(row), {1.0, 1.0}, {}});
  }
  ratios.rows[30].ratios = {2.0, 2.0};
  ratios.rows[20].ratios = {3.0, 1.0};
  return ratios;
}

TEST(RatioTable, HasTheSlowestRowsFirstAndFoldsTheOthers) {
  const std::string html = html_of(forty(), "hosts", true);
  EXPECT_LT(html.find(">h30<"), html.find(">h20<"));
  EXPECT_LT(html.find(">h20<"), html.find(">h0<"));
  EXPECT_TRUE(has(html, "<summary>28 more hosts</summary>")) << html;
  EXPECT_TRUE(has(html, ">h39<"));
}

TEST(RatioTable, CountsTheOthersIfAsked) {
  const std::string html = html_of(forty(), "hosts", false);
  EXPECT_TRUE(has(html, "And 28 more hosts")) << html;
  EXPECT_FALSE(has(html, ">h39<"));
}

TEST(RatioTable, OfFewRowsStaysAsItIs) {
  RatioTable ratios = forty();
  ratios.rows.resize(3);
  ratios.rows[2].ratios = {9.0, std::nullopt};
  const std::string html = html_of(ratios, "hosts", true);
  EXPECT_LT(html.find(">h0<"), html.find(">h2<"));
  EXPECT_TRUE(has(html, "<td>h2</td><td class=\"heat-4\">9</td><td></td>")) << html;
}

TEST(RatioTable, ByHostTakesTheSlowestRank) {
  const RatioTable ranks{"rank",
                         {"rail 0", "rail 1"},
                         {{"rank 0", {1.0, 1.5}, {}},
                          {"rank 1", {4.0, std::nullopt}, {}},
                          {"rank 2", {1.0, 1.0}, {}}}};
  const RatioTable hosts = by_host(ranks, {{.host = "a"}, {.host = "a"}, {.host = "b"}});
  ASSERT_EQ(hosts.rows.size(), 2u);
  EXPECT_EQ(hosts.rows[0].name, "a");
  EXPECT_EQ(hosts.rows[0].ratios, (std::vector<std::optional<double>>{4.0, 1.5}));
  EXPECT_EQ(hosts.rows[0].worst, "rank 1");
}

}  // namespace
}  // namespace railgauge::report
