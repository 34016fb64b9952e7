#include "schedule/direct.hpp"

#include "algorithm_checks.hpp"

namespace railgauge::schedule {
namespace {

TEST(Direct, CostsWhatItsHeaderSays) {
  for (Rank ranks = 1; ranks <= 34; ++ranks) {
    expect_cost(direct_gather(ranks, ranks / 2));
    expect_cost(direct_scatter(ranks, ranks / 2));
  }
}

}  // namespace
}  // namespace railgauge::schedule
