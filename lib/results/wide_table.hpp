#pragma once

#include <string>

#include "results/table.hpp"

namespace railgauge::results {

/// For people: a line for each buffer mode, with the distribution of its iterations, the share of
/// the rails' line rate, and remarks on what is odd about it (two groups of times, time up before
/// the interval was narrow). Who is to blame is said below, of the whole run.
class WideTable final : public Table {
 public:
  using Table::Table;
  void header(const Document& document, const TableParameters& parameters) override;
  void row(const CollectiveRow& row) override;
  void footer() override;

 private:
  void measurement(const CollectiveRow& row, const Measurement& measured, const char* place);

  std::string labels_;
  bool interval_asked_ = false;
};

}  // namespace railgauge::results
