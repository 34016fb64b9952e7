#include "runner/isolation/isolation_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runner/poll_gaps.hpp"

namespace railgauge::runner {
namespace {

using isolation::Batches;
using isolation::Flow;
using isolation::Pair;
using isolation::PlannedTest;
using results::IsolateRow;

/// What is suspected anew after tests alone is tested alone, too, but not for ever.
constexpr int kMostRetests = 6;

/// Whether one of the tests is between them.
bool is_in(const std::vector<Batch>& batches, const Pair& pair) {
  const auto is_of = [&](const PlannedTest& test) {
    return std::minmax(test.from, test.to) == std::minmax(pair.first, pair.second);
  };
  return std::ranges::any_of(batches,
                             [&](const Batch& batch) { return std::ranges::any_of(batch, is_of); });
}

}  // namespace

IsolationRun::IsolationRun(job::Communicator& communicator, const IsolationSettings& settings,
                           const std::vector<TestedNic>& nics, const std::vector<verbs::Port>& own,
                           TakeRow row)
    : communicator_(communicator),
      settings_(settings),
      nics_(nics),
      row_(std::move(row)),
      labels_(communicator, nics, settings.labels) {
  evidence_.nics.reserve(nics.size());
  for (std::size_t nic = 0; nic < nics.size(); ++nic) {
    evidence_.nics.push_back(nics[nic].nic);
    if (nics[nic].rank != communicator.rank()) continue;
    const auto port = std::ranges::find_if(own, [&](const verbs::Port& one) {
      return one.device == nics[nic].end.device && one.number == nics[nic].end.port;
    });
    own_.emplace(nic, std::make_unique<ProbedNic>(*port));
  }
}

std::optional<std::size_t> IsolationRun::nic_of(const results::Endpoint& end) const {
  std::optional<std::size_t> found;
  for (std::size_t nic = 0; nic < nics_.size(); ++nic) {
    const results::Endpoint& one = nics_[nic].end;
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

/// Every pair of the round, there and back, over several source ports, one after the other; then
/// those that found no free way: what is dead does not tell its own.
void IsolationRun::run_round() {
  std::vector<Pair> pairs = matching(evidence_, rounds_, settings_.plan);
  labels_.trace(pairs, evidence_, batches_);
  std::vector<Batch> batches;
  const auto add = [&] {
    for (const auto way : {Batches::Way::there, Batches::Way::back})
      batches.push_back(batches_.next(pairs, way));
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

/// Tests alone may have acquitted what explained others: it takes more until all is well then.
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

/// Imported tests may have ways that are not known here.
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
  const auto measured = run_batches(communicator_, nics_, own_, batches, settings_.tests);
  std::size_t at = 0;
  for (const Batch& batch : batches) {
    for (const PlannedTest& test : batch) take(test, measured[at++], alone);
    if (alone) ++next_number_;
  }
}

void IsolationRun::take(const PlannedTest& test, const MeasuredTest& measured, bool alone) {
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

IsolateRow IsolationRun::row_of(const PlannedTest& test, const MeasuredTest& measured,
                                bool alone) const {
  IsolateRow row;
  row.from = nics_[test.from].end;
  row.to = nics_[test.to].end;
  row.source_port = test.route.source_port;
  row.port_was_set = measured.port_was_set;
  row.round = next_number_;
  row.alone = alone;
  for (const int hop : test.route.hops) {
    row.hops.push_back(hop == isolation::kUnknownSwitch
                           ? std::string()
                           : evidence_.switches[static_cast<std::size_t>(hop)]);
  }
  row.sprayed = test.route.sprayed;
  row.failed = !measured.outcome.reason.empty();
  row.reason = measured.outcome.reason;
  row.gigabytes_per_second = measured.outcome.gigabytes_per_second;
  row.p50_us = measured.outcome.p50_us;
  row.p99_us = measured.outcome.p99_us;
  row.packets = measured.packets;
  row.lost_packets = measured.lost;
  row.waited_share = measured.waited_share;
  const auto test_ms = static_cast<double>(settings_.tests.time.count());
  if (was_held_up(measured.stalled_ms, test_ms, row.failed)) {
    row.void_because = held_up_text(nics_[measured.stalled_nic].nic.host, measured.stalled_ms);
    row.gigabytes_per_second = {};  // what came at once after it would seem very fast
    row.p50_us = {};
    row.p99_us = {};
  }
  return row;
}

bool IsolationRun::on_software(std::size_t from, std::size_t to) const {
  return nics_[from].software || nics_[to].software;
}

std::optional<std::size_t> IsolationRun::row_of(std::size_t test) const {
  std::optional<std::size_t> row;
  if (const auto found = rows_.find(test); found != rows_.end()) row = found->second;
  return row;
}

std::vector<std::string> IsolationRun::notes() const {
  std::vector<std::string> notes = labels_.notes();
  if (evidence_.switches.size() == 1) {
    notes.emplace_back("all NICs are below one switch, " + evidence_.switches.front() +
                       ": there are no links between switches to tell apart");
  }
  if (offered_ > 0 && imported_ == 0) {
    notes.push_back("--evidence: none of its " + std::to_string(offered_) +
                    " tests is between NICs that are here");
  }
  if (nics_.size() % 2 != 0)
    notes.emplace_back("the number of NICs is odd: one rests in every round");
  if (stalled_tests_ > 0) {
    notes.emplace_back(std::to_string(stalled_tests_) + " of " + std::to_string(tests_) +
                       " tests count only if they lost packets, because a process at one of "
                       "their ends did not run for a part of the time: the hosts are busy with "
                       "other things");
  }
  return notes;
}

}  // namespace railgauge::runner
