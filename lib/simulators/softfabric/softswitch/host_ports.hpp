#pragma once

#include <linux/if_packet.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "softfabric/description.hpp"
#include "softfabric/model.hpp"
#include "softfabric/netdevs.hpp"

namespace railgauge::softfabric {

/// The netdevs that lead to hosts: which link each is of, and what is to be sent there, in batches.
class HostPorts final : public HostSide {
 public:
  /// Finds the netdevs of all links to hosts (switch_netdev()) in this network namespace. Throws
  /// std::runtime_error that names one that is missing. `descriptor`: an AF_PACKET socket to send
  /// by.
  HostPorts(const Fabric& fabric, int descriptor);

  /// Nothing for netdevs that are none of ours.
  [[nodiscard]] std::optional<std::size_t> link_of_netdev(int index) const;

  void packet(std::size_t link, std::span<const std::byte> frame) override;
  void pause(std::size_t link, std::span<const std::byte> frame) override;
  /// Sends all that has been taken.
  void flush();
  /// Frames that the kernel did not take, since the last call.
  std::uint64_t take_refused() { return std::exchange(refused_, 0); }

 private:
  static constexpr std::size_t kBatch = 64;
  using SmallFrame = std::array<std::byte, kPauseFrameBytes>;
  void add(std::size_t link, const std::byte* bytes, std::size_t count);

  int descriptor_;
  std::unordered_map<int, std::size_t> links_;  // by index of the netdev
  std::vector<sockaddr_ll> netdevs_;            // by link
  std::array<mmsghdr, kBatch> messages_{};
  std::array<iovec, kBatch> pieces_{};
  std::array<SmallFrame, kBatch> pauses_{};
  std::size_t used_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace railgauge::softfabric
