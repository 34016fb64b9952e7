#include "experiments/isolation/isolation_run.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <string>

#include "experiments/pairs/pairs_plan.hpp"
#include "finding/words.hpp"
#include "isolation/findings.hpp"
#include "isolation/symptoms.hpp"
#include "measure/cpu_share.hpp"
#include "measure/statistics.hpp"
#include "paths/source_port.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using isolation::Batches;
using isolation::Flow;
using isolation::Pair;
using isolation::PlannedTest;
using results::IsolateRow;

/// New suspects after a retest are retested alone, too, but not without end.
constexpr int kMostRetests = 6;

/// How much is outstanding: more than a fabric holds, so that its slowest link is always busy, and
/// less than its buffers. Software devices have links that are slower by a thousand.
struct Load {
  std::uint32_t bytes;  // of a write
  int window;
};
constexpr Load kHardwareLoad{.bytes = 256 * 1024, .window = 8};
constexpr Load kSoftwareLoad{.bytes = 16 * 1024, .window = 4};

/// A number for each plane of each rail: networks of their own.
std::map<std::pair<int, int>, int> networks_of(const AllNics& all) {
  std::map<std::pair<int, int>, int> networks;
  for (const pairs::Nic& nic : all.nics) networks[{nic.rail, nic.plane}] = 0;
  int next = 0;
  for (auto& [network, number] : networks) number = next++;
  return networks;
}

std::vector<isolation::Nic> nics_of_evidence(const Session& session, const AllNics& all) {
  const auto networks = networks_of(all);
  std::vector<isolation::Nic> nics;
  nics.reserve(all.nics.size());
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic) {
    const pairs::Nic& one = all.nics[nic];
    finding::Endpoint end = results::place_of(endpoint_of(one));
    end.host = session.document().ranks[all.rank_of[nic]].host;
    end.ranks = {static_cast<int>(all.rank_of[nic])};
    nics.push_back({one.host, std::move(end), networks.at({one.rail, one.plane}),
                    one.link_gigabits_per_second});
  }
  return nics;
}

/// Whether one of the tests is between them.
bool is_in(const std::vector<std::vector<PlannedTest>>& batches, const Pair& pair) {
  const auto is_of = [&](const PlannedTest& test) {
    return std::minmax(test.from, test.to) == std::minmax(pair.first, pair.second);
  };
  return std::ranges::any_of(batches,
                             [&](const auto& batch) { return std::ranges::any_of(batch, is_of); });
}

/// Without those of imported tests.
std::vector<std::uint64_t> rows_of(const std::vector<std::uint64_t>& tests,
                                   const IsolationRun& run) {
  std::vector<std::uint64_t> rows;
  for (const std::uint64_t test : tests) {
    if (const auto row = run.row_of(test)) rows.push_back(*row);
  }
  return rows;
}

std::string in_words(const isolation::Symptoms& symptoms) {
  std::vector<std::string> words;
  if (symptoms.dead) words.emplace_back("dead");
  if (symptoms.lossy) words.emplace_back("lossy");
  if (symptoms.slow) words.emplace_back("slow");
  if (symptoms.late) words.emplace_back("late");
  return finding::joined(words);
}

std::string starved_text(const results::IsolateRow& row) {
  return "slow while " + measure::cpu_share_text(row.cpu_share.value_or(1));
}

/// The share of packets of which a test loses none with a probability of 10 %: as often as tests
/// are taken to seem good that pass something bad. Empty if packets were not counted.
std::optional<double> detectable_loss(const results::IsolateBody& body) {
  std::vector<double> packets;
  for (const results::IsolateRow& row : body.rows) {
    if (row.packets && *row.packets > 0 && !row.failed)
      packets.push_back(static_cast<double>(*row.packets));
  }
  if (packets.empty()) return std::nullopt;
  return std::numbers::ln10 / measure::median(packets);
}

void add_symptoms(const IsolationRun& run, results::IsolateBody& body) {
  const auto symptoms = isolation::symptoms_of(run.evidence(), {});
  for (std::size_t test = 0; test < symptoms.size(); ++test) {
    const auto at = run.row_of(test);
    if (!at || *at >= body.rows.size()) continue;
    results::IsolateRow& row = body.rows[*at];
    row.symptoms = in_words(symptoms[test]);
    if (symptoms[test].says_nothing()) row.void_because = starved_text(row);
  }
}

}  // namespace

