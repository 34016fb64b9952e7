#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/soak/soak_display.hpp"
#include "experiments/soak/soak_metrics.hpp"
#include "results/document.hpp"
#include "results/writer.hpp"
#include "soak/packet_balance.hpp"
#include "soak/record.hpp"
#include "soak/soak_summary.hpp"

namespace railgauge::runner {

/// What rank 0 does in addition to its share of the load: record, summary, terminal, metrics.
class SoakLeader {
 public:
  /// Begins a record. `display` and `metrics` may be null; else they have to outlive this.
  SoakLeader(const soak::Header& header, const std::string& path,
             results::Writer::Existing existing, SoakDisplay* display, RunExporter* metrics);
  /// Goes on with the record at `path`, with a gap. `recorded` is its header, `now` this run's,
  /// `counters` are all ports' at its start (`before`). Throws job::RunFailure (usage) if it is
  /// another fabric, or another soak, or one that is over; what else cannot be read or written is
  /// an exception too.
  SoakLeader(const soak::Header& recorded, soak::Header now, const std::string& path,
             const std::vector<results::PortCounters>& counters, SoakDisplay* display,
             RunExporter* metrics);

  /// The header of the record, which may be older than this run.
  [[nodiscard]] const soak::Header& header() const { return header_; }
  /// Whether the whole duration is over.
  [[nodiscard]] bool is_over() const { return summary_.measured_s() >= duration_s_; }
  /// Whether to go on nevertheless for a few windows: packets are missing, and may be late or lost.
  [[nodiscard]] bool awaits_packets() const {
    return summary_.misses_packets() &&
           summary_.measured_s() < duration_s_ + soak::PacketBalance::kMore * header_.window_s;
  }

  /// A window is over. Its number is filled in. `ports` are the counters that it ended with.
  void take(soak::Window window, std::vector<results::PortCounters> ports);
  /// The document's part.
  void fill(results::SoakBody& body) const;

  [[nodiscard]] finding::Report report() const { return summary_.report(); }
  /// Nothing follows: whether that is because it is over, or why not. The first call counts.
  void end(const results::Document& document);

 private:
  void add_gap(const std::vector<results::PortCounters>& counters, const soak::End& last,
               const soak::Header& now);
  void add(const std::vector<finding::Finding>& findings);
  void show(const soak::Line& line);
  void publish();
  void tell_if_stopped();
  [[nodiscard]] soak::State state(std::vector<results::PortCounters> ports) const;

  std::string path_;
  soak::Header header_;
  double duration_s_;
  SoakDisplay* display_;
  std::optional<SoakMetrics> metrics_;
  soak::RecordWriter record_;
  soak::SoakSummary summary_;
  std::vector<results::PortCounters> ports_{};
  bool told_ = false;   // that samples have stopped
  bool ended_ = false;  // the record has its end
};

}  // namespace railgauge::runner
