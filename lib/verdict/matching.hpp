#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verdict/curve.hpp"
#include "verdict/reference.hpp"
#include "verdict/row.hpp"
#include "verdict/terms.hpp"

namespace railgauge::verdict {

// Which run, curve and point of the other side ours is compared with.

/// A run of the other side, or why there is none.
struct Choice {
  const Run* run = nullptr;  // of the other side
  std::string why_none{};
};

/// The run to compare ours with: of those of its collective that are not refused the one whose
/// number of hosts is nearest, then that of ranks.
Choice nearest_run(const Run& ours, const Reference& reference, const Terms& terms);

/// The curve to compare ours with: of the same buffer mode, or an unstated one; if there is one, of
/// the same type. Null if there is none.
const Curve* like(const Curve& ours, const std::vector<Curve>& theirs);

/// Of an earlier result: the run of the same collective, ranks, hosts, NICs and sweep point. What
/// is no result of ours has no point, and is taken whatever ours is.
Choice same_run(const Run& ours, const std::vector<Run>& theirs);

/// Those of the same type, op and buffer mode, whatever their algorithms.
std::vector<Curve> same_kind(const Curve& ours, const std::vector<Curve>& theirs);

/// The curve of an earlier result to compare ours with. At each size of ours it has the point by
/// our algorithm there, out of whichever of their curves has it, and none if none has: another
/// algorithm says nothing of ours. Of sizes that ours lacks it has those of all curves that have an
/// algorithm of ours. Empty if there is nothing of the same type, op and buffer mode.
Curve by_our_algorithms(const Curve& ours, const std::vector<Curve>& theirs);

/// The part of a curve that has the sizes of another.
Curve at_sizes_of(const Curve& other, Curve curve);

/// A point of the other side's curve, or one between two of its points.
struct BaselinePoint {
  Point point{};
  bool is_interpolated = false;  // it has no interval of its median then
};

/// What the other side has at the size of a point of ours. If it lacks it, what lies between two
/// points of the first of some curves that can be interpolated there; empty if none can.
std::optional<BaselinePoint> counterpoint(const Curve& theirs, const Point& ours,
                                          std::span<const Curve> between);

/// The parts of a curve that decide: of the sizes that count, if there are such terms; else all.
struct CountedCurve {
  CountedCurve(const Curve& curve, const Terms& terms);

  Curve latency;
  Curve bandwidth;
};

/// Makes notes of rows of sizes that do not count. If none does, a row says so, which is no
/// answer.
void leave_to_notes(Rows& rows, const CountedSizes& counted);

/// A size up to kSmallBytes that both sides have times of.
struct SmallSizes {
  const Point* ours = nullptr;
  const Point* theirs = nullptr;
};

/// Of all that there are, the one whose ratio of times is the median: latency is compared size by
/// size, and no single size decides. Empty if there is none.
std::optional<SmallSizes> small_sizes(const Curve& ours, const Curve& theirs);

/// Of rows of sizes, smallest first: if only the very first of them failed, by its time, it
/// becomes a note, since the first size of a sweep is often still warming up.
void forgive_first_size(Rows& rows);

/// A note of the other side's sizes that were not measured; empty if all were. `whose`:
/// "reference", "baseline".
std::optional<Row> missing_sizes(const Row& about, const Curve& ours, const Curve& theirs,
                                 const std::string& whose);

}  // namespace railgauge::verdict
