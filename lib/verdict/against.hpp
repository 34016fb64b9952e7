#pragma once

#include <string>

#include "verdict/policy.hpp"
#include "verdict/prediction.hpp"
#include "verdict/reference.hpp"
#include "verdict/row.hpp"
#include "verdict/run_set.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

// What a run set is held to: each question has an answer of its own, in rows. Where terms say
// which sizes count, plateau and latency are those of these sizes, and others are notes. What is
// not known of a side leaves a comparison open, or limits it: matching.hpp.

/// Compares every curve of a run_set with the published run of its collective whose number of
/// hosts is nearest, in its buffer mode and, if there is one, its type. One-sided: faster than the
/// reference always passes.
///
/// A size at which the reference has at least half of its plateau is judged by bandwidth, as a
/// share of line rate (Terms::absolute: in GB/s); a smaller one by time, and only with as many
/// ranks on as many hosts, since time grows with them. The plateau is judged for itself, and so is
/// the latency: the median ratio of times at the small sizes that both have. The first size alone
/// does not fail. Runs whose bandwidths are not those of their NICs, ours or theirs, are refused
/// with the reason, and a pass that is in doubt is none (line_rate.hpp).
Rows against_reference(const RunSet& run_set, const Reference& reference, const Terms& terms);

/// Compares a run_set with an earlier one of the same ranks, hosts, NICs and line rate, size by
/// size: the same collective, sweep point, type, op, algorithm and buffer mode. A baseline that is
/// no result of ours has no sweep point, and is compared with all. One-sided. A plateau is open
/// where the baseline has at least twice that bandwidth at sizes of which ours are too small, and
/// there is none of small sizes alone.
///
/// A size fails if it is slower by more than the tolerance, and the intervals of the two medians
/// allow no doubt of it: ours ends above theirs plus the tolerance and the noise (curve.hpp). Time
/// for which ranks waited longer for processors is taken out; ranks that got less than a tenth of
/// what they wanted, in either run, leave a size open. One size alone that is slow has to be so by
/// more. Without intervals only the ratio is compared, and the row says so. Plateau and
/// latency fail if they are worse by more than the tolerance, and a size in them fails by itself:
/// noise does not fail a healthy fabric. Latency is the median ratio of times at small sizes; the
/// first size alone does not fail.
Rows against_baseline(const RunSet& run_set, const RunSet& baseline, const Terms& terms);

/// Compares hosts with an earlier examination of them, check by check and host by host. What has
/// become FAIL fails; what has become UNKNOWN, and a host that was not examined again, is open.
/// What has become WARN, what is repaired and hosts that are new are notes.
Rows against_examination(const doctor::Document& ours, const doctor::Document& theirs,
                         const std::string& criterion);

/// Asks of every curve every rule that is about it; a run that no rule is about has no answer, nor
/// has a rule whose figures the result lacks. A rule that names no sizes asks of those that the
/// policy counts. Then every counter that has to stay, of every port.
Rows against_policy(const RunSet& run_set, const Policy& policy);

/// Compares every size and algorithm of a run_set with its prediction. A time within the band and
/// the tolerance passes; one above them fails. One below the band has no answer: that prediction
/// describes another fabric. Nor has a row without a prediction, a predicted size of a measured
/// algorithm that was not measured, or a run of other ranks, hosts or queue pairs.
Rows against_prediction(const RunSet& run_set, const Prediction& prediction, const Terms& terms);

/// Of a limit above 0, what is no more than this proves nothing: a machine that stalls for a moment
/// loses a few packets, which of a short run are many in a million.
constexpr std::int64_t kFewEvents = 10;

/// Holds what every port counted to a policy's limits, by what counters mean
/// (telemetry/meaning.hpp), as a share of the packets that they tell about: those that the port
/// sent, received, or, if it cannot be told which, sent. Several counters of a class tell of the
/// same packets, so the one that moved most is judged. Of software devices time-outs and
/// repetitions are not asked about, as a busy machine has them, too. A row for every port and
/// class that is over its limit; one that has no answer, where a limit above 0 is asked of a port
/// that does not count packets; else one for all ports, which has no answer if none has such
/// counters.
[[nodiscard]] Rows against_counter_limits(const RunSet& run_set, const Policy& policy);

}  // namespace railgauge::verdict
