#include "telemetry/signal.hpp"

#include <algorithm>
#include <cctype>

#include "json/members.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::telemetry {
namespace {

bool names_cnps(std::string_view counter) {
  std::string name(counter);
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return name.find("cnp") != std::string::npos;
}

Signal congestion_signal(std::string_view counter, finding::Direction direction) {
  if (direction == finding::Direction::transmit) return Signal::cnp_received;
  return names_cnps(counter) ? Signal::cnp_sent : Signal::mark;
}

}  // namespace

std::string_view word(Signal signal) {
  return json::word_of<Signal::loss>(signal, {"mark", "cnp_sent", "cnp_received", "cnp_ignored",
                                              "pause_received", "pause_sent", "loss"});
}

std::optional<Signal> signal_of(std::string_view counter) {
  const auto meaning = meaning_of(counter);
  // port_xmit_wait counts ticks, with or without PFC.
  if (!meaning || meaning->microseconds || counter == "port_xmit_wait") return std::nullopt;
  switch (meaning->counted) {
    case Counted::congestion: return congestion_signal(counter, meaning->direction);
    case Counted::ignored_cnp: return Signal::cnp_ignored;
    case Counted::pause:
      return meaning->direction == finding::Direction::transmit ? Signal::pause_received
                                                                : Signal::pause_sent;
    case Counted::loss:
      if (meaning->gap || is_of_busy_machine(*meaning)) return std::nullopt;
      return Signal::loss;
    default: return std::nullopt;
  }
}

SignalCounts signals_of(const std::map<std::string, std::int64_t>& moved) {
  SignalCounts counts{};
  for (const auto& [counter, by] : moved) {
    const auto signal = signal_of(counter);
    if (signal) counts[index_of(*signal)] = std::max(counts[index_of(*signal)], by);
  }
  return counts;
}

CountedSignals counted_signals(const Counters& counters) {
  CountedSignals counted;
  for (const auto& [counter, value] : counters) {
    if (const auto signal = signal_of(counter)) counted.set(index_of(*signal));
  }
  return counted;
}

}  // namespace railgauge::telemetry
