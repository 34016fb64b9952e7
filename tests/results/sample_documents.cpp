#include "sample_documents.hpp"

#include <algorithm>

#include "measure/sizes.hpp"

namespace railgauge::results {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;

constexpr system_clock::time_point kStart{seconds(1'772'366'400)};  // 2026-03-01T12:00:00Z

RankRail rail(int number, const std::string& last) {
  const std::string address = "10.1" + std::to_string(number) + ".0." + last;
  return {.rail = number,
          .device = "rxe" + std::to_string(number),
          .netdev = "eth" + std::to_string(number + 1),
          .address = address,
          .gid = "::ffff:" + address,
          .gid_index = 1,
          .mtu_bytes = 4096,
          .link_gigabits_per_second = 2.5,
          .kind = DeviceKind::software,
          .firmware = "0.0.0",
          .numa_node = number};
}

Rank rank(int number) {
  const int host = number / 2;
  const std::string last = std::to_string(host + 1);
  return {.rank = number,
          .host = "host" + std::to_string(host),
          .pid = 400 + number,
          .local_rank = number % 2,
          .numa_node = number % 2,
          .placement = {.mode = "rail",
                        .rails = {number % 2},
                        .cpus = number % 2 == 0 ? "0-7" : "8-15",
                        .memory_node = number % 2,
                        .verified = true},
          .rails = {rail(0, last), rail(1, last)}};
}

Host host(int number) {
  return {.name = "host" + std::to_string(number),
          .kernel = "6.1.0-42-amd64",
          .machine = "x86_64",
          .processor = "AMD EPYC 7763 64-Core Processor",
          .libibverbs = "1.14.44.0",
          .mpi = "Open MPI v4.1.4"};
}

Measurement placement(std::uint64_t bytes, double median_us, std::optional<std::uint64_t> wrong) {
  const double algbw = measure::algbw_gigabytes_per_second(bytes, median_us);
  const double busbw = algbw * 2 * 3 / 4;
  const std::vector<std::optional<double>> both{median_us - 10, median_us - 8, median_us - 9,
                                                median_us - 10};
  const std::vector<std::optional<double>> one{median_us - 2, std::nullopt, median_us - 1, {}};
  std::vector<RailResult> rails{{.rail = 0,
                                 .bytes = bytes * 3,
                                 .p50_us = median_us - 8,
                                 .p99_us = median_us,
                                 .rank_us = both},
                                {.rail = 1,
                                 .bytes = bytes * 3,
                                 .p50_us = median_us - 1,
                                 .p99_us = median_us,
                                 .rank_us = one}};
  share_bandwidth(rails, busbw, median_us);
  return {.time = {.n = 20,
                   .min_us = median_us - 1,
                   .p50_us = median_us,
                   .p90_us = median_us + 5,
                   .p99_us = median_us + 30,
                   .p999_us = median_us + 30,
                   .max_us = median_us + 30,
                   .mean_us = median_us + 2},
          .median_interval = measure::MedianInterval{median_us - 0.5, median_us + 2},
          .histogram = {{median_us - 1, median_us + 1, 19}, {median_us + 29, median_us + 31, 1}},
          .algbw_gigabytes_per_second = algbw,
          .busbw_gigabytes_per_second = busbw,
          .rails = rails,
          .line_rate_percent = 62.5,
          .rank_medians_us = {median_us, median_us, median_us - 1, median_us},
          .rank_own_us = {100, 101, 99.5, 100},
          .wrong = wrong,
          .verified_iterations = wrong ? 1U : 0U,
          .verification_us = wrong ? 2500.0 : 0};
}

CollectiveRow row(std::uint64_t bytes) {
  return {.size_bytes = bytes,
          .count = bytes / sizeof(float),
          .type = "float",
          .op = "sum",
          .algorithm = "ring",
          .point = {.rails = {0, 1}, .chunk_bytes = 131'072},
          .measured = kStart + seconds(1)};
}

/// As it is before the first row.
Document begun() {
  Document document;
  document.tool = {.version = "0.1.0", .commit = "0123456789ab"};
  document.body = CollectiveBody{"all_reduce"};
  document.start = kStart;
  document.command_line = {"all_reduce_perf", "-b", "1M", "-e", "4M", "-f", "4"};
  using enum Option::Origin;
  document.options = {{"minbytes", {"1M", command_line}}, {"maxbytes", {"4M", command_line}},
                      {"stepfactor", {4, command_line}},  {"iters", {20, default_value}},
                      {"timeout", {30.0, environment}},   {"force", {false, default_value}}};
  document.environment = {{"RAILGAUGE_TIMEOUT", "30"}};
  document.hosts = {host(0), host(1)};
  for (int number = 0; number < 4; ++number) document.ranks.push_back(rank(number));
  document.rail_rule = {"shared subnets", "each subnet is on several hosts"};
  return document;
}

Document ended(Document document, ExitCode code, const std::string& reason) {
  document.exit_code = code;
  if (!reason.empty()) document.reasons = {reason};
  document.end = kStart + seconds(5);
  return document;
}

PortCounters counters(int host, int rail) {
  return {.host = "host" + std::to_string(host),
          .device = "rxe" + std::to_string(rail),
          .rail = rail,
          .plane = 0,
          .address = "10.1" + std::to_string(rail) + ".0." + std::to_string(host + 1),
          .before = {{"rcvd_pkts", 10}, {"sent_pkts", 10}, {"retry_exceeded_err", 0}},
          .after = {{"rcvd_pkts", 9000}, {"sent_pkts", 9000}, {"retry_exceeded_err", 0}}};
}

Endpoint endpoint(int host, int rail) {
  return {.host = "host" + std::to_string(host),
          .rail = rail,
          .device = "rxe" + std::to_string(rail),
          .address = "10.1" + std::to_string(rail) + ".0." + std::to_string(host + 1)};
}

/// Of one test, as a search for faulty components has it.
finding::Report lossy_link() {
  finding::Finding link =
      finding::found("isolation", finding::Cause::packet_loss,
                     {.scope = finding::Scope::link, .switches = {"10.1.0.1", "10.2.0.1"}});
  link.certainty = finding::Certainty::confirmed;
  link.alternatives = {{.scope = finding::Scope::link, .switches = {"10.2.0.1", "10.1.0.2"}}};
  link.next = finding::Location{.scope = finding::Scope::node, .switches = {"10.2.0.1"}};
  link.log10_odds = 8.5;
  link.log10_odds_to_next = 2.25;
  link.evidence = {{.metric = "failed",
                    .against = 1,
                    .of = 1,
                    .counted = "tests",
                    .rows_for = {0},
                    .text = "1 lossy"}};
  return {.findings = {link}, .coverage = {{.check = "components", .planned = 12, .tested = 12}}};
}

}  // namespace

std::vector<CollectiveRow>& rows_of(Document& document) {
  return std::get<CollectiveBody>(document.body).rows;
}

std::vector<CollectiveRow> rows_of(const Document& document) {
  return std::get<CollectiveBody>(document.body).rows;
}

EdgeTimes edge(int from, int to, double least_us) {
  const Quantiles there{least_us, 1.25 * least_us, 1.5 * least_us, 2 * least_us, 3 * least_us};
  const Quantiles back{2, 3, 5, 9, 20};
  return {.from = from,
          .to = to,
          .samples = 42,
          .bytes = 131072,
          .most_bytes = 131072,
          .round = there,
          .there = there,
          .back = back};
}

RankLoad load(int rank) {
  return {.rank = rank,
          .wall_us = 450'000,
          .ran_us = 120'000,
          .queued_us = 4000,
          .slept_us = 310'000,
          .preemptions = 12,
          .host_busy = 1.5,
          .host_stolen = 0,
          .host_processors = 64};
}

finding::Endpoint end_of_path(int rank) {
  return {.host = "host1", .device = "mlx5_0", .port = 1, .rail = 0, .ranks = {rank}};
}

finding::Finding slow_path() {
  finding::Finding finding =
      finding::found("diagnosis", finding::Cause::latency,
                     {.scope = finding::Scope::path, .at = end_of_path(2), .peer = end_of_path(3)});
  finding.severity = finding::Severity::warning;
  finding.detail = "high latency, +8940 us per chunk";
  finding.evidence = {{.metric = "chunk time",
                       .unit = "x its peers",
                       .observed = 150,
                       .against = 1,
                       .of = 1,
                       .text = "rows"}};
  return finding;
}

finding::Coverage covered(const std::string& check, std::uint64_t tests) {
  return {.check = check, .planned = tests, .tested = tests};
}

/// A finding of a test between pairs of NICs, with the reason that the document then has.
void report_path(Document& document, const std::string& check, finding::Cause cause,
                 const Endpoint& from, const Endpoint& to, const std::string& detail) {
  const auto end = [](const Endpoint& one) {
    return finding::Endpoint{.host = one.host,
                             .device = one.device,
                             .port = one.port,
                             .rail = one.rail,
                             .address = one.address};
  };
  finding::Finding finding = finding::found(
      check, cause, {.scope = finding::Scope::path, .at = end(from), .peer = end(to)});
  finding.certainty = finding::Certainty::confirmed;
  finding.detail = detail;
  document.report.findings = {finding};
  document.report.coverage = {covered("pairs", 4)};
  document.reasons = finding::reasons(document.report);
}

Document ok_document() {
  Document document = ended(begun(), ExitCode::ok, "");
  auto& rows = rows_of(document);
  rows = {row(1U << 20U), row(4U << 20U)};
  rows[0].out_of_place = placement(1U << 20U, 4000, 0);
  rows[0].in_place = placement(1U << 20U, 3900.5, 0);
  rows[1].out_of_place = placement(4U << 20U, 15000, std::nullopt);
  rows[1].edges = {edge(0, 1, 60), edge(1, 2, 65), edge(2, 3, 9000)};
  rows[1].edges[2].there = rows[1].edges[2].back = std::nullopt;
  rows[1].rank_loads = {load(0), load(1), load(2), load(3)};
  document.report = {{slow_path()}, {covered("rows", 2)}};
  rows[1].out_of_place->per_iteration = PerIteration{2, 14'999, 15'030, 15'030, 0.05};
  for (const int host : {0, 1}) {
    for (const int rail : {0, 1}) document.counters.push_back(counters(host, rail));
  }
  return document;
}

/// From rank 2 to rank 1, on the second rail.
finding::Finding dead_link() {
  const auto end = [](const std::string& host, int rank) {
    return finding::Endpoint{.host = host, .device = "rxe1", .port = 1, .rail = 1, .ranks = {rank}};
  };
  return finding::found(
      "transport", finding::Cause::unreachable,
      {.scope = finding::Scope::path, .at = end("host1", 2), .peer = end("host0", 1)});
}

Document timed_out_document() {
  Document document =
      ended(ok_document(), ExitCode::time_out, "all_reduce of 4M did not end within 30 s");
  rows_of(document).pop_back();
  document.counters.back().after["retry_exceeded_err"] = 4;
  rows_of(document)[0].events = {{.host = "host1",
                                  .device = "rxe1",
                                  .rail = 1,
                                  .plane = 0,
                                  .address = "10.11.0.2",
                                  .packets_sent = 5120,
                                  .packets_received = 5118,
                                  .moved = {{"completer_retry_err", 3}, {"rcvd_seq_err", 2}}}};
  document.events = rows_of(document)[0].events;
  document.events[0].moved = {{"completer_retry_err", 14}, {"retry_exceeded_err", 1}};
  finding::Finding lost =
      finding::found("topology", finding::Cause::missing_plane,
                     {.scope = finding::Scope::port,
                      .at = {.host = "host1", .device = "rxe2", .port = 1, .rail = 1, .plane = 1}});
  lost.certainty = finding::Certainty::confirmed;
  lost.evidence.push_back({.text = "its port is DOWN, which costs 1/2 of its rail"});
  document.report.findings.push_back(std::move(lost));
  document.report.findings.insert(document.report.findings.begin(), dead_link());
  document.failures = {
      {.rank = 2,
       .host = "host1",
       .kind = Failure::Kind::transport,
       .text = "rail 1, rxe1, to rank 1 on host0: transport retry counter exceeded",
       .findings = {dead_link()}},
      {.rank = 0,
       .host = "host0",
       .kind = Failure::Kind::time_out,
       .text = "step 3 waits for rank 3 on host1"}};
  return document;
}

Document reachability_document() {
  Document document = ended(begun(), ExitCode::verdict_failed, "");
  document.command_line = {"reachability_perf", "--same-rail-only"};
  document.options.clear();
  document.environment.clear();
  document.ranks = {rank(0), rank(2)};
  document.ranks[1].rank = 1;
  PairsBody body{.planned = 4};
  for (const int rail : {0, 1}) {
    for (const int from : {0, 1}) {
      PairRow& row = body.rows.emplace_back(PairRow{.from = endpoint(from, rail),
                                                    .to = endpoint(1 - from, rail),
                                                    .mode = "connect",
                                                    .verdict = PairVerdict::pass});
      const double time_us = 4.5 + from;
      row.figures = {.gigabytes_per_second = 0.25,
                     .messages = 40,
                     .bytes = 2'621'440,
                     .seconds = 0.0105,
                     .time = measure::Summary{20, time_us, time_us, time_us, 9, 9, 9, time_us},
                     .quantiles_us = {time_us, time_us, 6}};
      if (rail == 0 || from == 1) continue;
      row.figures = {.reason = "no answer within 1 s"};
      row.verdict = PairVerdict::fail;
      row.remark = row.figures.reason;
    }
  }
  std::ranges::sort(body.rows, {}, [](const auto& row) { return std::pair(row.from, row.to); });
  body.summary = {{.mode = "connect",
                   .measured = 4,
                   .finished = 3,
                   .failed = 1,
                   .median_gigabytes_per_second = 0.25,
                   .slowest_gigabytes_per_second = 0.25}};
  report_path(document, "pairs", finding::Cause::unreachable, endpoint(0, 1), endpoint(1, 1),
              "unreachable: no answer within 1 s");
  document.body = std::move(body);
  return document;
}

Document isolate_document() {
  Document document = ended(begun(), ExitCode::verdict_failed, "");
  document.command_line = {"isolate_perf"};
  document.options.clear();
  document.environment.clear();
  document.ranks = {rank(0), rank(2)};
  document.ranks[1].rank = 1;
  IsolateBody body;
  body.rounds = 2;
  body.coverage = 1;
  body.noise = 0.01;
  body.detectable_loss = 0.000575;
  body.rows.push_back({.from = endpoint(0, 0),
                       .to = endpoint(1, 0),
                       .source_port = 49152,
                       .hops = {"10.1.0.1", "10.2.0.1", "10.1.0.2"},
                       .gigabytes_per_second = 0.25,
                       .p50_us = 12,
                       .p99_us = 30.5,
                       .packets = 4000,
                       .lost_packets = 40,
                       .symptoms = "lossy"});
  body.rows.push_back({.from = endpoint(1, 0),
                       .to = endpoint(0, 0),
                       .source_port = 49152,
                       .round = 1,
                       .alone = true,
                       .hops = {"10.1.0.2", "", "10.1.0.1"},
                       .sprayed = true,
                       .failed = true,
                       .cpu_share = 0.75,
                       .void_because = "the process on host1 was descheduled for 40 ms",
                       .reason = "transport retries exhausted"});
  document.report = lossy_link();
  document.reasons = finding::reasons(document.report);
  document.body = std::move(body);
  return document;
}

Document congestion_document() {
  Document document = ended(begun(), ExitCode::ok, "");
  document.command_line = {"congestion_perf"};
  document.options.clear();
  document.environment.clear();
  document.ranks = {rank(0), rank(2)};
  document.ranks[1].rank = 1;
  CongestionBody body{.verdict = "ECN_FIRST", .verdict_reason = "32 ECN marks"};
  body.rows.push_back({.scenario = "incast",
                       .step = "1 sender, load 2",
                       .load = 2,
                       .begin_s = 0.5,
                       .seconds = 2,
                       .verdict = "ECN_FIRST",
                       .reason = "32 ECN marks",
                       .marks = {true, "switch", 32, 0.5, 0.51, "leaf0 -> host0"},
                       .pauses = {true, "switch", 8, 0.75, 0.76, "leaf0 -> host1"},
                       .losses = {.counted = true},
                       .cnps_sent = 12,
                       .cnps_received = 12,
                       .jain_index = 0.98,
                       .figures = {{.metric = "slowest flow over its fair share",
                                    .value = 0.49,
                                    .expected = 0.5,
                                    .expected_from = "paths"}},
                       .sampling = {10, 12.5, 0.008, 0.1}});
  body.rows.back().flows.push_back({.from = endpoint(1, 0),
                                    .to = endpoint(0, 0),
                                    .paths = {{"10.255.1.2", "10.255.2.1", "10.255.1.1"}},
                                    .offered_gigabytes_per_second = 50,
                                    .gigabytes_per_second = 24.5,
                                    .time = measure::Summary{1000, 18, 20, 22, 25, 30, 31, 20.5},
                                    .cpu_share = 0.98});
  body.rows.back().samples.push_back(
      {.end_s = 0.51, .marks = 32, .cnps_received = 12, .pauses = 0, .losses = 0, .packets = 900});
  document.report.coverage = {{.check = "congestion", .planned = 1, .tested = 1}};
  document.body = std::move(body);
  return document;
}

Document job_document() {
  Document document = ended(begun(), ExitCode::ok, "");
  document.command_line = {"job_perf", "dense.json"};
  document.options.clear();
  document.environment.clear();
  document.ranks = {rank(0), rank(2)};
  document.ranks[1].rank = 1;
  JobBody body{.job = {.workload = "dense training step",
                       .parameters = {{"dp", 2}, {"layers", 32}},
                       .warmup_steps = 1,
                       .time = measure::Summary{2, 900, 900, 1000, 1000, 1000, 1000, 950},
                       .compute_us = 800,
                       .exposed_us = 100,
                       .communication_us = 500,
                       .overlap_percent = 80,
                       .over_compute = 1.125,
                       .ideal_us = 720,
                       .over_ideal = 1.25,
                       .line_rate_us = 700,
                       .over_line_rate = 1.3}};
  body.job.operations.push_back(
      {.name = "forward", .kind = "compute", .times = 64, .ideal_us = 640});
  body.job.operations.push_back({.name = "gather weights",
                                 .kind = "all_gather",
                                 .group = "dp",
                                 .algorithm = "ring",
                                 .instances = 1,
                                 .bytes = 1 << 20,
                                 .times = 32,
                                 .slowest_us = 30.5,
                                 .fastest_us = 28.25,
                                 .slowest_rank = 1,
                                 .ideal_us = 80,
                                 .line_rate_us = 26,
                                 .hottest = results::JobHottest{1, 1 << 19, 1.5},
                                 .rails = {{0, 61}, {1, 74}}});
  body.job.operations.push_back(
      {.name = "request",
       .kind = "send",
       .instances = 1,
       .bytes = 1 << 20,
       .times = 4,
       .slowest_us = 50,
       .fastest_us = 50,
       .latency = results::JobLatency{.time = {8, 40, 50, 60, 60, 60, 60, 50},
                                      .median_interval = measure::MedianInterval{40, 60},
                                      .deadline_us = 55,
                                      .within_deadline_percent = 75}});
  body.job.parts = {{.name = "train",
                     .ranks = 2,
                     .traffic_class = 104,
                     .repetitions = 3,
                     .alone_us = 800,
                     .with = {{.with = "save", .time_us = 840, .factor = 1.05}},
                     .together = {.with = "save, load", .time_us = 1000, .factor = 1.25}},
                    {.name = "save",
                     .ranks = 1,
                     .rails = {1},
                     .repetitions = 1,
                     .alone_us = 500,
                     .together = {.with = "train, load", .time_us = 1000, .factor = 2}}};
  body.rows.push_back({.running = "train, save",
                       .step = 0,
                       .time_us = 1000,
                       .p99_us = 1000,
                       .max_us = 1000,
                       .slowest_rank = 1,
                       .compute_us = 800,
                       .exposed_us = 200,
                       .waited_rank = 1,
                       .waited_operation = "gather weights",
                       .waited_us = 120.5,
                       .verified = 1,
                       .wrong = 0});
  body.rows.push_back({.step = 1,
                       .begin_s = 0.00125,
                       .time_us = 900,
                       .p99_us = 900,
                       .max_us = 900,
                       .compute_us = 800,
                       .exposed_us = 100});
  document.report.coverage = {{.check = "steps", .planned = 2, .tested = 2},
                              {.check = "verification", .planned = 1, .tested = 1}};
  document.body = std::move(body);
  return document;
}

Document pairs_document() {
  Document document = ended(begun(), ExitCode::verdict_failed, "");
  document.command_line = {"pairs_perf"};
  document.options.clear();
  document.environment.clear();
  document.ranks = {rank(0), rank(2)};
  document.ranks[1].rank = 1;
  PairFigures good{.gigabytes_per_second = 48.5,
                   .line_rate_percent = 97.0,
                   .messages = 1000,
                   .bytes = 65'536'000,
                   .seconds = 0.00135,
                   .time = measure::Summary{1000, 18, 20, 22, 25, 30, 31, 20.5},
                   .quantiles_us = {18.5, 20, 22.5},
                   .retransmissions = 0};
  PairFigures slow = good;
  slow.gigabytes_per_second = 24.2;
  slow.line_rate_percent = 48.4;
  slow.retransmissions = 12;
  slow.receiver_events = {{"out_of_sequence", 12}};
  PairFigures slow_alone = slow;
  slow_alone.alone = true;
  PairsBody body{.planned = 4};
  body.rows.push_back({.from = endpoint(0, 0),
                       .to = endpoint(1, 0),
                       .mode = "bandwidth",
                       .path_label = PathLabel::told,
                       .switches = 3,
                       .paths = {{49160, {"10.1.0.1", "10.2.0.1", "10.1.0.2"}, true}},
                       .figures = good,
                       .repetitions = {48.5},
                       .verdict = PairVerdict::pass});
  body.rows.push_back({.from = endpoint(1, 0),
                       .to = endpoint(0, 0),
                       .mode = "bandwidth",
                       .path_label = PathLabel::by_queue_pair,
                       .switches = 3,
                       .paths = {{49160, {"10.1.0.2", std::nullopt, "10.1.0.1"}}},
                       .figures = slow_alone,
                       .alone = true,
                       .earlier = {slow},
                       .verdict = PairVerdict::fail,
                       .remark = "24.2 GB/s, 48.4 % of line rate, below 90 %"});
  body.rows.push_back({.from = endpoint(0, 1),
                       .to = endpoint(1, 1),
                       .mode = "bandwidth",
                       .round = 1,
                       .path_label = PathLabel::no_answer,
                       .paths = {{.source_port = 49160}},
                       .figures = {.reason = "no answer within 1 s"},
                       .verdict = PairVerdict::fail,
                       .remark = "no answer within 1 s"});
  body.summary = {{.mode = "bandwidth",
                   .measured = 3,
                   .finished = 2,
                   .failed = 2,
                   .median_gigabytes_per_second = 48.5,
                   .slowest_gigabytes_per_second = 24.2,
                   .by_switches = {{.switches = 3,
                                    .measured = 2,
                                    .median_gigabytes_per_second = 48.5,
                                    .slowest_gigabytes_per_second = 24.2}}}};
  report_path(document, "pairs", finding::Cause::bandwidth, endpoint(1, 0), endpoint(0, 0),
              "low bandwidth, 48.4 % of line rate");
  document.body = std::move(body);
  return document;
}

std::map<std::string, Document> documents_of_every_status() {
  Document running = ok_document();
  running.exit_code.reset();
  running.end.reset();
  Document wrong = ended(ok_document(), ExitCode::wrong_data, "12 elements are wrong");
  rows_of(wrong)[0].in_place->wrong = 12;
  wrong.failures = {{.rank = 1,
                     .host = "host0",
                     .kind = Failure::Kind::wrong_data,
                     .text = "element 7 is 9 and should be 10"}};
  Document usage;  // refused before anything about the ranks was known
  usage.tool = {.version = "0.1.0", .commit = "unknown"};
  usage.body = CollectiveBody{"all_reduce"};
  return {
      {"running", running},
      {"ok", ok_document()},
      {"failed", ended(ok_document(), ExitCode::verdict_failed, "bus bandwidth is below 40 GB/s")},
      {"usage", ended(usage, ExitCode::usage, "-e 8 is below -b 16")},
      {"time-out", timed_out_document()},
      {"wrong-data", wrong},
      {"environment", ended(begun(), ExitCode::environment, "host1 has no RDMA device")},
      {"interrupted", ended(ok_document(), ExitCode::interrupted, "SIGINT")}};
}

}  // namespace railgauge::results
