#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "verbs/completion_queue.hpp"
#include "verbs/memory.hpp"
#include "verbs/port.hpp"
#include "verbs/queue_pair.hpp"

namespace railgauge::verbs {

/// In front of every datagram that arrives there are so many bytes with its IP header.
inline constexpr std::size_t kRouteHeaderBytes = 40;

/// The traffic class in these bytes, as the packet arrived: switches may have changed it. Empty if
/// the device put no IP header there. `ipv4`: as the port's GID is.
[[nodiscard]] std::optional<std::uint8_t> traffic_class_in(std::span<const std::byte> header,
                                                           bool ipv4);

/// A pair of unreliable datagrams: nobody repeats one that is lost, and whoever receives one sees
/// its IP header. One thread.
class DatagramPair {
 public:
  /// `domain` and `completions` have to outlive it. Throws std::system_error.
  DatagramPair(ibv_pd& domain, CompletionQueue& completions, const Port& port, int depth);

  [[nodiscard]] Address address() const;
  /// What is sent goes there, from the source port of that flow label. Throws std::system_error.
  void connect(const Address& peer, std::uint8_t traffic_class, std::uint32_t flow_label = 0);

  /// A receive of at most `into.bytes`, kRouteHeaderBytes included. Returns 0 or an errno value.
  int post_receive(std::uint64_t id, const LocalSlice& into) noexcept;
  /// After connect(). Returns 0 or an errno value.
  int send(const LocalSlice& from, std::uint64_t id) noexcept;

 private:
  Port port_;
  QueuePairHandle raw_;
  AddressHandle route_;
  std::uint32_t peer_ = 0;
};

}  // namespace railgauge::verbs
