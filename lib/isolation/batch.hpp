#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "isolation/evidence.hpp"
#include "isolation/planner.hpp"

namespace railgauge::isolation {

/// A source port between two NICs, and the path of its packets, as far as it is known: `hops`,
/// `heard` and `sprayed` are as in an Observation.
struct Route {
  std::uint16_t source_port = 0;
  std::vector<int> hops{};
  bool sprayed = false;
  std::size_t heard = 0;
};

/// A test that is to be made.
struct PlannedTest {
  std::size_t from = 0;
  std::size_t to = 0;
  Route route{};
};

/// Chooses tests that can run at the same time without disturbing each other: they share no NIC and
/// no link between switches. An unknown part of a path may be any link from the last known switch,
/// or to the next. So a slow test is slow by itself.
class Batches {
 public:
  /// From the first NIC to the second, or the reverse.
  enum class Direction : std::uint8_t { forward, reverse };

  /// The source ports that a pair of NICs has, from the first to the second. Forgets those it had.
  void set_routes(std::size_t from, std::size_t to, std::vector<Route> routes);
  [[nodiscard]] bool has_routes(std::size_t from, std::size_t to) const {
    return routes_.contains({from, to});
  }

  /// At most one test for each pair, over the links that were tested least so far, and source ports
  /// that were used least. Pairs that find no free path, or have no routes, are left out; the first
  /// to choose is another each time, but pairs whose paths are unknown come last: each of them may
  /// share a link with all others. The same calls have the same answers.
  [[nodiscard]] std::vector<PlannedTest> next(const std::vector<Pair>& pairs, Direction direction);

  [[nodiscard]] bool has_route(const Flow& flow) const { return find(flow) != nullptr; }
  /// The test of a flow, whose route has been set. Throws std::out_of_range for any other.
  [[nodiscard]] PlannedTest test_of(const Flow& flow) const;
  /// That of the acknowledgements of a test; null: not known.
  [[nodiscard]] const Route* route_back(const PlannedTest& test) const {
    return find({test.to, test.from, test.route.source_port});
  }

 private:
  using Link = std::pair<int, int>;  // switches, kUnknownSwitch for one that is not known

  [[nodiscard]] bool knows_path(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::vector<PlannedTest> in_turn(const std::vector<Pair>& pairs,
                                                 Direction direction);
  [[nodiscard]] const Route* find(const Flow& flow) const;
  [[nodiscard]] static std::vector<Link> links_of(const Route& route);
  [[nodiscard]] static bool may_be_one(const Link& one, const Link& other);
  [[nodiscard]] std::uint64_t use_of(const PlannedTest& test) const;

  std::map<std::pair<std::size_t, std::size_t>, std::vector<Route>> routes_;
  std::map<Link, std::uint64_t> used_links_;
  std::map<std::uint16_t, std::uint64_t> used_ports_;
  std::size_t turn_ = 0;
};

}  // namespace railgauge::isolation
