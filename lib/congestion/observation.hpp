#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "congestion/scenario.hpp"
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
  /// Bytes of each priority, or packets where a driver counts those; empty: it counts neither.
  std::vector<std::int64_t> sent_by_priority{};
  std::vector<std::int64_t> received_by_priority{};
};

/// A port's counter that does not tell priorities apart.
constexpr int kEveryPriority = -1;

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
  bool counts_marks = true;  ///< false: without marks it may have marked packets
  /// Whether its sending end has ever counted a mark at any port; false: its counter may be off.
  bool has_marked = true;
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
  bool late = false;             ///< it begins after others
  bool other_class = false;      ///< it has another traffic class than the rest
  double longest_message_s = 0;  ///< from when it was due to its acknowledgement
  double median_message_s = 0;   ///< likewise
  /// Of each queue pair: the switches that it passes, in order; empty: not known.
  std::vector<std::vector<std::string>> paths{};
  std::vector<std::vector<std::string>> back_paths{};  ///< likewise, of its acknowledgements
  double cpu_share = 1;  ///< of software devices: the lower of both ends
  std::string reason{};  ///< why it did not come to its end; empty: it did
};

/// One load, for some seconds.
struct Step {
  std::string name{};
  Scenario scenario = Scenario::incast;
  double load = 0;                      ///< offered to a receiver, in parts of its line rate
  double line_gbps = 0;                 ///< GB/s of payload that the slowest NIC's link carries
  bool spread = false;                  ///< source ports were chosen so that flows share few links
  int queue_pairs = 1;                  ///< of each flow
  double burst_bytes = 0;               ///< of each sender at once; 0: it sends for the step's time
  std::optional<double> broken_at_s{};  ///< when a link was broken
  bool software = false;                ///< processors play the NICs
  std::vector<Flow> flows{};
  std::vector<PortSeries> ports{};
  std::vector<LinkSeries> links{};  ///< empty: no switch was asked
  /// Whether the switches in `links` are all there are, with all their counters. False: what they
  /// do not count may have been.
  bool every_switch = true;
  /// Links between switches that flows of the step may take, by other source ports, too.
  std::set<std::pair<std::string, std::string>> known_links{};
  /// In parts of the line rate, if the fabric was described; what is missing has the line rate.
  std::map<std::pair<std::string, std::string>, double> link_rates{};
  /// Why it says nothing about the fabric, a sentence; empty: it does.
  std::string void_because{};
};

/// Whether the receiver of an incast is offered more than its link carries.
[[nodiscard]] constexpr bool is_congested(const Step& step) {
  return step.load > 1 && overloads(step.scenario);
}

/// Whether an absence in its `links` is an absence.
[[nodiscard]] inline bool switches_know_all(const Step& step) {
  return !step.links.empty() && step.every_switch;
}

/// Whether the port sends, or receives, one of the flows that share the receiver or the victim.
[[nodiscard]] bool sends(const Step& step, const finding::Endpoint& port);
[[nodiscard]] bool receives(const Step& step, const finding::Endpoint& port);
/// The flow that does not go to the receiver of the incast; null: there is none.
[[nodiscard]] const Flow* victim_of(const Step& step);
/// The flows that share the receiver, without the victim, in their order.
[[nodiscard]] std::vector<const Flow*> rivals(const Step& step);
/// Their GB/s.
[[nodiscard]] std::vector<double> shares(const Step& step);
/// (sum of x)^2 / (n * sum of x^2); empty if there are no values, or all are 0.
[[nodiscard]] std::optional<double> jain_index(std::span<const double> values);
/// Jain's index of the rivals; empty if there are fewer than two, or nothing arrived.
[[nodiscard]] std::optional<double> fairness(const Step& step);

/// For all reasons together.
[[nodiscard]] std::int64_t drops_on(const LinkSeries& link);
/// What all samples of these counted.
[[nodiscard]] std::int64_t total(const PortSeries& port, Signal signal);
[[nodiscard]] bool counts(const PortSeries& port, Signal signal);
/// That port's series; null: there is none.
[[nodiscard]] const PortSeries* port_of(const Step& step, const finding::Endpoint& port);
/// Pause frames that a host sent, or else got: as its switch says if all were asked, else as its
/// NIC does.
[[nodiscard]] std::int64_t pauses_at(const Step& step, const finding::Endpoint& host, bool sent);

}  // namespace railgauge::congestion
