#include "soak/watcher.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "soak/simulated_soak.hpp"

namespace railgauge::soak {
namespace {

constexpr unsigned kSeeds = 20;
constexpr std::uint64_t kPlanted = 40;  // the first window that is not healthy
constexpr std::uint64_t kWindows = 60;

/// What is done to a window of the soak.
using Plant = std::function<void(const SimulatedSoak&, Window&)>;

void healthy(const SimulatedSoak& /*soak*/, Window& /*window*/) {}

std::vector<Event> events_of(const Machine& machine, unsigned seed, std::uint64_t windows,
                             const Plant& plant) {
  SimulatedSoak soak(machine, seed);
  Watcher watcher(soak.header());
  std::vector<Event> all;
  for (std::uint64_t number = 1; number <= windows; ++number) {
    Window window = soak.window();
    plant(soak, window);
    for (Event& event : watcher.take(window)) all.push_back(std::move(event));
  }
  return all;
}

std::string told(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) {
    text += std::to_string(event.window) + " " + std::string(word(event.kind)) + ": " + event.text +
            "\n";
  }
  return text;
}

struct Expected {
  EventKind kind = EventKind::fault;
  std::string host{};
  std::optional<int> rail{};
};

bool is(const Event& event, const Expected& expected) {
  const bool in_time = event.window + 1 >= kPlanted && event.window <= kPlanted + 1;
  return event.kind == expected.kind && event.host == expected.host &&
         (!expected.rail || event.rail == expected.rail) && in_time;
}

/// All of them, with host, rail and window, and nothing else.
void expect_found(const Machine& machine, const Expected& expected, const Plant& plant) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto events = events_of(machine, seed, kWindows, plant);
    ASSERT_EQ(events.size(), 1U) << "seed " << seed << "\n" << told(events);
    EXPECT_TRUE(is(events.front(), expected)) << "seed " << seed << "\n" << told(events);
    EXPECT_FALSE(events.front().text.empty());
  }
}

void expect_found_anywhere(const Expected& expected, const Plant& plant) {
  expect_found(quiet_hardware(), expected, plant);
  expect_found(busy_machine(), expected, plant);
}

bool first(const Window& window) {
  return window.number == kPlanted;
}
bool from_then_on(const Window& window) {
  return window.number >= kPlanted;
}

TEST(Watcher, AHealthySoakHasNoEvent) {
  for (unsigned seed = 0; seed < 2 * kSeeds; ++seed) {
    const auto events = events_of(quiet_hardware(), seed, 120, healthy);
    EXPECT_TRUE(events.empty()) << "seed " << seed << "\n" << told(events);
  }
}

TEST(Watcher, NorHasOneOfABusyMachine) {
  for (unsigned seed = 0; seed < 2 * kSeeds; ++seed) {
    const auto events = events_of(busy_machine(), seed, 120, healthy);
    EXPECT_TRUE(events.empty()) << "seed " << seed << "\n" << told(events);
  }
}

TEST(Watcher, FindsAShortFlap) {
  expect_found_anywhere({EventKind::flap, "host2", 1}, [](const auto& soak, Window& window) {
    if (first(window)) soak.port(window, 2, 1).moved["link_downed"] = 1;
  });
}

TEST(Watcher, FindsOneLostPacket) {
  expect_found_anywhere({EventKind::loss, "host3", 0}, [](const auto& soak, Window& window) {
    if (!first(window)) return;
    soak.port(window, 2, 0).moved["packet_seq_err"] = 1;
    soak.port(window, 3, 0).moved["out_of_sequence"] = 1;
  });
}

TEST(Watcher, FindsOneFalsifiedByte) {
  expect_found_anywhere({EventKind::corruption, "host1", 1}, [](const auto& soak, Window& window) {
    if (!first(window)) return;
    soak.port(window, 0, 1).moved["packet_seq_err"] = 1;
    soak.port(window, 1, 1).moved["rx_icrc_encapsulated"] = 1;
    soak.port(window, 1, 1).moved["out_of_sequence"] = 1;
  });
}

TEST(Watcher, FindsACounterThatResets) {
  expect_found_anywhere({EventKind::counter_reset, "host0", 1},
                        [](const auto& soak, Window& window) {
                          if (first(window)) soak.port(window, 0, 1).moved["rp_cnp_handled"] = -77;
                        });
}