IsolationRun::IsolationRun(Session& session, const IsolationSettings& settings, const AllNics& nics,
                           TakeRow row)
    : communicator_(session.communicator()),
      settings_(settings),
      nics_(nics),
      row_(std::move(row)),
      counters_(session.document()),
      tester_(session, nics, kHardwareLoad.bytes),
      labels_(communicator_, nics, settings.labels) {
  evidence_.nics = nics_of_evidence(session, nics);
  const Load load = session.on_software() ? kSoftwareLoad : kHardwareLoad;
  settings_.tests.message_bytes = load.bytes;
  settings_.tests.window = load.window;
}

std::optional<std::size_t> IsolationRun::nic_of(const results::Endpoint& end) const {
  std::optional<std::size_t> found;
  for (std::size_t nic = 0; nic < nics_.nics.size(); ++nic) {
    const pairs::Nic& one = nics_.nics[nic];
    if (one.host == end.host && one.device == end.device && one.port == end.port) found = nic;
  }
  return found;
}

/// Of NICs that are here, too. Their rounds come before all others.
void IsolationRun::import(const std::vector<EarlierTest>& tests) {
  for (const EarlierTest& test : tests) {
    const IsolateRow& row = test.row;
    const auto from = nic_of(row.from);
    const auto to = nic_of(row.to);
    if (!from || !to || *from == *to || !is_evidence(row)) continue;
    std::vector<int> hops;
    hops.reserve(row.hops.size());
    for (const std::string& hop : row.hops) hops.push_back(labels_.number_of(hop, evidence_));
    evidence_.tests.push_back(
        observation_of(test, *from, *to, std::move(hops), on_software(*from, *to)));
    next_number_ = std::max(next_number_, row.round + 1);
    ++imported_;
  }
  offered_ = tests.size();
}

void IsolationRun::measure() {
  do {
    do {
      run_round();
    } while (goes_on());
    test_again();
  } while (lacks_rounds());
}

/// Every pair of the round, in both directions, over several source ports, one after the other;
/// then the pairs that found no free path: a dead NIC does not answer traces.
void IsolationRun::run_round() {
  std::vector<Pair> pairs = matching(evidence_, rounds_, settings_.plan);
  labels_.trace(pairs, evidence_, batches_);
  std::vector<Batch> batches;
  const auto add = [&] {
    for (const auto direction : {Batches::Direction::forward, Batches::Direction::reverse})
      batches.push_back(batches_.next(pairs, direction));
  };
  for (int port = 0; port < settings_.plan.ports; ++port) add();
  std::erase_if(pairs, [&](const Pair& pair) { return is_in(batches, pair); });
  if (!pairs.empty()) add();
  run(batches, false);
  ++rounds_;
  ++next_number_;
}

/// Ranks may compute the odds a little differently: one decides.
bool IsolationRun::goes_on() {
  std::uint64_t more = 0;
  if (communicator_.is_leader()) {
    verdict_ = judge(evidence_);
    more = enough(verdict_, rounds_, settings_.plan) ? 0 : 1;
  }
  return communicator_.broadcast(more) != 0;
}

/// A retest may have cleared what explained other tests: then it takes more rounds to pass.
bool IsolationRun::lacks_rounds() {
  std::uint64_t more = 0;
  if (communicator_.is_leader() && rounds_ < settings_.plan.most_rounds) {
    const bool undecided = verdict_.state == isolation::State::undecided;
    more = undecided && verdict_.unexplained_failures == 0 ? 1 : 0;
  }
  return communicator_.broadcast(more) != 0;
}

void IsolationRun::test_again() {
  for (int turn = 0; turn < kMostRetests; ++turn) {
    const std::vector<Flow> flows = flows_of_leader();
    if (flows.empty()) return;
    std::vector<Batch> alone;
    alone.reserve(flows.size());
    for (const Flow& flow : flows) alone.push_back({batches_.test_of(flow)});
    run(alone, true);
    if (communicator_.is_leader()) verdict_ = judge(evidence_);
  }
}

/// Imported tests may have paths that are not known here.
std::vector<Flow> IsolationRun::flows_to_confirm() const {
  std::vector<Flow> flows = retests(evidence_, verdict_);
  std::erase_if(flows, [&](const Flow& flow) { return !batches_.has_route(flow); });
  return flows;
}

std::vector<Flow> IsolationRun::flows_of_leader() {
  nlohmann::json list = nlohmann::json::array();
  if (communicator_.is_leader()) {
    for (const Flow& flow : flows_to_confirm())
      list.push_back({flow.from, flow.to, flow.source_port});
  }
  const std::vector<std::string> told = communicator_.all_gather_text(list.dump());
  std::vector<Flow> flows;
  for (const auto& one : nlohmann::json::parse(told.front()))
    flows.push_back({one.at(0), one.at(1), one.at(2)});
  return flows;
}

