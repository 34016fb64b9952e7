#include "report/bmwg.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "congestion/figures.hpp"
#include "finding/words.hpp"
#include "measure/sizes.hpp"
#include "report/congestion_pictures.hpp"
#include "report/markdown_table.hpp"
#include "telemetry/meaning.hpp"
#include "telemetry/signal.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"

namespace railgauge::report {
namespace {

using finding::Direction;
using finding::number;
using results::Document;
using telemetry::Signal;

constexpr double kBitsOfByte = 8;
constexpr double kPercentOfOne = 100;
constexpr const char* kByHosts = "test equipment (clocks of the hosts)";
constexpr const char* kByNics = "test equipment (counters of the NICs)";

/// An indicator of a draft.
struct Indicator {
  const char* name;
  const char* unit;
  const char* needs;       ///< what would measure it
  const char* value = "";  ///< whose indicator; "" if it is called as the value is
};

struct Section {
  const char* title;
  std::vector<Indicator> indicators;
};

constexpr const char* kBySwitches =
    "telemetry of the switches, of which railgauge reads marks, pauses and drops only";

constexpr const char* kByServing = "a serving system with a model, which railgauge does not have";

const std::vector<Section>& training() {
  static const std::vector<Section> kSections{
      {"Primary KPIs",
       {{"JCT Ratio", "", "job_perf, or soak_perf"},
        {"Bus Bandwidth", "Gb/s per rank", "a collective"},
        {"Aggregate Throughput", "Tb/s", "a collective whose ranks use only NICs"},
        {"Packet Drop Rate", "ppm", "NICs that count packets and losses"},
        {"Tail Latency", "us", "pairs_perf --mode write,read"}}},
      {"Secondary KPIs",
       {{"ECN Marking Ratio", "%", "NICs that count marks"},
        {"PFC Pause Count", "1/s", "NICs that count pause frames"},
        {"PFC Pause Duration", "us", kBySwitches},
        {"RDMA Retransmission Rate", "1/s", "NICs that count what they sent again"},
        {"ECMP Imbalance (MMR)", "", "congestion_perf --scenario permutation"},
        {"Jain Fairness Index", "", "congestion_perf"},
        {"Queue Depth", "bytes", kBySwitches},
        {"Congestion Control Convergence", "us", "congestion_perf --scenario convergence"},
        {"Out-of-Order Packet Rate", "1/s", "NICs that count it apart from loss"}}},
      {"Fabric health",
       {{"Link Flap Count", "", "NICs that count link errors"},
        {"CRC/FCS Errors", "", "NICs that count corruption"},
        {"Switch CPU, memory, FIB convergence, power", "", kBySwitches}}},
      {"Tests",
       {{"Baseline throughput", "GB/s", "pairs_perf --mode bandwidth"},
        {"Burst absorption", "bytes of each sender", "congestion_perf --scenario burst"},
        {"ECN accuracy", "", "congestion_perf once for each threshold that switches are set to"},
        {"PFC in incast", "", "congestion_perf"},
        {"PFC deadlock", "events", "switches with a watchdog, and paths that form a cycle"},
        {"Interference", "contended/alone", "congestion_perf --scenario victim,classes"},
        {"Oversubscription", "", "congestion_perf --scenario oversubscription"},
        {"Link failure convergence", "us", "congestion_perf --scenario failure"},
        {"24-hour stability", "JCT Ratio", "soak_perf --duration 24h"}}}};
  return kSections;
}

/// Of its KPI framework. TTFT and ITL are of a whole serving system; what the fabric adds to them
/// is measured.
const std::vector<Section>& inference() {
  static const std::vector<Section> kSections{
      {"Primary latency KPIs",
       {{"TTFT", "ms", kByServing},
        {"ITL", "ms", kByServing},
        {"E2E_latency", "ms", kByServing},
        {"TTFT_fabric", "us", "job_perf kv --set rate=200", "Transfer of a job"},
        {"ITL_fabric", "us", "job_perf moe", "All-to-all of a job"}}},
      {"Primary throughput KPIs",
       {{"TPS_input, TPS_output, TPS_per_GPU, Request_Rate", "", kByServing},
        {"Goodput", "", kByServing},
        {"Prefix_cache_hit_rate", "%", kByServing},
        {"JFI_decode", "", kByServing}}},
      {"Fabric-level KPIs",
       {{"KV_xfer_latency", "us", "pairs_perf --mode write", "Tail Latency"},
        {"KV_xfer_bandwidth", "GB/s", "pairs_perf --mode bandwidth", "Baseline throughput"},
        {"EP_alltoall_latency", "us", "alltoall_perf", "All-to-all time"},
        {"EP_alltoall_bandwidth", "Tb/s", "alltoall_perf whose ranks use only NICs",
         "All-to-all throughput"},
        {"Fabric_FCT", "us", "job_perf kv --set rate=200", "Transfer of a job"},
        {"Buffer_utilization", "%", kBySwitches},
        {"ECN_marking_rate", "%", "NICs that count marks", "ECN Marking Ratio"},
        {"PFC_frame_count", "1/s", "NICs that count pause frames", "PFC Pause Count"},
        {"Link_utilization", "%", kBySwitches},
        {"Packet_drop_rate", "ppm", "NICs that count packets and losses", "Packet Drop Rate"}}},
      {"Fabric health",
       {{"CRC Error Count", "", "NICs that count corruption", "CRC/FCS Errors"},
        {"FEC Error Rate, NIC QP State, GPU-NIC PCIe BW", "", "railgauge doctor judges the hosts"},
        {"Switch CPU, memory, BGP/OSPF stability", "", kBySwitches}}}};
  return kSections;
}

bool is_all_to_all(const std::string& collective) {
  return collective.starts_with("alltoall");
}

/// A value of an indicator.
struct Value {
  std::string indicator{};
  std::string value{};
  std::string test{};  ///< of what
  std::string observed{};
};
using Values = std::vector<Value>;

// ---- Of a collective

std::string line_rate_text(const verdict::Run& run, double busbw) {
  const auto share = verdict::line_rate_fraction(run, busbw);
  if (!share || !why_not_of_nics(run).empty()) return "";
  return " (" + number(kPercentOfOne * *share) + " % of line rate)";
}

std::string test_of(const verdict::Run& run, const verdict::Curve& curve,
                    const verdict::Plateau& plateau) {
  std::vector<std::string> words{run.collective, run.name, algorithms_of(curve)};
  if (run.ranks) words.push_back(finding::counted(static_cast<std::size_t>(*run.ranks), "rank"));
  if (run.nodes) words.push_back(finding::counted(static_cast<std::size_t>(*run.nodes), "host"));
  words.push_back("from " + measure::format_size(plateau.from_bytes) + " on");
  std::erase(words, "");
  return finding::joined(words);
}

void add_bandwidth(Values& values, const verdict::Run& run, const verdict::Curve& curve) {
  const auto plateau = plateau_of(curve);
  if (!plateau) return;
  const double busbw = plateau->busbw_gigabytes_per_second;
  const std::string test = test_of(run, curve, *plateau);
  values.push_back(
      {"Bus Bandwidth", number(kBitsOfByte * busbw) + line_rate_text(run, busbw), test, kByHosts});
  constexpr double kGigaOfTera = 1e3;
  if (!run.ranks || !run.beside_nics || !run.beside_nics->empty()) return;
  const std::string all = number(kBitsOfByte * busbw * *run.ranks / kGigaOfTera);
  values.push_back({"Aggregate Throughput", all, test, kByHosts});
  if (is_all_to_all(run.collective))
    values.push_back({"All-to-all throughput", all, test, kByHosts});
}

/// Of its smallest and its largest size.
void add_times(Values& values, const verdict::Run& run, const verdict::Curve& curve) {
  if (!is_all_to_all(run.collective)) return;
  const auto [least, most] = std::ranges::minmax(curve.points, {}, &verdict::Point::size_bytes);
  for (const verdict::Point& point : {least, most}) {
    if (!point.size_bytes || !point.time_us) continue;
    std::string time = "median " + number(*point.time_us);
    if (point.p999_us) time += ", P99.9 " + number(*point.p999_us);
    values.push_back(
        {"All-to-all time", time,
         finding::joined(std::vector<std::string>{run.collective, algorithms_of(curve),
                                                  measure::format_size(*point.size_bytes)}),
         kByHosts});
    if (least.size_bytes == most.size_bytes) return;
  }
}

Values values_of(const results::CollectiveBody& /*body*/, const verdict::RunSet& run_set) {
  Values values;
  for (const verdict::Run& run : run_set.runs) {
    for (const verdict::Curve& curve : curves_of(run)) {
      if (curve.buffers == verdict::BufferMode::in_place) continue;
      add_bandwidth(values, run, curve);
      add_times(values, run, curve);
    }
  }
  return values;
}

// ---- Of pairs

void add_throughput(Values& values, const results::PairsSummary& summary) {
  if (!summary.median_gigabytes_per_second) return;
  values.push_back({"Baseline throughput",
                    "median " + number(*summary.median_gigabytes_per_second) + ", slowest " +
                        number(summary.slowest_gigabytes_per_second.value_or(0)),
                    finding::counted(summary.finished, "pair") +
                        (summary.same_rail ? " within rails" : " across rails"),
                    kByHosts});
}

/// The worst pair's tail, by the mode: half a round trip, of reads a whole one.
void add_latency(Values& values, const results::PairsBody& body, const std::string& mode) {
  double p99_us = 0;
  double p999_us = 0;
  std::size_t pairs = 0;
  for (const results::PairRow& row : body.rows) {
    if (row.mode != mode || !row.figures.time || !row.figures.reason.empty()) continue;
    p99_us = std::max(p99_us, row.figures.time->p99_us);
    p999_us = std::max(p999_us, row.figures.time->p999_us);
    ++pairs;
  }
  if (pairs == 0) return;
  values.push_back({"Tail Latency", "P99 " + number(p99_us) + ", P99.9 " + number(p999_us),
                    mode + ", zero load, worst of " + finding::counted(pairs, "pair"), kByHosts});
}

Values values_of(const results::PairsBody& body, const verdict::RunSet& /*run_set*/) {
  Values values;
  for (const results::PairsSummary& summary : body.summary) {
    if (summary.mode == "bandwidth") add_throughput(values, summary);
  }
  for (const char* const mode : {"write", "read", "send"}) add_latency(values, body, mode);
  return values;
}

// ---- Of a soak

Values values_of(const results::SoakBody& body, const verdict::RunSet& /*run_set*/) {
  Values values;
  const double seconds = body.window_s * static_cast<double>(body.figures.windows);
  for (const results::SoakRow& row : body.rows) {
    if (!row.jct_ratio) continue;
    const std::string test = row.phase.collective + ", " +
                             measure::format_size(row.phase.size_bytes) + ", " + number(seconds) +
                             " s";
    values.push_back({"JCT Ratio", number(*row.jct_ratio), test + ", last window", kByHosts});
    if (row.jct_ratio_deviation)
      values.push_back({"24-hour stability",
                        "standard deviation " + number(*row.jct_ratio_deviation), test, kByHosts});
  }
  return values;
}

// ---- Of a test of congestion

std::string observed_by(const std::string& observer) {
  return observer == "switch" ? "switches" : kByNics;
}

/// What a figure of a step is in the draft.
struct OfFigure {
  const char* metric;
  const char* indicator;
  double times;
  const char* observed;
};
constexpr double kMicroseconds = 1e6;
constexpr const char* kByPaths = "switches (paths by ICMP)";
constexpr std::array kOfFigures{
    OfFigure{congestion::kMostOverMean, "ECMP Imbalance (MMR)", 1, kByPaths},
    OfFigure{congestion::kLinksJain, "Jain Fairness Index", 1, kByPaths},
    OfFigure{congestion::kFairAfter, "Congestion Control Convergence", kMicroseconds, kByNics},
    OfFigure{congestion::kLargestBurst, "Burst absorption", 1, ""},
    OfFigure{congestion::kOversubscription, "Oversubscription", 1, kByHosts},
    OfFigure{congestion::kRecovery, "Link failure convergence", kMicroseconds, kByNics},
};

void add_figures(Values& values, const results::CongestionRow& row, const std::string& test) {
  for (const results::CongestionFigure& figure : row.figures) {
    const auto of = std::ranges::find(kOfFigures, figure.metric, &OfFigure::metric);
    if (of == kOfFigures.end()) continue;
    const std::string observed =
        *of->observed != 0 ? of->observed : observed_by(row.losses.observer);
    // A largest burst is that of all steps so far.
    std::erase_if(values, [&](const Value& value) {
      return *of->observed == 0 && value.indicator == of->indicator;
    });
    values.push_back({of->indicator, number(of->times * figure.value), test, observed});
  }
}

/// What a flow next to others has of what it has alone: bandwidth, and time of messages.
void add_interference(Values& values, const results::CongestionRow& row,
                      const MeasuredFlow& measured, const std::string& test) {
  const results::CongestionFlow* const flow = flow_in(row, measured);
  const results::CongestionFlow& alone = *measured.alone->flow;
  const bool voided = is_void(row) || is_void(*measured.alone->row);
  if (flow == nullptr || voided || alone.gigabytes_per_second <= 0) return;
  std::string value =
      "bandwidth " + number(flow->gigabytes_per_second / alone.gigabytes_per_second);
  if (flow->time && alone.time && alone.time->p99_us > 0)
    value += ", P99 " + number(flow->time->p99_us / alone.time->p99_us);
  values.push_back({"Interference", std::move(value), test, kByHosts});
}

/// Marks below line rate come from a threshold that is too low; none above it, from one that is too
/// high, or from no marking at all.
void add_events(Values& values, const results::CongestionRow& row, const std::string& test) {
  if (row.scenario != "incast" || row.seconds <= 0) return;
  const auto add = [&](const results::CongestionEvents& events, const char* indicator,
                       const std::string& unit) {
    if (!events.counted) return;
    values.push_back({indicator, number(static_cast<double>(events.count) / row.seconds) + unit,
                      test, observed_by(events.observer)});
  };
  add(row.marks, "ECN accuracy", " marks/s");
  add(row.pauses, "PFC in incast", " pause frames/s, " + row.verdict);
}

Values values_of(const results::CongestionBody& body, const verdict::RunSet& /*run_set*/) {
  Values values;
  const std::vector<MeasuredFlow> measured = measured_flows(body);
  for (const results::CongestionRow& row : body.rows) {
    const std::string test = row.scenario + ", " + row.step;
    add_figures(values, row, test);
    for (const MeasuredFlow& one : measured) add_interference(values, row, one, test);
    if (row.jain_index)
      values.push_back({"Jain Fairness Index", number(*row.jain_index),
                        test + ": bandwidth of senders, not of links", kByHosts});
    add_events(values, row, test);
  }
  return values;
}

Values values_of(const results::IsolateBody& /*body*/, const verdict::RunSet& /*run_set*/) {
  return {};
}

/// What each transfer that arrives takes is the fabric's part of a request, what each all-to-all
/// does that of a token.
Values values_of(const results::JobBody& body, const verdict::RunSet& /*run_set*/) {
  Values values;
  if (body.job.over_line_rate)
    values.push_back({"JCT Ratio", number(*body.job.over_line_rate),
                      body.job.workload + ", ideal communication at line rate", kByHosts});
  for (const results::JobOperation& one : body.job.operations) {
    const bool is_request = one.kind == "send" && one.latency;
    if (!is_request && !is_all_to_all(one.kind)) continue;
    values.push_back({is_request ? "Transfer of a job" : "All-to-all of a job",
                      is_request ? "P99 " + number(one.latency->time.p99_us) + " since arrival"
                                 : "median " + number(one.slowest_us) + " of the slowest rank",
                      finding::joined(std::vector<std::string>{
                          body.job.workload, one.name,
                          measure::format_size(static_cast<std::uint64_t>(one.bytes))}),
                      kByHosts});
  }
  return values;
}

// ---- Of counters, whatever ran

/// What all ports of a document counted.
struct Total {
  std::int64_t packets = 0;  ///< received, or if that is not counted, sent
  std::int64_t lost = 0;     ///< as whichever end noticed more
  std::int64_t sent_again = 0;
  std::int64_t flaps = 0;
  std::int64_t corrupt = 0;
  bool counts_loss = false;
  bool counts_link = false;
  bool counts_corruption = false;
  telemetry::SignalCounts signals{};
  telemetry::CountedSignals counted{};
};

void add_events(Total& total, const telemetry::Counters& before,
                const std::map<std::string, std::int64_t>& moved) {
  for (const auto& [name, value] : before) {
    const auto meaning = telemetry::meaning_of(name);
    if (!meaning) continue;
    const auto change = moved.find(name);
    const std::int64_t count =
        change == moved.end() ? 0 : std::max<std::int64_t>(change->second, 0);
    const bool is_corruption = meaning->counted == telemetry::Counted::corruption;
    total.counts_link |= meaning->counted == telemetry::Counted::link;
    total.counts_corruption |= is_corruption;
    if (meaning->counted == telemetry::Counted::link) total.flaps += count;
    if (is_corruption) total.corrupt += count;
  }
}

Total total_of(const Document& document) {
  Total total;
  std::int64_t sent = 0;
  std::int64_t received_lost = 0;
  for (const results::PortCounters& port : document.counters) {
    const auto moved = telemetry::moved(port.before, port.after);
    const auto lost = telemetry::lost_packets(port.before, moved, Direction::receive);
    const auto sent_again = telemetry::lost_packets(port.before, moved, Direction::transmit);
    total.counts_loss |= lost || sent_again;
    received_lost += lost.value_or(0);
    total.sent_again += sent_again.value_or(0);
    total.packets += telemetry::packets(moved, Direction::receive).value_or(0);
    sent += telemetry::packets(moved, Direction::transmit).value_or(0);
    const auto signals = telemetry::signals_of(moved);
    for (std::size_t at = 0; at < signals.size(); ++at) total.signals.at(at) += signals.at(at);
    total.counted |= telemetry::counted_signals(port.before);
    add_events(total, port.before, moved);
  }
  if (total.packets == 0) total.packets = sent;
  total.lost = std::max(received_lost, total.sent_again);
  return total;
}

double ratio(std::int64_t count, double of, double times = 1) {
  return of > 0 ? times * static_cast<double>(count) / of : 0;
}

Values values_of_counters(const Document& document, const std::string& test) {
  constexpr double kMillion = 1e6;
  const Total total = total_of(document);
  const auto packets = static_cast<double>(total.packets);
  const double seconds =
      document.end ? std::chrono::duration<double>(*document.end - document.start).count() : 0;
  Values values;
  const auto add = [&](bool counted, const char* name, double value, const std::string& of) {
    if (counted) values.push_back({name, number(value), test + of, kByNics});
  };
  const auto counts = [&](Signal signal) { return total.counted.test(index_of(signal)); };
  const std::string of_packets =
      ", " + finding::counted(static_cast<std::uint64_t>(total.packets), "packet");
  add(total.counts_loss && packets > 0, "Packet Drop Rate", ratio(total.lost, packets, kMillion),
      of_packets);
  add(counts(Signal::mark) && packets > 0, "ECN Marking Ratio",
      ratio(total.signals.at(index_of(Signal::mark)), packets, kPercentOfOne), of_packets);
  const std::string of_time = ", over " + number(seconds) + " s";
  add(counts(Signal::pause_received) && seconds > 0, "PFC Pause Count",
      ratio(total.signals.at(index_of(Signal::pause_received)), seconds), of_time);
  add(total.counts_loss && seconds > 0, "RDMA Retransmission Rate",
      ratio(total.sent_again, seconds), of_time);
  add(total.counts_link, "Link Flap Count", static_cast<double>(total.flaps), "");
  add(total.counts_corruption, "CRC/FCS Errors", static_cast<double>(total.corrupt), "");
  return values;
}

// ---- The tables

/// A value, and the document that has it.
struct Entry {
  Value value{};
  std::string document{};
};

std::vector<Entry> entries_of(const Report& report) {
  std::vector<Entry> entries;
  for (const Result& result : report.results) {
    const auto* const document = std::get_if<Document>(&result.input);
    if (document == nullptr) continue;
    const std::string file = std::filesystem::path(result.run_set.name).filename();
    const auto add = [&](const Values& values) {
      for (const Value& value : values) entries.push_back({value, file});
    };
    add(std::visit([&](const auto& body) { return values_of(body, result.run_set); },
                   document->body));
    add(values_of_counters(*document, result.run_set.kind));
  }
  return entries;
}

std::string indicator_rows(const Indicator& indicator, const std::vector<Entry>& entries) {
  std::string rows;
  for (const auto& [value, document] : entries) {
    if (value.indicator == (*indicator.value == '\0' ? indicator.name : indicator.value))
      rows += markdown_row(
          {indicator.name, indicator.unit, value.value, value.test, value.observed, document});
  }
  return rows.empty() ? markdown_row({indicator.name, indicator.unit, "not measured",
                                      std::string("needs ") + indicator.needs, "", ""})
                      : rows;
}

std::string indicator_table(const Section& section, const std::vector<Entry>& entries) {
  std::string text =
      "\n## " + std::string(section.title) + "\n\n" +
      markdown_head({"KPI", "unit", "value", "test", "observation point", "document"});
  for (const Indicator& indicator : section.indicators) text += indicator_rows(indicator, entries);
  return text;
}

/// What has to be equal before two reports may be compared.
std::string comparability(const Report& report) {
  std::string rows;
  for (const Result& result : report.results) {
    const auto* const document = std::get_if<Document>(&result.input);
    if (document == nullptr) continue;
    std::set<std::string> speeds;
    std::size_t rails = 0;
    for (const results::Rank& rank : document->ranks) {
      rails = std::max(rails, rank.rails.size());
      for (const results::RankRail& rail : rank.rails)
        speeds.insert(number(rail.link_gigabits_per_second) + " Gb/s");
    }
    rows += markdown_row({std::filesystem::path(result.run_set.name).filename(),
                          std::to_string(document->ranks.size()),
                          std::to_string(document->hosts.size()), std::to_string(rails),
                          finding::joined({speeds.begin(), speeds.end()}),
                          result.run_set.software ? "software" : "hardware",
                          document->rail_rule.rule, document->tool.version});
  }
  return "\n## Comparability\n\n" +
         markdown_head({"document", "ranks", "hosts", "rails of a rank", "line rate", "NICs",
                        "rail map", "railgauge"}) +
         rows +
         "\nTransport: RoCEv2 RC. Oversubscription, load balancing and settings of the switches "
         "are not known to hosts: state them.\n";
}

}  // namespace

std::string bmwg(const Report& report, Draft draft) {
  const bool software = std::ranges::any_of(
      report.results, [](const Result& result) { return result.run_set.software; });
  std::string text =
      "# KPIs of draft-calabria-bmwg-ai-fabric-" +
      std::string(draft == Draft::training ? "training" : "inference") + "-bench" +
      std::string(software ? " (SOFTWARE)" : "") +
      "\n\nThe draft sets no acceptance criteria, so nothing is judged here. Values of different "
      "observation points are not merged.\n" +
      (software ? "The figures of software devices say nothing about hardware.\n" : "");
  text += comparability(report);
  const std::vector<Entry> entries = entries_of(report);
  for (const Section& section : draft == Draft::training ? training() : inference())
    text += indicator_table(section, entries);
  return text;
}

}  // namespace railgauge::report
