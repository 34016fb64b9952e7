#include "softroce/device/pacer.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::softroce {
namespace {

// Ethernet without its checksum, IPv4, UDP: a packet as a switch of lib/simulators/softfabric
// counts it. IPv6 has 20 more, of which the line's own queue takes care.
constexpr double kHeaderBytes = 14 + 20 + 8;
// Half of it is what a thread may be late that sleeps until a time, and then takes for several
// packets.
constexpr std::chrono::milliseconds kAhead{1};
constexpr double kPacketsAhead = 2;
constexpr double kPacketBytes = 4096 + 64;
// More is not made up for: the process was stopped.
constexpr std::chrono::milliseconds kMostCaughtUp{20};

}  // namespace

void Pacer::set_rate(double bits_per_second) {
  nanoseconds_per_byte_ = 8e9 / bits_per_second;
  const nanoseconds packets(std::llround(kPacketsAhead * kPacketBytes * nanoseconds_per_byte_));
  ahead_ = std::max<nanoseconds>(kAhead, packets);
}

void Pacer::sent(std::size_t bytes, bool waited, Time now) {
  const Time earliest = waited ? now - kMostCaughtUp : now;
  const double size = static_cast<double>(bytes) + kHeaderBytes;
  line_free_ =
      std::max(line_free_, earliest) + nanoseconds(std::llround(size * nanoseconds_per_byte_));
}

}  // namespace railgauge::softroce
