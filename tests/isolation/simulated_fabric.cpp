#include "isolation/simulated_fabric.hpp"

#include <algorithm>

namespace railgauge::isolation {
namespace {

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27U) * 0x94d049bb133111ebU;
  return value ^ value >> 31U;
}

}  // namespace

SimulatedFabric::SimulatedFabric(const Shape& shape, unsigned seed, Paths paths)
    : shape_(shape), paths_(paths), random_(seed) {
  for (int host = 0; host < shape.hosts; ++host) {
    for (int rail = 0; rail < shape.rails; ++rail) {
      const std::string name = "host" + std::to_string(host);
      evidence_.nics.push_back(
          {name, {.host = name, .device = "mlx5_" + std::to_string(rail), .rail = rail}, rail});
    }
  }
  for (int leaf = 0; leaf < shape.rails * shape.leaves; ++leaf)
    evidence_.switches.push_back("leaf" + std::to_string(leaf));
  for (int spine = 0; spine < shape.spines; ++spine)
    evidence_.switches.push_back("spine" + std::to_string(spine));
}

Component SimulatedFabric::uplink(int leaf, int spine) const {
  return {Kind::link, leaf, spine_switch(spine)};
}

Component SimulatedFabric::downlink(int spine, int leaf) const {
  return {Kind::link, spine_switch(spine), leaf};
}

Component SimulatedFabric::any_link() {
  const auto number = [&](int count) {
    return static_cast<int>(random_() % static_cast<unsigned>(count));
  };
  const int leaf = number(shape_.rails * shape_.leaves);
  const int spine = number(shape_.spines);
  return number(2) == 0 ? uplink(leaf, spine) : downlink(spine, leaf);
}

Component SimulatedFabric::any_nic(Kind kind) {
  auto nic = random_() % evidence_.nics.size();
  if (kind == Kind::host) nic -= nic % static_cast<unsigned>(shape_.rails);
  return {kind, static_cast<int>(nic), 0};
}

SimulatedFabric& SimulatedFabric::plant(const Component& component) {
  planted_.push_back(component);
  return *this;
}

void SimulatedFabric::set_noise(double false_positive, double false_negative) {
  false_positive_ = false_positive;
  false_negative_ = false_negative;
}

void SimulatedFabric::test(int round, const std::vector<Pair>& pairs,
                           const std::vector<std::uint16_t>& ports) {
  for (const Pair& pair : pairs) {
    for (const std::uint16_t port : ports) {
      test(round, pair.first, pair.second, port, false);
      test(round, pair.second, pair.first, port, false);
    }
  }
}

void SimulatedFabric::test_alone(int round, const std::vector<Flow>& flows) {
  for (const Flow& flow : flows) test(round, flow.from, flow.to, flow.source_port, true);
}

int SimulatedFabric::leaf_of(std::size_t nic) const {
  const int host = static_cast<int>(nic) / shape_.rails;
  return evidence_.nics[nic].rail * shape_.leaves + host * shape_.leaves / shape_.hosts;
}

SimulatedFabric::Path SimulatedFabric::path(std::size_t from, std::size_t to, std::uint16_t port) {
  const int up = leaf_of(from);
  const int down = leaf_of(to);
  const std::uint64_t hash = paths_ == Paths::by_port || paths_ == Paths::silent
                                 ? mixed(mixed(from << 32U | to) ^ port)
                                 : random_();
  const int spine =
      up == down ? kUnknownSwitch
                 : spine_switch(static_cast<int>(hash % static_cast<unsigned>(shape_.spines)));
  return {from, to, up, spine, down};
}

std::vector<int> SimulatedFabric::told(const Path& path) const {
  if (paths_ == Paths::silent) return {};
  if (path.spine == kUnknownSwitch) return {path.up};
  return {path.up, paths_ == Paths::by_port ? path.spine : kUnknownSwitch, path.down};
}

bool SimulatedFabric::passes(const Path& path, const Component& component) const {
  const auto nic = static_cast<std::size_t>(component.first);
  const auto& host = [&](std::size_t at) -> const std::string& { return evidence_.nics[at].host; };
  switch (component.kind) {
    case Kind::nic_transmit: return path.from == nic;
    case Kind::nic_receive: return path.to == nic;
    case Kind::nic: return path.from == nic || path.to == nic;
    case Kind::host: return host(path.from) == host(nic) || host(path.to) == host(nic);
    case Kind::leaf: return path.up == component.first || path.down == component.first;
    case Kind::spine: return path.spine == component.first;
    case Kind::cable:
      return path.spine == component.second &&
             (path.up == component.first || path.down == component.first);
    case Kind::link: break;
    default: return false;
  }
  if (path.spine == kUnknownSwitch) return false;
  return (path.up == component.first && path.spine == component.second) ||
         (path.spine == component.first && path.down == component.second);
}

/// Of a spray, a part of the packets passes every link: losses show there, too.
bool SimulatedFabric::passes_bad(const Path& path) {
  Path tried = path;
  const bool all = paths_ == Paths::sprayed && path.spine != kUnknownSwitch;
  for (int spine = 0; spine < (all ? shape_.spines : 1); ++spine) {
    if (all) tried.spine = spine_switch(spine);
    if (std::ranges::any_of(planted_, [&](const Component& one) { return passes(tried, one); }))
      return true;
  }
  return false;
}

void SimulatedFabric::test(int round, std::size_t from, std::size_t to, std::uint16_t port,
                           bool alone) {
  const Path taken = path(from, to, port);
  const bool bad = passes_bad(taken) ? !happens(false_negative_) : happens(false_positive_);
  Observation seen;
  seen.from = from;
  seen.to = to;
  seen.source_port = port;
  seen.round = round;
  seen.alone = alone;
  seen.hops = told(taken);
  seen.sprayed = paths_ == Paths::sprayed;
  seen.outcome.lost_share = bad ? 0.01 : 0.0;
  evidence_.tests.push_back(std::move(seen));
}

bool SimulatedFabric::happens(double probability) {
  return static_cast<double>(random_() >> 11U) * 0x1.0p-53 < probability;
}

IsolationRun isolate(SimulatedFabric& fabric, const Plan& plan) {
  IsolationRun run;
  do {
    fabric.test(run.rounds, matching(fabric.evidence(), run.rounds, plan),
                source_ports(run.rounds, plan));
    ++run.rounds;
    run.verdict = judge(fabric.evidence());
  } while (!enough(run.verdict, run.rounds, plan));
  return run;
}

void Score::add(const SimulatedFabric& fabric, const Verdict& verdict) {
  planted += static_cast<int>(fabric.planted().size());
  for (const Suspect& suspect : verdict.suspects) {
    if (suspect.status != Status::named) continue;
    ++named;
    const auto is_it = [&](const Component& one) {
      return one == suspect.component || std::ranges::count(suspect.alike, one) > 0;
    };
    right += std::ranges::any_of(fabric.planted(), is_it) ? 1 : 0;
  }
}

}  // namespace railgauge::isolation
