#pragma once

#include <cstdint>
#include <optional>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce::cm {

/// What a connection has to know of the soft device that it uses.
struct Device {
  int rail = 0;
  std::uint64_t guid = 0;   ///< network order, as ibv_get_device_guid() says it
  std::uint32_t index = 0;  ///< as ibv_get_device_index() says it
  Address gid{};
  std::uint8_t gid_index = 0;  ///< where the GID's RoCE v2 entry is
  std::uint8_t mtu = 0;        ///< enum ibv_mtu
};

/// The soft devices of this process.
class Devices {
 public:
  virtual ~Devices() = default;
  /// The rail that serves an address of this host; nothing if none does.
  virtual std::optional<int> rail_at(const Address& local) = 0;
  /// Whether their addresses are loopback ones, which no other host can reach.
  virtual bool only_this_host() = 0;
  /// Opens it, if it is not open. Nothing if it cannot be.
  virtual std::optional<Device> open(int rail) = 0;
};

}  // namespace railgauge::softroce::cm
