#include "paths/source_port.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace railgauge::paths {
namespace {

/// By hand from include/rdma/ib_verbs.h of Linux: (label & 0x3fff) ^ (label >> 14) | 0xc000.
TEST(PortOfAFlowLabel, IsTheKernels) {
  EXPECT_EQ(port_of_flow_label(1), 0xc001);
  EXPECT_EQ(port_of_flow_label(0x3fff), 0xffff);
  EXPECT_EQ(port_of_flow_label(0x4000), 0xc001);
  EXPECT_EQ(port_of_flow_label(0x4001), 0xc000);
  EXPECT_EQ(port_of_flow_label(0xfffff), 0xffc0);
  EXPECT_EQ(port_of_flow_label(0x12345), 0xe345 ^ 0x4);
}

TEST(FlowLabelOfAPort, MakesThatPort) {
  for (unsigned port = kFirstSourcePort; port <= 0xffff; ++port) {
    const std::uint32_t label = flow_label_of_port(static_cast<std::uint16_t>(port));
    EXPECT_NE(label, 0U);
    EXPECT_LE(label, 0xfffffU);
    ASSERT_EQ(port_of_flow_label(label), port);
  }
}

TEST(FlowLabelOfAPort, IsNoneBelow49152) {
  EXPECT_THROW(static_cast<void>(flow_label_of_port(4791)), std::invalid_argument);
}

}  // namespace
}  // namespace railgauge::paths
