#pragma once

#include <vector>

#include "runner/isolation/earlier_tests.hpp"

namespace railgauge::runner {

/// What was seen between ports in a sweep of a collective (earlier_tests.hpp). Rows in which ranks
/// were served in turn (diagnosis::serves_in_turn) say nothing of paths and are left out. Throws
/// std::runtime_error if no chunk was timed in others.
[[nodiscard]] std::vector<EarlierTest> tests_of_collective(const results::CollectiveBody& body,
                                                           const results::Document& document);

}  // namespace railgauge::runner
