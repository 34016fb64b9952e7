#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isolation/planner.hpp"
#include "isolation/verdict.hpp"

namespace railgauge::isolation {

/// A Clos of leaves and spines whose tests come out as planted components have it: hosts with a NIC
/// per rail, every rail with leaves of its own, spines for all.
class SimulatedFabric {
 public:
  struct Shape {
    int hosts = 8;
    int rails = 2;
    int leaves = 2;  // of each rail
    int spines = 4;
  };
  /// How switches choose a spine, and so what tests know of it.
  enum class Paths {
    by_port,        // known
    by_queue_pair,  // the first and the last switch are known
    sprayed,        // every packet another
    silent,         // by port, and no switch answers a probe
  };

  SimulatedFabric(const Shape& shape, unsigned seed, Paths paths = Paths::by_port);

  // Components, to be planted and looked for.
  [[nodiscard]] Component uplink(int leaf, int spine) const;
  [[nodiscard]] Component downlink(int spine, int leaf) const;
  [[nodiscard]] Component cable(int leaf, int spine) const {
    return {Kind::cable, leaf, spine_switch(spine)};
  }
  [[nodiscard]] Component leaf(int leaf) const { return {Kind::leaf, leaf, 0}; }
  [[nodiscard]] Component spine(int spine) const { return {Kind::spine, spine_switch(spine), 0}; }
  /// An uplink or downlink of any leaf, by a number.
  [[nodiscard]] Component any_link();
  [[nodiscard]] Component any_nic(Kind kind);

  SimulatedFabric& plant(const Component& component);
  /// Whether tests through something bad are seen good, and others bad.
  void set_noise(double false_positive, double false_negative);

  /// All pairs, both directions, over all ports.
  void test(int round, const std::vector<Pair>& pairs, const std::vector<std::uint16_t>& ports);
  void test_alone(int round, const std::vector<Flow>& flows);

  [[nodiscard]] const Evidence& evidence() const { return evidence_; }
  [[nodiscard]] Evidence& evidence() { return evidence_; }
  [[nodiscard]] const std::vector<Component>& planted() const { return planted_; }

 private:
  struct Path {
    std::size_t from, to;
    int up, spine, down;  // switches; no spine below one leaf
  };
  [[nodiscard]] int spine_switch(int spine) const { return shape_.rails * shape_.leaves + spine; }
  [[nodiscard]] int leaf_of(std::size_t nic) const;
  [[nodiscard]] Path path(std::size_t from, std::size_t to, std::uint16_t port);
  [[nodiscard]] std::vector<int> told(const Path& path) const;
  [[nodiscard]] bool passes(const Path& path, const Component& component) const;
  [[nodiscard]] bool passes_bad(const Path& path);
  void test(int round, std::size_t from, std::size_t to, std::uint16_t port, bool alone);
  bool happens(double probability);

  Shape shape_;
  Paths paths_;
  std::mt19937_64 random_;
  double false_positive_ = 0.01;
  double false_negative_ = 0.1;
  std::vector<Component> planted_;
  Evidence evidence_;
};

struct IsolationRun {
  Verdict verdict;
  int rounds = 0;
};

/// Rounds until they are enough.
[[nodiscard]] IsolationRun isolate(SimulatedFabric& fabric, const Plan& plan);

/// Of what was named, how much is planted, and how much of that was named.
struct Score {
  int planted = 0;
  int named = 0;
  int right = 0;

  void add(const SimulatedFabric& fabric, const Verdict& verdict);
  [[nodiscard]] double recall() const { return planted == 0 ? 1 : double(right) / planted; }
  [[nodiscard]] double precision() const { return named == 0 ? 1 : double(right) / named; }
};

}  // namespace railgauge::isolation
