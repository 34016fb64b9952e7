#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "metrics/registry.hpp"
#include "results/document.hpp"
#include "runner/metrics/port_metrics.hpp"

namespace railgauge::runner {

/// What a run finds as metrics, as it finds it; of rank 0, for the whole job: the run and how it
/// ended, its findings and failures; its rows: bandwidths of the last row of each size and setting,
/// and all iterations in histograms. Ports have a part of their own. Nothing is forgotten in
/// between but what Registry says: counters go on growing when rows leave the document.
/// launchers/metrics/README.md lists them for users.
class RunMetrics {
 public:
  RunMetrics();
  RunMetrics(const RunMetrics&) = delete;
  RunMetrics& operator=(const RunMetrics&) = delete;
  ~RunMetrics() = default;

  /// Before the first row: ranks, rails and counters are known.
  void begin(const results::Document& document);
  /// The document's last row.
  void row(const results::Document& document);
  /// The document has ended.
  void end(const results::Document& document);

  /// Where an experiment that knows more than rows, such as a soak, adds series of its own.
  [[nodiscard]] metrics::Registry& registry() { return registry_; }
  [[nodiscard]] PortMetrics& ports() { return ports_; }

  /// railgauge_verdict: of a check, the verdict that holds is 1 and the others are 0, so that no
  /// number stands for a word. UNKNOWN is one of them: what was not looked at has not passed.
  /// `verdict`: PASS, FAIL or UNKNOWN; INCONCLUSIVE counts as UNKNOWN.
  void set_verdict(const std::string& check, std::string_view verdict);
  /// That of the data, by what was verified since the last call.
  void judge_data(bool verified, bool wrong);
  /// When a row or a window was last measured.
  void set_last_sample(std::chrono::system_clock::time_point time);

  [[nodiscard]] metrics::Snapshot snapshot() const;

 private:
  void set_status(const results::Document& document);
  void add_findings(const results::Document& document);
  void add_failures(const results::Document& document);
  void add(const results::Body& body, const results::CollectiveRow& row);
  void add(const results::Body& body, const results::PairRow& row);
  /// Rows of other kinds are counted, and no more. Windows of a soak are in soak_metrics.hpp.
  template <class Row>
  void add(const results::Body& /*body*/, const Row& /*row*/) {}
  void add(const metrics::Labels& labels, const results::Measurement& measurement);
  void add_rails(const metrics::Labels& labels, const results::Measurement& measurement);
  void count_data(double verified, double wrong);

  metrics::Registry registry_;
  PortMetrics ports_;
  bool any_wrong_ = false;
  bool any_verified_ = false;
};

}  // namespace railgauge::runner
