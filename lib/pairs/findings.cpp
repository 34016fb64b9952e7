#include "pairs/findings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "checks/odd_hosts.hpp"
#include "finding/words.hpp"

namespace railgauge::pairs {
namespace {

using finding::Cause;
using finding::Certainty;
using finding::Direction;
using finding::Evidence;
using finding::Finding;
using normal::Deviation;
using results::Endpoint;
using results::PairFigures;
using results::PairRow;
using results::PairVerdict;

constexpr const char* kCheck = "pairs";
/// So many are told one by one, of those that are only possible.
constexpr std::size_t kMostEach = 8;

using Rows = std::vector<std::size_t>;  // by their places

bool has_failed(const PairRow& row) {
  return !row.figures.reason.empty();
}

Cause cause_of(const PairRow& row) {
  if (has_failed(row)) return Cause::unreachable;
  return is_bandwidth(row.mode) ? Cause::bandwidth : Cause::latency;
}

/// The switches that its packets are known to pass.
std::vector<std::string> switches_of(const PairRow& row) {
  if (row.path_label != results::PathLabel::told || row.paths.size() != 1) return {};
  std::vector<std::string> switches;
  for (const auto& hop : row.paths.front().hops) {
    if (!hop) return {};
    switches.push_back(*hop);
  }
  return switches;
}

finding::Location path_of(const PairRow& row) {
  return {.scope = finding::Scope::path,
          .at = results::place_of(row.from),
          .peer = results::place_of(row.to),
          .switches = switches_of(row)};
}

finding::Location port_of(const Endpoint& end, Direction direction) {
  return {.scope = finding::Scope::port, .direction = direction, .at = results::place_of(end)};
}

Finding confirmed(Cause cause, finding::Location where, Evidence evidence) {
  Finding finding = finding::found(kCheck, cause, std::move(where));
  finding.certainty = Certainty::confirmed;
  finding.evidence.push_back(std::move(evidence));
  return finding;
}

/// Of one mode: what all pairs of a port have in common is told once.
class OfMode {
 public:
  OfMode(const std::vector<PairRow>& rows, const Scale& scale, std::string mode)
      : rows_(rows), scale_(scale), mode_(std::move(mode)) {
    for (std::size_t at = 0; at < rows.size(); ++at) {
      if (rows[at].mode != mode_ || scale.may_fail(rows[at])) continue;
      sent_[rows[at].from].push_back(at);
      received_[rows[at].to].push_back(at);
    }
  }

  std::vector<Finding> all() {
    for (const auto& [nic, sent] : sent_) of_port(nic);
    if (!is_bandwidth(mode_)) {  // a round trip does not tell its direction
      for (const auto& [nic, sent] : sent_) of_end(nic, rows_of(nic), Direction::both);
    }
    for (const auto& [nic, rows] : sent_) of_end(nic, rows, Direction::transmit);
    for (const auto& [nic, rows] : received_) of_end(nic, rows, Direction::receive);
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (is_open(at)) found_.push_back(of_pair(at));
    }
    add_unknown(Deviation::disturbed, "retest on idle hosts");
    add_unknown(Deviation::unconfirmed, "retest with more --retries");
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_new(std::size_t at, PairVerdict verdict) const {
    return rows_[at].mode == mode_ && rows_[at].verdict == verdict && !told_.contains(at);
  }
  [[nodiscard]] bool is_open(std::size_t at) const { return is_new(at, PairVerdict::fail); }
  /// Of which there were too many to retest all, or whose processes were descheduled.
  [[nodiscard]] bool is_suspect(std::size_t at) const {
    return rows_[at].verdict == PairVerdict::unknown && scale_.is_comparable(rows_[at]);
  }
  /// Also of a path that is told already: its other end may be dead, too.
  [[nodiscard]] bool is_dead(std::size_t at) const {
    return rows_[at].verdict == PairVerdict::fail && has_failed(rows_[at]);
  }

