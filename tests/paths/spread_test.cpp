#include "paths/spread.hpp"

#include <gtest/gtest.h>

#include <map>

#include "paths/fake_fabric.hpp"

namespace railgauge::paths {
namespace {

/// Port 49152 + i over the i-th of these spines; -1: the spine did not answer.
Trace of_spines(const std::vector<int>& spines) {
  Trace made;
  std::uint16_t port = 49152;
  for (const int spine : spines) {
    PortPath path{port++, {switch_address(1, 0), std::nullopt}};
    if (spine >= 0) path.switches[1] = switch_address(2, spine);
    made.paths.push_back(path);
  }
  return made;
}

using Ports = std::vector<std::uint16_t>;

TEST(DistinctPaths, AreNumberedByTheirFirstPort) {
  const DistinctPaths paths = distinct_paths(of_spines({2, 0, 2, 1, 0}));
  EXPECT_EQ(paths.ports, (std::vector<Ports>{{49152, 49154}, {49153, 49156}, {49155}}));
  EXPECT_EQ(paths.path_of(49156), 1U);
  EXPECT_FALSE(paths.path_of(50000).has_value());
}

TEST(DistinctPaths, LeaveOutWhatIsNotKnown) {
  const DistinctPaths paths = distinct_paths(of_spines({0, -1, 1}));
  EXPECT_EQ(paths.ports.size(), 2U);
  EXPECT_EQ(paths.incomplete, Ports{49153});
}

TEST(DistinctPaths, SayBehindWhichSwitchPortsHaveNoAnswer) {
  Trace trace = of_spines({0, -1, 1, -1});
  for (PortPath& path : trace.paths) path.switches.emplace_back(switch_address(3, 0));
  EXPECT_TRUE(distinct_paths(trace).cut_off.empty()) << "one switch was late, and the next heard";
  trace.paths[3].switches[2].reset();
  const std::map<topology::IpAddress, Ports> behind_the_first{{switch_address(1, 0), {49155}}};
  EXPECT_EQ(distinct_paths(trace).cut_off, behind_the_first);
}

/// A switch that never answers makes no path incomplete.
TEST(DistinctPaths, DoNotNeedSwitchesThatAnswerNobody) {
  Trace trace = of_spines({0, 1});
  for (PortPath& path : trace.paths) path.switches[0].reset();
  EXPECT_EQ(distinct_paths(trace).ports.size(), 2U);
  EXPECT_TRUE(distinct_paths(trace).incomplete.empty());
}

TEST(DistinctPaths, AreNoneIfNobodyAnswered) {
  Trace trace = of_spines({-1, -1});
  for (PortPath& path : trace.paths) path.switches[0].reset();
  EXPECT_TRUE(distinct_paths(trace).ports.empty());
  EXPECT_TRUE(spread(distinct_paths(trace), 4).empty());
}

TEST(Spread, TakesEveryPathBeforeOneTwice) {
  const DistinctPaths paths = distinct_paths(of_spines({0, 0, 0, 1, 2, 2, 3, 0}));
  for (std::size_t count = 1; count <= 7; ++count) {
    const Ports chosen = spread(paths, count);
    ASSERT_EQ(chosen.size(), count);
    std::map<std::size_t, std::size_t> used;
    for (const std::uint16_t port : chosen) ++used[*paths.path_of(port)];
    EXPECT_EQ(used.size(), std::min<std::size_t>(count, 4));
  }
  EXPECT_EQ(spread(paths, 4), (Ports{49152, 49155, 49156, 49158}));
}

TEST(Spread, EndsWithThePorts) {
  EXPECT_EQ(spread(distinct_paths(of_spines({0, 1})), 5).size(), 2U);
}

TEST(PortOfEachPath, IsInTheOrderOfTheirSwitches) {
  EXPECT_EQ(port_of_each_path(of_spines({2, 0, 2, -1, 1, 0})), (Ports{49153, 49156, 49152}));
  EXPECT_TRUE(port_of_each_path({}).empty());
}

TEST(PortSeries, From49152OnHasTheStepWithTheMostPaths) {
  const DistinctPaths paths = distinct_paths(of_spines({0, 0, 0, 1, 0, 0, 2, 1, 1, 3}));
  const auto found = series_from_first_port(paths, 4);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->step, 3);
  EXPECT_EQ(found->paths, 4U);
  EXPECT_FALSE(series_from_first_port(paths, 11).has_value());
}

TEST(PortSeries, OfConsecutivePortsBeginsWhereTheyDifferMost) {
  const DistinctPaths paths = distinct_paths(of_spines({0, 0, 1, 0, 2, 3, 1, 1}));
  const auto found = consecutive_ports(paths, 4);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->first, 49154);
  EXPECT_EQ(found->paths, 4U);
}

TEST(PortSeries, NeedPathsThatAreKnown) {
  EXPECT_FALSE(consecutive_ports(distinct_paths(of_spines({0, -1, 1})), 2).has_value());
}

}  // namespace
}  // namespace railgauge::paths
