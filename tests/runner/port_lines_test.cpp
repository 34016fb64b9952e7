#include "runner/failure_summary.hpp"

#include <gtest/gtest.h>

namespace railgauge::runner {
namespace {

using results::PortEvents;
using Lines = std::vector<std::string>;

PortEvents port(std::map<std::string, std::int64_t> moved, const std::string& host = "host1") {
  return {.host = host,
          .device = "soft1",
          .rail = 1,
          .address = "10.1.0.2",
          .packets_sent = 93'122,
          .packets_received = 880,
          .moved = std::move(moved)};
}

TEST(PortLines, NameHostPortAndOfEachClassTheCounterThatMovedMost) {
  EXPECT_EQ(
      port_lines({port({{"to_retransmits", 4812}, {"seq_err_naks_rcvd", 3}, {"icrc_err", 1}})}),
      Lines{"host1 soft1 10.1.0.2 (rail 1) counted: loss 4,812 (to_retransmits), corruption 1 "
            "(icrc_err), of 93,122 packets sent and 880 received"});
}

TEST(PortLines, SayNothingOfPacketsThatAreNotCounted) {
  PortEvents mute = port({{"icrc_err", 1'000'000}});
  mute.packets_sent.reset();
  EXPECT_EQ(port_lines({mute}), Lines{"host1 soft1 10.1.0.2 (rail 1) counted: corruption "
                                      "1,000,000 (icrc_err), of 880 packets received"});
  mute.packets_received.reset();
  EXPECT_EQ(port_lines({mute}),
            Lines{"host1 soft1 10.1.0.2 (rail 1) counted: corruption 1,000,000 (icrc_err)"});
}

TEST(PortLines, OfWhatIsNotKnownOrWasResetAreNone) {
  EXPECT_EQ(port_lines({}), Lines{});
  EXPECT_EQ(port_lines({port({{"unheard_of", 7}, {"icrc_err", -3}})}), Lines{});
}

TEST(PortLines, BeginWithThePortThatHasMostFaults) {
  const Lines lines =
      port_lines({port({{"np_ecn_marked_roce_packets", 9000}}, "marked"),
                  port({{"icrc_err", 2}}, "worse"), port({{"icrc_err", 1}}, "bad")});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with("worse "));
  EXPECT_TRUE(lines[2].starts_with("marked ")) << "congestion is no fault";
}

TEST(PortLines, OfManyPortsAreFew) {
  const std::vector<PortEvents> ten(10, port({{"icrc_err", 2}}));
  const Lines lines = port_lines(ten);
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines.back(), "and 2 more ports counted something; the document (-J) has all");
}

}  // namespace
}  // namespace railgauge::runner
