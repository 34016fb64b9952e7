#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace railgauge::runner {

/// Ranks that failed without a word, with what is known of each: killed, crashed or stopped, as
/// this host's kernel says of its own processes; of ranks of other hosts only that they did not
/// answer. None if `ranks` is empty, because they have not met. `signalled`: this process was told
/// to end, and so may the others have been, before they could answer; then of other hosts nothing
/// is said.
[[nodiscard]] std::vector<results::Failure> lost_ranks(const std::vector<results::Rank>& ranks,
                                                       const std::string& host,
                                                       const std::vector<results::Failure>& reports,
                                                       bool signalled);

}  // namespace railgauge::runner
