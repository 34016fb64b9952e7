#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "finding/words.hpp"
#include "results/document.hpp"

namespace railgauge::results {

/// What the lines above a table say about the run.
struct TableParameters {
  std::uint64_t min_bytes = 0;
  std::uint64_t max_bytes = 0;
  std::uint64_t step_bytes = 0;  // from one size to the next, if the factor is 1
  std::uint64_t step_factor = 1;
  std::uint64_t warmup_iterations = 0;
  std::uint64_t iterations = 0;
  std::uint64_t collectives = 1;                   // in an iteration
  std::uint64_t check_iterations = 0;              // 0: data is not checked
  std::uint64_t unaligned = 0;                     // elements
  unsigned progress_threads = 1;                   // of each rank
  std::string separation{};                        // of iterations, in words; empty: back to back
  bool interval_asked = false;                     // go on until the median is known well enough
  bool per_iteration = false;                      // four more columns for each buffer mode
  bool timestamps = false;                         // a last column
  bool chosen = false;                             // the algorithm, for each size anew
  std::map<std::string, std::string> family_of{};  // by algorithm, if it was asked for by that
};

/// A run as it is printed while it goes on, by one rank. The stream has to outlive the table.
class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  /// Everything above the first row. Reads the document's tool, collective, hosts and ranks. Says
  /// so, here and in the footer, if a rail is of a software device.
  virtual void header(const Document& document, const TableParameters& parameters) = 0;
  /// One row, and flushes it: whoever watches sees it now.
  virtual void row(const CollectiveRow& row) = 0;
  /// Lines that begin with #, below the last row.
  void remark(const std::string& lines);
  /// Everything below them. Throws std::runtime_error if the stream did not take all of the
  /// table (a full disk, say).
  virtual void footer() = 0;

 protected:
  std::ostream& out() { return out_; }
  /// For the end of footer().
  void flush();

 private:
  std::ostream& out_;
};

/// How many threads drive the rails, if that is more than one; else "".
[[nodiscard]] std::string thread_line(unsigned progress_threads);

/// Rank, host, NUMA node, device, rail, GID, cpus: a line for each rail of each rank. Lines begin
/// as nccl-tests' about GPUs do, so that what parses those reads these. Of more than kMostRanks
/// ranks a line for each rail of each host, with the ranks that it has; the document has the rest.
/// Then the rule that numbered the rails.
constexpr std::size_t kMostRanks = 32;
[[nodiscard]] std::string device_lines(const Document& document);

/// Lines, beginning with #, about what makes figures unlike those of a fabric: devices in software,
/// data that took another way. Empty if nothing does.
[[nodiscard]] std::string label_lines(const Document& document);

/// A number in at most `width` characters, right-aligned, with as many decimals up to two as fit;
/// with an exponent when not even the whole number fits.
[[nodiscard]] std::string fitted(double value, int width);

/// Numbers in order, with so many or more that follow each other as a range: "0-3,8-11".
[[nodiscard]] std::string ranges_of(const std::vector<int>& numbers, const char* separator = ",",
                                    std::size_t least = 2);

using finding::printed;

}  // namespace railgauge::results
