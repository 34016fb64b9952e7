// What sysfs would show.

#include <array>
#include <cstdio>

#include "softroce/verbs/calls.hpp"
#include "softroce/verbs/limits.hpp"
#include "softroce/verbs/objects.hpp"

namespace railgauge::softroce {

namespace {

std::string in_fours(const std::uint8_t* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, 4> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", bytes[i]);
    if (i > 0 && i % 2 == 0) text += ':';
    text += hex.data();
  }
  return text;
}

DeviceDescription describe(ibv_device& device, const Rail& rail) {
  DeviceDescription out;
  const __be64 guid = calls::device_guid(&device);
  const Address address = rail.port ? rail.port->address : Address{};
  const bool up = !rail.port || rail.port->link_up;
  out.name = rail.name;
  out.node_guid = in_fours(reinterpret_cast<const std::uint8_t*>(&guid), sizeof guid);
  out.firmware = Engine::instance().settings().shortcut ? kFirmwareShortcut : kFirmware;
  out.gid = in_fours(address.bytes.data(), address.bytes.size());
  out.netdev = rail.port ? rail.interface.name : "lo";
  out.state = up ? "4: ACTIVE" : "1: DOWN";
  out.physical_state = up ? "5: LinkUp" : "3: Disabled";
  out.rate = "40 Gb/sec (4X QDR)";
  const Counters counters = rail.port ? rail.port->counters : Counters{};
  // Data counters are in units of four bytes (InfiniBand volume 1, 16.1.3.5).
  out.counters = {{"port_xmit_data", counters.sent_bytes / 4},
                  {"port_rcv_data", counters.rcvd_bytes / 4},
                  {"port_xmit_packets", counters.sent_pkts},
                  {"port_rcv_packets", counters.rcvd_pkts},
                  {"port_rcv_errors", counters.icrc_err + counters.malformed},
                  {"port_xmit_discards", counters.send_err},
                  {"link_downed", counters.link_downed}};
  out.hw_counters = counters.named();
  return out;
}

}  // namespace

std::vector<DeviceDescription> describe_devices() {
  std::vector<DeviceDescription> all;
  const auto devices = calls::devices();
  if (devices.empty()) return all;
  Engine& engine = Engine::instance();
  const Engine::Lock lock(engine);
  for (ibv_device* device : devices) {
    all.push_back(describe(*device, engine.rail(device_of(device).rail)));
  }
  return all;
}

}  // namespace railgauge::softroce
