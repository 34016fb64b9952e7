#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "softfabric/fault_injection.hpp"
#include "softfabric/random.hpp"
#include "softfabric/rig.hpp"
#include "softfabric/telemetry.hpp"

namespace railgauge::softfabric {
namespace {

constexpr const char* kAllAtOnce =
    "loss=2% duplicate=2% corrupt=2% corrupt_payload=2% jitter=20us rate=500Mbit";

/// Everybody to everybody with all faults at once, as the seed says; what the hosts got.
std::vector<Hosts::Got> storm(std::uint64_t seed, Balance balance,
                              std::string* counters = nullptr) {
  Fabric fabric = shaped({.hosts_per_leaf = 3, .leaves = 2, .spines = 2});
  fabric.seed = seed;
  fabric.switching.balance = balance;
  fabric.switching.buffer_bytes = 150U << 10U;
  Rig rig(fabric);
  for (const char* at : {"leaf0", "spine1"}) plant(rig.model, at, "both", kAllAtOnce);
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    if (i == 1000) plant(rig.model, "leaf1:spine0", "both", "flap=2ms/1ms");
    if (i == 1500) rig.model.reboot(2, 1ms);
    if (i == 2000) rig.model.set_seed(0, 5);
    const auto from = random.number() % 6;
    const auto to = (from + 1 + random.number() % 5) % 6;
    rig.send(from, to,
             {.source_port = static_cast<std::uint16_t>(random.number()),
              .payload_bytes = 4 + random.number() % 4000,
              .dscp = static_cast<std::uint8_t>(random.happens(0.5) ? kLosslessDscp : 0),
              .ttl = static_cast<std::uint8_t>(1 + random.number() % 6)});
    rig.run(Time(static_cast<std::int64_t>(random.number() % 10000)));
  }
  clear_faults(rig.model, "");
  rig.run_out();
  EXPECT_EQ(rig.model.packets_held(), 0U);
  for (std::size_t number = 0; number < fabric.switches.size(); ++number) {
    EXPECT_EQ(rig.model.buffer(number).used(), 0U);
  }
  if (counters != nullptr) *counters = counters_of(rig.model).dump();
  return rig.hosts.packets;
}

bool same(const std::vector<Hosts::Got>& one, const std::vector<Hosts::Got>& other) {
  return std::ranges::equal(one, other, [](const Hosts::Got& left, const Hosts::Got& right) {
    return left.link == right.link && left.frame == right.frame;
  });
}

/// The rig checks after every event that no packet is lost without a reason.
TEST(Determinism, ASeedMakesAllThatHappens) {
  for (const Balance balance : {Balance::ecmp, Balance::ecmp_queue_pair, Balance::wcmp,
                                Balance::flowlet, Balance::spray, Balance::adaptive}) {
    std::string counters;
    std::string again;
    const auto first = storm(1, balance, &counters);
    EXPECT_GT(first.size(), 500U);
    EXPECT_TRUE(same(first, storm(1, balance, &again))) << name_of(balance);
    EXPECT_EQ(counters, again);
    EXPECT_FALSE(same(first, storm(2, balance))) << name_of(balance);
  }
}

}  // namespace
}  // namespace railgauge::softfabric
