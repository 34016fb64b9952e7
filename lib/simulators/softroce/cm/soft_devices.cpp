#include <bit>
#include <map>
#include <stdexcept>

#include "softroce/cm/service.hpp"
#include "softroce/engine/engine.hpp"
#include "softroce/verbs/calls.hpp"

namespace railgauge::softroce::cm {
namespace {

/// 127.64.0.0/16 is soft0's, 127.65.0.0/16 soft1's, ... (engine/addresses.hpp)
constexpr std::uint8_t kFirstNetwork = 64;
constexpr std::uint8_t kLoopback = 127;

/// A context of each device, for what verbs say of it. Never closed: they are the process's.
class SoftDevices final : public Devices {
 public:
  bool only_this_host() override { return settings().addresses.empty(); }

  std::optional<int> rail_at(const Address& local) override {
    const auto& addresses = settings().addresses;
    for (std::size_t rail = 0; rail < addresses.size(); ++rail) {
      if (addresses[rail] == local) return static_cast<int>(rail);
    }
    if (addresses.empty() && is_ipv4(local) && local.bytes[12] == kLoopback) {
      const int rail = local.bytes[13] - kFirstNetwork;
      if (rail >= 0 && rail < settings().rails) return rail;
    }
    // Whatever the name of this host: without addresses of its own, a device serves all of them.
    if (addresses.empty() || is_loopback(local)) return 0;
    return std::nullopt;
  }

  std::optional<Device> open(int rail) override {
    const auto devices = calls::devices();
    if (static_cast<std::size_t>(rail) >= devices.size()) return std::nullopt;
    ibv_device* const device = devices[static_cast<std::size_t>(rail)];
    ibv_context*& context = contexts_[rail];
    if (context == nullptr) context = calls::open_device(device);
    if (context == nullptr) return std::nullopt;
    ibv_port_attr port{};
    if (calls::query_port(context, kPortNumber, &port) != 0) return std::nullopt;
    Device out{.rail = rail,
               .guid = calls::device_guid(device),
               .index = static_cast<std::uint32_t>(calls::device_index(device)),
               .mtu = static_cast<std::uint8_t>(port.active_mtu)};
    const Address address = Engine::of(rail).rail(rail).port->address;
    return find_gid(context, port.gid_tbl_len, address, out) ? std::optional(out) : std::nullopt;
  }

 private:
  static const Settings& settings() { return Engine::settings(); }

  /// The entry that RoCE v2 packets from the device's address have.
  static bool find_gid(ibv_context* context, int entries, const Address& address, Device& out) {
    for (int index = 0; index < entries; ++index) {
      ibv_gid_entry entry{};
      const auto number = static_cast<std::uint32_t>(index);
      if (calls::query_gid_ex(context, kPortNumber, number, &entry) != 0) continue;
      std::copy_n(entry.gid.raw, out.gid.bytes.size(), out.gid.bytes.begin());
      out.gid_index = static_cast<std::uint8_t>(index);
      if (entry.gid_type == IBV_GID_TYPE_ROCE_V2 && out.gid == address) return true;
    }
    return false;
  }

  std::map<int, ibv_context*> contexts_;
};

}  // namespace

std::unique_ptr<Devices> soft_devices() {
  static_cast<void>(Engine::settings());
  return std::make_unique<SoftDevices>();
}

}  // namespace railgauge::softroce::cm
