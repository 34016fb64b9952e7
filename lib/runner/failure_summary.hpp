#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job/signals.hpp"
#include "results/document.hpp"
#include "results/port_events.hpp"

namespace railgauge::runner {

/// A line for each failure, causes before ranks that were merely stopped; the same failure of
/// several ranks of a host is told once. Of a job of more than results::kMostRanks ranks one line
/// for each host and rail, with how many more say the same there; the document has the rest.
[[nodiscard]] std::vector<std::string> failure_lines(const std::vector<results::Failure>& failures,
                                                     std::size_t ranks);

/// "rank 2 (host1): RETRY_EXC_ERR ..."
[[nodiscard]] std::string in_words(const results::Failure& failure);

/// Of a rank that says nothing itself, with the finding that its process is lost.
[[nodiscard]] results::Failure lost_rank(int rank, const std::string& host,
                                         const std::string& text);

/// Ranks that failed without a word, with what is known of each: killed, crashed or stopped, as
/// this host's kernel says of its own processes; of ranks of other hosts only that they did not
/// answer. None if `ranks` is empty, because they have not met. `ender`: whoever ended this process
/// by a signal. What a user ends may have ended before it could answer: then of other hosts nothing
/// is said. If that was MPI's launcher, a silent rank has most likely died, or possibly, if nobody
/// knows whether the launcher was told to.
[[nodiscard]] std::vector<results::Failure> lost_ranks(const std::vector<results::Rank>& ranks,
                                                       const std::string& host,
                                                       const std::vector<results::Failure>& reports,
                                                       job::Ender ender);

/// What rank 0 knows of a rank's death when it is ended itself: somewhere one has died, for sure or
/// possibly, as for lost_ranks(). None if a user ended the job.
[[nodiscard]] std::optional<finding::Finding> death_somewhere(job::Ender ender);

/// What ports counted until a run failed, a line for each, those first that counted most of what a
/// healthy fabric does not have: "host1 soft1 10.1.0.2 (rail 1) counted: loss 4,812
/// (to_retransmits), of 93,122 packets sent". Of a class of counters the one that moved most is
/// named: several tell of the same packets. No more than a terminal holds, then how many are left.
[[nodiscard]] std::vector<std::string> port_lines(const std::vector<results::PortEvents>& events);

}  // namespace railgauge::runner
