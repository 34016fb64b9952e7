#include "report/chart.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

Chart sample(const std::string& label) {
  return {"title",
          Unit::bytes,
          Unit::microseconds,
          Scale::logarithmic,
          {{label, true, {{8, 1.5}, {1024, 3}}, "ring"}}};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Chart, HasItsDataAndItsTable) {
  const std::string html = figure(sample("ring"));
  EXPECT_TRUE(says(html, "\"points\":[[8,1.5],[1024,3.0]]")) << html;
  EXPECT_TRUE(says(html, "<td>1K</td><td>3</td>")) << html;
}

TEST(Chart, SeriesMayLackSizes) {
  Chart chart = sample("ring");
  chart.series.push_back({"tree", true, {{64, 2}}, "tree"});
  const std::string html = figure(chart);
  EXPECT_TRUE(says(html, "<td>64</td><td></td><td>2</td>")) << html;
}

TEST(Chart, SaysWhatSizeHasNoLogarithm) {
  Chart chart = sample("ring");
  chart.series[0].points = {{0, 7}, {8, 1}};
  EXPECT_TRUE(says(figure(chart), "\"points\":[[8,1.0]]"));
}

TEST(Chart, LinesKnowTheirAlgorithm) {
  Chart chart = sample("ring, rail 0");
  chart.series.push_back({"baseline", false, {{8, 2}}, "ring"});
  EXPECT_TRUE(says(figure(chart), "\"ours\":false,\"algorithm\":\"ring\""));
}

TEST(Chart, BandwidthMayBeLinear) {
  Chart chart = sample("ring");
  EXPECT_TRUE(says(figure(chart), "\"scale\":\"logarithmic\""));
  chart.scale = Scale::linear;
  EXPECT_TRUE(says(figure(chart), "\"scale\":\"linear\""));
}

TEST(Chart, IsToldInWords) {
  Chart chart = sample("ring");
  EXPECT_EQ(in_words(chart), "ring: 1.5 µs at 8, 3 µs at 1K.");
  chart.y = Unit::gigabytes_per_second;
  chart.series[0].points = {{8, 1}, {64, 9}, {1024, 3}};
  EXPECT_EQ(in_words(chart), "ring: 1 GB/s at 8, 3 GB/s at 1K, at most 9 GB/s at 64.");
  const std::string html = figure(chart);
  EXPECT_TRUE(says(html, "aria-label=\"title\"")) << html;
  EXPECT_TRUE(says(html, "<p class=\"words\">ring: 1 GB/s")) << html;
}

TEST(Chart, LabelsDoNotEndTheScript) {
  const std::string html = figure(sample("</script><b>"));
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script>"), std::string::npos);
}

TEST(Chart, WithoutSeriesIsNone) {
  EXPECT_EQ(figure(Chart{}), "");
}

}  // namespace
}  // namespace railgauge::report
