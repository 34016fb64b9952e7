#include "verdict/against.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "finding/words.hpp"
#include "measure/cpu_share.hpp"
#include "verdict/curve.hpp"
#include "verdict/line_rate.hpp"
#include "verdict/matching.hpp"

namespace railgauge::verdict {
namespace {

/// One of our curves compared with the same of the baseline. Plateau and latency are of the sizes
/// that both have: of two algorithms they would say nothing.
class BaselineComparison {
 public:
  /// `all`: the baseline's curves that differ from ours in nothing but algorithms.
  BaselineComparison(Row about, const Run& run, const Curve& ours, const Curve& theirs,
                     const std::vector<Curve>& all, const Terms& terms)
      : about_(std::move(about)),
        run_(run),
        ours_(ours),
        theirs_(theirs),
        all_(all),
        our_counted_(at_sizes_of(theirs, ours), terms),
        their_counted_(at_sizes_of(ours, theirs), terms),
        terms_(terms),
        noise_(noise_of(ours, theirs)),
        waits_(waits(ours) || waits(theirs)) {}

  Rows rows() {
    for (const Point& point : ours_.points) size(point);
    forgive_first_size(rows_);
    doubt_single_sizes();
    if (terms_.counted) leave_to_notes(rows_, *terms_.counted);
    const auto missing = missing_sizes(about_, ours_, theirs_, "baseline", terms_);
    if (missing) rows_.push_back(*missing);
    plateau();
    latency();
    return std::move(rows_);
  }

 private:
  /// By how much chance explains at most that something took longer, as a logarithm: by so many
  /// deviations of the noise, and `bounded`, by no more than reruns ever do (kMostByChance).
  [[nodiscard]] double by_chance(bool bounded, double deviations = kNoChance) const {
    const double most = deviations / kNoChance * std::log(kMostByChance);
    return std::min(deviations * noise_.both, bounded ? most : HUGE_VAL);
  }

  /// It passes if it took hardly longer than the baseline may have by chance, and fails if even the
  /// least that it may have taken is longer than chance explains: `likely` and `least` times as
  /// long, and the baseline's median may be `theirs_off` times as long as it is. However noisy the
  /// baseline is, and however uncertain its median: what took several times as long has not passed.
  [[nodiscard]] Answer answer_of_slowness(double likely, double least, bool bounded,
                                          double theirs_off = 1) const {
    const double allowed = 1 / (1 - terms_.tolerance);
    const double passes =
        std::min(kMostByChance, theirs_off * std::exp(kMaybeChance * noise_.theirs));
    if (likely <= allowed * passes) return Answer::passed;
    return least > allowed * std::exp(by_chance(bounded)) ? Answer::failed : Answer::open;
  }

  /// Of times in which ranks hardly ever had a processor nothing follows.
  [[nodiscard]] Answer answer_of_times(const Point& ours, const Point& theirs, bool bounded) const {
    const double waiting = slower_by_waiting(ours, theirs);
    const Answer answer = answer_of_intervals(ours, theirs, bounded, waiting);
    return answer == Answer::failed && crowded(ours, theirs) ? Answer::open : answer;
  }

  static bool crowded(const Point& ours, const Point& theirs) {
    constexpr double kLeast = 0.1;
    return ours.granted_share && theirs.granted_share &&
           std::min(*ours.granted_share, *theirs.granted_share) < kLeast;
  }

  /// Whether ranks waited for processors at some size, of either run.
  static bool waits(const Curve& curve) {
    return std::ranges::any_of(curve.points, [](const Point& point) {
      return !measure::had_full_share(point.granted_share.value_or(1));
    });
  }

  static bool have_intervals(const Point& ours, const Point& theirs) {
    return by_time(ours, theirs) && ours.median_interval && theirs.median_interval;
  }

  /// Whether it is known what reruns may differ by: medians by enough iterations, and waits.
  static bool is_bounded(const Point& ours, const Point& theirs) {
    return have_intervals(ours, theirs) && ours.granted_share && theirs.granted_share;
  }

  [[nodiscard]] Answer answer_of_intervals(const Point& ours, const Point& theirs, bool bounded,
                                           double waiting) const {
    const double theirs_off =
        have_intervals(ours, theirs) ? theirs.median_interval->high_us / *theirs.time_us : 1;
    return answer_of_slowness(*slowness_of(ours, theirs), least_slowness(ours, theirs) / waiting,
                              bounded, theirs_off);
  }

