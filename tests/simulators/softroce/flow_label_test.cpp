#include <gtest/gtest.h>

#include <cstring>

#include "softroce/verbs/objects.hpp"
#include "wire_pair.hpp"

namespace railgauge::softroce {
namespace {

Path path_for(std::uint32_t flow_label, std::uint8_t hop_limit = 0) {
  Host host(ipv4(0x7f400001));
  const Address peer = ipv4(0x7f400002);
  ibv_ah_attr attributes{};
  attributes.is_global = 1;
  attributes.port_num = 1;
  attributes.grh.flow_label = flow_label;
  attributes.grh.hop_limit = hop_limit;
  std::memcpy(attributes.grh.dgid.raw, peer.bytes.data(), peer.bytes.size());
  Path path;
  EXPECT_EQ(path_of(host.port, attributes, path), 0);
  EXPECT_EQ(path.destination, peer);
  return path;
}

std::uint16_t port_for(std::uint32_t flow_label) {
  return path_for(flow_label).source_port;
}

/// The kernel's rule for all its drivers (rdma_flow_label_to_udp_sport() in
/// include/rdma/ib_verbs.h): (label & 0x3fff) ^ (label >> 14) | 0xc000.
TEST(FlowLabel, MakesTheKernelsSourcePort) {
  EXPECT_EQ(port_for(1), 0xc001);
  EXPECT_EQ(port_for(0x3fff), 0xffff);
  EXPECT_EQ(port_for(0x4001), 0xc000);
  EXPECT_EQ(port_for(0x12345), 0xe341);
  EXPECT_EQ(port_for(0xfffff), 0xffc0);
}

/// Unlike the kernel, which takes the numbers of both queue pairs then: a port takes a socket.
TEST(FlowLabel, OfZeroMakesRocesOwnPort) {
  EXPECT_EQ(port_for(0), 4791);
}

/// Of address handles and of queue pairs, which both have their path by path_of(). Programs that
/// give 0 or 1 for want of a better number cross routers on Linux, too.
TEST(HopLimit, IsTheProgramsUnlessItIsOfOneSubnet) {
  EXPECT_EQ(path_for(0, 0).hop_limit, 64);
  EXPECT_EQ(path_for(0, 1).hop_limit, 64);
  EXPECT_EQ(path_for(0, 2).hop_limit, 2);
  EXPECT_EQ(path_for(0, 255).hop_limit, 255);
}

}  // namespace
}  // namespace railgauge::softroce
