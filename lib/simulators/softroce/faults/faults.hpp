#pragma once

// lib/simulators/softroce/faults shapes and damages what a device sends and receives, deliberately
// and repeatably. It must not know queue pairs, sockets or verbs: it takes datagrams and a clock.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::softroce {

using Time = std::chrono::steady_clock::time_point;
using std::chrono::nanoseconds;

/// A process has at most this many devices: their addresses begin with 127.64 ... 127.127.
constexpr int kMostDevices = 64;
/// soft0, soft1, ...
std::string device_name(int number);

enum class Direction : std::uint8_t { transmit, receive };

/// What happens to the datagrams of one device in one direction; by default nothing. Rate, queue,
/// mark and mtu all count whole IP packets.
struct Faults {
  std::uint64_t bits_per_second = 0;  ///< rate=1Gbit; 0 is unlimited
  std::uint64_t queue_bytes = 0;      ///< queue=1MiB: what waits for the rate or the pause; more is
                                      ///< lost, but one datagram always fits. 0 is unlimited
  nanoseconds delay{};                ///< delay=50us
  nanoseconds jitter{};               ///< jitter=10us: uniform, added to the delay, order is kept
  double loss = 0;                    ///< loss=1%: 0 ... 1
  double duplication = 0;             ///< duplicate=0.1%: a second, sound copy comes right after
  double reordering = 0;  ///< reorder=1%: such a datagram is overtaken by the next three
  double corruption = 0;  ///< corrupt=1%: one bit flips, anywhere from BTH to ICRC
  double payload_corruption =
      0;  ///< corrupt_payload=0.1%: one bit of the payload flips, and the ICRC fits: a
          ///< switch or a NIC with bad memory, which no packet check sees
  std::uint64_t mark_above_bytes = 0;  ///< mark=100KiB: CE when more than this waits before it; 0
                                       ///< is never. Only packets that are ECN-capable are marked
  double marking = 0;                  ///< ecn=5%: CE at random, whatever the queue
  std::uint64_t largest_bytes = 0;  ///< mtu=1500: larger packets vanish (a black hole); 0 is none
  bool paused = false;              ///< pause=on: nothing leaves, nothing is lost
  bool link_down = false;           ///< link=down: all is lost, and the port says so
  nanoseconds flap_up{};            ///< flap=2s/500ms: up so long, then down so long, and again
  nanoseconds flap_down{};
  bool counters_reset = false;  ///< counters=reset: once, when the rule is read
  bool cnps_ignored = false;    ///< cnp=ignored: nothing sent slows down for them
  bool operator==(const Faults&) const = default;
};

/// Which device and direction a rule is about, and what it sets.
struct FaultRule {
  std::string device;  ///< "soft1", or "*"
  bool transmit = true;
  bool receive = true;
  Faults faults;
};

/// Rules, one per line or separated by ';'; '#' begins a comment:
///   soft1 rate=1Gbit delay=50us     both directions
///   soft0.tx loss=1% corrupt=0.1%   what soft0 sends
///   *.rx duplicate=1% seed=7        every device, what is received
///   soft2                           no faults
/// Only the last rule for a device and direction applies: rules do not add up, and "*" is no weaker
/// than a name. link, flap, counters and cnp concern the port and so both directions.
struct FaultPlan {
  std::vector<FaultRule> rules;
  std::uint64_t seed = 1;  ///< seed=N, one for all rules
};

/// Throws std::invalid_argument: one sentence with the word, its line, what is expected, and all
/// settings.
FaultPlan parse_faults(std::string_view text);

/// The first device that a rule names and that is not among the first `devices` ones; empty: none.
std::string_view absent_device(const FaultPlan& plan, int devices);

/// The faults in force for one device and direction.
Faults faults_of(const FaultPlan& plan, std::string_view device, Direction direction);

}  // namespace railgauge::softroce
