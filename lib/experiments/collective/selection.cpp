#include "experiments/collective/selection.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <set>

namespace railgauge::runner {
namespace {

constexpr int kIterations = 9;

/// Of the sweep: its ends, and two between them.
std::vector<std::uint64_t> calibration_sizes(const std::vector<std::uint64_t>& sizes) {
  const std::size_t last = sizes.size() - 1;
  const std::set<std::size_t> chosen{0, last / 3, 2 * last / 3, last};
  std::vector<std::uint64_t> few;
  few.reserve(chosen.size());
  for (const std::size_t i : chosen) few.push_back(sizes[i]);
  return few;
}

/// Rank 0 fits; the others take over what it has found, so that all choose alike.
measure::CostModel agreed(CollectiveSession& session, const measure::CostModel& model) {
  const std::array own{model};
  const auto all = session.communicator().all_gather(std::as_bytes(std::span(own)));
  measure::CostModel first;
  std::memcpy(&first, all[0].data(), sizeof first);
  return first;
}

void print(const measure::CostModel& model, double worst) {
  std::cout << std::setprecision(3) << "# Model: " << model.latency_us
            << " us a message that waits, " << model.overhead_us << " us a message sent, "
            << model.us_per_byte * 1e3 << " us/KB moved, " << model.us_per_reduced_byte * 1e3
            << " us/KB reduced; calibration off by up to " << worst * 100 << " %" << std::endl;
}

}  // namespace

Selection::Selection(CollectiveSession& session, CollectiveRun& run)
    : chunk_bytes_(run.combination().point.chunk_bytes) {
  std::vector<measure::Observation> observations;
  for (const std::uint64_t bytes : calibration_sizes(session.options().sizes())) {
    for (std::size_t i = 0; i < run.schedules().size(); ++i) {
      const results::CollectiveRow row = run.load(i, bytes);
      const double time_us = run.calibrate(kIterations);
      if (row.size_bytes == 0 || time_us <= 0) continue;
      observations.push_back(
          {measure::work_of(run.schedules()[i], row.size_bytes, chunk_bytes_), time_us});
    }
  }
  const measure::CostModel fitted = measure::fit(observations);
  model_ = agreed(session, fitted);
  const bool prints = session.rank() == 0 && session.frame().options().table != "none";
  if (prints) print(model_, measure::worst_error(model_, observations));
}

Selection::Chosen Selection::choose(const CollectiveRun& run, std::uint64_t bytes) const {
  Chosen chosen;
  double least = 0;
  for (std::size_t i = 0; i < run.schedules().size(); ++i) {
    const schedule::Schedule& schedule = run.schedules()[i];
    const double time_us =
        measure::predict_us(model_, measure::work_of(schedule, bytes, chunk_bytes_));
    if (i == 0 || time_us < least) {
      least = time_us;
      chosen.schedule = i;
    }
    chosen.predictions.push_back({schedule.name, time_us});
  }
  return chosen;
}

}  // namespace railgauge::runner
