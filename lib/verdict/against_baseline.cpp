#include "verdict/against.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/matching.hpp"
#include "verdict/noise.hpp"

namespace railgauge::verdict {
namespace {

/// One of our curves compared with the same of the baseline. Plateau and latency are of the sizes
/// that both have: of two algorithms they would say nothing.
class BaselineComparison {
 public:
  /// `all`: the baseline's curves that differ from ours in nothing but algorithms.
  BaselineComparison(Finding about, const Run& run, const Curve& ours, const Curve& theirs,
                     const std::vector<Curve>& all, const Terms& terms)
      : about_(std::move(about)),
        run_(run),
        ours_(ours),
        theirs_(theirs),
        all_(all),
        our_counted_(at_sizes_of(theirs, ours), terms),
        their_counted_(at_sizes_of(ours, theirs), terms),
        terms_(terms),
        noise_(noise_of(ours, theirs)) {}

  Findings findings() {
    for (const Point& point : ours_.points) size(point);
    forgive_first_size(findings_);
    doubt_single_sizes();
    if (terms_.counted) leave_to_notes(findings_, *terms_.counted);
    const auto missing = missing_sizes(about_, ours_, theirs_, "baseline");
    if (missing) findings_.push_back(*missing);
    plateau();
    latency();
    return std::move(findings_);
  }

 private:
  /// It passes if it took hardly longer than the baseline may have by chance, and fails if even the
  /// least that it may have taken is longer than chance explains: `likely` and `least` times as
  /// long, and the baseline's median may be `theirs_off` times as long as it is. However noisy the
  /// baseline is, and however uncertain its median: what took several times as long has not passed.
  [[nodiscard]] Verdict verdict_of_slowness(double likely, double least,
                                            double theirs_off = 1) const {
    const double allowed = 1 / (1 - terms_.tolerance);
    const double by_chance =
        std::min(kMostByChance, theirs_off * std::exp(kMaybeChance * noise_.theirs));
    if (likely <= allowed * by_chance) return Verdict::pass;
    const bool no_chance = least > allowed * std::exp(kNoChance * noise_.both);
    return no_chance ? Verdict::fail : Verdict::no_reference;
  }

  /// Of times in which ranks hardly ever had a processor nothing follows.
  [[nodiscard]] Verdict verdict_of_times(const Point& ours, const Point& theirs) const {
    const Verdict verdict = verdict_of_intervals(ours, theirs);
    return verdict == Verdict::fail && crowded(ours, theirs) ? Verdict::no_reference : verdict;
  }

  static bool crowded(const Point& ours, const Point& theirs) {
    constexpr double kCrowded = 0.9;
    return ours.waited_share.value_or(0) > kCrowded && theirs.waited_share;
  }

  [[nodiscard]] Verdict verdict_of_intervals(const Point& ours, const Point& theirs) const {
    const double waiting = slower_by_waiting(ours, theirs);
    const double slowness = *ours.time_us / *theirs.time_us;
    if (!ours.median_interval || !theirs.median_interval)
      return verdict_of_slowness(slowness, slowness / waiting);
    const double their_most_us = theirs.median_interval->high_us;
    return verdict_of_slowness(slowness, ours.median_interval->low_us / their_most_us / waiting,
                               their_most_us / *theirs.time_us);
  }

  /// How many times longer than in the baseline something takes because ranks waited longer for
  /// processors; 1 if they did not, or nothing is known of it. That is no fabric's fault.
  static double slower_by_waiting(const Point& ours, const Point& theirs) {
    constexpr double kMost = 0.999;
    if (!ours.waited_share || !theirs.waited_share) return 1;
    return std::max(1.0, (1 - *theirs.waited_share) / (1 - std::min(*ours.waited_share, kMost)));
  }

  /// How far apart two medians have to be, at least, that their intervals are: 1 if they have none.
  static double uncertainty_of(const Point& ours, const Point& theirs) {
    if (!ours.median_interval || !theirs.median_interval) return 1;
    if (ours.median_interval->low_us <= 0) return 1;
    return *ours.time_us / ours.median_interval->low_us * theirs.median_interval->high_us /
           *theirs.time_us;
  }

