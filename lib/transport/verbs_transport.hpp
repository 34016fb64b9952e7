#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "transport/transport.hpp"
#include "verbs/port.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::transport {

/// How channels become connected queue pairs.
enum class Connect : std::uint8_t {
  exchange,  // addresses travel over the Exchange
  rdmacm,    // librdmacm's connection manager, over the rails themselves
};

struct VerbsSettings {
  Connect connect = Connect::exchange;
  std::chrono::seconds connect_limit{30};
  /// Called ten times a second while librdmacm connects; an exception ends the wait.
  std::function<void()> look_up = [] {};
  /// Traffic class, ACK timeout, retries and inline size; the transport sets the depths.
  verbs::QueuePairSettings queue_pairs;
  std::string host;  // this host's name, for reports
  /// How reports number the rails; if empty, by their indices.
  struct RailNumber {
    int rail = 0;
    std::optional<int> plane{};  // of a rail with several
  };
  std::vector<RailNumber> rail_numbers = {};
  /// Allocates the regions, if not the transport itself: called once per region, with at least 1.
  /// The memory must outlive the transport.
  std::function<std::span<std::byte>(std::size_t bytes)> memory = {};
  /// No write is longer, as far as it goes into or out of memory of a device.
  std::size_t longest_write = std::size_t{1} << 20;
  /// The flow label of this rank's end of a channel, the `number`-th to that peer on that rail,
  /// from 0. Called before any is connected. Without it the driver chooses source ports.
  std::function<std::uint32_t(const ChannelRequest& channel, unsigned number)> flow_label = {};
  /// Told of each channel's pair, once it is connected, whether it sends from its label's port.
  std::function<void(verbs::SourcePort)> source_port = [](verbs::SourcePort) {};
};

/// A channel that could not be connected.
struct Unconnected : std::system_error {
  Unconnected(const std::system_error& error, const std::string& what, finding::Finding of)
      : std::system_error(error.code(), what), finding(std::move(of)) {}
  finding::Finding finding;
};

/// Collective: connects every channel by one reliable queue pair on its rail,
/// `rails[channel.rail]`, which must be usable. To a transport each plane of a rail is a rail, with
/// a port, a protection domain and a completion queue of its own; who stripes a message over planes
/// stripes it over channels. Channels between two ranks pair up in the order in
/// which both list them. Everything is registered, connected and allocated here, nothing later.
/// `exchange` must outlive the transport. Throws Unconnected, std::system_error (the verb, the
/// device) or std::runtime_error.
std::unique_ptr<Pollable> connect_verbs(Exchange& exchange, std::span<const verbs::Port> rails,
                                        std::span<const ChannelRequest> channels,
                                        const VerbsSettings& settings);

}  // namespace railgauge::transport