  /// By the ends of the intervals of the two medians.
  static double least_slowness(const Point& ours, const Point& theirs) {
    return have_intervals(ours, theirs)
               ? ours.median_interval->low_us / theirs.median_interval->high_us
               : *slowness_of(ours, theirs);
  }

  /// How many times longer than in the baseline something takes because ranks waited longer for
  /// processors; 1 if they did not, or nothing is known of it. That is no fabric's fault.
  static double slower_by_waiting(const Point& ours, const Point& theirs) {
    constexpr double kLeast = 0.001;
    if (!ours.granted_share || !theirs.granted_share) return 1;
    return std::max(1.0, *theirs.granted_share / std::max(*ours.granted_share, kLeast));
  }

  /// How far apart two medians have to be, at least, that their intervals are: 1 if they have none.
  static double uncertainty_of(const Point& ours, const Point& theirs) {
    if (!ours.median_interval || !theirs.median_interval) return 1;
    if (ours.median_interval->low_us <= 0) return 1;
    return *ours.time_us / ours.median_interval->low_us * theirs.median_interval->high_us /
           *theirs.time_us;
  }

  /// "these runs are too noisy to judge finer than 60 %: repeat them"
  [[nodiscard]] std::string too_noisy(double chance, double uncertainty = 1) const {
    const double allowed = 1 / (1 - terms_.tolerance);
    const double finest = allowed * uncertainty * std::exp(chance) - 1;
    return "these runs are too noisy to judge finer than " +
           std::to_string(std::lround(100 * finest)) + " %: repeat them";
  }

  static void leave_open(Row& row, const std::string& excuse) {
    row.answer = Answer::open;
    row.remark = "slower";
    row.excuse = excuse;
  }

  /// Why there is no answer for a size that seems slower.
  [[nodiscard]] std::string doubt(const Point& ours, const Point& theirs, bool bounded) const {
    const bool waited_longer = crowded(ours, theirs) || slower_by_waiting(ours, theirs) > 1;
    if (!waited_longer || answer_of_intervals(ours, theirs, bounded, 1) == Answer::open)
      return too_noisy(by_chance(bounded), uncertainty_of(ours, theirs));
    const auto waited = [](double share) { return std::to_string(std::lround(100 * (1 - share))); };
    return "ranks waited for processors for " + waited(*ours.granted_share) +
           " % of the time in which they had work (baseline: " + waited(*theirs.granted_share) +
           " %): repeat it with less other load";
  }

  /// A size that is slow while its neighbours are not, is no failure where there is noise unless it
  /// is by twice as much as that explains.
  void doubt_single_sizes() {
    if (noise_.both == 0 && !waits_) return;
    std::vector<Row*> sizes;
    for (Row& row : rows_) {
      if (row.subject == Subject::size && row.ratio) sizes.push_back(&row);
    }
    std::vector<Row*> alone;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool before = i > 0 && sizes[i - 1]->answer == Answer::failed;
      const bool after = i + 1 < sizes.size() && sizes[i + 1]->answer == Answer::failed;
      if (sizes[i]->answer == Answer::failed && !before && !after) alone.push_back(sizes[i]);
    }
    for (Row* const row : alone) doubt_alone(*row);
  }

  /// Where ranks waited for processors, its least counts, and must be over kMostByChanceOfOne.
  void doubt_alone(Row& row) {
    constexpr double kOfOneSize = 2 * kNoChance;
    const Point* const ours = point_at(ours_, row.size_bytes.value_or(0));
    const Point* const theirs = point_at(theirs_, row.size_bytes.value_or(0));
    const bool both = ours != nullptr && theirs != nullptr;
    double chance = by_chance(both && is_bounded(*ours, *theirs), kOfOneSize);
    double slowness = 1 / *row.ratio;
    if (both && waits_) {
      chance = std::max(chance, std::log(kMostByChanceOfOne));
      slowness = least_slowness(*ours, *theirs) / slower_by_waiting(*ours, *theirs);
    }
    if (std::log(slowness) > chance + terms_.tolerance) return;
    leave_open(row, "no size next to it is, and " + too_noisy(chance));
  }

  /// How a size that is compared came out; empty if one side lacks it.
  [[nodiscard]] std::optional<Answer> answer_at(const Point& ours) const {
    const Point* const theirs = point_at(theirs_, ours.size_bytes.value_or(0));
    if (theirs == nullptr || !slowness_of(ours, *theirs)) return std::nullopt;
    return answer_of_times(ours, *theirs, false);
  }

