#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

/// Between which bounds a quotient of two printed numbers lies.
struct Bounds {
  double low = 0;
  double high = 0;
};

/// A row of nccl-tests' table.
struct NcclRow {
  std::vector<Point> points{};            // what was measured, and was right
  std::vector<std::string> complaints{};  // what of the row was left out, and why
  std::vector<Bounds> bus_factors{};      // [point] busbw over algbw
  std::uint64_t ranks_parts = 0;          // size over the bytes of count elements; 0: no elements
  std::size_t words = 0;                  // of size and all that follows
  bool has_op = false;
  bool wrong_data = false;  // elements were wrong, or a figure is_impossible()
};

/// Reads a line of a table. Empty if it is no row and does not look like one.
///
/// Rows of all versions: size, count, type, redop (since 2.0 everywhere), root (not before 2.12),
/// then time, algbw, busbw and #wrong out of place and in place, after each #wrong one column more
/// where bits of repetitions are compared (#bitdiff), four more with -I, and a time stamp with -S.
/// #wrong was an error's magnitude (2e-07) before 2.12. One buffer mode only (rccl-tests) is
/// unstated.
///
/// A row is believed with all its words only: none more and none less, each in the form that its
/// column is printed in (times have decimals until they have no room for them, a root and #wrong
/// have none), size a multiple of count elements, every time above zero and algbw size over time in
/// both placements, and both with the same busbw over algbw. A line that two processes wrote into
/// does not pass, nor one that lost a word.
std::optional<NcclRow> nccl_row(std::string_view line);

/// Whether rows agree with those before them, which they do in one table: the same columns, the
/// same busbw over algbw and the same share of a rank in size.
class NcclRowsAgree {
 public:
  /// Empty if the row agrees; else why not, and it counts for nothing.
  std::string check(const NcclRow& row);

 private:
  std::optional<Bounds> bus_factor_;
  std::optional<NcclRow> before_;
};

}  // namespace railgauge::verdict
