#include "soak/watcher.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "finding/outcome.hpp"
#include "soak/simulated_soak.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::Finding;

// With a sanitizer fewer, which find the same: the release build runs all.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kSeeds = 4;
#else
constexpr unsigned kSeeds = 20;
#endif
constexpr std::uint64_t kPlanted = 40;  // the first window that is not healthy
constexpr std::uint64_t kWindows = 60;

/// What is done to a window of the soak.
using Plant = std::function<void(const SimulatedSoak&, Window&)>;

void healthy(const SimulatedSoak& /*soak*/, Window& /*window*/) {}

std::vector<Finding> findings_of(const Machine& machine, unsigned seed, std::uint64_t windows,
                                 const Plant& plant) {
  SimulatedSoak soak(machine, seed);
  Watcher watcher(soak.header());
  std::vector<Finding> all;
  for (std::uint64_t number = 1; number <= windows; ++number) {
    Window window = soak.window();
    plant(soak, window);
    for (Finding& one : watcher.take(window)) all.push_back(std::move(one));
  }
  return all;
}

std::string listed(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& one : findings) text += sentence(one) + "\n";
  return text;
}

struct Expected {
  Cause cause = Cause::other;
  std::string host{};  // of a path its receiver
  std::optional<int> rail{};
};

std::string host_of(const Finding& finding) {
  return finding.where.peer ? finding.where.peer->host : finding.where.at.host;
}

bool is(const Finding& finding, const Expected& expected) {
  const std::uint64_t window = finding.when->window.value();
  const bool in_time = window + 1 >= kPlanted && window <= kPlanted + 1;
  return finding.cause == expected.cause && host_of(finding) == expected.host &&
         (!expected.rail || finding.where.at.rail == expected.rail) && in_time;
}

/// All of them, with host, rail and window, and nothing else.
void expect_found(const Machine& machine, const Expected& expected, const Plant& plant) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto findings = findings_of(machine, seed, kWindows, plant);
    ASSERT_EQ(findings.size(), 1U) << "seed " << seed << "\n" << listed(findings);
    EXPECT_TRUE(is(findings.front(), expected)) << "seed " << seed << "\n" << listed(findings);
    EXPECT_FALSE(findings.front().evidence.empty());
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

TEST(Watcher, AHealthySoakHasNoFinding) {
  for (unsigned seed = 0; seed < 2 * kSeeds; ++seed) {
    const auto findings = findings_of(quiet_hardware(), seed, 120, healthy);
    EXPECT_TRUE(findings.empty()) << "seed " << seed << "\n" << listed(findings);
  }
}

TEST(Watcher, NorHasOneOfABusyMachine) {
  for (unsigned seed = 0; seed < 2 * kSeeds; ++seed) {
    const auto findings = findings_of(busy_machine(), seed, 120, healthy);
    EXPECT_TRUE(findings.empty()) << "seed " << seed << "\n" << listed(findings);
  }
}

TEST(Watcher, FindsAShortFlap) {
  expect_found_anywhere({Cause::link_down, "host2", 1}, [](const auto& soak, Window& window) {
    if (first(window)) soak.port(window, 2, 1).moved["link_downed"] = 1;
  });
}

TEST(Watcher, FindsOneLostPacket) {
  expect_found_anywhere({Cause::packet_loss, "host3", 0}, [](const auto& soak, Window& window) {
    if (!first(window)) return;
    soak.port(window, 2, 0).moved["packet_seq_err"] = 1;
    soak.port(window, 3, 0).moved["out_of_sequence"] = 1;
  });
}

TEST(Watcher, FindsOneCorruptedByte) {
  expect_found_anywhere({Cause::corruption, "host1", 1}, [](const auto& soak, Window& window) {
    if (!first(window)) return;
    soak.port(window, 0, 1).moved["packet_seq_err"] = 1;
    soak.port(window, 1, 1).moved["rx_icrc_encapsulated"] = 1;
    soak.port(window, 1, 1).moved["out_of_sequence"] = 1;
  });
}

TEST(Watcher, FindsACounterThatResets) {
  expect_found_anywhere({Cause::counter_reset, "host0", 1}, [](const auto& soak, Window& window) {
    if (first(window)) soak.port(window, 0, 1).moved["rp_cnp_handled"] = -77;
  });
}

TEST(Watcher, FindsARailThatIsOnePercentSlowerForThreeWindows) {
  expect_found(quiet_hardware(), {Cause::bandwidth, "", 1},
               [](const auto& /*soak*/, Window& window) {
                 if (window.number < kPlanted || window.number >= kPlanted + 3) return;
                 for (PhaseSample& phase : window.phases) phase.rails[1].p50_us *= 1.01;
               });
}

TEST(Watcher, FindsASlowRailOnABusyMachineIfItIsFarSlower) {
  expect_found(busy_machine(), {Cause::bandwidth, "", 0}, [](const auto& /*soak*/, Window& window) {
    if (!from_then_on(window)) return;
    for (PhaseSample& phase : window.phases) phase.rails[0].p50_us *= 4;
  });
}

