#include "softfabric/faults.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "softfabric/fault_injection.hpp"
#include "softfabric/rig.hpp"

namespace railgauge::softfabric {
namespace {

constexpr int kPackets = 2000;

/// From host 0 to host 1 of one leaf, with faults on what host 0 sends; DSCP 26 but for the last.
struct Faulty {
  explicit Faulty(std::string_view words) : rig(shaped({})) {
    plant(rig.model, "host0:leaf0", "a-to-b", words);
  }
  void send(int packets, FrameOf what = {.payload_bytes = 100, .dscp = kLosslessDscp}) {
    for (int i = 0; i < packets; ++i) {
      what.number = number++;
      rig.send(0, 1, what);
      rig.run(5us);
    }
    rig.run_out();
  }
  [[nodiscard]] std::size_t got() const { return rig.hosts.packets.size(); }
  [[nodiscard]] std::uint64_t lost() const { return rig.drops(Drop::fault); }

  Rig rig;
  std::uint32_t number = 0;
};

TEST(FaultWords, ThatAreWrongSayWhatIsRight) {
  const auto message = [](std::string_view words) -> std::string {
    try {
      with_words({}, words);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("loss=2"), "fault 'loss=2': loss takes a probability, such as 1% or 0.01");
  EXPECT_EQ(message("los=1%").substr(0, 34), "unknown fault 'los=1%': use loss, ");
  for (const char* words :
       {"loss", "loss=-1%", "loss=inf", "rate=5", "delay=5", "mtu=70000", "link=sideways",
        "flap=1s", "flap=1us/1s", "flow=1.2.3.4-5.6.7.8", "flow=1.2.3.4:1-x:2", "dscp=64",
        "priority=8", "priority_map=26", "priority_map=26:9", "ecn=maybe", "kmin=few", "ahead=1",
        "blackhole=1"}) {
    EXPECT_NE(message(words), "accepted") << words;
  }
}

TEST(FaultWords, AddUpUntilTheyAreCleared) {
  Faults faults = with_words({}, "loss=1% delay=50us");
  faults = with_words(faults, "  loss=2%  rate=10Mbit ");
  EXPECT_DOUBLE_EQ(faults.loss, 0.02);
  EXPECT_EQ(faults.delay, 50us);
  EXPECT_EQ(faults.bits_per_second, 1e7);
  EXPECT_EQ(with_words(faults, "clear"), Faults{});
}

TEST(Faults, WithoutAnyAllArrivesAsItWas) {
  Faulty none("");
  none.send(kPackets);
  EXPECT_EQ(none.got(), std::size_t{kPackets});
  for (const Frame& frame : none.rig.hosts.at(1)) ASSERT_TRUE(icrc_is_right(frame));
}

TEST(Faults, LossTakesItsPart) {
  Faulty faulty("loss=10%");
  faulty.send(kPackets);
  EXPECT_NEAR(static_cast<double>(faulty.lost()), 200, 50);
  EXPECT_EQ(faulty.got() + faulty.lost(), std::uint64_t{kPackets});
}

TEST(Faults, OfOneDirectionLeaveTheOtherAlone) {
  Faulty faulty("loss=100%");
  for (int i = 0; i < 10; ++i) faulty.rig.send(1, 0);
  faulty.rig.run_out();
  EXPECT_EQ(faulty.rig.hosts.at(0).size(), 10U);
}

TEST(Faults, LossOfOnePriority) {
  Faulty faulty("loss=100% priority=3");
  faulty.send(10);
  EXPECT_EQ(faulty.got(), 0U);
  faulty.send(10, {});
  EXPECT_EQ(faulty.got(), 10U);
}

TEST(Faults, LossOfOneFlow) {
  Faulty faulty("blackhole=on flow=10.10.0.1:50001-10.10.0.2:4791");
  faulty.send(10, {.source_port = 50001});
  EXPECT_EQ(faulty.got(), 0U);
  faulty.send(10, {.source_port = 50002});
  EXPECT_EQ(faulty.got(), 10U);
}

TEST(Faults, ABlackHoleKeepsTheLinkUp) {
  Faulty faulty("blackhole=on");
  faulty.send(10);
  EXPECT_EQ(faulty.lost(), 10U);
  EXPECT_TRUE(faulty.rig.model.wire(0).up);
}

TEST(Faults, DelayAddsToTheLinks) {
  Faulty faulty("delay=70us");
  faulty.rig.send(0, 1, {.payload_bytes = 100});
  const Time due = 2 * (Time{(58 + 100) * 8} + 1us) + 70us;
  faulty.rig.run(due - 1ns);
  EXPECT_EQ(faulty.got(), 0U);
  faulty.rig.run(1ns);
  EXPECT_EQ(faulty.got(), 1U);
}

TEST(Faults, JitterKeepsTheOrder) {
  Faulty faulty("jitter=50us");
  faulty.send(500);
  std::uint32_t number = 0;
  for (const Frame& frame : faulty.rig.hosts.at(1)) EXPECT_EQ(number_in(frame), number++);
  EXPECT_EQ(number, 500U);
  // The first arrives at once, or 50 us later, or between.
  std::set<Time> took;
  for (int packet = 0; packet < 100; ++packet) {
    const Time before = faulty.rig.now;
    faulty.rig.send(0, 1);
    faulty.rig.run_out();
    took.insert(faulty.rig.now - before);
  }
  EXPECT_GT(took.size(), 50U);
  EXPECT_LT(*took.rbegin() - *took.begin(), 60us);
  EXPECT_GT(*took.rbegin() - *took.begin(), 35us);
}

TEST(Faults, DuplicatesAreCountedAsMade) {
  Faulty faulty("duplicate=20%");
  faulty.send(kPackets);
  const std::uint64_t made = faulty.rig.model.totals().made;
  EXPECT_NEAR(static_cast<double>(made), 400, 80);
  EXPECT_EQ(faulty.got(), kPackets + made);
  for (const Frame& frame : faulty.rig.hosts.at(1)) ASSERT_TRUE(icrc_is_right(frame));
}

TEST(Faults, CorruptPacketsHaveABadIcrc) {
  Faulty faulty("corrupt=25%");
  faulty.send(kPackets);
  ASSERT_EQ(faulty.got(), std::size_t{kPackets});
  int bad = 0;
  for (const Frame& frame : faulty.rig.hosts.at(1)) bad += icrc_is_right(frame) ? 0 : 1;
  EXPECT_NEAR(bad, 500, 90);
}

TEST(Faults, CorruptPayloadHasAGoodIcrc) {
  Faulty faulty("corrupt_payload=25%");
  faulty.send(kPackets);
  int changed = 0;
  std::uint32_t number = 0;
  for (const Frame& frame : faulty.rig.hosts.at(1)) {
    ASSERT_TRUE(icrc_is_right(frame));
    Frame sound = frame_of({.source = faulty.rig.address(0),
                            .destination = faulty.rig.address(1),
                            .payload_bytes = 100,
                            .dscp = kLosslessDscp,
                            .number = number++});
    changed += std::equal(sound.begin() + 54, sound.end() - 4, frame.begin() + 54) ? 0 : 1;
  }
  EXPECT_NEAR(changed, 500, 90);
}

TEST(Faults, ARateSlowsTheLine) {
  Faulty faulty("rate=100Mbit");
  for (int i = 0; i < 100; ++i) faulty.rig.send(0, 1);
  faulty.rig.run(Time{100 * 1058 * 80} - 20us);
  EXPECT_NEAR(static_cast<double>(faulty.got()), 99, 1);
  faulty.rig.run_out();
  EXPECT_EQ(faulty.got(), 100U);
}

TEST(Faults, AnMtuIsABlackHoleForLargePackets) {
  Faulty faulty("mtu=500");
  faulty.send(10, {.payload_bytes = 1000});
  EXPECT_EQ(faulty.lost(), 10U);
  faulty.send(10, {.payload_bytes = 100});
  EXPECT_EQ(faulty.got(), 10U);
}

TEST(Faults, ARewrittenDscpMovesPacketsToAnotherPriority) {
  Faulty faulty("dscp=0");
  faulty.send(10);
  EXPECT_EQ(faulty.rig.counters(faulty.rig.wire("leaf0", "host1"), 3).sent_packets, 0U);
  EXPECT_EQ(faulty.rig.counters(faulty.rig.wire("leaf0", "host1"), 0).sent_packets, 10U);
  for (const Frame& frame : faulty.rig.hosts.at(1)) {
    EXPECT_EQ(parse(frame)->dscp, 0);
    EXPECT_TRUE(ip_checksum_is_right(frame));
    EXPECT_TRUE(icrc_is_right(frame));
  }
}

TEST(Faults, AWrongPriorityMapLeavesThePacketAlone) {
  Faulty faulty("priority_map=26:0");
  faulty.send(10);
  EXPECT_EQ(faulty.rig.counters(faulty.rig.wire("leaf0", "host1"), 0).sent_packets, 10U);
  EXPECT_EQ(parse(faulty.rig.hosts.at(1).at(0))->dscp, kLosslessDscp);
}

TEST(Faults, EcnMayBeOffAtAPort) {
  Fabric fabric = shaped({.hosts_per_leaf = 3});
  for (const bool off : {true, false}) {
    Rig rig(fabric);
    if (off) plant(rig.model, "leaf0:host2", "b-to-a", "ecn=off");
    for (int i = 0; i < 200; ++i) {
      rig.send(0, 2, {.dscp = kLosslessDscp});
      rig.send(1, 2, {.dscp = kLosslessDscp});
    }
    rig.run_out();
    EXPECT_EQ(rig.marks() == 0, off);
  }
}

TEST(Faults, AreInTheDescriptionToo) {
  Fabric fabric = shaped({});
  fabric.faults.push_back({.at = "host0.rail0", .direction = "both", .fault = "loss=100%"});
  Rig rig(fabric);
  rig.send(0, 1);
  rig.run_out();
  EXPECT_EQ(rig.drops(Drop::fault), 1U);
  fabric.faults.back().fault = "nonsense=1";
  EXPECT_THROW(Rig{fabric}, std::runtime_error);
}

TEST(Faults, OfASwitchAreThoseOfAllItsLinks) {
  Rig rig(shaped({.hosts_per_leaf = 1, .leaves = 2, .spines = 1}));
  plant(rig.model, "spine0", "both", "loss=100%");
  for (const char* leaf : {"leaf0", "leaf1"}) {
    EXPECT_EQ(rig.model.wire(rig.wire(leaf, "spine0")).faults.loss, 1);
    EXPECT_EQ(rig.model.wire(rig.wire("spine0", leaf)).faults.loss, 1);
  }
  EXPECT_EQ(rig.model.wire(rig.wire("host0", "leaf0")).faults.loss, 0);
  clear_faults(rig.model, "");
  rig.send(0, 1);
  rig.run_out();
  EXPECT_EQ(rig.hosts.at(1).size(), 1U);
}

}  // namespace
}  // namespace railgauge::softfabric
