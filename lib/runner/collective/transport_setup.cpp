#include "runner/collective/transport_setup.hpp"

#include <initializer_list>
#include <system_error>

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
  settings.queue_pairs.traffic_class = static_cast<std::uint8_t>(combination.point.traffic_class);
  settings.queue_pairs.inline_bytes = session.options().inline_bytes;
  return settings;
}

}  // namespace

std::unique_ptr<transport::Transport> connect_channels(
    CollectiveSession& session, const Combination& combination, const RailSet& rails,
    const std::vector<schedule::Schedule>& schedules, const executor::Stripes& stripes) {
  auto settings = settings_of(session, combination);
  settings.rail_numbers = rails;
  std::vector<verbs::Port> ports;
  for (const unsigned rail : rails) ports.push_back(session.rails().at(rail));
  const auto channels = executor::channels_of(schedules, session.rank(), stripes);
  const auto on_this_host = [&](transport::Rank peer) {
    return session.frame().is_on_this_host(peer);
  };
  try {
    if (session.options().same_host == SameHost::memory) {
      return transport::connect_hybrid(session.communicator(), ports, channels, on_this_host,
                                       settings);
    }
    return transport::connect_verbs(session.communicator(), ports, channels, settings);
  } catch (const std::system_error& error) {
    throw job::RunFailure(kind_of(error.code()), error.what());
  }
}

}  // namespace railgauge::runner
