#include "experiments/collective/algorithm_by_model.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <set>

#include "predict/prediction.hpp"
#include "results/nic_use.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {
namespace {

using fabric::Count;

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

/// Where hosts have ranks in no order, each rank counts as a host with NICs of its own.
predict::MeasuredHosts hosts_of(const CollectiveSession& session,
                                const results::SweepPoint& point) {
  const schedule::Team team = session.team(point.root);
  const results::NicUse use = session.nic_use(point);
  predict::MeasuredHosts hosts{.rails = point.rails.size(),
                               .own_rails = point.own_rails,
                               .nic_gbps = use.line_rate_gigabits_per_second.value_or(0),
                               .inside_by_nics = use.beside_nics && use.beside_nics->empty()};
  if (hosts.nic_gbps <= 0) hosts.nic_gbps = 1;
  hosts.per_host = std::max<Count>(1, team.per_host);
  hosts.hosts = team.ranks / hosts.per_host;
  const auto nics = static_cast<Count>(use.nics_per_node.value_or(0));
  hosts.nics = team.per_host > 0 && nics > 0 ? nics : hosts.per_host * hosts.rails;
  return hosts;
}

/// What the fit has to say about the run's schedules.
class Model {
 public:
  Model(const CollectiveSession& session, const CollectiveRun& run)
      : scenario_(predict::on_one_leaf(hosts_of(session, run.combination().point),
                                       session.options().collective)) {
    scenario_.chunk_bytes = static_cast<double>(run.combination().point.chunk_bytes);
    scenario_.routing.queue_pairs = static_cast<std::uint32_t>(run.combination().point.queue_pairs);
    for (const schedule::Schedule& schedule : run.schedules()) {
      profiles_.push_back(
          predict::profile_of(schedule, scenario_.fabric, scenario_.ranks, scenario_.routing));
    }
  }

  void observe(std::size_t schedule, std::uint64_t bytes, double time_us) {
    if (bytes == 0 || time_us <= 0) return;
    observations_.push_back({work_of(schedule, bytes), time_us});
  }

  void fit() { fitted_ = predict::fit(observations_); }

  [[nodiscard]] double time_us(std::size_t schedule, std::uint64_t bytes) const {
    return predict::predict_us(fitted_, work_of(schedule, bytes));
  }

  void print() const {
    const double bytes_per_us =
        predict::nic_bytes_per_us(scenario_.fabric, scenario_.routing.mtu_bytes);
    std::cout << std::setprecision(3) << "# Model: " << fitted_.step_us << " us a step, "
              << fitted_.post_us << " us a further message, "
              << fitted_.slowdown / bytes_per_us * 1e3 << " us/KB moved by a NIC, "
              << fitted_.us_per_reduced_byte * 1e3 << " us/KB reduced; calibration off by up to "
              << predict::worst_error(fitted_, observations_) * 100 << " %" << std::endl;
  }

 private:
  [[nodiscard]] predict::Work work_of(std::size_t schedule, std::uint64_t bytes) const {
    return predict::work_of(scenario_, profiles_[schedule], static_cast<double>(bytes));
  }

  predict::Scenario scenario_;
  std::vector<predict::Profile> profiles_{};
  std::vector<predict::Observation> observations_{};
  predict::CostModel fitted_{};
};

/// Times of all sizes with all schedules.
std::vector<double> predicted(const Model& model, const std::vector<std::uint64_t>& sizes,
                              std::size_t schedules) {
  std::vector<double> times;
  for (const std::uint64_t bytes : sizes) {
    for (std::size_t i = 0; i < schedules; ++i) times.push_back(model.time_us(i, bytes));
  }
  return times;
}

AlgorithmByModel::Chosen chosen(const std::vector<schedule::Schedule>& schedules,
                                const double* times_us) {
  AlgorithmByModel::Chosen made;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    if (times_us[i] < times_us[made.schedule]) made.schedule = i;
    made.predictions.push_back({schedules[i].name, times_us[i]});
  }
  return made;
}

}  // namespace

AlgorithmByModel::AlgorithmByModel(CollectiveSession& session, CollectiveRun& run) {
  const bool leads = session.rank() == 0;
  std::optional<Model> model;
  if (leads) model.emplace(session, run);
  const std::vector<std::uint64_t> sizes = session.options().sizes();
  for (const std::uint64_t bytes : calibration_sizes(sizes)) {
    for (std::size_t i = 0; i < run.schedules().size(); ++i) {
      const results::CollectiveRow row = run.load(i, bytes);
      const double time_us = run.calibrate(kIterations);
      if (leads) model->observe(i, row.size_bytes, time_us);
    }
  }
  std::vector<double> times;
  if (leads) {
    model->fit();
    times = predicted(*model, sizes, run.schedules().size());
    if (session.frame().options().table != "none") model->print();
  }
  times = transport::all_gather(session.communicator(), times).front();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    chosen_[sizes[i]] = chosen(run.schedules(), &times[i * run.schedules().size()]);
  }
}

}  // namespace railgauge::runner
