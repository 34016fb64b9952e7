#pragma once

#include <optional>
#include <string>

#include "results/table.hpp"

namespace railgauge::results {

/// nccl-tests' table (2.19.6), whose column formats are what scripts of its users parse: size,
/// count, type, redop, root, then time, algbw, busbw and #wrong out of place and in place. The time
/// is the median of the iterations. Lines beginning with # are ours where nccl-tests speaks of
/// GPUs, in its word order; among them one whenever rows to come have another algorithm, or another
/// setting, than those before, for which there is no column. A buffer mode that was not measured is
/// N/A.
class NcclTable final : public Table {
 public:
  using Table::Table;
  void header(const Document& document, const TableParameters& parameters) override;
  void row(const CollectiveRow& row) override;
  void footer() override;

 private:
  void change(const CollectiveRow& row);
  void measurement(const std::optional<Measurement>& measured);

  std::string program_;
  std::string labels_;
  std::string algorithm_;  // of the last row
  std::string setting_;    // likewise
  bool per_iteration_ = false;
  bool timestamps_ = false;
  std::uint64_t wrong_measurements_ = 0;
  std::uint64_t measurements_ = 0;
  double busbw_sum_ = 0;
};

}  // namespace railgauge::results
