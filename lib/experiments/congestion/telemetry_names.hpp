#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::runner {

/// What a value of a switch's telemetry says.
enum class TelemetryMeaning : std::uint8_t {
  packets_sent,
  packets_received,
  marks,            ///< CE marks that the port set
  pauses_received,  ///< PFC frames, by priority
  pauses_sent,      ///< likewise
  drops_sending,    ///< of packets that the port was to send
  drops_receiving,  ///< of packets that came in at the port
  neighbour,        ///< the name of the system at the port's other end (LLDP)
  own_name,         ///< the name of the switch
};
/// "packets sent", "ECN marks", ... in messages.
[[nodiscard]] std::string_view word(TelemetryMeaning meaning);

/// A value that was recognized by its name.
struct TelemetryValue {
  TelemetryMeaning meaning{};
  std::string port{};         ///< empty: it is of the switch
  std::string queue{};        ///< or priority, by the switch's word; empty: it is of the port
  int priority = -1;          ///< of `queue`; congestion::kEveryPriority: not known
  std::string_view reason{};  ///< of drops, in the words of railgauge/fabric-counters/1
  int rank = 0;               ///< of names of the same meaning the lowest counts
};

using TelemetryTags = std::map<std::string, std::string>;

/// By the value's name in gnmic's event format: a path without its keys, which are tags. Nothing:
/// the value has no meaning here.
[[nodiscard]] std::optional<TelemetryValue> telemetry_value(std::string_view name,
                                                            const TelemetryTags& tags);

}  // namespace railgauge::runner
