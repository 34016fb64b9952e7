#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// A row of nccl-tests' table.
struct NcclRow {
  std::vector<Point> points{};            // what was measured, and was right
  std::vector<std::string> complaints{};  // what of the row was left out, and why
};

/// Reads a line of a table. Empty if it is no row and does not look like one.
///
/// Rows of all versions: size, count, type, redop (since 2.0 everywhere), root (not before 2.12),
/// then time, algbw, busbw and #wrong out of place and in place, after each #wrong one column more
/// where bits of repetitions are compared (#bitdiff), four more with -I, and a time stamp with -S.
/// #wrong was an error's magnitude (2e-07) before 2.12. One buffer mode only (rccl-tests) is
/// unstated.
///
/// A row is believed if size is a multiple of count elements, and if algbw is size over time: a
/// line that two processes wrote into does not pass.
std::optional<NcclRow> nccl_row(std::string_view line);

}  // namespace railgauge::verdict
