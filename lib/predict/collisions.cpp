#include "predict/collisions.hpp"

#include <cmath>

namespace railgauge::predict {

double expected_most(double flows, double links, double independent) {
  if (flows < 1) return 0;
  if (links <= 1) return flows;
  const double odds = 1 / (links - 1);  // p / (1 - p)
  double log_exactly = flows * std::log1p(-1 / links);
  double more = -std::expm1(log_exactly);  // P(Bin > 0)
  double expected = 0;
  for (double k = 0; k < flows; ++k) {
    const double any = more < 1 ? -std::expm1(independent * std::log1p(-more)) : 1;
    expected += any;
    if (any < 1e-12) break;
    log_exactly += std::log((flows - k) / (k + 1) * odds);
    more -= std::exp(log_exactly);
    if (more <= 0) break;
  }
  return expected;
}

}  // namespace railgauge::predict
