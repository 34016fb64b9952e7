#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "congestion/observation.hpp"
#include "experiments/congestion/switch_telemetry.hpp"

namespace railgauge::runner {

/// A file to which a collector appends what switches count.
class TelemetryFile {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step, by this host's clock. Of `origin` times on the line are seconds since.
  struct Span {
    Clock::time_point origin{};
    Clock::time_point begin{};
    Clock::time_point end{};
  };
  struct OfStep {
    std::vector<congestion::LinkSeries> links{};
    std::vector<std::string> notes{};  ///< sentences
  };

  /// Throws std::runtime_error, which names the file and the line, if it cannot be read, if it has
  /// something else, or no known counter.
  explicit TelemetryFile(std::string path);

  /// Waits until every switch has counted after the step: three of its intervals, or `limit`.
  /// Throws as the constructor does.
  [[nodiscard]] OfStep of_step(const Span& span, const std::vector<std::string>& hosts,
                               std::chrono::milliseconds limit);

 private:
  void read_more();
  void wait(const TelemetryWindow& window, std::chrono::milliseconds limit);
  [[nodiscard]] std::chrono::milliseconds patience() const;

  std::string path_;
  std::uint64_t read_bytes_ = 0;
  SwitchTelemetry telemetry_;
};

/// Whether this is a file rather than a control socket.
[[nodiscard]] bool is_telemetry_file(const std::string& path);

}  // namespace railgauge::runner
