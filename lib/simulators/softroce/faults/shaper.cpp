#include "softroce/faults/shaper.hpp"

#include <algorithm>
#include <utility>

namespace railgauge::softroce {

Fates::Fates(std::uint64_t seed, int device, Direction direction) {
  std::uint32_t stream = 0;
  for (std::mt19937_64& generator : generators_) {
    std::seed_seq origin{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                         static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(direction),
                         stream++};
    generator.seed(origin);
  }
}

bool Fates::happens(Stream stream, double probability) {
  // The upper 53 bits, all that a double holds, as a number from 0 to below 1: so 0 is never, 1 is
  // always, and no rounding can differ from one machine to another.
  return static_cast<double>(draw(stream) >> 11U) * 0x1p-53 < probability;
}

PacketAction Fates::next(const Faults& faults) {
  PacketAction fate;
  fate.lost = happens(loss, faults.loss);
  fate.duplicated = happens(duplication, faults.duplication);
  fate.reordered = happens(reordering, faults.reordering);
  fate.corrupted = happens(corruption, faults.corruption);
  fate.payload_corrupted = happens(payload_corruption, faults.payload_corruption);
  fate.marked = happens(marking, faults.marking);
  fate.bit = draw(bit);
  // The remainder of 64 bits by at most an hour is as good as even: off by one part in a million.
  fate.jitter = nanoseconds(draw(jitter) % (static_cast<std::uint64_t>(faults.jitter.count()) + 1));
  return fate;
}

bool Flap::up(Time now) const {
  return !active() || std::max(now - start_, nanoseconds(0)) % (up_ + down_) < up_;
}

std::optional<Time> Flap::next_change(Time now) const {
  if (!active()) return std::nullopt;
  const nanoseconds period = up_ + down_;
  const nanoseconds since = std::max(now - start_, nanoseconds(0));
  return start_ + since / period * period + (up(now) ? up_ : period);
}

std::int64_t Flap::cuts(Time now) const {
  if (!active() || now - start_ < up_) return 0;
  return (now - start_ - up_) / (up_ + down_) + 1;
}

Shaper::Shaper(std::uint64_t seed, int device, Direction direction)
    : fates_(seed, device, direction) {}

void Shaper::configure(const Faults& faults, Time now) {
  advance(now);
  if (faults == faults_) return;
  if (faults.flap_up != faults_.flap_up || faults.flap_down != faults_.flap_down) {
    flap_ = Flap(faults.flap_up, faults.flap_down, now_);
  }
  faults_ = faults;
  // What was leaving starts again at the new rate, or when the pause ends.
  queue_.configure(faults_.bits_per_second, now_);
  if (!link_up(now_)) lose_all();
  serve();
}

void Shaper::submit(Datagram datagram, Time now) {
  advance(now);
  // Every datagram draws its fate, even one that is lost before: see Fates.
  const PacketAction fate = fates_.next(faults_);
  if (never_arrives(datagram, fate)) return;
  if (fate.marked) mark(datagram);
  std::optional<Datagram> copy;
  if (fate.duplicated) copy = datagram;
  if (fate.corrupted && flip_bit(datagram, fate.bit)) ++counters_.corrupted;
  if (fate.payload_corrupted && corrupt_payload(datagram, fate.bit)) ++counters_.payload_corrupted;
  enqueue({std::move(datagram), now_, fate.jitter, fate.reordered});
  if (copy) {
    ++counters_.duplicated;
    enqueue({std::move(*copy), now_, fate.jitter, false});
  }
  serve();
}

/// Counts it if it is lost before it reaches the queue.
bool Shaper::never_arrives(const Datagram& datagram, const PacketAction& fate) {
  const bool too_large =
      faults_.largest_bytes > 0 && ip_packet_bytes(datagram) > faults_.largest_bytes;
  if (!link_up(now_)) {
    ++counters_.link_down;
  } else if (too_large) {
    ++counters_.too_large;
  } else if (fate.lost) {
    ++counters_.lost;
  } else {
    return false;
  }
  return true;
}

std::optional<Datagram> Shaper::take(Time now) {
  advance(now);
  if (faults_.paused) return std::nullopt;
  std::optional<Datagram> datagram = line_.take(now_);
  counters_.reordered = line_.overtaken();
  return datagram;
}

std::optional<Time> Shaper::due() const {
  if (faults_.paused) return std::nullopt;
  std::optional<Time> next = line_.due();
  if (!queue_.empty()) {
    const Time arrives =
        line_.not_before(queue_.departure() + faults_.delay + queue_.first().jitter);
    next = std::min(next.value_or(Time::max()), arrives);
  }
  return next;
}

bool Shaper::link_up(Time now) const {
  return !faults_.link_down && flap_.up(now);
}

std::optional<Time> Shaper::next_flap(Time now) const {
  return faults_.link_down ? std::nullopt : flap_.next_change(now);
}

/// Catches up on everything due until `now`.
void Shaper::advance(Time now) {
  // Two threads can read the clock in one order and get here in the other.
  now = std::max(now, now_);
  if (faults_.paused) counters_.paused += now - now_;
  const bool cut = flap_.cuts(now) > flap_.cuts(now_);
  now_ = now;
  if (cut) lose_all();
  serve();
}

void Shaper::lose_all() {
  counters_.link_down += queue_.size() + line_.size();
  queue_.clear();
  line_.clear();
}

/// Releases what the rate allowed until now.
void Shaper::serve() {
  while (!faults_.paused && !queue_.empty() && queue_.departure() <= now_) {
    const Time leaves = queue_.departure();
    Waiting first = queue_.pop();
    line_.add(std::move(first.datagram), leaves + faults_.delay + first.jitter, first.reordered);
  }
}

void Shaper::enqueue(Waiting waiting) {
  const std::size_t bytes = ip_packet_bytes(waiting.datagram);
  if (overflows(bytes)) {
    ++counters_.overflowed;
    return;
  }
  // Like a switch: what counts is the length of the queue that the packet finds (K in DCTCP and
  // DCQCN).
  if (faults_.mark_above_bytes > 0 && queue_.bytes() > faults_.mark_above_bytes) {
    mark(waiting.datagram);
  }
  queue_.push(std::move(waiting));
}

/// A queue smaller than a packet would lose everything.
bool Shaper::overflows(std::size_t bytes) const {
  return faults_.queue_bytes > 0 && !queue_.empty() && queue_.bytes() + bytes > faults_.queue_bytes;
}

void Shaper::mark(Datagram& datagram) {
  if (mark_congestion(datagram)) ++counters_.marked;
}

}  // namespace railgauge::softroce
