#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "telemetry/counters.hpp"

namespace railgauge::telemetry {

/// What a port tells of congestion: meaning_of(), with marks and CNPs apart.
enum class Signal : std::uint8_t {
  mark,            ///< packets that arrived with a CE mark
  cnp_sent,        ///< congestion notification packets, for marks that arrived
  cnp_received,    ///< those that told this port to slow down
  cnp_ignored,     ///< of them, those that did not slow it
  pause_received,  ///< pause frames that told this port to stop
  pause_sent,      ///< those that this port sent: its host is slower than its link
  loss,            ///< packets that were dropped, or asked for again
};
inline constexpr std::size_t kSignals = 7;

/// "mark", "cnp_sent": as it is called above.
[[nodiscard]] std::string_view word(Signal signal);

/// Empty of a counter that is none: other meanings; durations; gaps, which overtaking packets make,
/// too; time-outs, which a busy host makes, too.
[[nodiscard]] std::optional<Signal> signal_of(std::string_view counter);

/// How often each was counted.
using SignalCounts = std::array<std::int64_t, kSignals>;
/// Which of them a port counts at all.
using CountedSignals = std::bitset<kSignals>;

[[nodiscard]] constexpr std::size_t index_of(Signal signal) {
  return static_cast<std::size_t>(signal);
}

/// By what counters moved by. Counters may tell the same frames: the highest counts.
[[nodiscard]] SignalCounts signals_of(const std::map<std::string, std::int64_t>& moved);

[[nodiscard]] CountedSignals counted_signals(const Counters& counters);

}  // namespace railgauge::telemetry
