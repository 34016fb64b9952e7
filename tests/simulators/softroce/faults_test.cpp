#include "softroce/faults/faults.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace railgauge::softroce {
namespace {

using namespace std::chrono_literals;

Faults sent_by_soft0(const std::string& rules) {
  return faults_of(parse_faults(rules), "soft0", Direction::transmit);
}

std::string refusal(const std::string& rules) {
  try {
    parse_faults(rules);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& sentence, const std::string& words) {
  return sentence.find(words) != std::string::npos;
}

TEST(Faults, AreReadInTheirUnits) {
  const Faults faults = sent_by_soft0(
      "soft0 rate=1.5Gbit queue=1MiB delay=50us jitter=1.5ms loss=1% duplicate=0.01 reorder=100% "
      "corrupt=1 corrupt_payload=2% mark=100KiB ecn=0 mtu=1500 pause=on link=down flap=2s/500ms "
      "counters=reset cnp=ignored");
  Faults expected;
  expected.bits_per_second = 1'500'000'000;
  expected.queue_bytes = 1'048'576;
  expected.delay = 50us;
  expected.jitter = 1500us;
  expected.loss = 0.01;
  expected.duplication = 0.01;
  expected.reordering = 1;
  expected.corruption = 1;
  expected.payload_corruption = 0.02;
  expected.mark_above_bytes = 102'400;
  expected.largest_bytes = 1500;
  expected.paused = true;
  expected.link_down = true;
  expected.flap_up = 2s;
  expected.flap_down = 500ms;
  expected.counters_reset = true;
  expected.cnps_ignored = true;
  EXPECT_TRUE(faults == expected);
}

TEST(Faults, HaveDecimalRatesOfBits) {
  EXPECT_EQ(sent_by_soft0("* rate=40Gbps").bits_per_second, 40'000'000'000U);
  EXPECT_EQ(sent_by_soft0("* rate=100Mbit").bits_per_second, 100'000'000U);
  EXPECT_EQ(sent_by_soft0("* rate=100mbit").bits_per_second, 100'000'000U);
  EXPECT_EQ(sent_by_soft0("* rate=9600bps").bits_per_second, 9600U);
  EXPECT_EQ(sent_by_soft0("* rate=0.29Gbit").bits_per_second, 290'000'000U);
}

TEST(Faults, AreOfOneDeviceAndDirection) {
  const FaultPlan plan = parse_faults("soft0.tx loss=1%; soft1.rx loss=2% # ; soft2 loss=3%");
  const auto loss = [&](const char* device, Direction direction) {
    return faults_of(plan, device, direction).loss;
  };
  EXPECT_EQ(loss("soft0", Direction::transmit), 0.01);
  EXPECT_EQ(loss("soft0", Direction::receive), 0);
  EXPECT_EQ(loss("soft1", Direction::transmit), 0);
  EXPECT_EQ(loss("soft1", Direction::receive), 0.02);
  EXPECT_EQ(loss("soft2", Direction::transmit), 0);
  EXPECT_EQ(loss("soft10", Direction::transmit), 0);
}

TEST(Faults, AreThoseOfTheLastRuleAlone) {
  const Faults faults = sent_by_soft0("soft0 loss=1%\n* delay=1ms\n");
  EXPECT_EQ(faults.loss, 0);
  EXPECT_EQ(faults.delay, 1ms);
  EXPECT_TRUE(sent_by_soft0("* loss=1%\nsoft0 # is sound") == Faults{});
}

TEST(Faults, TakeTheLinkDownInBothDirections) {
  const FaultPlan plan = parse_faults("soft0.rx link=down; soft1.tx flap=1s/2s loss=1%");
  EXPECT_TRUE(faults_of(plan, "soft0", Direction::transmit).link_down);
  const Faults received = faults_of(plan, "soft1", Direction::receive);
  EXPECT_EQ(received.flap_up, 1s);
  EXPECT_EQ(received.flap_down, 2s);
  EXPECT_EQ(received.loss, 0);
}

TEST(Faults, ResetTheCountersOfBothDirections) {
  const FaultPlan plan = parse_faults("soft0.rx counters=reset cnp=ignored; soft1 counters=kept");
  EXPECT_TRUE(faults_of(plan, "soft0", Direction::transmit).cnps_ignored);
  EXPECT_TRUE(faults_of(plan, "soft0", Direction::transmit).counters_reset);
  EXPECT_FALSE(faults_of(plan, "soft1", Direction::transmit).counters_reset);
}

TEST(Faults, HaveOneSeed) {
  EXPECT_EQ(parse_faults("").seed, 1U);
  EXPECT_EQ(parse_faults("seed=7\n* loss=1%").seed, 7U);
  EXPECT_EQ(parse_faults("* loss=1% seed=18446744073709551615").seed, ~std::uint64_t{0});
  EXPECT_TRUE(says(refusal("* seed=1\n* seed=2"), "line 2: 'seed=2' is given twice"));
}

TEST(Faults, AreRefusedWithTheWordTheLineAndTheKeys) {
  const std::string sentence = refusal("# first\nsoft0 loss=1%\n\nsoft1 delay=1ms lost=1%\n");
  EXPECT_TRUE(says(sentence, "line 4")) << sentence;
  EXPECT_TRUE(says(sentence, "'lost=1%' is not a known setting")) << sentence;
  EXPECT_TRUE(says(
      sentence,
      "rate=1Gbit queue=1MiB delay=50us jitter=10us loss=1% "
      "duplicate=0.1% reorder=1% corrupt=0.1% corrupt_payload=0.1% mark=100KiB ecn=5% mtu=1500 "
      "pause=on link=down flap=2s/500ms counters=reset cnp=ignored seed=7"))
      << sentence;
}

TEST(Faults, AreRefusedWhenAWordIsWrong) {
  for (const std::string word : {"loss",
                                 "loss=",
                                 "=1%",
                                 "loss=101%",
                                 "loss=1.1",
                                 "loss=-1%",
                                 "loss=nan",
                                 "loss=inf",
                                 "loss=1e-2",
                                 "loss=1%%",
                                 "loss=one",
                                 "rate=1",
                                 "rate=0Mbit",
                                 "rate=1GiB",
                                 "rate=1Gbit/s",
                                 "rate=9999999Gbit",
                                 "rate=-1Gbit",
                                 "delay=50",
                                 "delay=50m",
                                 "delay=2h",
                                 "delay=7200s",
                                 "queue=100KB",
                                 "queue=1mib",
                                 "queue=9999999999GiB",
                                 "pause=yes",
                                 "link=off",
                                 "counters=0",
                                 "flap=2s",
                                 "flap=2s/",
                                 "flap=/1s",
                                 "flap=2s/0s",
                                 "flap=1us/1us",
                                 "flap=1s/1s/1s",
                                 "loss=1% loss=2%",
                                 "seed=-1",
                                 "seed=1.5",
                                 "seed=18446744073709551616",
                                 "seed"}) {
    EXPECT_TRUE(says(refusal("soft0 " + word), "line 1")) << word << ": " << refusal("* " + word);
  }
}

TEST(Faults, AreRefusedWithoutADeviceOrWithAnUnknownDirection) {
  for (const std::string rule :
       {"loss=1%", "seed=1 loss=1%", "soft* loss=1%", ".tx loss=1%", "soft0. loss=1%",
        "soft0.up loss=1%", "soft0.tx.rx loss=1%", "sof0 loss=1%", "soft loss=1%", "soft01 loss=1%",
        "soft64 loss=1%", "Soft0 loss=1%", "mlx5_0 loss=1%", "soft0:1 loss=1%"}) {
    EXPECT_TRUE(says(refusal(rule), "line 1: '")) << rule;
  }
}

TEST(Faults, NameTheFirstDeviceThatIsAbsent) {
  const FaultPlan plan = parse_faults("* loss=1%; soft0 loss=1%; soft63.rx delay=1ms; soft2");
  EXPECT_EQ(absent_device(plan, 1), "soft63");
  EXPECT_EQ(absent_device(plan, 63), "soft63");
  EXPECT_EQ(absent_device(plan, kMostDevices), "");
  EXPECT_EQ(absent_device(parse_faults("* loss=1%; seed=7"), 1), "");
}

}  // namespace
}  // namespace railgauge::softroce
