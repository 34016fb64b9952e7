#include "runner/isolation/earlier_pairs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "flow/test.hpp"
#include "isolation/symptoms.hpp"
#include "measure/ran_share.hpp"
#include "pairs/medians.hpp"
#include "runner/pairs/pairs_options.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using results::Endpoint;
using results::IsolateRow;
using results::PairFigures;
using results::PairRow;
using results::PathLabel;

constexpr const char* kBandwidth = "bandwidth";
constexpr isolation::Limits kLimits{};

/// Of ways that are compared with each other, the median of a high percentile of latency.
class LateMedians {
 public:
  LateMedians(const std::vector<PairRow>& rows, const pairs::Medians& medians) : medians_(medians) {
    for (const PairRow& row : rows) {
      if (row.figures.reason.empty() && row.figures.time)
        times_[group_of(row)].push_back(row.figures.time->p99_us);
    }
    for (auto& [group, times] : times_) std::ranges::sort(times);
  }

  /// Empty if there are too few.
  [[nodiscard]] std::optional<double> of(const PairRow& row) const {
    std::optional<double> median;
    const auto found = times_.find(group_of(row));
    if (found != times_.end() && found->second.size() >= pairs::kLeastOfKind)
      median = found->second[(found->second.size() - 1) / 2];
    return median;
  }

 private:
  using Group = std::tuple<std::string, bool, int>;

  [[nodiscard]] Group group_of(const PairRow& row) const {
    return {row.mode, row.same_rail, medians_.switches_of(row).value_or(-1)};
  }

  const pairs::Medians& medians_;
  std::map<Group, std::vector<double>> times_;
};

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
      : body_(body), document_(document), medians_(body.rows), late_(body.rows, medians_) {
    for (const PairRow& row : body.rows) next_round_ = std::max(next_round_, row.round + 1);
  }

  [[nodiscard]] std::vector<EarlierTest> tests() {
    for (const PairRow& row : body_.rows) {
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
    test.row.void_because = attempt.held_up;
    if (!test.row.failed) take_figures(row, attempt, test);
    if (!tells(test) || attempt.reason.starts_with(flow::kNoTurn)) return;
    test.row.round = attempt.alone ? next_round_++ : row.round;
    tests_.push_back(std::move(test));
  }

  void take_figures(const PairRow& row, const PairFigures& attempt, EarlierTest& test) {
    if (row.mode == kBandwidth) {
      take_bandwidth(row, attempt, test);
    } else if (attempt.time && !is_software(row.from) && !is_software(row.to)) {
      test.expected_latency_us = late_.of(row);
      if (test.expected_latency_us) test.row.p99_us = attempt.time->p99_us;
    }
    test.row.packets = packets(row, attempt);
    test.row.lost_packets = lost_packets(row, attempt);
  }

  /// Where processors play the NICs, what is less than usual is often their doing.
  void take_bandwidth(const PairRow& row, const PairFigures& attempt, EarlierTest& test) {
    if (!medians_.of(row).comparable() || !attempt.gigabytes_per_second) return;
    const double median = medians_.median_for(row);
    const double share = *attempt.gigabytes_per_second / median;
    const bool software = is_software(row.from) || is_software(row.to);
    if (share < kLimits.slow_below &&
        measure::rate_in_all_the_time(share, attempt.ran_share) >= kLimits.slow_below) {
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

  [[nodiscard]] const results::RankRail* rail_of(const Endpoint& end) const {
    for (const results::Rank& rank : document_.ranks) {
      for (const results::RankRail& rail : rank.rails) {
        if (rail.device == end.device && rail.port == end.port && rail.address == end.address)
          return &rail;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool is_software(const Endpoint& end) const {
    const results::RankRail* const rail = rail_of(end);
    return rail != nullptr && rail->kind != results::DeviceKind::hardware;
  }

  /// As many as the data take; counters of traffic are not in the record of a test.
  [[nodiscard]] std::int64_t packets(const PairRow& row, const PairFigures& attempt) const {
    constexpr int kUsualMtu = 1024;
    int mtu = 0;
    for (const Endpoint* const end : {&row.from, &row.to}) {
      const results::RankRail* const rail = rail_of(*end);
      if (rail == nullptr || rail->mtu_bytes <= 0) continue;
      mtu = mtu == 0 ? rail->mtu_bytes : std::min(mtu, rail->mtu_bytes);
    }
    const auto bytes_each = static_cast<std::uint64_t>(mtu == 0 ? kUsualMtu : mtu);
    return static_cast<std::int64_t>(std::max(attempt.messages, attempt.bytes / bytes_each));
  }

  /// What either port counted of that way; without time-outs, which may be of what was only late.
  [[nodiscard]] std::optional<std::int64_t> lost_packets(const PairRow& row,
                                                         const PairFigures& attempt) const {
    using telemetry::Way;
    const auto sent = lost_at(row.from, attempt.sender_events, Way::sent);
    const auto received = lost_at(row.to, attempt.receiver_events, Way::received);
    return sent && received ? std::max(*sent, *received) : sent ? sent : received;
  }

  [[nodiscard]] std::optional<std::int64_t> lost_at(
      const Endpoint& end, const std::map<std::string, std::int64_t>& moved,
      telemetry::Way way) const {
    std::optional<std::int64_t> lost;
    for (const results::PortCounters& port : document_.counters) {
      if (port.device == end.device && port.port == end.port && port.address == end.address)
        lost = telemetry::lost_packets(port.before, moved, way);
    }
    return lost;
  }

  const results::PairsBody& body_;
  const results::Document& document_;
  pairs::Medians medians_;
  LateMedians late_;
  int next_round_ = 0;
  std::vector<EarlierTest> tests_;
};

}  // namespace

std::vector<EarlierTest> tests_of_pairs(const results::PairsBody& body,
                                        const results::Document& document) {
  return Pairs(body, document).tests();
}

}  // namespace railgauge::runner