TEST(Watcher, FindsARailThatIsOnePercentSlowerForThreeWindows) {
  expect_found(quiet_hardware(), {EventKind::slow_rail, "", 1},
               [](const auto& /*soak*/, Window& window) {
                 if (window.number < kPlanted || window.number >= kPlanted + 3) return;
                 for (PhaseSample& phase : window.phases) phase.rails[1].p50_us *= 1.01;
               });
}

TEST(Watcher, FindsASlowRailOnABusyMachineIfItIsFarSlower) {
  expect_found(busy_machine(), {EventKind::slow_rail, "", 0},
               [](const auto& /*soak*/, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rails[0].p50_us *= 4;
               });
}

TEST(Watcher, FindsALatencyStepOfFiftyMicroseconds) {
  expect_found(quiet_hardware(), {EventKind::latency_step, "host1", 0},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 soak.delay(window, 1, 0, 50);
                 for (PhaseSample& phase : window.phases) phase.rails[0].p50_us += 6 * 50;
               });
}

TEST(Watcher, FindsALatencyStepOnABusyMachineIfItIsFarLonger) {
  expect_found(busy_machine(), {EventKind::latency_step, "host1", 0},
               [](const auto& soak, Window& window) {
                 if (from_then_on(window)) soak.delay(window, 1, 0, 8000);
               });
}

TEST(Watcher, SaysLongTimesInMilliseconds) {
  const auto events = events_of(busy_machine(), 1, kWindows, [](const auto& soak, Window& window) {
    if (from_then_on(window)) soak.delay(window, 1, 0, 20000);
  });
  ASSERT_EQ(events.size(), 1U) << told(events);
  EXPECT_NE(events.front().text.find(" ms longer than before"), std::string::npos) << told(events);
}

/// Only what it sends is late.
TEST(Watcher, NamesTheSenderOfALatePath) {
  expect_found(quiet_hardware(), {EventKind::latency_step, "host2", 1},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 for (std::size_t phase = 0; phase < window.phases.size(); ++phase) {
                   *soak.port(window, 2, 1).times[phase].sent_us += 50;
                   *soak.port(window, 3, 1).times[phase].received_us += 50;
                 }
               });
}

/// Small messages take one rail only, so the others may have none but large ones.
TEST(Watcher, DoesNotCallItLatencyWhereMessagesHaveOneSize) {
  expect_found(quiet_hardware(), {EventKind::slow_rail, "host1", 1},
               [](const auto& soak, Window& window) {
                 if (from_then_on(window)) soak.delay(window, 1, 1, 50);
                 for (PortSample& port : window.ports) {
                   if (port.rail != 1) continue;
                   std::erase_if(port.times, [&](const PortTimes& times) {
                     return soak.header().plan[times.phase].size_bytes <
                            soak.header().plan.back().size_bytes;
                   });
                 }
               });
}

/// What takes longer the larger the message is no latency.
TEST(Watcher, TellsASlowPortFromALateOne) {
  expect_found(quiet_hardware(), {EventKind::slow_rail, "host2", 1},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) {
                   phase.rails[1].p50_us *= 1.5;
                   *soak.port(window, 2, 1).times[phase.phase].sent_us *= 2;
                 }
               });
}

TEST(Watcher, FindsAStragglingHost) {
  expect_found(quiet_hardware(), {EventKind::straggler, "host3", {}},
               [](const auto& /*soak*/, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rank_own_us[3] *= 1.3;
               });
  expect_found(busy_machine(), {EventKind::straggler, "host3", {}},
               [](const auto& /*soak*/, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rank_own_us[3] *= 30;
               });
}

/// A host that is slower from some window on, and waits for processors for a part of that.
Plant slow_and_queued(double part) {
  return [=](const SimulatedSoak& /*soak*/, Window& window) {
    if (!from_then_on(window)) return;
    double more_us = 0;
    for (PhaseSample& phase : window.phases) {
      more_us += static_cast<double>(phase.iterations) * 29 * phase.rank_own_us[3];
      phase.rank_own_us[3] *= 30;
    }
    window.ranks[3].load.queued_us = part * more_us;
  };
}

/// On a machine that has all hosts' processors that is the machine's doing; on a host of its own,
/// the host's; and so is what it did not wait for.
TEST(Watcher, AHostOfSoftwareMayWaitForProcessors) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto events = events_of(busy_machine(), seed, kWindows, slow_and_queued(1.1));
    EXPECT_TRUE(events.empty()) << "seed " << seed << "\n" << told(events);
  }
  expect_found(quiet_hardware(), {EventKind::straggler, "host3", {}}, slow_and_queued(1.1));
  expect_found(busy_machine(), {EventKind::straggler, "host3", {}}, slow_and_queued(0.5));
}

