#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "finding/ranking.hpp"
#include "transport/packet_sizes.hpp"
#include "transport/verbs_transport.hpp"
#include "verbs/completion_queue.hpp"
#include "verbs/connection_manager.hpp"
#include "verbs/device.hpp"
#include "verbs/memory.hpp"

namespace railgauge::transport {

// How many notifications may be in flight on a channel in one direction; see
// Transport::notifications_in_flight().
inline constexpr int kNotificationsInFlight = 64;
// Receives are reposted in batches of kNotificationsInFlight, so at least as many always remain.
inline constexpr int kReceiveDepth = 2 * kNotificationsInFlight;
// Writes outstanding on a channel; one in kUnreported is signaled even if the caller did not ask
// for a report.
inline constexpr int kSendDepth = 128;
inline constexpr int kUnreported = 32;

// Small writes too long to go inline are sent from a copy, so that the caller need not wait until
// they have arrived. Each channel has kCopies of them, and signals at least every half of that.
inline constexpr std::uint32_t kCopiedBytes = 4096;
inline constexpr std::size_t kCopies = 16;

/// One rail of this rank: what its channels share. Declaration order is lifetime order.
struct VerbsRail {
  VerbsRail(const verbs::Port& on, finding::Endpoint as, int channels);

  /// "rail 1 plane 0"
  [[nodiscard]] std::string name() const { return finding::rails_and_planes({end}); }
  /// What happened to its device since the last call, "; mlx5_0 port 1: port went down" each.
  std::string take_events();

  verbs::Port port;
  finding::Endpoint end;  // the port, in reports
  bool went_down = false;
  verbs::Context context;
  verbs::ProtectionDomain domain;
  verbs::CompletionQueue completions;
  std::vector<verbs::Pieces> regions;               // by region number
  verbs::MemoryRegion copies;                       // of all channels, kCopies each
  std::optional<verbs::ConnectionManager> manager;  // with Connect::rdmacm
  std::uint16_t manager_port = 0;
};

/// What a rank tells the peer about one of the channels between them.
struct ChannelEnd {
  verbs::Address address;
  ShortText host{};
  ShortText device{};
  int port = 1;
  int rail = 0;
  int plane = -1;                  // -1: its rail has no other
  std::uint16_t manager_port = 0;  // where its rail's connection manager listens; 0 without one
};

struct VerbsChannel {
  /// From `own` to the peer, or as far as that is known.
  [[nodiscard]] finding::Location path_from(const finding::Endpoint& own) const;
  /// Once it has failed, if its path seems to lose large packets only.
  [[nodiscard]] std::optional<PacketSizes::Limit> size_limit() const;

  ChannelRequest request;
  Channel back = 0;  // the peer's number for it
  ChannelEnd peer;   // as the peer offered it
  std::unique_ptr<verbs::QueuePair> pair;
  std::uint64_t posted = 0;     // writes
  std::uint64_t completed = 0;  // of these, known to be done
  PacketSizes sizes;            // of writes
  std::uint32_t mtu_bytes = 0;  // of its path: the smaller of both ends'
  std::uint32_t unreported = 0;
  std::uint64_t copied = 0;                        // writes sent from a copy
  std::array<std::uint64_t, kCopies> copied_as{};  // [copy] the number of the last write from it
  int receives_owed = 0;
  verbs::Completion failure;  // the first, once `failed`
  bool failed = false;
};

// Work request ids name the channel and the write, because a failed completion has nothing else.
inline constexpr std::uint64_t kReceiveMark = std::uint64_t{1} << 63;
[[nodiscard]] inline std::uint64_t receive_id(Channel channel) {
  return kReceiveMark | std::uint64_t{channel} << 32;
}
[[nodiscard]] inline std::uint64_t write_id(Channel channel, std::uint64_t number) {
  return std::uint64_t{channel} << 32 | static_cast<std::uint32_t>(number);
}
[[nodiscard]] inline Channel channel_of(std::uint64_t id) {
  return static_cast<Channel>((id & ~kReceiveMark) >> 32);
}

/// Collective: makes and connects one queue pair per channel, posts receives, and returns when all
/// peers of these channels are ready; other ranks may still be connecting.
std::vector<VerbsChannel> connect_channels(Exchange& exchange,
                                           std::span<const std::unique_ptr<VerbsRail>> rails,
                                           std::span<const ChannelRequest> channels,
                                           const VerbsSettings& settings);

}  // namespace railgauge::transport
