#pragma once

#include <string>

#include "workload/job.hpp"

namespace railgauge::workload {

/// Parameters; bytes of each group; operations of each class of ranks, as of its first rank.
[[nodiscard]] std::string as_table(const Workload& workload, const Job& job);

}  // namespace railgauge::workload
