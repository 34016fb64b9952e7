#include "results/pairs.hpp"

namespace railgauge::results {

std::string_view word(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::unknown: return "UNKNOWN";
    case PairVerdict::pass: return "PASS";
    case PairVerdict::fail: return "FAIL";
  }
  return "";
}

}  // namespace railgauge::results
