#include "experiments/pairs/path_tracer.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "experiments/pairs/lone_exchange.hpp"
#include "paths/fake_fabric.hpp"

namespace railgauge::runner {
namespace {

using paths::Balance;
using paths::FakeFabric;

/// To a fabric that outlives it.
class Line final : public paths::Prober {
 public:
  explicit Line(FakeFabric& fabric) : fabric_(fabric) {}
  bool can_use(std::uint16_t source_port) override { return fabric_.can_use(source_port); }
  std::vector<std::optional<paths::Answer>> ask(std::span<const paths::Probe> probes) override {
    return fabric_.ask(probes);
  }
  void rest() override { fabric_.rest(); }

 private:
  FakeFabric& fabric_;
};

/// NIC 0 of this host, and four of others.
class Tracing {
 public:
  Tracing() {
    for (std::size_t rank = 0; rank < 5; ++rank) {
      all_.nics.push_back({.address = "10.0.0." + std::to_string(rank + 1)});
      all_.rank_of.push_back(rank);
    }
  }

  PathTracer tracer(int most_silent = 0) {
    const TraceSettings settings{.source_ports = paths::ports(2), .most_silent = most_silent};
    return {exchange_, all_, HostTracer(settings, [&](const paths::ProberSettings&) {
              ++asked;
              if (refuses) throw std::runtime_error("no socket");
              return std::make_unique<Line>(fabric);
            })};
  }

  FakeFabric fabric;
  int asked = 0;
  bool refuses = false;

 private:
  LoneExchange exchange_;
  AllNics all_;
};

std::string spine(FakeFabric& fabric, std::uint16_t port) {
  return to_string(paths::switch_address(2, fabric.spine_of({port, 2, 0x11})));
}

TEST(PathTracer, TellsTheSwitchesOfEachPort) {
  Tracing tracing;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}, {1, 0}});
  ASSERT_EQ(tracer.told().size(), 1U);  // the other is another rank's
  const TracedPath& path = tracer.told()[0];
  EXPECT_EQ(path.ends, PathEnds(0, 1));
  EXPECT_EQ(tracer.find({0, 1}), &path);
  EXPECT_EQ(tracer.find({1, 0}), nullptr);
  EXPECT_EQ(path.switches, 3);
  ASSERT_EQ(path.ports.size(), 2U);  // without those for controls
  for (const PortSwitches& port : path.ports) {
    EXPECT_EQ(port.switches[0], "10.1.1.0");
    EXPECT_EQ(port.switches[1], spine(tracing.fabric, port.source_port));
  }
  EXPECT_TRUE(tells_path(tracer.balance()));
  EXPECT_TRUE(tracer.notes().empty());
}

TEST(PathTracer, SeesThatTheQueuePairDecidesThoughFewPortsAreAsked) {
  Tracing tracing;
  tracing.fabric.hashes_queue_pair = true;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  EXPECT_EQ(tracer.balance(), Balance::by_queue_pair);
  ASSERT_EQ(tracer.notes().size(), 1U);
  EXPECT_EQ(tracer.notes()[0].find("switches choose by the queue pair, too"), 0U);
}

TEST(PathTracer, SeesSpraying) {
  Tracing tracing;
  tracing.fabric.sprays = true;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  EXPECT_EQ(tracer.balance(), Balance::sprayed);
}

/// A path over one switch shows nothing of how switches choose.
TEST(PathTracer, MakesItsControlsOnTheFirstWayOverSeveralSwitches) {
  Tracing tracing;
  tracing.fabric.hashes_queue_pair = true;
  tracing.fabric.switches = 1;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  EXPECT_TRUE(tells_path(tracer.balance()));
  tracing.fabric.switches = 3;
  tracer.trace({{0, 2}});
  EXPECT_EQ(tracer.balance(), Balance::by_queue_pair);
}

TEST(PathTracer, SaysOnceThatNobodyAnswers) {
  Tracing tracing;
  tracing.fabric.peer_answers = false;
  tracing.fabric.silent = {1, 2, 3};
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}, {0, 2}});
  EXPECT_FALSE(tracer.told()[1].switches.has_value());
  EXPECT_EQ(tracer.told()[1].ports.size(), 2U);
  EXPECT_TRUE(tracer.told()[1].asked);
  ASSERT_EQ(tracer.notes().size(), 1U);
  EXPECT_EQ(tracer.notes()[0].find("no switch replies to probes"), 0U);
}

/// It may be a switch, or the peer, which is then nearer.
TEST(PathTracer, DoesNotTellAWayWhoseLastPlaceIsUnheard) {
  Tracing tracing;
  tracing.fabric.lost_arrivals[4] = 1000;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  EXPECT_FALSE(tracer.told()[0].switches.has_value());
  EXPECT_EQ(tracer.told()[0].ports[0].switches.size(), 3U);
  ASSERT_EQ(tracer.notes().size(), 1U);
  EXPECT_EQ(tracer.notes()[0].find("no reply from the last hop before a peer"), 0U);
}

TEST(PathTracer, SaysThatOthersHaveThePorts) {
  Tracing tracing;
  for (const std::uint16_t port : paths::ports(8)) tracing.fabric.busy.insert(port);
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  ASSERT_EQ(tracer.notes().size(), 1U);
  EXPECT_EQ(tracer.notes()[0].find("the source ports to trace are in use"), 0U);
}

/// Of one that hears nothing it is not said that nobody answers.
TEST(PathTracer, SaysOfHowManyWaysNobodyAnswers) {
  Tracing tracing;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  EXPECT_TRUE(tracer.notes().empty());
  tracing.fabric.peer_answers = false;
  tracing.fabric.silent = {1, 2, 3};
  tracer.trace({{0, 2}, {0, 3}});
  ASSERT_EQ(tracer.notes().size(), 1U);
  EXPECT_NE(tracer.notes()[0].find(" (of 2 of 3 paths, such as "), std::string::npos);
}

TEST(PathTracer, GivesUpWhereSeveralPeersAreSilentButNotForOne) {
  Tracing tracing;
  tracing.fabric.peer_answers = false;
  PathTracer tracer = tracing.tracer(2);
  tracer.trace({{0, 1}});
  tracing.fabric.peer_answers = true;
  tracer.trace({{0, 2}});
  EXPECT_EQ(tracer.told().back().switches, 3);
  tracing.fabric.peer_answers = false;
  tracer.trace({{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  EXPECT_EQ(tracing.asked, 4);
  EXPECT_EQ(tracer.told().size(), 6U);
}

TEST(PathTracer, SaysWhyProbesCannotBeSent) {
  Tracing tracing;
  tracing.refuses = true;
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}, {0, 2}});
  EXPECT_FALSE(tracer.told()[0].asked);
  EXPECT_EQ(tracer.notes(), std::vector<std::string>{"paths are not known: no socket"});
}

TEST(PathTracer, LeavesOutPortsThatAnotherSocketHas) {
  Tracing tracing;
  tracing.fabric.busy = {paths::ports(1).front()};
  PathTracer tracer = tracing.tracer();
  tracer.trace({{0, 1}});
  ASSERT_EQ(tracer.told()[0].ports.size(), 1U);
  EXPECT_EQ(tracer.told()[0].ports[0].source_port, paths::ports(2).back());
}

}  // namespace
}  // namespace railgauge::runner
