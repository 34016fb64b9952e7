#pragma once

#include <string_view>

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {

/// Whether a text has the title of an OSU micro-benchmark.
bool is_osu(std::string_view text);

/// Tables of the OSU micro-benchmarks. Collectives: times are the mean over ranks ("Avg Latency").
/// Their sizes of all-gather, all-to-all, gather and scatter are one rank's part, which nccl-tests
/// counts `ranks` times: throws std::invalid_argument if `stated` has no ranks then. Point to point
/// (osu_bw, osu_bibw, osu_latency): the collective is the program's name, and a MB/s is 1e6 bytes.
LogContent read_osu(std::string_view text, const Stated& stated);

}  // namespace railgauge::verdict
