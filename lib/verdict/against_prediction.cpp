#include <algorithm>

#include "finding/words.hpp"
#include "verdict/against.hpp"
#include "verdict/curve.hpp"
#include "verdict/matching.hpp"

namespace railgauge::verdict {
namespace {

/// Why a run is none that the prediction is about; empty: it is.
std::string why_another(const Run& run, const Prediction& prediction) {
  const auto differs = [](const std::string& what, const std::string& ours,
                          const std::string& theirs) {
    return "the prediction is for " + theirs + " " + what + ", and this run had " + ours;
  };
  const auto text = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "unknown"; };
  if (run.collective != prediction.collective)
    return "the prediction is for " + prediction.collective;
  if (run.ranks != prediction.ranks)
    return differs("ranks", text(run.ranks), std::to_string(prediction.ranks));
  if (run.nodes != prediction.hosts)
    return differs("hosts", text(run.nodes), std::to_string(prediction.hosts));
  const unsigned pairs = run.point ? run.point->queue_pairs : prediction.queue_pairs;
  if (pairs != prediction.queue_pairs)
    return differs("queue pairs", std::to_string(pairs), std::to_string(prediction.queue_pairs));
  if (run.point && run.point->unreduced) return std::string(kOfUnreduced);
  return run.split.empty() ? "" : std::string(kOfGroups);
}

const PredictedTime* prediction_for(const Point& point, const Prediction& prediction,
                                    std::string& why_none) {
  why_none = "the prediction has no " + point.algorithm;
  for (const PredictedTime& row : prediction.rows) {
    if (row.algorithm != point.algorithm) continue;
    why_none = "the prediction has no such size";
    if (row.size_bytes == point.size_bytes) return &row;
  }
  return nullptr;
}

/// The interval of the median decides: what may lie within the band does not lie outside.
void judge(Row& row, const Point& ours, const PredictedTime& theirs, double tolerance) {
  const double most_us = theirs.most_us * (1 + tolerance);
  const double low_us = ours.median_interval ? ours.median_interval->low_us : *ours.time_us;
  const double high_us = ours.median_interval ? ours.median_interval->high_us : *ours.time_us;
  row.remark =
      "band " + finding::number(theirs.least_us, 4) + " to " + finding::number(theirs.most_us, 4);
  if (low_us > most_us) {
    row.answer = Answer::failed;
  } else if (high_us < theirs.least_us) {
    row.remark += ": faster than predicted, so the prediction is not of this fabric";
  } else if (theirs.least_us <= *ours.time_us && *ours.time_us <= most_us) {
    row.answer = Answer::passed;
  } else {
    row.remark += ": its median may be within the band or outside";
  }
}

Row row_of(Row row, const Point& ours, const Prediction& prediction, double tolerance) {
  row.subject = Subject::size;
  row.algorithm = ours.algorithm;
  row.size_bytes = ours.size_bytes;
  const PredictedTime* const theirs = prediction_for(ours, prediction, row.remark);
  if (theirs == nullptr) return row;
  if (!ours.time_us) {
    row.remark = "it was not measured";
    return row;
  }
  row.unit = "us";
  row.ours = ours.time_us;
  row.theirs = theirs->time_us;
  row.ratio = theirs->time_us / *ours.time_us;
  judge(row, ours, *theirs, tolerance);
  return row;
}

/// What is predicted of a curve's algorithms.
Curve predicted_curve(const Curve& ours, const Prediction& prediction) {
  Curve theirs;
  for (const PredictedTime& row : prediction.rows) {
    const bool ran =
        std::ranges::find(ours.points, row.algorithm, &Point::algorithm) != ours.points.end();
    if (ran && point_at(theirs, row.size_bytes) == nullptr)
      theirs.points.push_back({.size_bytes = row.size_bytes});
  }
  std::ranges::sort(theirs.points, {}, &Point::size_bytes);
  return theirs;
}

/// Sizes that were predicted and not measured: nothing is known of them.
void add_missing(Rows& all, const Row& row, const Curve& ours, const Prediction& prediction) {
  auto missing = missing_sizes(row, ours, predicted_curve(ours, prediction), "prediction", {});
  if (!missing) return;
  missing->answer = Answer::open;
  all.push_back(*missing);
}

}  // namespace

Rows against_prediction(const RunSet& run_set, const Prediction& prediction, const Terms& terms) {
  Rows all;
  for (const Run& run : run_set.runs) {
    const std::string why = why_another(run, prediction);
    for (const Curve& curve : curves_of(run)) {
      const Row row = about("prediction " + prediction.name, run, curve);
      if (!why.empty()) {
        all.push_back(row);
        all.back().remark = why;
        continue;
      }
      for (const Point& point : curve.points)
        all.push_back(row_of(row, point, prediction, terms.tolerance));
      add_missing(all, row, curve, prediction);
    }
  }
  return all;
}

}  // namespace railgauge::verdict
