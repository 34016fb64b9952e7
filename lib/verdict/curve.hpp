#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verdict/row.hpp"
#include "verdict/run.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

/// The points of a run that differ in nothing but their size, in order of it. Points without a size
/// stand first. Algorithms that were chosen by size are one curve: no size was measured by two.
struct Curve {
  std::string type{};
  std::string op{};
  std::string algorithm{};  // of the largest size
  BufferMode buffers = BufferMode::unstated;
  std::vector<Point> points{};
};

std::vector<Curve> curves_of(const Run& run);

/// "direct, ring": in order of the sizes for which they were chosen.
std::string algorithms_of(const Curve& curve);

/// The same curve with the sizes of a range only; points without a size have size 0.
Curve within(Curve curve, const SizeRange& range);

/// The point of a size; null if there is none.
const Point* point_at(const Curve& curve, std::uint64_t size_bytes);

/// Whether both have a time; else their bandwidths may be compared.
bool by_time(const Point& ours, const Point& theirs);

/// How many times as long as theirs ours takes, by times or by bandwidths; empty if neither tells.
std::optional<double> slowness_of(const Point& ours, const Point& theirs);

/// Between the two neighbours of the size of a point of ours, linear in its logarithm: their time
/// in logarithms, and bandwidths with it. Empty beyond the ends, if a neighbour has no time, or if
/// they are by two algorithms, or by another than ours where both are named.
std::optional<Point> interpolated(const Curve& curve, const Point& ours);

/// The bandwidth that large sizes reach.
struct Plateau {
  std::uint64_t from_bytes = 0;  // 0: nothing says for which sizes
  double busbw_gigabytes_per_second = 0;
};

/// Begins at the smallest size with 90 % of the curve's highest bus bandwidth; its value is the
/// median from there on, so that one lucky size does not set it. Empty without bandwidths.
std::optional<Plateau> plateau_of(const Curve& curve);

/// The median bus bandwidth from a size on. Empty if the curve ends before it.
std::optional<double> median_busbw_from(const Curve& curve, std::uint64_t size_bytes);

/// Whether the largest size has over 10 % more bandwidth than the one before: the sweep has ended
/// before a plateau.
bool still_rises(const Curve& curve);

/// The time of the smallest size, if that is a small one; null if the curve begins at a larger size
/// or has no times there.
const Point* latency_of(const Curve& curve);

/// A size that is slower than others of the same curve allow.
struct Dip {
  std::uint64_t size_bytes = 0;   // the slow one
  std::uint64_t other_bytes = 0;  // that it is compared with
  std::string_view unit{};        // "GB/s": a smaller size has more; "us": a larger one takes less
  double value = 0;
  double other = 0;
  std::string algorithm{};  // of both
  std::string excuse{};     // its ranks waited for CPUs, which may be why; or empty
};

/// Where bandwidth is by more than `tolerance` (0.05: 5 %) below the highest of smaller sizes, or
/// time above the shortest of larger ones, by the same algorithm; one of each kind for a size.
/// Between two algorithms there is none: where one gives way to the other, time and bandwidth jump
/// if the choice is not the best one, which is no fault of the fabric, and no policy has to forbid
/// it. What made all sizes of an algorithm slow shows against a baseline or line rate. If the
/// fastest iteration is known, it has to be slow too: a size that is done badly never is fast, one
/// that was interrupted is.
std::vector<Dip> dips_of(const Curve& curve, double tolerance);

/// "64K, which is smaller, has 21.50 GB/s".
std::string in_words(const Dip& dip);

/// The point of a curve whose rails differ most in their times; null if it has none on several
/// rails. Sizes below a sixteenth of the largest are left out: there a rail's time is chance.
const Point* most_out_of_balance(const Curve& curve);

/// "rail 3 is slowest".
std::string in_words(const SlowestRail& slowest);

/// A row about a curve, with everything but its question and answer.
Row about(const std::string& criterion, const Run& run, const Curve& curve);

/// By how much times differ by chance, as the standard deviation of their logarithm: 0.02 is 2 %.
struct Noise {
  double theirs = 0;  ///< what the baseline shows of itself
  double both = 0;    ///< what the two runs show together, never less
};

/// How noisy two runs of the same sizes are:
/// - by how much 90th percentiles exceed medians: 1.2816 standard deviations of a normal
/// distribution;
///   the median over sizes, of either run;
/// - how the ratio of the two jumps from one size to the next (the median, times 1.4826 / sqrt 2 as
///   for a normal distribution): what is slower for a cause is slower at neighbouring sizes, too.
///   Of five shared sizes or more.
/// It is of the iterations of one launch and of sizes measured one after the other; what differs
/// from launch to launch (where processes lie, what else runs) shows in it only in part.
[[nodiscard]] Noise noise_of(const Curve& ours, const Curve& theirs);

/// So many standard deviations are no chance; and so many may well be one.
inline constexpr double kNoChance = 4;
inline constexpr double kMaybeChance = 2;
/// No chance makes a pass of what took more than so many times as long, and none explains it of two
/// neighbouring sizes where it is known how long ranks waited for processors.
///
/// Neither the spread of iterations nor the median's interval says it: the next launch has another
/// load and placement. So it was measured, in 2700 pairs of identical launches of 4 ranks on soft
/// devices and 2 processors at loads of 3 to 20. Medians of one size were up to 15 times apart, of
/// starved ranks 850 times. With the time for which ranks waited for processors taken out, by the
/// ends of the intervals, and without starved ranks (8100 pairs of sizes), two neighbouring sizes
/// were never both over 1.65 times as long, and one alone 4.7 times.
inline constexpr double kMostByChance = 2;
/// The same of one size alone.
inline constexpr double kMostByChanceOfOne = 8;

}  // namespace railgauge::verdict
