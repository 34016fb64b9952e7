#pragma once

#include <vector>

#include "runner/isolation/earlier_tests.hpp"

namespace railgauge::runner {

/// The attempts of a test of pairs (earlier_tests.hpp).
[[nodiscard]] std::vector<EarlierTest> tests_of_pairs(const results::PairsBody& body,
                                                      const results::Document& document);

}  // namespace railgauge::runner
