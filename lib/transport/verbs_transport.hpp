#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/pollable.hpp"
#include "verbs/port.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::transport {

/// How channels become connected queue pairs.
enum class Connect : std::uint8_t {
  exchange,  // addresses travel by the Exchange
  rdmacm,    // librdmacm's connection manager, over the rails themselves
};

struct VerbsSettings {
  Connect connect = Connect::exchange;
  std::chrono::seconds connect_limit{30};
  /// Called ten times a second while librdmacm connects; what it throws ends the wait.
  std::function<void()> look_up = [] {};
  /// Traffic class, ACK time-out, retries and inline size; the depths are set by the transport.
  verbs::QueuePairSettings queue_pairs;
  std::string host;  // this host's name, for the peers' reports
  /// What the rails are called in reports; empty: by their places.
  std::vector<unsigned> rail_numbers = {};
  /// Where regions come from, if not from the transport's own memory: called once a region, with at
  /// least 1. The memory has to outlive the transport.
  std::function<std::span<std::byte>(std::size_t bytes)> memory = {};
};

/// Collective: connects every channel by one reliable queue pair on its rail,
/// `rails[channel.rail]`, which has to be usable. Channels of two ranks meet in the order in which
/// both list them. Registers, connects and allocates here, nothing later. `exchange` has to outlive
/// the transport. Throws std::system_error (the verb, the device, the peer) or std::runtime_error.
std::unique_ptr<Pollable> connect_verbs(Exchange& exchange, std::span<const verbs::Port> rails,
                                        std::span<const ChannelRequest> channels,
                                        const VerbsSettings& settings);

}  // namespace railgauge::transport
