#include <gtest/gtest.h>

#include <random>

#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::PairRow;
using results::PairsBody;

/// All ways of every rail between so many hosts, as a run would have left them.
PairsBody ways_of(int hosts, int rails, const std::vector<std::string>& modes) {
  PairsBody body;
  std::minstd_rand random(1);
  const auto end = [](int host, int rail) {
    return results::Endpoint{"compute-node-" + std::to_string(host), rail,
                             "mlx5_" + std::to_string(rail), 1,
                             "10." + std::to_string(rail) + ".0." + std::to_string(host)};
  };
  for (const std::string& mode : modes) {
    body.summary.push_back({.mode = mode, .same_rail = true});
    for (int rail = 0; rail < rails; ++rail) {
      for (int from = 0; from < hosts; ++from) {
        for (int to = 0; to < hosts; ++to) {
          if (from == to) continue;
          PairRow row{.from = end(from, rail), .to = end(to, rail), .mode = mode};
          row.figures.gigabytes_per_second = 40 + static_cast<double>(random() % 1000) / 100;
          row.figures.time = measure::Summary{.n = 100, .p50_us = 20, .max_us = 31.25};
          body.rows.push_back(std::move(row));
        }
      }
    }
  }
  body.planned = body.rows.size();
  return body;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(PairsPart, OfNothingIsNothing) {
  EXPECT_EQ(parts_of(PairsBody{}, {}), "");
}

TEST(PairsPart, HasAMapOfEachModeAndTheWorstFirst) {
  PairsBody body = ways_of(3, 2, {"bandwidth", "write"});
  body.rows[7].verdict = results::PairVerdict::fail;
  body.rows[7].remark = "12 GB/s <slow>";
  const std::string html = parts_of(body, {});
  EXPECT_EQ(count(html, "<svg"), 2U);
  EXPECT_EQ(count(html, "12 GB/s &lt;slow&gt;"), 1U);
  EXPECT_LT(html.find("FAIL"), html.find("UNKNOWN"));
}

TEST(PairsPart, HasPathsAndAMedianForEachNumberOfSwitches) {
  PairsBody body = ways_of(3, 1, {"bandwidth"});
  body.rows[0].paths = {{49152, {"10.1.0.1", std::nullopt, "10.1.0.2"}}};
  body.summary[0].by_switches = {{.switches = 1, .measured = 2, .median_gigabytes_per_second = 44},
                                 {.switches = 3, .measured = 4, .median_gigabytes_per_second = 41}};
  const std::string html = parts_of(body, {});
  EXPECT_EQ(count(html, "10.1.0.1 &gt; ? &gt; 10.1.0.2"), 1U);
  EXPECT_EQ(count(html, "same rail over 1 switch<"), 1U);
  EXPECT_EQ(count(html, "same rail over 3 switches<"), 1U);
  body.summary[0].by_switches.pop_back();  // which is all of them
  EXPECT_EQ(count(parts_of(body, {}), "same rail over"), 0U);
}

TEST(PairsPart, OfAThousandNicsIsBelowAMegabyte) {
  constexpr std::size_t kMegabyte = 1'000'000;
  const std::string html = parts_of(ways_of(128, 8, {"bandwidth"}), {});
  EXPECT_LT(html.size(), kMegabyte / 4);  // so that four modes fit
  EXPECT_NE(html.find("paths, which are not on this page"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::report