/// Whether the findings of a rail that takes so much longer fail the soak.
bool is_outage(const Machine& machine, double factor) {
  const auto findings = findings_of(machine, 1, kWindows, [=](const auto&, Window& window) {
    if (!from_then_on(window)) return;
    for (PhaseSample& phase : window.phases) phase.rails[1].p50_us *= factor;
  });
  EXPECT_EQ(findings.size(), 1U) << factor << "\n" << listed(findings);
  EXPECT_EQ(findings.front().evidence.back().metric, "rate of the rail");
  return finding::outcome({.findings = findings, .coverage = {{.planned = 1, .tested = 1}}}) ==
         finding::Outcome::fail;
}

TEST(Watcher, ARailBelowHalfOfItsRateIsAnOutageAndFails) {
  for (const double factor : {2.2, 3.0, 5.0, 10.0}) {
    EXPECT_TRUE(is_outage(quiet_hardware(), factor)) << factor;
  }
  for (const double factor : {5.0, 8.0, 20.0}) EXPECT_TRUE(is_outage(busy_machine(), factor));
}

TEST(Watcher, ASlowerRailThatIsNoOutageIsAWarning) {
  for (const double factor : {1.05, 1.2, 1.5, 1.9}) {
    EXPECT_FALSE(is_outage(quiet_hardware(), factor)) << factor;
  }
  EXPECT_FALSE(is_outage(busy_machine(), 2.8));
}

TEST(Watcher, TheOperatorChoosesWhichCausesFail) {
  SimulatedSoak soak(quiet_hardware(), 1);
  Header header = soak.header();
  header.fail_on = {"latency", "counter-reset"};
  Watcher watcher(header);
  Window window = soak.window();
  soak.port(window, 0, 0).moved = {{"packet_seq_err", 1}};
  soak.port(window, 1, 0).moved = {{"out_of_sequence", 1}, {"rp_cnp_handled", -77}};
  const auto all = watcher.take(window);
  ASSERT_EQ(all.size(), 2U) << listed(all);
  EXPECT_EQ(all[0].cause, Cause::packet_loss);
  EXPECT_EQ(all[0].severity, finding::Severity::warning);
  EXPECT_EQ(all[1].severity, finding::Severity::error);
  EXPECT_EQ(failing_causes().front(), "packet-loss");
}

TEST(Watcher, FindsALatencyStepOfFiftyMicroseconds) {
  expect_found(quiet_hardware(), {Cause::latency, "host1", 0},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 soak.delay(window, 1, 0, 50);
                 for (PhaseSample& phase : window.phases) phase.rails[0].p50_us += 6 * 50;
               });
}

TEST(Watcher, FindsALatencyStepOnABusyMachineIfItIsFarLonger) {
  expect_found(busy_machine(), {Cause::latency, "host1", 0}, [](const auto& soak, Window& window) {
    if (from_then_on(window)) soak.delay(window, 1, 0, 8000);
  });
}

TEST(Watcher, SaysLongTimesInMilliseconds) {
  const auto findings =
      findings_of(busy_machine(), 1, kWindows, [](const auto& soak, Window& window) {
        if (from_then_on(window)) soak.delay(window, 1, 0, 20000);
      });
  ASSERT_EQ(findings.size(), 1U) << listed(findings);
  EXPECT_EQ(findings.front().evidence.front().unit, "ms") << listed(findings);
}

/// A leaf at a fifth of its rate makes each port of the rail as late as the others.
TEST(Watcher, NamesTheRailWhereAllItsPortsAreLate) {
  for (const Machine& machine : {quiet_hardware(), busy_machine()}) {
    expect_found(machine, {Cause::bandwidth, "", 1}, [](const auto& soak, Window& window) {
      if (!from_then_on(window)) return;
      for (PhaseSample& phase : window.phases) {
        phase.rails[1].p50_us *= 5;
        for (int host = 0; host < SimulatedSoak::kHosts; ++host) {
          PortTimes& times = soak.port(window, host, 1).times[phase.phase];
          *times.sent_us *= 5;
          *times.received_us *= 5;
        }
      }
    });
  }
}

/// Only what it sends is late.
TEST(Watcher, NamesTheSenderOfALatePath) {
  expect_found(quiet_hardware(), {Cause::latency, "host2", 1},
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
  expect_found(quiet_hardware(), {Cause::bandwidth, "host1", 1},
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
  expect_found(quiet_hardware(), {Cause::bandwidth, "host2", 1},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) {
                   phase.rails[1].p50_us *= 1.5;
                   *soak.port(window, 2, 1).times[phase.phase].sent_us *= 2;
                 }
               });
}

