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
/// number of hosts is nearest, then that of ranks. None if our ranks are not known: no run is near
/// then, nor can our bus bandwidth be checked.
Choice nearest_run(const Run& ours, const Reference& reference, const Terms& terms);

/// The curve to compare ours with: of the same buffer mode, or an unstated one; if there is one, of
/// the same type. Null if there is none.
const Curve* like(const Curve& ours, const std::vector<Curve>& theirs);

/// Of an earlier result: the run of the same collective, ranks, hosts, NICs and sweep point. What
/// is no result of ours has no point, and is taken whatever ours is, unless one of them is of
/// groups of ranks (--split): a rule does not tell which ranks of which hosts these are. What is
/// not known of either is no obstacle here: why_unknown() and unknown_row() are about that.
Choice same_run(const Run& ours, const std::vector<Run>& theirs);

// What is not known of two results is not the same.

/// Why a curve of ours cannot be compared with an earlier one, as that it is the same cannot be
/// said: its collective, ranks, element type, operator or placement are not known. Of tests of two
/// ranks, by bytes, the first two are asked. Empty if all are known.
std::string why_unknown(const Run& run, const Curve& curve);

/// Facts that, where they differ, leave a comparison its sense but not all of its weight: "hosts",
/// "NICs of a host", "line rate". Those that one side does not know.
std::vector<std::string> unknown_hardware(const Run& ours, const Run& theirs);
/// The same of a reference, whose hosts and NICs are others anyway: "ranks" of its run, "element
/// type", "operator", "placement".
std::vector<std::string> unknown_of_reference(const Run& ours, const Curve& our_curve,
                                              const Run& theirs, const Curve& their_curve);

/// A note for beside the outcome of these facts; empty if there are none.
std::optional<Row> unknown_row(const Row& about, const std::vector<std::string>& facts);

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

/// A note of the other side's sizes that were not measured, with how many of them count; empty if
/// all were. `whose`: "reference", "baseline".
std::optional<Row> missing_sizes(const Row& about, const Curve& ours, const Curve& theirs,
                                 const std::string& whose, const Terms& terms);

}  // namespace railgauge::verdict