  [[nodiscard]] Evidence of_rows(const PairRow& worst, const Rows& rows, std::size_t of) const {
    Evidence evidence = scale_.evidence(worst);
    evidence.against = rows.size();
    evidence.of = of;
    evidence.rows_for.assign(rows.begin(), rows.end());
    return evidence;
  }

  [[nodiscard]] Rows rows_of(const Endpoint& nic) const {
    Rows rows = sent_.at(nic);
    if (const auto more = received_.find(nic); more != received_.end())
      rows.insert(rows.end(), more->second.begin(), more->second.end());
    return rows;
  }

  void of_port(const Endpoint& nic) {
    Rows rows = rows_of(nic);
    if (dead(nic, rows, "")) return;
    std::erase_if(rows, [&](std::size_t at) { return rows_[at].same_rail; });
    dead(nic, rows, "unreachable from other rails");
  }

  /// With only two NICs that do not hear each other, one cannot tell which it is.
  bool dead(const Endpoint& nic, const Rows& rows, const std::string& detail) {
    if (rows.size() < 3 || !std::ranges::all_of(rows, [&](auto at) { return is_dead(at); }))
      return false;
    found_.push_back(confirmed(Cause::unreachable, port_of(nic, Direction::both),
                               of_rows(rows_[rows.front()], rows, rows.size())));
    found_.back().detail = detail;
    told_.insert(rows.begin(), rows.end());
    return true;
  }

  void of_end(const Endpoint& nic, const Rows& rows, Direction direction) {
    const auto bad = [&](auto at) { return is_open(at) || is_suspect(at); };
    const auto open = std::ranges::count_if(rows, [&](auto at) { return is_open(at); });
    if (open < 2 || !std::ranges::all_of(rows, bad)) return;
    const PairRow& worst = rows_[*std::ranges::min_element(
        rows, {}, [&](std::size_t at) { return pairs::speed_of(rows_[at]); })];
    Evidence evidence = of_rows(worst, rows, rows.size());
    evidence.text += (evidence.text.empty() ? "worst " : ", worst ") +
                     std::string(worst.from == nic ? "to " : "from ") +
                     in_words(results::place_of(worst.from == nic ? worst.to : worst.from));
    found_.push_back(confirmed(cause_of(worst), port_of(nic, direction), std::move(evidence)));
    told_.insert(rows.begin(), rows.end());
  }

  [[nodiscard]] Finding of_pair(std::size_t at) const {
    Evidence evidence = scale_.evidence(rows_[at]);
    evidence.rows_for = {at};
    return confirmed(cause_of(rows_[at]), path_of(rows_[at]), std::move(evidence));
  }

  /// UNKNOWN for the same reason: the worst, then the others in one.
  void add_unknown(Deviation kind, const std::string& remedy) {
    Rows rows;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (is_new(at, PairVerdict::unknown) && scale_.deviation(rows_[at]) == kind)
        rows.push_back(at);
    }
    std::ranges::stable_sort(rows, {}, [&](std::size_t at) { return scale_.share(rows_[at]); });
    const std::size_t each = rows.size() > kMostEach ? kMostEach - 1 : rows.size();
    for (std::size_t i = 0; i < each; ++i)
      found_.push_back(possible(of_pair(rows[i]), rows[i], remedy));
    if (each < rows.size()) {
      const Rows others(rows.begin() + static_cast<std::ptrdiff_t>(each), rows.end());
      found_.push_back(possible(of_others(others), others.front(), remedy));
    }
  }

  [[nodiscard]] Finding possible(Finding finding, std::size_t at, const std::string& remedy) const {
    finding.certainty = Certainty::possible;
    finding.remedy = remedy;
    finding.excuses = {scale_.excuse(rows_[at])};
    return finding;
  }

  [[nodiscard]] Finding of_others(const Rows& rows) const {
    Finding finding = confirmed(cause_of(rows_[rows.front()]), {}, {});
    finding.detail = finding::counted(rows.size(), "more pair") + " (" + mode_ + ")";
    finding.evidence.front().rows_for.assign(rows.begin(), rows.end());
    return finding;
  }

