// Faults, links that go down and come up again, switches that reboot.

#include "softfabric/model.hpp"

namespace railgauge::softfabric {

void Model::set_faults(std::size_t link, Direction direction, const Faults& faults) {
  const auto index = static_cast<Index>(2 * link + (direction == Direction::a_to_b ? 0 : 1));
  Wire& wire = wires_[index];
  wire.faults = faults;
  wire.faults_since = time_;
  ++wire.faults_set;
  update_link(link, Drop::link_down);
  flap(index, wire.faults_set);
}

const Faults& Model::faults(std::size_t link, Direction direction) const {
  return wires_[2 * link + (direction == Direction::a_to_b ? 0 : 1)].faults;
}

void Model::reboot(std::size_t number, Time duration) {
  rebooting_until_[number] = time_ + duration;
  update_links_of(static_cast<Index>(topology_.hosts + number), Drop::reboot);
  schedule(time_ + duration, EventType::boot, static_cast<Index>(number));
}

void Model::set_seed(std::size_t number, std::uint64_t seed) {
  balancers_[number].set_seed(seed);
}

bool Model::is_rebooting(Index node) const {
  return !topology_.is_host(node) && time_ < rebooting_until_[number_of(node)];
}

bool Model::should_be_up(std::size_t link) const {
  for (const std::size_t index : {2 * link, 2 * link + 1}) {
    const Wire& wire = wires_[index];
    if (wire.faults.down || !flap_is_up(wire.faults, time_ - wire.faults_since)) return false;
  }
  const WireEnds& ends = topology_.wires[2 * link];
  return !is_rebooting(ends.from) && !is_rebooting(ends.to);
}

void Model::update_link(std::size_t link, Drop reason) {
  const bool up = should_be_up(link);
  if (up == wires_[2 * link].up) return;
  for (const auto index : {static_cast<Index>(2 * link), static_cast<Index>(2 * link + 1)}) {
    wires_[index].up = up;
    forget_pauses(index);
    if (!up) flush(index, reason);
  }
  const double wait_ms = fabric_.switching.reroute_after_ms;
  if (wait_ms >= 0) {
    schedule(time_ + Time(static_cast<std::int64_t>(wait_ms * 1e6)), EventType::reroute, 0);
  }
}

void Model::forget_pauses(Index index) {
  for (std::uint8_t priority = 0; priority < kPriorities; ++priority) {
    end_pause(index, priority);
    wires_[index].ingress[priority].paused = false;
  }
}

void Model::update_links_of(Index node, Drop reason) {
  for (const Index wire : topology_.leaving[node]) update_link(link_of(wire), reason);
}

void Model::flap(Index index, std::uint16_t faults_set) {
  const Wire& wire = wires_[index];
  if (!flaps(wire.faults) || wire.faults_set != faults_set) return;
  update_link(link_of(index), Drop::link_down);
  schedule(wire.faults_since + next_flap(wire.faults, time_ - wire.faults_since), EventType::flap,
           index, 0, faults_set);
}

void Model::reroute() {
  std::vector<bool> up;
  for (std::size_t link = 0; link < fabric_.links.size(); ++link) up.push_back(wires_[2 * link].up);
  routes_ = Routes(fabric_, topology_, up);
}

}  // namespace railgauge::softfabric
