#pragma once

#include <string>
#include <vector>

#include "results/isolate.hpp"

namespace railgauge::runner {

/// What a result of ours says of single ways between NICs: the tests of another search, or the
/// pairs of a reachability test, of whose paths nothing is known. Throws std::runtime_error, which
/// names the file, if it is no result, or one that says nothing of the kind.
[[nodiscard]] std::vector<results::IsolateRow> read_evidence(const std::string& path);

/// Rows as text, and back.
[[nodiscard]] std::string packed(const std::vector<results::IsolateRow>& rows);
[[nodiscard]] std::vector<results::IsolateRow> unpacked(const std::string& text);

}  // namespace railgauge::runner
