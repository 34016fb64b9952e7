#include "experiments/collective/collective_session.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "executor/executor.hpp"
#include "experiments/collective/thread_binding.hpp"
#include "job/exchanged_values.hpp"
#include "results/rail_name.hpp"
#include "transport/hybrid.hpp"

namespace railgauge::runner {
namespace {

using results::Failure;

/// Why connecting failed: the fabric, or this host.
Failure::Kind kind_of(const std::error_code& code) {
  if (code == std::errc::timed_out) return Failure::Kind::time_out;
  for (const auto fabric : {std::errc::connection_refused, std::errc::connection_reset,
                            std::errc::host_unreachable, std::errc::network_unreachable}) {
    if (code == fabric) return Failure::Kind::transport;
  }
  return Failure::Kind::environment;
}

transport::VerbsSettings settings_of(CollectiveSession& session, const Combination& combination) {
  transport::VerbsSettings settings;
  settings.connect = session.options().connect;
  settings.connect_limit = session.frame().options().limit;
  settings.look_up = [&session] { session.communicator().abort_channel().check(); };
  settings.host = session.communicator().host();
  settings.queue_pairs.traffic_class = combination.point.traffic_class;
  settings.queue_pairs.inline_bytes = session.options().inline_bytes;
  settings.longest_write = executor::longest_write(combination.point.chunk_bytes);
  return settings;
}

/// Of these ranks, if every host has as many, one after the other; else 0.
schedule::Rank per_host(const std::vector<results::Rank>& all,
                        const std::vector<schedule::Rank>& members) {
  std::vector<std::pair<std::string, schedule::Rank>> hosts;
  for (const schedule::Rank rank : members) {
    if (hosts.empty() || hosts.back().first != all[rank].host)
      hosts.emplace_back(all[rank].host, 0);
    ++hosts.back().second;
  }
  std::set<std::string> names;
  for (const auto& [host, ranks] : hosts) {
    if (ranks != hosts.front().second || !names.insert(host).second) return 0;
  }
  return hosts.front().second;
}

}  // namespace

CollectiveSession::CollectiveSession(Session& session, const Program& program,
                                     const CollectiveOptions& options, const Traffic& traffic)
    : session_(session),
      program_(program),
      options_(options),
      traffic_(traffic),
      path_spread_(session.document().ranks, session.rank()) {
  for (const results::Rank& rank : session.document().ranks) {
    own_rails_.emplace_back(rank.placement.rails.begin(), rank.placement.rails.end());
  }
  try {
    groups_ = std::make_shared<const schedule::Groups>(groups_of(options.split, places()));
  } catch (const std::invalid_argument& uneven) {
    job::refuse_use(uneven.what());
  }
}

bool CollectiveSession::waits_for_processors() const {
  if (!session_.shares_processors()) return false;
  for (transport::Rank peer = 0; peer < ranks(); ++peer) {
    if (!shares_memory_with(peer)) return false;
  }
  return true;
}

std::string CollectiveSession::describe(transport::Rank rank) const {
  return "rank " + std::to_string(rank) + " (" + host_of(rank) + ", rail " +
         results::joined(own_rails_[rank]) + ")";
}

std::vector<RailSet> CollectiveSession::driven_rails(const results::SweepPoint& point) const {
  if (!point.own_rails) return std::vector<RailSet>(ranks(), point.rails);
  for (transport::Rank other = 0; other < ranks(); ++other) {
    const bool as_many = own_rails_[other].size() == own_rails_[rank()].size();
    const bool planes = planes_of(own_rails_[other]).size() == planes_of(own_rails_[rank()]).size();
    if (as_many && planes) continue;
    job::refuse_use(
        "--rails own: every rank must drive the same number of " +
        std::string(as_many ? "planes" : "rails") + ", unlike " + describe(rank()) + " and " +
        describe(other) +
        "; start a number of ranks per host that divides its rails, or use --placement FILE");
  }
  return own_rails_;
}

Planes CollectiveSession::planes_of(const RailSet& rails) const {
  Planes planes;
  for (const results::RankRail& one : session_.document().ranks[rank()].rails) {
    const auto rail = static_cast<unsigned>(one.rail);
    if (std::ranges::count(rails, rail) > 0) planes.push_back({rail, one.plane});
  }
  return planes;
}

topology::CpuSet CollectiveSession::cpus_near(const Plane& plane) const {
  const auto& own = session_.document().ranks[rank()].rails;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (Plane{static_cast<unsigned>(own[i].rail), own[i].plane} == plane) {
      return session_.cpus_near(i);
    }
  }
  return {};
}

