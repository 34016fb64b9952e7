#pragma once

#include <string>

#include "workload/job.hpp"

namespace railgauge::workload {

/// Parameters; bytes of each group; operations of each class of ranks, as of its first rank.
[[nodiscard]] std::string as_table(const Workload& workload, const Job& job);

/// A time line of the step, a lane for each stream of the first rank of each class: what it would
/// be if every operation took as long as its bytes at that rate of a rank. What is narrower than a
/// pixel may be left out.
[[nodiscard]] std::string as_svg(const Workload& workload, const Job& job, double bytes_per_us);

}  // namespace railgauge::workload
