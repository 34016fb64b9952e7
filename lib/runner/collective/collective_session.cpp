#include "runner/collective/collective_session.hpp"

#include <algorithm>

#include "verdict/line_rate.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;

verdict::NicInventory inventory_of(const std::vector<results::Rank>& ranks) {
  verdict::NicInventory inventory;
  for (const results::Rank& rank : ranks) {
    std::vector<verdict::Nic> nics;
    for (const results::RankRail& rail : rank.rails) {
      const std::string port = rail.device + "/" + std::to_string(rail.port);
      nics.push_back({rail.rail, port + " " + rail.address, rail.link_gigabits_per_second});
    }
    inventory.add_rank(rank.host, nics);
  }
  return inventory;
}

}  // namespace

CollectiveSession::CollectiveSession(Session& session, const Program& program,
                                     const CollectiveOptions& options, const Traffic& traffic)
    : session_(session),
      program_(program),
      options_(options),
      traffic_(traffic),
      nic_inventory_(inventory_of(session.document().ranks)) {
  for (const results::Rank& rank : session.document().ranks) {
    own_rails_.emplace_back(rank.placement.rails.begin(), rank.placement.rails.end());
  }
}

std::string CollectiveSession::describe(transport::Rank rank) const {
  return "rank " + std::to_string(rank) + " (" + host_of(rank) + ", rail " +
         results::joined(own_rails_[rank]) + ")";
}

std::vector<RailSet> CollectiveSession::driven_rails(const results::SweepPoint& point) const {
  if (!point.own_rails) return std::vector<RailSet>(ranks(), point.rails);
  for (transport::Rank other = 0; other < ranks(); ++other) {
    if (own_rails_[other].size() == own_rails_[rank()].size()) continue;
    throw job::RunFailure(
        Failure::Kind::usage,
        "--rails own: every rank must drive the same number of rails, unlike " + describe(rank()) +
            " and " + describe(other) +
            "; start a number of ranks per host that divides its rails, or use --placement FILE");
  }
  return own_rails_;
}

std::vector<Combination> CollectiveSession::combinations() const {
  try {
    return options_.combinations(static_cast<unsigned>(rails().size()), ranks());
  } catch (const std::invalid_argument& error) {
    throw job::RunFailure(Failure::Kind::usage, error.what());
  }
}

schedule::Team CollectiveSession::team(int root) const {
  const auto& all = session_.document().ranks;
  schedule::Team team{ranks(), static_cast<schedule::Rank>(root), 0};
  const auto per_host = std::ranges::count(all, all[0].host, &results::Rank::host);
  int next = 0;
  for (const results::Rank& rank : all) {
    if (rank.local_rank != next) return team;
    next = next + 1 == per_host ? 0 : next + 1;
  }
  team.per_host = static_cast<schedule::Rank>(per_host);
  return team;
}

std::optional<double> CollectiveSession::line_rate_percent(
    const results::SweepPoint& point, double busbw_gigabytes_per_second) const {
  constexpr double kPercent = 100;
  verdict::Run run = nic_inventory_.run({point.rails.begin(), point.rails.end()},
                                        options_.same_host == SameHost::memory);
  run.collective = program_.collective;
  const auto share = verdict::line_rate_fraction(run, busbw_gigabytes_per_second);
  return share ? std::optional(kPercent * *share) : std::nullopt;
}

results::Straggler CollectiveSession::straggler(const measure::Straggler& found) const {
  const auto rank = static_cast<transport::Rank>(found.rank);
  return {static_cast<int>(rank), host_of(rank), found.own_us, found.others_us};
}

}  // namespace railgauge::runner
