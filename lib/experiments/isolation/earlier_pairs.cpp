#include "experiments/isolation/earlier_tests.hpp"

#include <algorithm>
#include <utility>

#include "experiments/pairs/pairs_options.hpp"
#include "flow/test.hpp"
#include "isolation/symptoms.hpp"
#include "measure/cpu_share.hpp"
#include "normal/cohorts.hpp"
#include "pairs/speed.hpp"

namespace railgauge::runner {
namespace {

using results::Endpoint;
using results::IsolateRow;
using results::PairFigures;
using results::PairRow;
using results::PathLabel;

constexpr isolation::Limits kLimits{};

/// A high percentile of latency, as lib/normal compares it.
normal::Sample late_sample(const PairRow& row) {
  const auto& times = row.figures.time;
  const bool measured = row.figures.reason.empty() && times && times->p99_us > 0;
  return {.metric = row.mode,
          .same_rail = row.same_rail,
          .switches = row.switches,
          .speed = measured ? 1 / times->p99_us : 0,
          .adds_up = true};
}

std::vector<normal::Sample> late_samples(const std::vector<PairRow>& rows) {
  std::vector<normal::Sample> samples;
  samples.reserve(rows.size());
  for (const PairRow& row : rows) samples.push_back(late_sample(row));
  return samples;
}

/// What all of a test's paths have in common: of several, a switch that one does not pass is not
/// known to be passed.
std::vector<std::string> hops_of(const PairRow& row) {
  std::vector<std::string> hops;
  for (const results::PairPath& path : row.paths) {
    const bool first = &path == &row.paths.front();
    if (path.hops.empty() || (!first && path.hops.size() != hops.size())) return {};
    if (first) hops.resize(path.hops.size());
    for (std::size_t at = 0; at < hops.size(); ++at) {
      const std::string hop = path.hops[at].value_or("");
      if (first) hops[at] = hop;
      if (hops[at] != hop) hops[at].clear();
    }
  }
  return hops;
}

class Pairs {
 public:
  Pairs(const results::PairsBody& body, const results::Document& document)
      : body_(body),
        counters_(document),
        cohorts_(pairs::cohorts_of(body.rows)),
        late_(late_samples(body.rows), normal::Basis::majority) {
    for (const PairRow& row : body.rows) next_round_ = std::max(next_round_, row.round + 1);
  }

  [[nodiscard]] std::vector<EarlierTest> tests() {
    for (const PairRow& row : body_.rows) {
      // Rails may be separate networks.
      const bool failed = !row.figures.reason.empty();
      if (failed && row.verdict == results::PairVerdict::pass) continue;
      for (const PairFigures& attempt : row.earlier) add(row, attempt);
      add(row, row.figures);
    }
    return std::move(tests_);
  }

 private:
  void add(const PairRow& row, const PairFigures& attempt) {
    EarlierTest test;
    test.row.from = row.from;
    test.row.to = row.to;
    test.row.source_port = row.paths.empty() ? std::uint16_t{0} : row.paths.front().source_port;
    test.row.hops = hops_of(row);
    test.row.sprayed = row.path_label == PathLabel::sprayed;
    test.row.alone = attempt.alone;
    test.row.failed = !attempt.reason.empty();
    test.row.reason = attempt.reason;
    test.row.arrives = attempt.arrives;
    test.row.void_because = attempt.descheduled;
    if (!test.row.failed) take_figures(row, attempt, test);
    if (!tells(test) || attempt.reason.starts_with(flow::kNoTurn)) return;
    test.row.round = attempt.alone ? next_round_++ : row.round;
    tests_.push_back(std::move(test));
  }

  void take_figures(const PairRow& row, const PairFigures& attempt, EarlierTest& test) {
    if (pairs::is_bandwidth(row.mode)) {
      take_bandwidth(row, attempt, test);
    } else if (attempt.time && !is_software(row.from) && !is_software(row.to)) {
      const normal::Sample late = late_sample(row);
      if (late_.of(late).comparable()) {
        test.expected_latency_us = 1 / late_.median_for(late);
        test.row.p99_us = attempt.time->p99_us;
      }
    }
    test.row.packets = counters_.packets(row.from, row.to, attempt);
    test.row.lost_packets = counters_.lost_packets(row.from, row.to, attempt);
  }

  /// Where processors play the NICs, what is less than usual is often their doing.
  void take_bandwidth(const PairRow& row, const PairFigures& attempt, EarlierTest& test) {
    if (!cohorts_.of(pairs::sample_of(row)).comparable() || !attempt.gigabytes_per_second) return;
    const double median = cohorts_.median_for(pairs::sample_of(row));
    const double share = *attempt.gigabytes_per_second / median;
    const bool software = is_software(row.from) || is_software(row.to);
    if (share < kLimits.slow_below &&
        measure::rate_at_full_share(share, attempt.cpu_share) >= kLimits.slow_below) {
      return;
    }
    if (software && share < kLimits.slow_below && share >= kSoftwareMedianShare) return;
    test.row.gigabytes_per_second = attempt.gigabytes_per_second;
    test.expected_gigabytes_per_second = median;
  }

  /// Whether anything of it can be judged. That few packets came without a loss does not speak for
  /// what they passed.
  static bool tells(const EarlierTest& test) {
    const IsolateRow& row = test.row;
    if (row.failed || row.gigabytes_per_second || row.p99_us) return true;
    return row.lost_packets.value_or(0) > 0 &&
           static_cast<double>(*row.lost_packets) >
               kLimits.lossy_above * static_cast<double>(row.packets.value_or(0));
  }

  [[nodiscard]] bool is_software(const Endpoint& end) const {
    const results::RankRail* const rail = counters_.rail_of(end);
    return rail != nullptr && rail->kind != results::DeviceKind::hardware;
  }

  const results::PairsBody& body_;
  PathCounters counters_;
  normal::Cohorts cohorts_;
  normal::Cohorts late_;
  int next_round_ = 0;
  std::vector<EarlierTest> tests_;
};

}  // namespace

std::vector<EarlierTest> tests_of_pairs(const results::PairsBody& body,
                                        const results::Document& document) {
  return Pairs(body, document).tests();
}

}  // namespace railgauge::runner
