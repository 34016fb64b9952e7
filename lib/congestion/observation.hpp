#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/location.hpp"
#include "telemetry/signal.hpp"

// lib/congestion holds what counters over time, and the times of messages, say about ECN, PFC and
// shares: a verdict and findings. It must not know devices, ranks, MPI or documents.

namespace railgauge::congestion {

using telemetry::Signal;

/// Who counted a value. Values of different observers are never added up.
enum class Observer : std::uint8_t {
  nic,             ///< a port of a host of this run
  network_switch,  ///< a port of a switch
  derived,         ///< computed from values of the others
};
/// "NIC", "switch", "derived".
[[nodiscard]] std::string_view word(Observer observer);

/// What a port counted between two moments. All times are seconds on one time line, rank 0's.
struct Sample {
  double begin_s = 0;
  double end_s = 0;
  telemetry::SignalCounts counts{};
  std::int64_t packets_sent = 0;
  std::int64_t packets_received = 0;
};

/// A port of a host, while a step went on.
struct PortSeries {
  finding::Endpoint port{};
  telemetry::CountedSignals counted{};  ///< the signals that it counts at all
  std::vector<Sample> samples{};        ///< in order
};

/// One direction of a link, as switches at its ends count it, of one priority.
struct LinkSeries {
  struct Sample {
    double begin_s = 0;
    double end_s = 0;
    std::int64_t packets = 0;          ///< that its sending end sent
    std::int64_t marks = 0;            ///< CE marks that its sending end set
    std::int64_t pauses_received = 0;  ///< by its sending end
    std::int64_t pauses_sent = 0;      ///< by its receiving end, towards its sending end
    std::int64_t drops = 0;            ///< at either end
  };
  std::string from{};  ///< nodes: hosts and switches
  std::string to{};
  int priority = 0;
  bool from_host = false;
  bool to_host = false;
  std::map<std::string, std::int64_t> drops{};  ///< by the switch's word for the reason
  std::vector<Sample> samples{};
};

/// One NIC's sending to another, while a step went on.
struct Flow {
  finding::Endpoint from{};
  finding::Endpoint to{};
  bool victim = false;           ///< it does not go to the receiver of the incast
  double offered_gbps = 0;       ///< GB/s of payload that it was to send
  double gbps = 0;               ///< GB/s that were acknowledged
  double longest_message_s = 0;  ///< from when it was due to its acknowledgement
  double cpu_share = 1;          ///< of software devices: the lower of both ends
  std::string reason{};          ///< why it did not come to its end; empty: it did
};

/// One load, for some seconds.
struct Step {
  std::string name{};
  double load = 0;        ///< offered to the receiver, in parts of its line rate
  bool software = false;  ///< processors play the NICs
  std::vector<Flow> flows{};
  std::vector<PortSeries> ports{};
  std::vector<LinkSeries> links{};  ///< empty: no switch was asked
  /// Why it says nothing about the fabric, a sentence; empty: it does.
  std::string void_because{};
};

/// Whether the receiver is offered more than its link carries.
[[nodiscard]] constexpr bool is_congested(const Step& step) {
  return step.load > 1;
}

/// What all samples of these counted.
[[nodiscard]] std::int64_t total(const PortSeries& port, Signal signal);
[[nodiscard]] bool counts(const PortSeries& port, Signal signal);
/// That port's series; null: there is none.
[[nodiscard]] const PortSeries* port_of(const Step& step, const finding::Endpoint& port);

}  // namespace railgauge::congestion