/// Of tests alone each is a round of its own.
void IsolationRun::run(const std::vector<Batch>& batches, bool alone) {
  for (const Batch& batch : batches) {
    std::vector<PairTest> tests;
    tests.reserve(batch.size());
    for (const PlannedTest& test : batch)
      tests.push_back({test.from, test.to, {paths::flow_label_of_port(test.route.source_port)}});
    const auto measured = tester_.run(settings_.tests, tests);
    for (std::size_t at = 0; at < measured.size(); ++at) take(batch[at], measured[at], alone);
    if (alone) ++next_number_;
  }
}

void IsolationRun::take(const PlannedTest& test, const DirectionFigures& measured, bool alone) {
  const IsolateRow row = row_of(test, measured, alone);
  if (is_evidence(row)) {
    rows_[evidence_.tests.size()] = tests_;
    evidence_.tests.push_back(
        observation_of(row, test.from, test.to, test.route.hops, on_software(test.from, test.to)));
  }
  stalled_tests_ += row.void_because.empty() ? 0 : 1;
  ++tests_;
  row_(row);
}

IsolateRow IsolationRun::row_of(const PlannedTest& test, const DirectionFigures& measured,
                                bool alone) const {
  const results::PairFigures& figures = measured.figures;
  IsolateRow row;
  row.from = endpoint_of(nics_.nics[test.from]);
  row.to = endpoint_of(nics_.nics[test.to]);
  row.source_port = test.route.source_port;
  row.port_was_set = measured.ports_were_set;
  row.round = next_number_;
  row.alone = alone;
  for (const int hop : test.route.hops) {
    row.hops.push_back(hop == isolation::kUnknownSwitch
                           ? std::string()
                           : evidence_.switches[static_cast<std::size_t>(hop)]);
  }
  row.sprayed = test.route.sprayed;
  row.failed = !figures.reason.empty();
  row.reason = figures.reason;
  row.packets = counters_.packets(row.from, row.to, figures);
  row.lost_packets = counters_.lost_packets(row.from, row.to, figures);
  if (on_software(test.from, test.to)) row.cpu_share = figures.cpu_share;
  row.void_because = figures.descheduled;
  if (!row.void_because.empty()) return row;  // what came at once after it would seem very fast
  row.gigabytes_per_second = figures.gigabytes_per_second;
  if (figures.time) {
    row.p50_us = figures.time->p50_us;
    row.p99_us = figures.time->p99_us;
  }
  return row;
}

bool IsolationRun::on_software(std::size_t from, std::size_t to) const {
  return nics_.nics[from].software || nics_.nics[to].software;
}

std::optional<std::size_t> IsolationRun::row_of(std::size_t test) const {
  std::optional<std::size_t> row;
  if (const auto found = rows_.find(test); found != rows_.end()) row = found->second;
  return row;
}

std::vector<std::string> IsolationRun::notes() const {
  std::vector<std::string> notes = labels_.notes();
  if (evidence_.switches.size() == 1) {
    notes.emplace_back("all NICs are attached to one switch, " + evidence_.switches.front() +
                       ": there are no links between switches");
  }
  if (offered_ > 0 && imported_ == 0) {
    notes.push_back("--evidence: no NIC of this run is in its " + std::to_string(offered_) +
                    " tests");
  }
  if (nics_.nics.size() % 2 != 0)
    notes.emplace_back("the number of NICs is odd: one NIC is idle in every round");
  if (stalled_tests_ > 0) {
    notes.emplace_back("endpoint processes were descheduled in " + std::to_string(stalled_tests_) +
                       " of " + std::to_string(tests_) +
                       " tests: these count only if they lost packets");
  }
  return notes;
}

finding::Report report_of(const IsolationRun& run) {
  finding::Report report = isolation::report_of(run.verdict(), run.evidence());
  for (finding::Finding& finding : report.findings) {
    for (finding::Evidence& one : finding.evidence) {
      one.rows_for = rows_of(one.rows_for, run);
      one.rows_against = rows_of(one.rows_against, run);
    }
  }
  return report;
}

void conclude(const IsolationRun& run, results::IsolateBody& body) {
  body.rounds = run.rounds();
  body.coverage = run.verdict().coverage();
  body.noise = run.verdict().false_positive;
  body.detectable_loss = detectable_loss(body);
  body.imported_tests = run.imported();
  const std::set<std::string> switches = isolation::switches_of(run.evidence(), false);
  body.switches.assign(switches.begin(), switches.end());
  add_symptoms(run, body);
}

}  // namespace railgauge::runner
