#pragma once

#include <string>

#include "metrics/registry.hpp"
#include "results/body.hpp"

namespace railgauge::runner {

/// What rows of a result are as metrics: bandwidths of the last row of each size and setting, and
/// all iterations in histograms.
class RowMetrics {
 public:
  explicit RowMetrics(metrics::Registry& registry);

  /// The body's last row.
  void add_last(const results::Body& body);

 private:
  void add(const results::Body& body, const results::CollectiveRow& row);
  void add(const results::Body& body, const results::PairRow& row);
  /// Rows of other kinds are counted, and no more. Windows of a soak are in soak_metrics.hpp.
  template <class Row>
  void add(const results::Body& /*body*/, const Row& /*row*/) {}
  void add(const metrics::Labels& labels, const results::Measurement& measurement);
  void add_rails(const metrics::Labels& labels, const results::Measurement& measurement);
  void judge_data(double verified, double wrong);

  metrics::Registry& registry_;
  bool any_wrong_ = false;
  bool any_verified_ = false;
};

}  // namespace railgauge::runner
