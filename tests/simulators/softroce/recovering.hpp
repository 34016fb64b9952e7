#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "softroce/device/acknowledgement.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {

/// Posts requests and hands the requester answers.
class Recovery : public ::testing::Test {
 protected:
  static Packet acknowledgement(Psn psn, std::uint8_t syndrome = 0x1f) {
    return {.operation = Operation::acknowledge, .psn = psn, .syndrome = syndrome};
  }
  static Packet negative(Psn psn, Syndrome syndrome) {
    return acknowledgement(psn, static_cast<std::uint8_t>(syndrome));
  }
  std::string sent() { return summary(pair->client_host.sends()); }
  std::string completed() { return summary(pair->client.sent()); }
  void make(const Options& options) { pair = std::make_unique<WirePair>(options); }
  void write(std::uint64_t id, std::uint32_t length) {
    pair->client.post(IBV_WR_RDMA_WRITE, id, 0, length);
  }
  void read(std::uint64_t id, std::uint32_t length) {
    pair->client.post(IBV_WR_RDMA_READ, id, 0, length);
  }
  void response(Operation operation, Psn psn, std::size_t bytes, std::byte value = std::byte{5}) {
    const std::vector<std::byte> data(bytes, value);
    pair->to_client(Packet{.operation = operation, .psn = psn, .syndrome = 0x1f}, data);
  }
  const Counters& counters() const { return pair->client_host.port.counters; }

  std::unique_ptr<WirePair> pair = std::make_unique<WirePair>();
};

}  // namespace railgauge::softroce
