#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/writer.hpp"
#include "runner/metrics/run_exporter.hpp"
#include "runner/soak/soak_display.hpp"
#include "soak/packet_balance.hpp"
#include "soak/record.hpp"
#include "soak/standing.hpp"

namespace railgauge::runner {

/// What rank 0 has besides its share of the load: the record, what it came to so far, the terminal
/// and metrics.
class SoakLeader {
 public:
  /// Begins a record. `display` and `metrics` may be null; else they have to outlive this.
  SoakLeader(const soak::Header& header, const std::string& path,
             results::Writer::Existing existing, SoakDisplay* display, RunExporter* metrics);
  /// Goes on with the record at `path`, with a gap. `now` is this run's header, `counters` are all
  /// ports' at its start (`before`). Throws job::RunFailure (usage) if it is another fabric, or
  /// another soak, or one that is over; what else cannot be read or written is an exception too.
  SoakLeader(soak::Header now, const std::string& path,
             const std::vector<results::PortCounters>& counters, SoakDisplay* display,
             RunExporter* metrics);

  /// The header of the record, which may be older than this run.
  [[nodiscard]] const soak::Header& header() const { return header_; }
  /// Whether the whole duration is over.
  [[nodiscard]] bool is_over() const { return standing_.measured_s() >= duration_s_; }
  /// Whether to go on nevertheless for a few windows: packets are missing, and may be late or lost.
  [[nodiscard]] bool awaits_packets() const {
    return standing_.misses_packets() &&
           standing_.measured_s() < duration_s_ + soak::PacketBalance::kMore * header_.window_s;
  }

  /// A window is over. Its number is filled in. `ports` are the counters that it ended with.
  void take(soak::Window window, std::vector<soak::PortState> ports);
  /// The document's part.
  void fill(results::SoakBody& body) const;

  [[nodiscard]] soak::Judgement judgement() const { return standing_.judgement(); }
  /// Nothing follows: whether that is because it is over, or why not. The first call counts.
  void end(const results::Document& document);

 private:
  void add_gap(const std::vector<results::PortCounters>& counters, const soak::End& last,
               const soak::Header& now);
  void add(const std::vector<soak::Event>& events);
  void show(const soak::Line& line);
  void publish();
  void tell_if_stopped();
  [[nodiscard]] soak::State state(std::vector<soak::PortState> ports) const;

  std::string path_;
  soak::Header header_;
  double duration_s_;
  SoakDisplay* display_;
  RunExporter* metrics_;
  soak::RecordWriter record_;
  soak::Standing standing_;
  std::vector<soak::PortState> ports_{};
  bool told_ = false;   // that samples have stopped
  bool ended_ = false;  // the record has its end
};

}  // namespace railgauge::runner
