#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/members.hpp"
#include "results/endpoint.hpp"
#include "results/measurement.hpp"

namespace railgauge::results {

/// One NIC's sending to another during a step.
struct CongestionFlow {
  Endpoint from{};
  Endpoint to{};
  bool victim = false;  // it does not go to the receiver of the incast
  /// Of each queue pair: the switches that it passes, in order; "" for one that is not known.
  std::vector<std::vector<std::string>> paths{};
  double offered_gigabytes_per_second = 0;
  double gigabytes_per_second = 0;  // acknowledged
  /// From when a message was due to its acknowledgement; empty: none was acknowledged.
  std::optional<measure::Summary> time{};
  std::optional<double> cpu_share{};  // of software devices: the lower of both ends
  std::string reason{};               // why it did not come to its end, a sentence

  RAILGAUGE_FIELDS((from), (to), victim, paths, offered_gigabytes_per_second,
                   (gigabytes_per_second), time, cpu_share, reason)
};

/// One kind of event during a step.
struct CongestionEvents {
  bool counted = false;    // whether anybody counts it at all
  std::string observer{};  // "NIC", "switch"; empty: nothing happened
  std::int64_t count = 0;
  std::optional<double> first_after_s{};  // the first one: after this, and not after the next
  std::optional<double> first_until_s{};
  std::string place{};  // the port that counted the first

  RAILGAUGE_FIELDS((counted), observer, (count), first_after_s, first_until_s, place)
};

/// What all NICs of a step counted in a part of its time.
struct CongestionSample {
  double end_s = 0;
  std::int64_t marks = 0;
  std::int64_t cnps_received = 0;
  std::int64_t pauses = 0;
  std::int64_t losses = 0;
  std::int64_t packets = 0;  // received

  RAILGAUGE_FIELDS((end_s), (marks), cnps_received, (pauses), (losses), (packets))
};

/// How counters were read.
struct CongestionSampling {
  double interval_ms = 0;           // as asked for
  double longest_ms = 0;            // between two samples of a port
  double processor_share = 0;       // of one processor's time, that reading took on a host
  double clock_uncertainty_ms = 0;  // of the time line of all hosts

  RAILGAUGE_FIELDS(interval_ms, longest_ms, processor_share, clock_uncertainty_ms)
};

/// A value that says how good a step was.
struct CongestionFigure {
  std::string metric{};  // "slowest flow over its fair share"
  std::string unit{};
  double value = 0;
  std::optional<double> expected{};
  std::string expected_from{};

  RAILGAUGE_FIELDS((metric), (unit), (value), expected, expected_from)
};

/// Flows at the same time, for some seconds.
struct CongestionRow {
  std::string scenario{};  // "incast", "victim", "permutation"
  std::string step{};      // "4 senders, load 1.2"
  double load = 0;         // offered to a receiver, in parts of its line rate
  double begin_s = 0;      // on the time line of the run
  double seconds = 0;
  std::string verdict{};  // "ECN_FIRST", ...
  std::string reason{};   // of a void one: why; else what was counted
  CongestionEvents marks{};
  CongestionEvents pauses{};
  CongestionEvents losses{};
  std::int64_t cnps_sent = 0;          // by receivers
  std::int64_t cnps_received = 0;      // by senders
  std::optional<double> jain_index{};  // of the flows to the receiver; empty: fewer than two
  std::vector<CongestionFigure> figures{};
  CongestionSampling sampling{};
  std::vector<CongestionFlow> flows{};
  std::vector<CongestionSample> samples{};

  RAILGAUGE_FIELDS((scenario), (step), (load), begin_s, seconds, (verdict), reason, marks, pauses,
                   losses, cnps_sent, cnps_received, jain_index, figures, sampling, (flows),
                   samples)
};

/// What acted when more was sent than a link carries.
struct CongestionBody {
  static constexpr const char* kKind = "congestion";

  std::string verdict{};  // of all steps on one time line; empty while the run goes on
  std::string verdict_reason{};
  std::vector<CongestionRow> rows{};

  RAILGAUGE_FIELDS(verdict, verdict_reason, rows)
};

}  // namespace railgauge::results
