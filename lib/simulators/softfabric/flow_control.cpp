// PFC: a switch whose buffer share for an ingress port and priority is full tells that port's
// sender to stop, and to go on once there is room. The frames take the time that they take on the
// line.

#include <algorithm>

#include "softfabric/model.hpp"

namespace railgauge::softfabric {
namespace {

Time pause_frame_delay(const Wire& back) {
  return back.delay +
         Time(static_cast<std::int64_t>(8e9 * kPauseFrameBytes / back.bits_per_second));
}

/// A pause that goes on is told again when half of the last one is over.
Time half_pause(const Wire& wire) {
  return duration_of(kLongestPause, wire.bits_per_second) / 2;
}

}  // namespace

void Model::check_pause(Index ingress, std::uint8_t priority) {
  Wire& wire = wires_[ingress];
  IngressShare& share = wire.ingress[priority];
  const SharedBuffer& buffer = buffers_[number_of(topology_.wires[ingress].to)];
  if (share.paused || !wire.faults.pfc || !buffer.full(share, wire.mtu_bytes)) return;
  share.paused = true;
  send_pause(ingress, priority, kLongestPause);
}

void Model::check_resume(Index ingress, std::uint8_t priority) {
  Wire& wire = wires_[ingress];
  IngressShare& share = wire.ingress[priority];
  const SharedBuffer& buffer = buffers_[number_of(topology_.wires[ingress].to)];
  if (!share.paused || !buffer.relieved(share, wire.mtu_bytes)) return;
  share.paused = false;
  send_pause(ingress, priority, 0);
}

void Model::send_pause(Index ingress, std::uint8_t priority, std::uint16_t quanta) {
  Wire& wire = wires_[ingress];
  const Wire& back = wires_[opposite(ingress)];
  if (!back.up) return;
  ++wire.counters[priority].pauses_sent;
  wire.pause_sent[priority] = time_;
  schedule(time_ + pause_frame_delay(back), EventType::pause_arrival, ingress, priority, quanta);
  if (quanta == 0) return;
  schedule(time_ + half_pause(wire), EventType::pause_refresh, ingress, priority);
}

void Model::refresh_pause(Index ingress, std::uint8_t priority) {
  const Wire& wire = wires_[ingress];
  if (time_ - wire.pause_sent[priority] < half_pause(wire)) return;  // there is a later one
  if (wire.ingress[priority].paused) send_pause(ingress, priority, kLongestPause);
}

void Model::obey_pause(Index index, std::uint8_t priority, std::uint16_t quanta) {
  Wire& wire = wires_[index];
  if (!wire.up) return;
  ++wire.counters[priority].pauses_received;
  if (topology_.is_host(topology_.wires[index].from)) tell_host(index, priority, quanta);
  if (quanta == 0) return end_pause(index, priority);
  Paused& paused = wire.paused[priority];
  if (!paused.active) {
    paused = {.active = true, .since = time_};
    const auto watchdog = static_cast<std::int64_t>(fabric_.switching.pfc_watchdog_ms * 1e6);
    if (watchdog > 0) schedule(time_ + Time(watchdog), EventType::watchdog, index, priority);
  }
  paused.until = time_ + duration_of(quanta, wire.bits_per_second);
  schedule(paused.until, EventType::pause_end, index, priority);
}

/// The port of a host is ours, so that it stops at once; what feeds it, the device, is told as
/// well.
void Model::tell_host(Index index, std::uint8_t priority, std::uint16_t quanta) {
  Pause pause{};
  pause[priority] = quanta;
  const auto frame = pause_frame(pause, macs_[opposite(index)].data());
  hosts_.pause(link_of(index), frame);
}

void Model::end_pause(Index index, std::uint8_t priority) {
  Wire& wire = wires_[index];
  Paused& paused = wire.paused[priority];
  if (!paused.active) return;
  wire.counters[priority].paused += time_ - paused.since;
  paused = {};
  transmit(index);
}

/// Of a switch's port that was paused all the time since: somebody does not let go, so what waits
/// is dropped, and what comes, until the pause ends.
void Model::look_after_pause(Index index, std::uint8_t priority) {
  Paused& paused = wires_[index].paused[priority];
  const Time watchdog(static_cast<std::int64_t>(fabric_.switching.pfc_watchdog_ms * 1e6));
  const bool whole_time = paused.active && time_ - paused.since >= watchdog;
  if (!whole_time || topology_.is_host(topology_.wires[index].from)) return;
  paused.dropping = true;
  flush_queue(index, priority, Drop::watchdog);
}

}  // namespace railgauge::softfabric
