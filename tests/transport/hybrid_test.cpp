#include "transport/hybrid.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "transport/processes.hpp"
#include "verbs/port.hpp"

namespace railgauge::transport {
namespace {

std::vector<verbs::Port> usable_ports() {
  std::vector<verbs::Port> ports = verbs::find_ports();
  std::erase_if(ports, [](const verbs::Port& port) { return !port.usable(); });
  return ports;
}

/// To ask a soft device's completion queue is a system call.
TEST(HybridDeviceTest, AsksNoDeviceThatHasNoChannel) {
  const auto body = [](Exchange& exchange) {
    const std::vector<ChannelRequest> channels{{1 - exchange.rank(), 0}};
    const auto everywhere = [](Rank) { return true; };
    const auto wire = connect_hybrid(exchange, usable_ports(), channels, everywhere,
                                     {.queue_pairs = {}, .host = "here"});
    const Region region = wire->allocate(8);
    exchange.all_gather({});
    forbid_system_calls();
    wire->write(0, {.local = region, .remote_id = region.id, .bytes = 8, .notification = 5});
    wire->flush();
    std::array<Event, 1> event;
    while (wire->poll(event) == 0) continue;
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(wire->poll(event), 0U);
    _exit(event[0].value == 5 ? 0 : 1);
  };
  EXPECT_EQ(run_processes(2, body), Endings(2));
}

}  // namespace
}  // namespace railgauge::transport
