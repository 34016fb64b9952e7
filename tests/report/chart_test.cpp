#include "report/chart.hpp"

#include <gtest/gtest.h>

namespace railgauge::report {
namespace {

Chart sample(const std::string& label) {
  return {"title", Unit::bytes, Unit::microseconds, true, {{label, true, {{8, 1.5}, {1024, 3}}}}};
}

TEST(Chart, HasItsDataAndItsTable) {
  const std::string html = figure(sample("ring"));
  EXPECT_NE(html.find("\"x\":[8.0,1024.0]"), std::string::npos) << html;
  EXPECT_NE(html.find("\"values\":[1.5,3.0]"), std::string::npos) << html;
  EXPECT_NE(html.find("<td>1K</td><td>3</td>"), std::string::npos) << html;
}

TEST(Chart, SeriesMayLackSizes) {
  Chart chart = sample("ring");
  chart.series.push_back({"tree", true, {{64, 2}}});
  const std::string html = figure(chart);
  EXPECT_NE(html.find("\"values\":[1.5,null,3.0]"), std::string::npos) << html;
  EXPECT_NE(html.find("\"values\":[null,2.0,null]"), std::string::npos) << html;
}

TEST(Chart, SeriesMayHaveTheColourOfAnother) {
  Chart chart = sample("ring");
  chart.series.push_back({"baseline", false, {{8, 2}}, "ring"});
  EXPECT_NE(figure(chart).find("\"ours\":false,\"beside\":\"ring\""), std::string::npos);
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
