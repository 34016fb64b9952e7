#pragma once

#include <span>
#include <string>
#include <vector>

#include "workload/job.hpp"

namespace railgauge::workload {

/// A workload of several, which run at the same time: each is named by the word in `names`. Throws
/// std::invalid_argument for less than two, and for a mix.
[[nodiscard]] Workload mixed(std::vector<Workload> parts, const std::vector<std::string>& names);

/// job_of() of a mix: its parts' jobs beside each other. Names of operations, groups and streams
/// begin with that of the part: "train.gradients".
[[nodiscard]] Job mix_of(const Workload& mix, Rank ranks, const Settings& settings);

/// The same job, where each part does its step `times[part]` times, one after the other: a rank
/// begins it again when it has ended all its streams of the part. 0: the part does nothing.
[[nodiscard]] Job repeated(const Job& job, std::span<const unsigned> times);

/// How often parts whose steps take so long do them, at most `most` times, to take about as long as
/// each other.
[[nodiscard]] std::vector<unsigned> as_long(std::span<const double> step_us, unsigned most);

}  // namespace railgauge::workload
