#pragma once

#include <optional>
#include <string>

#include "results/table.hpp"

namespace railgauge::results {

/// nccl-tests' table (2.19.6), whose column formats are what scripts of its users parse: size,
/// count, type, redop, root, then time, algbw, busbw and #wrong out of place and in place. The time
/// is the median of the iterations. Lines beginning with # are ours where nccl-tests speaks of
/// GPUs, in its word order.
///
/// There is no column for the algorithm nor for the setting (rails, queue pairs, chunk, traffic
/// class): rows of one of each are a block, with two lines that name them, the columns' heads, and
/// an average of its own, as if it were a run by itself. Algorithms that are chosen by size
/// (--algo auto or by-size) share a block, and are named where they change. A buffer mode that was
/// not measured is N/A.
class NcclTable final : public Table {
 public:
  using Table::Table;
  void header(const Document& document, const TableParameters& parameters) override;
  void row(const CollectiveRow& row) override;
  void footer() override;

 private:
  void change(const CollectiveRow& row);
  void begin_block(const CollectiveRow& row, const std::string& setting);
  void end_block();
  [[nodiscard]] std::string algorithm_line(const CollectiveRow& row) const;
  void measurement(const std::optional<Measurement>& measured);

  std::string program_;
  std::string labels_;
  TableParameters parameters_;
  std::string algorithm_;                 // of the last row
  std::string setting_;                   // likewise; empty before the first
  std::uint64_t wrong_measurements_ = 0;  // of the block, as are
  std::uint64_t measurements_ = 0;
  double busbw_sum_ = 0;
};

}  // namespace railgauge::results
