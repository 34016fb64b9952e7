#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "results/document.hpp"

namespace railgauge::results {

/// What nccl-tests' third header line says about the run.
struct TableParameters {
  std::uint64_t min_bytes = 0;
  std::uint64_t max_bytes = 0;
  std::uint64_t step_factor = 2;
  int warmup_iterations = 0;
  int iterations = 0;
  int check_iterations = 0;  // 0: data is not checked
};

/// nccl-tests' table (2.19.6), whose column formats are what scripts of its users parse: size,
/// count, type, redop, root, then time, algbw, busbw and #wrong out of place and in place. The time
/// is the median of the iterations. Lines beginning with # are ours where nccl-tests speaks of
/// GPUs, in its word order. One rank writes it; the stream has to outlive the table.
class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) {}

  /// Everything above the first row. Reads the document's tool, collective and ranks. Says so, here
  /// and in the footer, if a rail is of a software device.
  void header(const Document& document, const TableParameters& parameters);

  /// A line that names the algorithm of the rows to come, if it is another than before: rows have
  /// no column for it.
  void algorithm(const std::string& name);

  /// One row, and flushes it: whoever watches sees it now. A placement that was not measured is
  /// N/A.
  void row(const Row& row);

  /// Everything below the last row. Throws std::runtime_error if the stream did not take all of the
  /// table (a full disk, say).
  void footer();

 private:
  void placement(const std::optional<Placement>& measured);

  std::ostream& out_;
  std::string program_;
  std::string label_;      // a line about software devices; empty without any
  std::string algorithm_;  // of the last row
  std::uint64_t wrong_placements_ = 0;
  std::uint64_t placements_ = 0;
  double busbw_sum_ = 0;
};

/// A number in at most `width` characters, right-aligned, with as many decimals up to two as fit;
/// with an exponent when not even the whole number fits.
std::string fitted(double value, int width);

}  // namespace railgauge::results