TEST(Watcher, FindsAStragglingHost) {
  expect_found(quiet_hardware(), {Cause::slow_processor, "host3", {}},
               [](const auto& /*soak*/, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rank_own_us[3] *= 1.3;
               });
  expect_found(busy_machine(), {Cause::slow_processor, "host3", {}},
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
    const auto findings = findings_of(busy_machine(), seed, kWindows, slow_and_queued(1.1));
    EXPECT_TRUE(findings.empty()) << "seed " << seed << "\n" << listed(findings);
  }
  expect_found(quiet_hardware(), {Cause::slow_processor, "host3", {}}, slow_and_queued(1.1));
  expect_found(busy_machine(), {Cause::slow_processor, "host3", {}}, slow_and_queued(0.5));
}

/// Its ports are late, too: no port is blamed for it.
TEST(Watcher, BlamesTheHostAndNotItsPorts) {
  expect_found(quiet_hardware(), {Cause::slow_processor, "host3", {}},
               [](const auto& soak, Window& window) {
                 if (!from_then_on(window)) return;
                 for (PhaseSample& phase : window.phases) phase.rank_own_us[3] *= 2;
                 soak.delay(window, 3, 0, 60);
                 soak.delay(window, 3, 1, 60);
               });
}

constexpr double kStoppedUs = 8e6;

TEST(Watcher, FindsAStoppedProcess) {
  expect_found_anywhere({Cause::descheduled, "host1", {}},
                        [](const auto& /*soak*/, Window& window) {
                          if (first(window)) window.ranks[1].longest_descheduled_us = kStoppedUs;
                        });
}

/// Whatever else is seen in that window.
TEST(Watcher, FindsAStoppedProcessAndALostPacket) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto findings =
        findings_of(quiet_hardware(), seed, kWindows, [](const auto& soak, Window& window) {
          if (!first(window)) return;
          soak.port(window, 2, 0).moved["packet_seq_err"] = 1;
          soak.port(window, 3, 0).moved["out_of_sequence"] = 1;
          window.phases[1].slowest.us += kStoppedUs;
          window.ranks[1].longest_descheduled_us = kStoppedUs;
        });
    ASSERT_EQ(findings.size(), 2U) << listed(findings);
    EXPECT_EQ(findings[0].cause, Cause::packet_loss);
    EXPECT_EQ(sentence(findings[1]),
              "host1 (rank 1): process descheduled in window 40: longest time without running 8 s, "
              "not waiting for a processor; check for signals, a debugger or a frozen host");
  }
}

/// Nobody was stopped: it waited for a packet, or in the run queue. A beat may come a bit late.
TEST(Watcher, ALongIterationIsNoStall) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto findings =
        findings_of(quiet_hardware(), seed, kWindows, [](const auto& /*soak*/, Window& window) {
          for (RankSample& rank : window.ranks) rank.longest_descheduled_us = 1.5e5;
          if (!first(window)) return;
          window.phases[1].slowest.us += kStoppedUs;
          window.ranks[1].load.descheduled_us += kStoppedUs;
        });
    EXPECT_TRUE(findings.empty()) << listed(findings);
  }
}

/// A machine that was suspended with all that it has.
TEST(Watcher, ASuspendedMachineIsNobodysFault) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto findings =
        findings_of(busy_machine(), seed, kWindows, [](const auto& /*soak*/, Window& window) {
          if (!first(window)) return;
          window.phases[1].slowest.us += 5e6;
          for (RankSample& rank : window.ranks) rank.longest_descheduled_us = 5e6;
        });
    EXPECT_TRUE(findings.empty()) << listed(findings);
  }
}

/// Everything at once is slower: there is nothing to hold it against.
TEST(Watcher, WhatIsSlowEverywhereIsNoFinding) {
  const auto findings =
      findings_of(quiet_hardware(), 1, kWindows, [](const auto& /*soak*/, Window& window) {
        if (!from_then_on(window)) return;
        for (PhaseSample& phase : window.phases) {
          for (RailSample& rail : phase.rails) rail.p50_us *= 2;
          for (double& own : phase.rank_own_us) own *= 2;
        }
      });
  EXPECT_TRUE(findings.empty()) << listed(findings);
}

/// Of its first windows nobody knows what they ought to be.
TEST(Watcher, ASoakThatBeginsSlowlyHasNoFinding) {
  const auto findings =
      findings_of(quiet_hardware(), 1, kWindows, [](const auto& soak, Window& window) {
        if (window.number < 4) soak.delay(window, 1, 0, 50);
      });
  EXPECT_TRUE(findings.empty()) << listed(findings);
}

/// A watcher that was told the past goes on where the other was.
TEST(Watcher, SeesTheSameInARecord) {
  const Plant plant = [](const auto& soak, Window& window) {
    if (from_then_on(window)) soak.delay(window, 1, 0, 50);
    if (window.number == 50) soak.port(window, 2, 1).moved["link_downed"] = 1;
  };
  const auto once = findings_of(quiet_hardware(), 3, kWindows, plant);
  const auto again = findings_of(quiet_hardware(), 3, kWindows, plant);
  EXPECT_EQ(listed(once), listed(again));
  EXPECT_EQ(once.size(), 2U);
}

}  // namespace
}  // namespace railgauge::soak
