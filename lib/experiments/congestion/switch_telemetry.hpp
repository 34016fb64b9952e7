#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "congestion/observation.hpp"
#include "experiments/congestion/telemetry_names.hpp"

namespace railgauge::runner {

/// A time of a step by the clock of switches, nanoseconds since 1970, and how it becomes seconds on
/// rank 0's line.
struct TelemetryWindow {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  double begin_s = 0;  ///< of `begin_ns`, on the line

  [[nodiscard]] double on_line(std::int64_t ns) const;
};

/// What switches count, as a collector writes it: events of `gnmic --format event`, one after the
/// other or in arrays.
class SwitchTelemetry {
 public:
  /// What a collector appended. An event that is not whole yet is kept for the next call. Throws
  /// std::runtime_error, which names the line, for what is no event.
  void read(std::string_view appended);
  /// What it has kept is the end of another text.
  void begin_again();

  /// Whether any counter was recognized.
  [[nodiscard]] bool counts() const { return !counters_.empty(); }
  /// The line that is read next.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Between two readings of a counter, of the one that is read least often; 0: each was read once.
  [[nodiscard]] std::int64_t interval_ns() const;
  /// Whether all counters were read after the window, but of switches whose clock is another.
  [[nodiscard]] bool is_complete(const TelemetryWindow& window, std::int64_t now_ns) const;
  /// Sentences on switches whose clock is another, and on what they did not deliver in time.
  [[nodiscard]] std::vector<std::string> notes(const TelemetryWindow& window,
                                               std::int64_t now_ns) const;

  /// Of ports that counted anything between two readings that overlap the window. Switches whose
  /// clock is another are left out. `hosts`: their names; switches may know them by longer ones.
  [[nodiscard]] std::vector<congestion::LinkSeries> series(const TelemetryWindow& window,
                                                           const std::vector<std::string>& hosts,
                                                           std::int64_t now_ns) const;
  /// Readings that no window from then on overlaps.
  void forget_before(std::int64_t moment_ns);

 private:
  struct Counter {
    std::string source{};
    std::string port{};
    std::string queue{};
    TelemetryMeaning meaning{};
    std::string reason{};
    int rank = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
    friend auto operator<=>(const Counter&, const Counter&) = default;
  };
  struct Reading {
    std::int64_t ns = 0;
    std::uint64_t value = 0;
  };
  struct Readings {
    int priority = congestion::kEveryPriority;
    std::vector<Reading> all{};  // in order
  };
  using Counters = std::map<Counter, Readings>;
  using Port = std::pair<std::string, std::string>;  // source, port
  /// One direction of a port's link, true: from the port, of one priority.
  using Line = std::tuple<Port, bool, int>;
  struct OtherEnd {
    std::string name{};
    bool is_host = false;
    bool is_switch = false;  ///< one of which there are counters
  };

  void take(std::string_view text);
  void take(const std::string& source, std::int64_t ns, const TelemetryValue& known,
            const nlohmann::json& value);
  [[noreturn]] void refuse(const std::string& found) const;
  [[nodiscard]] std::map<std::string, std::int64_t> newest() const;
  [[nodiscard]] std::set<std::string> with_clock(std::int64_t begin_ns, std::int64_t now_ns) const;
  [[nodiscard]] std::vector<std::string> missing_notes(const TelemetryWindow& window,
                                                       std::int64_t now_ns) const;
  [[nodiscard]] std::string name_of(const std::string& source) const;
  [[nodiscard]] bool is_switch(const std::string& name) const;
  [[nodiscard]] OtherEnd other_end(const Port& port, const std::vector<std::string>& hosts) const;
  [[nodiscard]] Counters chosen() const;
  [[nodiscard]] std::set<std::string> have_marked() const;
  [[nodiscard]] static bool is_of_use(const Counter& counter, const OtherEnd& end);
  [[nodiscard]] congestion::LinkSeries series_of(const Line& line, const OtherEnd& end) const;
  static bool add_samples(congestion::LinkSeries& series, const Counter& counter,
                          const Readings& readings, const TelemetryWindow& window);
  static std::vector<congestion::LinkSeries> of_busy_ports(
      std::map<Line, congestion::LinkSeries>& lines);

  std::string pending_;
  std::size_t line_ = 1;  // of what is pending
  Counters counters_;
  std::set<std::string> sources_;
  std::map<Port, std::set<std::string>> neighbours_;
  std::map<std::string, std::string> own_names_;  // by source
};

}  // namespace railgauge::runner