std::unique_ptr<transport::Transport> CollectiveSession::connect(
    const Combination& combination, const Planes& planes,
    const std::vector<schedule::Schedule>& schedules,
    const std::vector<executor::Stripes>& stripes) {
  auto settings = settings_of(*this, combination);
  std::vector<verbs::Port> ports;
  std::vector<results::RankRail> names;
  const auto& own = session_.document().ranks[rank()].rails;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::ranges::count(planes, Plane{static_cast<unsigned>(own[i].rail), own[i].plane}) == 0) {
      continue;
    }
    ports.push_back(rails().at(i));
    settings.rail_numbers.push_back({own[i].rail, results::named_plane(own[i], own)});
    names.push_back(own[i]);
  }
  if (options_.spread_paths) {
    settings.flow_label = [&](const transport::ChannelRequest& channel, unsigned number) {
      return path_spread_.label(channel.peer, names[channel.rail], combination.point.traffic_class,
                                number);
    };
    settings.source_port = [&](verbs::SourcePort port) { path_spread_.connected(port); };
  }
  const auto channels = executor::channels_of(schedules, rank(), stripes);
  const auto on_this_host = [&](transport::Rank peer) { return session_.is_on_this_host(peer); };
  std::unique_ptr<transport::Transport> connected;
  try {
    if (options_.same_host == SameHost::memory) {
      connected =
          transport::connect_hybrid(communicator(), ports, channels, on_this_host, settings);
    } else {
      connected = transport::connect_verbs(communicator(), ports, channels, settings);
    }
  } catch (const transport::Unconnected& error) {
    throw job::RunFailure(kind_of(error.code()), error.what(), {error.finding});
  } catch (const std::system_error& error) {
    throw job::RunFailure(kind_of(error.code()), error.what());
  }
  if (options_.spread_paths) tell_unspread_paths();
  return connected;
}

const gpu::Device& CollectiveSession::gpu() {
  const std::size_t port = first_own_rail(session_);
  use_gpus(session_, {port});
  return session_.gpus().nearest(rails()[port].device);
}

void CollectiveSession::tell_unspread_paths() {
  const auto all = job::all_gather_list(communicator(), path_spread_.take_notes());
  const std::set<std::string> notes(all.begin(), all.end());
  session_.warn({notes.begin(), notes.end()});
}

void CollectiveSession::tell_unbound_threads(const std::string& failure) {
  const std::string own = failure.empty() ? "" : describe(rank()) + ": " + failure;
  const std::string line = unbound_threads(communicator().all_gather_text(own));
  if (!line.empty()) session_.warn({line});
}

std::vector<RankPlace> CollectiveSession::places() const {
  std::vector<RankPlace> all;
  for (transport::Rank rank = 0; rank < ranks(); ++rank)
    all.push_back({host_of(rank), own_rails_[rank]});
  return all;
}

std::vector<Combination> CollectiveSession::combinations() const {
  try {
    std::set<int> all;
    for (const auto& one : session_.document().ranks[rank()].rails) all.insert(one.rail);
    auto made = options_.combinations(static_cast<unsigned>(all.size()), groups_->size());
    if (groups_->count() == 1) return made;
    for (Combination& one : made) one.point.split = text_of(options_.split);
    return made;
  } catch (const std::invalid_argument& error) {
    job::refuse_use(error.what());
  }
}

schedule::Schedule CollectiveSession::placed(const schedule::Schedule& of_group) const {
  return groups_->count() == 1 ? of_group : schedule::side_by_side(of_group, groups_);
}

schedule::Team CollectiveSession::team(int root) const {
  schedule::Team team{groups_->size(), static_cast<schedule::Rank>(root), 0};
  std::set<schedule::Rank> all;
  for (const auto& members : groups_->members())
    all.insert(per_host(session_.document().ranks, members));
  if (all.size() == 1) team.per_host = *all.begin();
  return team;
}

results::NicUse CollectiveSession::nic_use(const results::SweepPoint& point) const {
  results::NicUse use =
      results::nic_use_of(session_.document().ranks, {point.rails.begin(), point.rails.end()},
                          options_.same_host == SameHost::memory);
  use.collective = program_.collective;
  return use;
}

std::optional<double> CollectiveSession::line_rate_percent(
    const results::SweepPoint& point, double busbw_gigabytes_per_second) const {
  constexpr double kPercent = 100;
  if (groups_->count() > 1) return std::nullopt;  // which share a NIC, or do not
  const auto share = results::line_rate_fraction(nic_use(point), busbw_gigabytes_per_second);
  return share ? std::optional(kPercent * *share) : std::nullopt;
}

}  // namespace railgauge::runner
