#pragma once

#include <string>
#include <vector>

#include "runner/isolation/earlier_tests.hpp"

namespace railgauge::runner {

/// The tests that a result of ours tells of. Throws std::runtime_error, which names the file, if it
/// is no result, or one that says nothing of the kind.
[[nodiscard]] std::vector<EarlierTest> read_evidence(const std::string& path);

/// Tests as text, and back.
[[nodiscard]] std::string packed(const std::vector<EarlierTest>& tests);
[[nodiscard]] std::vector<EarlierTest> unpacked(const std::string& text);

}  // namespace railgauge::runner
