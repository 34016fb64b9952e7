#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/channels.hpp"
#include "experiments/collective/collective_options.hpp"
#include "experiments/collective/path_spread.hpp"
#include "experiments/collective/rail_times.hpp"
#include "experiments/collective/traffic.hpp"
#include "measure/statistics.hpp"
#include "results/collective.hpp"
#include "results/nic_use.hpp"
#include "runner/gpus.hpp"
#include "runner/session.hpp"
#include "schedule/schedule.hpp"

namespace railgauge::runner {

/// A session as the benchmark of a collective sees it: options, traffic, and whose rails are whose.
/// Once the session knows hosts and rails. What it is made of has to outlive it.
class CollectiveSession {
 public:
  CollectiveSession(Session& session, const Program& program, const CollectiveOptions& options,
                    const Traffic& traffic);

  [[nodiscard]] Session& frame() { return session_; }
  [[nodiscard]] job::Communicator& communicator() { return session_.communicator(); }
  [[nodiscard]] transport::Rank rank() const { return session_.rank(); }
  [[nodiscard]] transport::Rank ranks() const { return session_.ranks(); }
  /// The groups that run the collective at the same time (--split), this rank's number in its own,
  /// and a schedule of a group's ranks as all ranks are to run it.
  [[nodiscard]] const schedule::Groups& groups() const { return *groups_; }
  [[nodiscard]] schedule::Rank number() const { return groups_->number_of(rank()); }
  [[nodiscard]] schedule::Schedule placed(const schedule::Schedule& of_group) const;
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const CollectiveOptions& options() const { return options_; }
  [[nodiscard]] const Traffic& traffic() const { return traffic_; }
  [[nodiscard]] const std::string& host_of(transport::Rank rank) const {
    return session_.host_of(rank);
  }
  [[nodiscard]] const std::vector<verbs::Port>& rails() const { return session_.rails(); }

  /// Whether data to this rank go through memory, not over a rail.
  [[nodiscard]] bool shares_memory_with(transport::Rank rank) const {
    return options_.same_host == SameHost::memory && session_.is_on_this_host(rank);
  }
  /// Whether all data go through memory, and ranks of this host share processors: what a rank waits
  /// for may then need the processor that it waits on.
  [[nodiscard]] bool waits_for_processors() const;
  /// The rails that each rank drives. Throws RunFailure (usage) unless all drive as many, and as
  /// many planes of them.
  [[nodiscard]] std::vector<RailSet> driven_rails(const results::SweepPoint& point) const;
  /// The planes of these rails, in order: every rank has the same.
  [[nodiscard]] Planes planes_of(const RailSet& rails) const;
  /// The cpus near the port of this rank that is this plane; none: not known.
  [[nodiscard]] topology::CpuSet cpus_near(const Plane& plane) const;
  /// "rank 3 (host1, rail 1)", with the rails that it is placed local to.
  [[nodiscard]] std::string describe(transport::Rank rank) const;

  /// Every combination of the axes. Throws RunFailure (usage) for a rail that does not exist.
  [[nodiscard]] std::vector<Combination> combinations() const;
  /// Collective: the channels that these schedules need, each with its stripes, on these planes of
  /// this rank, as the options and the combination say. Throws RunFailure: the fabric's fault, or
  /// this host's.
  [[nodiscard]] std::unique_ptr<transport::Transport> connect(
      const Combination& combination, const Planes& planes,
      const std::vector<schedule::Schedule>& schedules,
      const std::vector<executor::Stripes>& stripes);

  /// Collective: the GPU nearest to the first rail that this rank is local to. The
  /// record says which, and a warning what is slow by where it is. Throws RunFailure (environment).
  [[nodiscard]] const gpu::Device& gpu();

  /// Collective: why a progress thread of this rank could not be bound, "" if all could, as a
  /// warning; said once, however often it happens.
  void tell_unbound_threads(const std::string& failure);

  /// Of this rank's group: as many ranks on every host, numbered host after host in every group;
  /// otherwise per_host is 0.
  [[nodiscard]] schedule::Team team(int root) const;
  /// Hosts, NICs and their speed.
  [[nodiscard]] results::NicUse nic_use(const results::SweepPoint& point) const;
  /// The share of line rate that a bus bandwidth is (results/nic_use.hpp); empty if the rails'
  /// speed is not known, or with --split.
  [[nodiscard]] std::optional<double> line_rate_percent(const results::SweepPoint& point,
                                                        double busbw_gigabytes_per_second) const;

 private:
  [[nodiscard]] std::vector<RankPlace> places() const;
  /// Collective: what kept any rank's --spread-paths from its effect.
  void tell_unspread_paths();

  Session& session_;
  const Program& program_;
  const CollectiveOptions& options_;
  const Traffic& traffic_;
  std::vector<RailSet> own_rails_;  // [rank]
  std::shared_ptr<const schedule::Groups> groups_;
  PathSpread path_spread_;
};

}  // namespace railgauge::runner