  /// "slower, but these runs are too noisy to judge finer than 60 %"
  [[nodiscard]] std::string too_noisy(double uncertainty = 1) const {
    const double allowed = 1 / (1 - terms_.tolerance);
    const double finest = allowed * uncertainty * std::exp(kNoChance * noise_.both) - 1;
    return "slower, but these runs are too noisy to judge finer than " +
           std::to_string(std::lround(100 * finest)) + " %: repeat them";
  }

  /// Why there is no answer for a size that seems slower.
  [[nodiscard]] std::string doubt(const Point& ours, const Point& theirs) const {
    if (slower_by_waiting(ours, theirs) == 1 && !crowded(ours, theirs))
      return too_noisy(uncertainty_of(ours, theirs));
    const auto percent = [](double share) { return std::to_string(std::lround(100 * share)); };
    return "slower, but ranks waited for processors for " + percent(*ours.waited_share) +
           " % of the time (baseline: " + percent(*theirs.waited_share) +
           " %): repeat it with less beside it";
  }

  /// A size that is slow while its neighbours are not, is no finding where there is noise unless it
  /// is by twice as much as that explains.
  void doubt_single_sizes() {
    if (noise_.both == 0) return;
    std::vector<Finding*> sizes;
    for (Finding& finding : findings_) {
      if (finding.subject == Subject::size && finding.ratio) sizes.push_back(&finding);
    }
    std::vector<Finding*> alone;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool before = i > 0 && sizes[i - 1]->verdict == Verdict::fail;
      const bool after = i + 1 < sizes.size() && sizes[i + 1]->verdict == Verdict::fail;
      if (sizes[i]->verdict == Verdict::fail && !before && !after) alone.push_back(sizes[i]);
    }
    for (Finding* const finding : alone) {
      if (std::log(1 / *finding->ratio) > 2 * kNoChance * noise_.both + terms_.tolerance) continue;
      finding->verdict = Verdict::no_reference;
      finding->remark = too_noisy();
    }
  }

  /// How a size that is compared came out; empty if one side lacks it.
  [[nodiscard]] std::optional<Verdict> verdict_at(const Point& ours) const {
    const Point* const theirs = point_at(theirs_, ours.size_bytes.value_or(0));
    if (theirs == nullptr || !theirs->time_us || !ours.time_us) return std::nullopt;
    return verdict_of_times(ours, *theirs);
  }

  static std::string remark_of(const Point& ours, const Point& theirs) {
    const bool intervals = ours.median_interval && theirs.median_interval;
    return intervals ? "" : "only the ratio was compared: a side has no interval of its median";
  }

  /// Only what it ran at that size by other algorithms alone.
  [[nodiscard]] std::string why_none(const Point& ours) const {
    std::string others;
    for (const Curve& curve : all_) {
      const Point* const point = point_at(curve, ours.size_bytes.value_or(0));
      if (point != nullptr) others += (others.empty() ? "" : " and ") + point->algorithm;
    }
    return others.empty() ? "the baseline has no such size"
                          : "the baseline ran " + others + " at this size";
  }

  void size(const Point& ours) {
    Finding finding = about_;
    finding.subject = Subject::size;
    finding.unit = "us";
    finding.algorithm = ours.algorithm;
    finding.size_bytes = ours.size_bytes;
    finding.ours = ours.time_us;
    const auto found = counterpoint(
        theirs_, ours, terms_.interpolate ? std::span(all_) : std::span<const Curve>());
    if (!found || !found->point.time_us || !ours.time_us) {
      finding.remark = found ? "the baseline has no such size" : why_none(ours);
    } else {
      const Point& theirs = found->point;
      finding.theirs = theirs.time_us;
      finding.ratio = *theirs.time_us / *ours.time_us;
      finding.verdict = verdict_of_times(ours, theirs);
      finding.remark = found->is_interpolated ? "interpolated" : remark_of(ours, theirs);
      if (finding.verdict == Verdict::no_reference) {
        finding.remark = doubt(ours, theirs);
      }
      add_shares(finding, ours, theirs);
    }
    findings_.push_back(finding);
  }