  const std::vector<PairRow>& rows_;
  const Scale& scale_;
  std::string mode_;
  std::map<Endpoint, Rows> sent_;
  std::map<Endpoint, Rows> received_;
  std::set<std::size_t> told_;
  std::vector<Finding> found_;
};

/// Cohorts have one number of switches, which would hide that all over more are slow. Of bandwidth,
/// which does not become less with every switch.
std::optional<Finding> slower_over_more(const results::PairsSummary& kind,
                                        const results::PairsOverSwitches& near,
                                        const results::PairsOverSwitches& far, double share) {
  const auto& less = far.median_gigabytes_per_second;
  const auto& more = near.median_gigabytes_per_second;
  if (!less || !more || *less >= share * *more) return std::nullopt;
  Finding finding =
      confirmed(Cause::bandwidth, {},
                {.metric = "median bandwidth",
                 .unit = "GB/s",
                 .observed = less,
                 .expected = more,
                 .expected_from = "median of pairs" + normal::over_text(near.switches)});
  finding.severity = finding::Severity::warning;
  finding.detail = "low bandwidth" + std::string(kind.same_rail ? "" : " across rails") +
                   normal::over_text(far.switches);
  finding.remedy = "check links between switches for speed and oversubscription";
  return finding;
}

void add_slower_over_more(const std::vector<results::PairsSummary>& kinds, const Scale& scale,
                          std::vector<Finding>& all) {
  for (const results::PairsSummary& kind : kinds) {
    for (std::size_t at = 1; at < kind.by_switches.size(); ++at) {
      auto finding = slower_over_more(kind, kind.by_switches[at - 1], kind.by_switches[at],
                                      scale.least_share(kind.mode));
      if (finding) all.push_back(std::move(*finding));
    }
  }
}

/// Whether it works, and an attempt failed.
bool failed_at_times(const PairRow& row) {
  const auto failed = [](const PairFigures& one) { return !one.reason.empty(); };
  return row.figures.reason.empty() &&
         (std::ranges::any_of(row.earlier, failed) || std::ranges::count(row.repetitions, 0.0) > 0);
}

/// All that did not work every time, at the first of them.
void add_intermittent(const std::vector<PairRow>& rows, std::vector<Finding>& all) {
  const auto count = std::ranges::count_if(rows, failed_at_times);
  if (count == 0) return;
  const PairRow& first = *std::ranges::find_if(rows, failed_at_times);
  const auto failure = std::ranges::find_if(
      first.earlier, [](const PairFigures& one) { return !one.reason.empty(); });
  Evidence evidence{.text = failure == first.earlier.end() ? "" : failure->reason};
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (failed_at_times(rows[at])) evidence.rows_for.push_back(at);
  }
  Finding finding = confirmed(Cause::unreachable, path_of(first), std::move(evidence));
  finding.severity = finding::Severity::warning;
  finding.detail = "failed intermittently (" + first.mode + ")";
  if (count > 1)
    finding.detail +=
        ", and " + finding::counted(static_cast<std::uint64_t>(count - 1), "more pair");
  all.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> findings_of(const std::vector<PairRow>& rows, const Scale& scale,
                                 const std::vector<results::PairsSummary>& summaries) {
  std::set<std::string> modes;
  for (const results::PairsSummary& kind : summaries) modes.insert(kind.mode);
  std::vector<Finding> all;
  for (const std::string& mode : modes)
    std::ranges::move(OfMode(rows, scale, mode).all(), std::back_inserter(all));
  add_slower_over_more(summaries, scale, all);
  add_intermittent(rows, all);
  return all;
}

std::vector<Finding> findings_of_hosts(const std::vector<Nic>& nics) {
  checks::RailsOfHosts rails;
  for (const Nic& nic : nics) rails[nic.host].insert(nic.rail);
  std::vector<Finding> all = checks::odd_hosts(kCheck, rails);
  for (Finding& finding : all) {
    if (finding.cause == Cause::extra_nic) finding.severity = finding::Severity::warning;
  }
  return all;
}

}  // namespace railgauge::pairs