/// Its ports are late, too: no port is blamed for it.
TEST(Watcher, BlamesTheHostAndNotItsPorts) {
  expect_found(quiet_hardware(), {EventKind::straggler, "host3", {}},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rank_own_us[3] *= 2;
                 soak.delay(window, 3, 0, 60);
                 soak.delay(window, 3, 1, 60);
               });
}

constexpr double kStoppedUs = 8e6;

TEST(Watcher, FindsAStoppedProcess) {
  expect_found_anywhere({EventKind::stall, "host1", {}}, [](const auto& /*soak*/, Window& window) {
    if (first(window)) window.ranks[1].stood_still_us = kStoppedUs;
  });
}

/// Whatever else is seen in that window.
TEST(Watcher, FindsAStoppedProcessBesideALostPacket) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto events =
        events_of(quiet_hardware(), seed, kWindows, [](const auto& soak, Window& window) {
          if (!first(window)) return;
          soak.port(window, 3, 0).moved["out_of_sequence"] = 1;
          window.phases[1].slowest.us += kStoppedUs;
          window.ranks[1].stood_still_us = kStoppedUs;
        });
    ASSERT_EQ(events.size(), 2U) << told(events);
    EXPECT_EQ(events[0].kind, EventKind::loss);
    EXPECT_EQ(events[1].kind, EventKind::stall);
    EXPECT_NE(events[1].text.find("rank 1 (host1) stood still for 8.0 s"), std::string::npos)
        << events[1].text;
  }
}

/// Nobody stood still: it waited for a packet, or in the run queue. A beat may come a bit late.
TEST(Watcher, ALongIterationIsNoStall) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto events =
        events_of(quiet_hardware(), seed, kWindows, [](const auto& /*soak*/, Window& window) {
          for (RankSample& rank : window.ranks) rank.stood_still_us = 1.5e5;
          if (!first(window)) return;
          window.phases[1].slowest.us += kStoppedUs;
          window.ranks[1].load.held_up_us += kStoppedUs;
        });
    EXPECT_TRUE(events.empty()) << told(events);
  }
}

/// A machine that was suspended with all that it has.
TEST(Watcher, ASuspendedMachineIsNobodysFault) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto events =
        events_of(busy_machine(), seed, kWindows, [](const auto& /*soak*/, Window& window) {
          if (!first(window)) return;
          window.phases[1].slowest.us += 5e6;
          for (RankSample& rank : window.ranks) rank.stood_still_us = 5e6;
        });
    EXPECT_TRUE(events.empty()) << told(events);
  }
}

/// Everything at once is slower: there is nothing to hold it against.
TEST(Watcher, WhatIsSlowEverywhereIsNoEvent) {
  const auto events =
      events_of(quiet_hardware(), 1, kWindows, [](const auto& /*soak*/, Window& window) {
        if (!from_then_on(window)) return;
        for (PhaseSample& phase : window.phases) {
          for (RailSample& rail : phase.rails) rail.p50_us *= 2;
          for (double& own : phase.rank_own_us) own *= 2;
        }
      });
  EXPECT_TRUE(events.empty()) << told(events);
}

/// Of its first windows nobody knows what they ought to be.
TEST(Watcher, ASoakThatBeginsSlowlyHasNoEvent) {
  const auto events =
      events_of(quiet_hardware(), 1, kWindows, [](const auto& soak, Window& window) {
        if (window.number < 4) soak.delay(window, 1, 0, 50);
      });
  EXPECT_TRUE(events.empty()) << told(events);
}

/// A watcher that was told the past goes on where the other was.
TEST(Watcher, SeesTheSameInARecord) {
  const Plant plant = [](const auto& soak, Window& window) {
    if (from_then_on(window)) soak.delay(window, 1, 0, 50);
    if (window.number == 50) soak.port(window, 2, 1).moved["link_downed"] = 1;
  };
  const auto once = events_of(quiet_hardware(), 3, kWindows, plant);
  const auto again = events_of(quiet_hardware(), 3, kWindows, plant);
  EXPECT_EQ(told(once), told(again));
  EXPECT_EQ(once.size(), 2U);
}

}  // namespace
}  // namespace railgauge::soak