  void add_shares(Finding& finding, const Point& ours, const Point& theirs) const {
    const auto share = [&](const Point& point) -> std::optional<double> {
      if (!point.busbw_gigabytes_per_second) return std::nullopt;
      return line_rate_fraction(run_, *point.busbw_gigabytes_per_second);
    };
    finding.ours_line_rate_fraction = share(ours);
    finding.theirs_line_rate_fraction = share(theirs);
  }

  void plateau() {
    const auto theirs = plateau_of(their_counted_.bandwidth);
    const Curve& counted = our_counted_.bandwidth;
    const auto ours = theirs ? median_busbw_from(counted, theirs->from_bytes) : std::nullopt;
    if (!ours || *ours == 0) return;
    Finding finding = about_;
    finding.subject = Subject::plateau;
    finding.algorithm = counted.points.back().algorithm;
    finding.unit = "GB/s";
    finding.size_bytes = theirs->from_bytes;
    finding.ours = ours;
    finding.theirs = theirs->busbw_gigabytes_per_second;
    finding.ratio = *ours / *finding.theirs;
    finding.ours_line_rate_fraction = line_rate_fraction(run_, *ours);
    finding.theirs_line_rate_fraction = line_rate_fraction(run_, *finding.theirs);
    const bool for_sure = std::ranges::any_of(counted.points, [&](const Point& point) {
      return point.size_bytes >= theirs->from_bytes && verdict_at(point) == Verdict::fail;
    });
    finding.verdict = verdict_of_slowness(1 / *finding.ratio, 1 / *finding.ratio);
    if (finding.verdict == Verdict::fail && !for_sure) finding.verdict = Verdict::no_reference;
    if (finding.verdict == Verdict::no_reference) finding.remark = too_noisy();
    findings_.push_back(finding);
  }

  void latency() {
    const auto pair = small_sizes(our_counted_.latency, their_counted_.latency);
    if (!pair) return;
    const auto& [ours, theirs] = *pair;
    Finding finding = about_;
    finding.subject = Subject::latency;
    finding.unit = "us";
    finding.algorithm = ours->algorithm;
    finding.size_bytes = ours->size_bytes;
    finding.ours = ours->time_us;
    finding.theirs = theirs->time_us;
    finding.ratio = *theirs->time_us / *ours->time_us;
    finding.verdict = verdict_of_times(*ours, *theirs);
    if (finding.verdict == Verdict::no_reference) {
      finding.remark = doubt(*ours, *theirs);
    }
    findings_.push_back(finding);
  }

  Finding about_;
  const Run& run_;
  const Curve& ours_;
  const Curve& theirs_;
  const std::vector<Curve>& all_;
  CountedCurve our_counted_;
  CountedCurve their_counted_;
  const Terms& terms_;
  Noise noise_;
  Findings findings_{};
};

void compare_run(const Run& ours, const RunSet& baseline, const Terms& terms, Findings& all) {
  const Choice choice = same_run(ours, baseline.runs);
  std::vector<Curve> theirs;
  if (choice.run != nullptr) theirs = curves_of(*choice.run);
  for (const Curve& curve : curves_of(ours)) {
    Finding finding = about("baseline " + baseline.name, ours, curve);
    const Curve other = by_our_algorithms(curve, theirs);
    if (!other.points.empty()) {
      const std::vector<Curve> alike = same_kind(curve, theirs);
      append(all, BaselineComparison(finding, ours, curve, other, alike, terms).findings());
      continue;
    }
    finding.subject = Subject::plateau;
    finding.remark = choice.run == nullptr
                         ? choice.why_none
                         : "it has no run of this type, op, algorithm and buffer mode";
    all.push_back(finding);
  }
}

}  // namespace

Findings against_baseline(const RunSet& run_set, const RunSet& baseline, const Terms& terms) {
  Findings all;
  for (const Run& ours : run_set.runs) compare_run(ours, baseline, terms, all);
  return all;
}

}  // namespace railgauge::verdict
