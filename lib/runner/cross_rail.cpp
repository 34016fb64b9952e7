#include "runner/cross_rail.hpp"

#include <algorithm>

#include "executor/channels.hpp"

namespace railgauge::runner {
namespace {

std::string in_words(const Session& session, transport::Rank rank, const RailSet& rails) {
  return "rank " + std::to_string(rank) + " (" + session.host_of(rank) + ", rail " +
         results::joined(rails) + ")";
}

}  // namespace

RailSet rails_of(const Session& session, transport::Rank rank, const RailUse& use) {
  if (!use.own) return use.rails;
  const RailSet& rails = session.own_rails(rank);
  for (transport::Rank other = 0; other < session.ranks(); ++other) {
    const RailSet& theirs = session.own_rails(other);
    if (theirs.size() == rails.size()) continue;
    throw job::RunFailure(
        results::Failure::Kind::usage,
        "--rails own: every rank has to drive as many rails, and not " +
            in_words(session, rank, rails) + " and " + in_words(session, other, theirs) +
            "; start as many ranks a host as divide its rails, or --placement FILE");
  }
  return rails;
}

std::optional<std::string> find_cross_rail_send(const Session& session, const RailUse& use,
                                                const schedule::Schedule& schedule) {
  if (!use.own) return std::nullopt;
  const transport::Rank rank = session.communicator().rank();
  const RailSet rails = rails_of(session, rank, use);
  for (const auto& channel : executor::channels_of(schedule, rank, {})) {
    const bool by_memory = session.options().same_host == SameHost::memory;
    if (by_memory && session.is_on_this_host(channel.peer)) continue;
    const RailSet& theirs = session.own_rails(channel.peer);
    if (theirs == rails) continue;
    return schedule.name + " takes " + in_words(session, rank, rails) + " to " +
           in_words(session, channel.peer, theirs);
  }
  return std::nullopt;
}

}  // namespace railgauge::runner
