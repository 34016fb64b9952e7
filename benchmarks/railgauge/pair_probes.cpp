#include "benchmarks/railgauge/pair_probes.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "benchmarks/railgauge/result_input.hpp"
#include "finding/words.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::benchmarks {
namespace {

using doctor::Did;
using results::PairRow;
using results::PairVerdict;
using telemetry::Counted;
using Clocks = std::vector<results::HostClock>;
using Moved = std::map<std::string, std::int64_t>;

constexpr const char* kSocketFull = "rcvd_overflow";  // of software devices

doctor::ProbedPort port_of(const results::Endpoint& end) {
  return {end.host, end.device, end.port};
}

Did did(const PairRow& row) {
  if (row.verdict == PairVerdict::pass) return Did::well;
  if (row.figures.lost_packet_bytes) return Did::lost_large_packets;
  return row.figures.reason.empty() ? Did::slowly : Did::nothing;
}

std::string remark_of(const PairRow& row) {
  const auto& [passed, lost] =
      std::tie(row.figures.passed_packet_bytes, row.figures.lost_packet_bytes);
  if (!lost) return row.remark;
  return (passed ? "packets of " + std::to_string(*passed) + " bytes pass, and " : "packets ") +
         "of " + std::to_string(*lost) + (passed ? " do not" : " bytes do not pass");
}

bool is_software(const results::Document& document, const results::Endpoint& end) {
  return std::ranges::any_of(document.ranks, [&](const results::Rank& rank) {
    return rank.host == end.host &&
           std::ranges::any_of(rank.rails, [&](const results::RankRail& rail) {
             return rail.device == end.device && rail.kind != results::DeviceKind::hardware;
           });
  });
}

/// Of counters that tell which packets they are about: a time-out is of one or its answer, and of
/// a busy host.
std::int64_t lost_by(const Moved& moved) {
  std::int64_t most = 0;
  for (const auto& [name, by] : moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning || meaning->direction == finding::Direction::both) continue;
    if (meaning->counted == Counted::loss || meaning->counted == Counted::corruption)
      most = std::max(most, by);
  }
  return most;
}

/// Of all attempts. A sender is told of a gap once; a receiver may count all packets behind it.
void add_losses(const results::PairFigures& figures, doctor::PairProbe& probe) {
  probe.bytes += figures.bytes;
  if (!figures.retransmissions) return;
  const auto& [sent, received] = std::tie(figures.sender_events, figures.receiver_events);
  const bool overtaken = telemetry::only_overtaken(sent, received);
  const std::int64_t told = lost_by(sent);
  const std::int64_t lost = told > 0 ? told : lost_by(received);
  probe.lost = probe.lost.value_or(0) + (overtaken ? 0 : lost);
  if (received.contains(kSocketFull)) probe.lost_by_host = "the receiving host had no room";
}

doctor::PairProbe probe_of(const PairRow& row) {
  doctor::PairProbe probe{.from = port_of(row.from),
                          .to = port_of(row.to),
                          .same_rail = row.same_rail,
                          .did = did(row),
                          .sure = row.verdict == PairVerdict::fail,
                          .remark = remark_of(row)};
  add_losses(row.figures, probe);
  for (const results::PairFigures& one : row.earlier) add_losses(one, probe);
  probe.asks_class = row.mode == "connect";
  probe.arrived_class = row.figures.arrived_traffic_class;
  probe.sent_priority = row.figures.sent_priority;
  probe.arrived_priority = row.figures.arrived_priority;
  probe.line_rate_percent = row.figures.line_rate_percent;
  return probe;
}

}  // namespace

doctor::PairProbes pair_probes_in(const std::string& file) {
  const ResultInput read = read_result(file);
  const auto* const document = std::get_if<results::Document>(&read.input);
  const auto* const body =
      document == nullptr ? nullptr : std::get_if<results::PairsBody>(&document->body);
  if (body == nullptr)
    throw std::invalid_argument("--pairs " + file +
                                " is no result of reachability_perf or pairs_perf");
  doctor::PairProbes pairs;
  for (const PairRow& row : body->rows) {
    pairs.probes.push_back(probe_of(row));
    pairs.probes.back().software = is_software(*document, row.from);
  }
  const std::string sent = results::option_text(*document, "traffic-class");
  pairs.sent_class = doctor::whole_in(sent).value_or(0);
  for (const auto& [host, ahead_ms, uncertainty_ms] : body->clocks.value_or(Clocks{}))
    pairs.clocks[host] = {ahead_ms, uncertainty_ms};
  const auto& code = document->exit_code;
  const bool whole = code == results::ExitCode::ok || code == results::ExitCode::verdict_failed;
  if (!whole) pairs.unfinished = "status '" + status_of(*document) + "'";
  return pairs;
}

namespace {

void add(const char* what, const results::CongestionEvents& events, doctor::FoundByTest& found) {
  if (events.counted) found.counted[what] += events.count;
}

void add(const results::Document& document, const results::CongestionBody& body,
         doctor::FoundByTest& found) {
  found.kind = results::CongestionBody::kKind;
  if (!body.verdict.empty()) found.in_short = body.verdict + ": " + body.verdict_reason;
  for (const results::CongestionRow& row : body.rows) {
    add("ECN marks", row.marks, found);
    add("pause frames", row.pauses, found);
    add("dropped packets", row.losses, found);
  }
  if (!results::option_text(document, "switch-counters").empty())
    found.counted["packets of switches"] = 1;
}

}  // namespace

doctor::FoundByTest findings_in(const std::string& file) {
  const ResultInput read = read_result(file);
  const auto* const document = std::get_if<results::Document>(&read.input);
  doctor::FoundByTest found;
  if (document != nullptr) found.report = results::report_of(*document);
  if (document != nullptr) found.in_short = finding::joined(document->reasons, "; ");
  const auto* const body =
      document == nullptr ? nullptr : std::get_if<results::CongestionBody>(&document->body);
  if (body != nullptr) {
    add(*document, *body, found);
  } else if (document != nullptr && std::holds_alternative<results::IsolateBody>(document->body)) {
    found.kind = results::IsolateBody::kKind;
  } else {
    throw std::invalid_argument("--findings " + file +
                                " is no result of congestion_perf or isolate_perf");
  }
  return found;
}

}  // namespace railgauge::benchmarks
