#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "workload/job.hpp"

namespace railgauge::workload {

/// Bytes of the operations of a step, summed over ranks: by group, and of transfers by operation.
[[nodiscard]] std::map<std::string, std::uint64_t> bytes_by_name(const Job& job);

/// Throws std::invalid_argument, with field and line, for the first thing that is wrong with a job:
/// - a rank of a group that does an operation more or less often than the others, or a send without
///   its receive;
/// - a deadlock: ranks that wait for each other in a circle, which is told;
/// - a group whose bytes are not those of its closed form.
///
/// The order. Every stream does its operations one after the other and chooses nothing; a task
/// begins when all its members have come to it, even a send. So a step is a marked graph: whichever
/// stream goes first, the same operations are possible in the end (Commoner, Holt, Even and Pnueli,
/// "Marked directed graphs", J. Computer and System Sciences 5, 1971). One order therefore stands
/// for all; and what buffers more than that can only be further ahead.
void check(const Workload& workload, const Job& job);

}  // namespace railgauge::workload