  /// After the doubts about it.
  [[nodiscard]] bool has_failed(const Point& ours) const {
    return std::ranges::any_of(rows_, [&](const Row& row) {
      return row.subject == Subject::size && row.size_bytes == ours.size_bytes &&
             row.answer == Answer::failed;
    });
  }

  static std::string remark_of(const Point& ours, const Point& theirs) {
    if (!by_time(ours, theirs)) return "only bandwidths were compared: there are no times";
    const bool intervals = ours.median_interval && theirs.median_interval;
    return intervals ? "" : "only the ratio was compared: a side has no interval of its median";
  }

  /// Only what it ran at that size by other algorithms alone.
  [[nodiscard]] std::string why_none(const Point& ours) const {
    std::vector<std::string> others;
    for (const Curve& curve : all_) {
      const Point* const point = point_at(curve, ours.size_bytes.value_or(0));
      if (point != nullptr) others.push_back(point->algorithm);
    }
    return others.empty()
               ? "the baseline has no such size"
               : "the baseline ran " + finding::joined(others, " and ") + " at this size";
  }

  void size(const Point& ours) {
    Row row = about_;
    row.subject = Subject::size;
    row.unit = ours.time_us ? "us" : "GB/s";
    row.algorithm = ours.algorithm;
    row.size_bytes = ours.size_bytes;
    row.ours = ours.time_us ? ours.time_us : ours.busbw_gigabytes_per_second;
    const auto found = counterpoint(
        theirs_, ours, terms_.interpolate ? std::span(all_) : std::span<const Curve>());
    if (!found || !slowness_of(ours, found->point)) {
      row.remark = found ? "one side has a time here, the other a bandwidth" : why_none(ours);
    } else {
      const Point& theirs = found->point;
      const bool times = by_time(ours, theirs);
      row.unit = times ? "us" : "GB/s";
      row.ours = times ? ours.time_us : ours.busbw_gigabytes_per_second;
      row.theirs = times ? theirs.time_us : theirs.busbw_gigabytes_per_second;
      row.ratio = 1 / *slowness_of(ours, theirs);
      const bool bounded = is_bounded(ours, theirs);
      row.answer = answer_of_times(ours, theirs, bounded);
      row.remark = found->is_interpolated ? "interpolated" : remark_of(ours, theirs);
      if (row.answer == Answer::passed && is_beyond(*row.ratio))
        row.remark = "slower, within the noise of these runs";
      if (row.answer == Answer::open) leave_open(row, doubt(ours, theirs, bounded));
      add_shares(row, ours, theirs);
    }
    rows_.push_back(row);
  }

  [[nodiscard]] bool is_beyond(double ratio) const { return ratio < 1 - terms_.tolerance; }

  /// Noise makes some sizes slower and some faster; a cause nearly all.
  [[nodiscard]] bool slow_everywhere() const {
    constexpr std::ptrdiff_t kFewest = 5;
    const auto is_compared = [](const Row& row) {
      return row.subject == Subject::size && row.ratio;
    };
    const auto all = std::ranges::count_if(rows_, is_compared);
    const auto slow = std::ranges::count_if(
        rows_, [&](const Row& row) { return is_compared(row) && is_beyond(*row.ratio); });
    return all >= kFewest && 10 * slow >= 9 * all;
  }

  /// Time hardly grows up to these sizes, and no bandwidth is reached.
  static bool is_small(const Curve& curve) {
    const std::uint64_t largest = curve.points.back().size_bytes.value_or(0);
    return largest > 0 && largest <= kSmallBytes;
  }

  void add_shares(Row& row, const Point& ours, const Point& theirs) const {
    const auto share = [&](const Point& point) -> std::optional<double> {
      if (!point.busbw_gigabytes_per_second) return std::nullopt;
      return line_rate_fraction(run_, *point.busbw_gigabytes_per_second);
    };
    row.ours_line_rate_fraction = share(ours);
    row.theirs_line_rate_fraction = share(theirs);
  }

  /// The sizes that both have are far below what the baseline reaches at others.
  [[nodiscard]] bool ends_before(const Plateau& common) const {
    constexpr double kLeast = 0.5;
    const auto all = plateau_of(CountedCurve(theirs_, terms_).bandwidth);
    return all && common.busbw_gigabytes_per_second < kLeast * all->busbw_gigabytes_per_second;
  }

