#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "wire_pair.hpp"

namespace railgauge::softroce {

/// Sends packets to a responder and looks at its answers. Path MTU 256; the requests of the test
/// begin with PSN 100.
class Responding : public ::testing::Test {
 protected:
  using Events = std::vector<ibv_event_type>;

  void make(const Options& options) { pair = std::make_unique<WirePair>(options); }
  void make(ibv_qp_type type) {
    Options options;
    options.type = type;
    make(options);
  }
  std::uint64_t address() const {
    return reinterpret_cast<std::uintptr_t>(pair->server.memory.data());
  }
  Packet request(Operation operation, Psn psn) const {
    const bool reliable = pair->server.pair().reliable();
    return {.service = reliable ? Service::reliable : Service::unreliable,
            .operation = operation,
            .ack_request = reliable,
            .psn = psn};
  }
  Packet write(Operation operation, Psn psn, std::uint32_t length) const {
    Packet packet = request(operation, psn);
    packet.remote_address = address();
    packet.remote_key = pair->server.region->rkey;
    packet.dma_length = length;
    return packet;
  }
  void give(const Packet& packet, std::size_t bytes = 0, std::byte value = std::byte{9}) {
    pair->to_server(packet, std::vector<std::byte>(bytes, value));
  }
  std::string answers() { return summary(pair->server_host.sends()); }
  std::string received() { return summary(pair->server.received()); }
  Events events() { return pair->server_host.events(); }
  const Counters& counters() const { return pair->server_host.port.counters; }
  void receive(std::uint64_t id, std::uint32_t length = 4096) {
    ASSERT_EQ(pair->server.post_receive(id, 0, length), 0);
  }
  std::byte at(std::size_t offset) const { return pair->server.memory[offset]; }

  std::unique_ptr<WirePair> pair = std::make_unique<WirePair>();
};

}  // namespace railgauge::softroce
