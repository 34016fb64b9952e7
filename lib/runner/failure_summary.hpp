#pragma once

#include <string>
#include <vector>

#include "results/document.hpp"

namespace railgauge::runner {

/// What the failures of a job have in common, in a sentence or a few: the port, or the links, on
/// which transport failed, read from who says so about whom. Both ends of a link that is dead, and
/// all its queue pairs, are one sentence. Empty if no failure names a link.
[[nodiscard]] std::vector<std::string> causes_of(const std::vector<results::Failure>& failures);

/// A line for each failure, causes before ranks that were merely stopped; the same failure of
/// several ranks of a host is told once. Of a job of more than results::kMostRanks ranks one line
/// for each host and rail, with how many more say the same there; the document has the rest.
[[nodiscard]] std::vector<std::string> failure_lines(const std::vector<results::Failure>& failures,
                                                     std::size_t ranks);

/// "rank 2 (host1): RETRY_EXC_ERR ..."
[[nodiscard]] std::string in_words(const results::Failure& failure);

}  // namespace railgauge::runner