  void plateau() {
    const auto theirs = plateau_of(their_counted_.bandwidth);
    const Curve& counted = our_counted_.bandwidth;
    const auto ours = theirs ? median_busbw_from(counted, theirs->from_bytes) : std::nullopt;
    if (!ours || *ours == 0 || is_small(counted)) return;
    Row row = about_;
    row.subject = Subject::plateau;
    if (ends_before(*theirs)) {
      row.remark = "measure larger sizes: the baseline has more bandwidth there";
      rows_.push_back(row);
      return;
    }
    row.algorithm = counted.points.back().algorithm;
    row.unit = "GB/s";
    row.size_bytes = theirs->from_bytes;
    row.ours = ours;
    row.theirs = theirs->busbw_gigabytes_per_second;
    row.ratio = *ours / *row.theirs;
    row.ours_line_rate_fraction = line_rate_fraction(run_, *ours);
    row.theirs_line_rate_fraction = line_rate_fraction(run_, *row.theirs);
    const bool for_sure = std::ranges::any_of(counted.points, [&](const Point& point) {
      return point.size_bytes >= theirs->from_bytes &&
             (has_failed(point) || (!waits_ && answer_at(point) == Answer::failed));
    });
    const bool bounded =
        std::ranges::any_of(counted.points, [&](const Point& point) { return has_failed(point); });
    row.answer = answer_of_slowness(1 / *row.ratio, 1 / *row.ratio, bounded);
    const bool slower = row.answer == Answer::passed && is_beyond(*row.ratio);
    if (slower) row.remark = "slower, within the noise of these runs: repeat them";
    const bool unsure = row.answer == Answer::failed && !for_sure;
    const std::string excuse = too_noisy(by_chance(bounded));
    if (unsure || row.answer == Answer::open) leave_open(row, excuse);
    if (slower && slow_everywhere()) leave_open(row, "slower at nearly all sizes; " + excuse);
    rows_.push_back(row);
  }

  void latency() {
    const auto pair = small_sizes(our_counted_.latency, their_counted_.latency);
    if (!pair) return;
    const auto& [ours, theirs] = *pair;
    Row row = about_;
    row.subject = Subject::latency;
    row.unit = "us";
    row.algorithm = ours->algorithm;
    row.size_bytes = ours->size_bytes;
    row.ours = ours->time_us;
    row.theirs = theirs->time_us;
    row.ratio = *theirs->time_us / *ours->time_us;
    const bool bounded = is_bounded(*ours, *theirs);
    row.answer = answer_of_times(*ours, *theirs, bounded);
    const bool alone = waits_ && row.answer == Answer::failed && !has_failed(*ours);
    if (row.answer == Answer::open) leave_open(row, doubt(*ours, *theirs, bounded));
    if (alone) leave_open(row, "no size next to it is: repeat it");
    rows_.push_back(row);
  }

  Row about_;
  const Run& run_;
  const Curve& ours_;
  const Curve& theirs_;
  const std::vector<Curve>& all_;
  CountedCurve our_counted_;
  CountedCurve their_counted_;
  const Terms& terms_;
  Noise noise_;
  bool waits_;
  Rows rows_{};
};

void compare_run(const Run& ours, const RunSet& baseline, const Terms& terms, Rows& all) {
  const Choice choice = same_run(ours, baseline.runs);
  std::vector<Curve> theirs;
  if (choice.run != nullptr) theirs = curves_of(*choice.run);
  for (const Curve& curve : curves_of(ours)) {
    Row row = about("baseline " + baseline.name, ours, curve);
    const std::string unknown = why_unknown(ours, curve);
    const Curve other = unknown.empty() ? by_our_algorithms(curve, theirs) : Curve{};
    if (!other.points.empty()) {
      const std::vector<Curve> alike = same_kind(curve, theirs);
      append(all, BaselineComparison(row, ours, curve, other, alike, terms).rows());
      const auto limit = unknown_row(row, unknown_hardware(ours, *choice.run));
      if (limit) all.push_back(*limit);
      continue;
    }
    row.subject = Subject::plateau;
    row.remark = !unknown.empty()        ? unknown
                 : choice.run == nullptr ? choice.why_none
                                         : "it has no run of this type, op, algorithm and buffer "
                                           "mode";
    all.push_back(row);
  }
}

}  // namespace

Rows against_baseline(const RunSet& run_set, const RunSet& baseline, const Terms& terms) {
  Rows all;
  for (const Run& ours : run_set.runs) compare_run(ours, baseline, terms, all);
  return all;
}

}  // namespace railgauge::verdict
