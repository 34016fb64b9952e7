#include <gtest/gtest.h>

#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using doctor::Verdict;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Hosts host0, host1, ... of which one check says something.
doctor::Document examination(std::size_t hosts, const doctor::Remark& remark) {
  doctor::Document document;
  for (std::size_t host = 0; host < hosts; ++host)
    document.hosts.push_back("host" + std::to_string(host));
  document.checks = {{.name = "mtu", .expects = "9000", .verdict = remark.verdict},
                     {.name = "pfc", .expects = "3", .verdict = Verdict::pass}};
  document.checks.front().remarks = {remark};
  return document;
}

TEST(ExaminationPart, ShowsHostsThatDifferAndFoldsThoseThatDoNot) {
  const std::string html = examination_part(
      examination(1000, {Verdict::fail, "MTU is 1500", 1, {"host7 eth0 <b>"}, {7}}));
  EXPECT_TRUE(contains(html, "Hosts that differ")) << html;
  EXPECT_TRUE(contains(html, "<td>host7</td><td>1</td><td class=\"bad\">FAIL</td>")) << html;
  EXPECT_TRUE(contains(html, "host0, host1, host2 and 996 more")) << html;
  EXPECT_TRUE(contains(html, "host7 eth0 &lt;b&gt;")) << html;
  EXPECT_LT(html.size(), 4000U);
}

TEST(ExaminationPart, HasNoMatrixOfHostsThatAreAlike) {
  const std::string html =
      examination_part(examination(2, {Verdict::fail, "MTU is 1500", 2, {"host0"}, {0, 1}}));
  EXPECT_FALSE(contains(html, "Hosts that differ")) << html;
  EXPECT_FALSE(contains(html, "Unknown")) << html;
  EXPECT_TRUE(contains(html, "host0 and 1 more")) << html;
}

TEST(ExaminationPart, DoesNotFoldWhatIsUnknown) {
  const std::string html =
      examination_part(examination(2, {Verdict::unknown, "EACCES", 1, {"host1"}, {1}}));
  EXPECT_TRUE(contains(html, "<h2>Unknown</h2>")) << html;
  EXPECT_TRUE(contains(html, "EACCES")) << html;
}

}  // namespace
}  // namespace railgauge::report
