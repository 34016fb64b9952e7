#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "softfabric/packet.hpp"
#include "softfabric/random.hpp"

namespace railgauge::softfabric {

/// A 5-tuple of UDP, "10.10.0.1:49152-10.10.0.2:4791".
struct Flow {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  bool operator==(const Flow&) const = default;
};

/// What is wrong with one direction of a link; by default nothing.
struct Faults {
  double loss = 0;                ///< loss=1%: 0 to 1; blackhole=on is 1, and nobody reroutes
  double duplication = 0;         ///< duplicate=0.1%: a second, sound copy follows
  double corruption = 0;          ///< corrupt=0.1%: a bit flips, and the ICRC is wrong
  double payload_corruption = 0;  ///< corrupt_payload=0.1%: and the ICRC is made to match
  std::optional<std::uint8_t> rewritten_dscp{};  ///< dscp=0
  // Only packets of this priority and flow, of all that is said above: priority=3,
  // flow=10.10.0.1:49152-10.10.0.2:4791.
  std::optional<std::uint8_t> priority{};
  std::optional<Flow> flow{};
  double bits_per_second = 0;       ///< rate=100Mbit; 0: the link's
  Time delay{};                     ///< delay=50us, added to the link's
  Time jitter{};                    ///< jitter=10us: uniform, added to the delay; order is kept
  std::uint32_t largest_bytes = 0;  ///< mtu=1500: larger IP packets vanish; 0: none do
  bool down = false;                ///< link=down; both directions, whichever has it
  Time flap_up{};                   ///< flap=2s/500ms: up so long, then down so long, and again
  Time flap_down{};
  bool ecn = true;                                ///< ecn=off: the sending end marks nothing
  std::optional<std::uint64_t> ecn_kmin_bytes{};  ///< kmin=1000: where the sending end begins
  bool ahead = false;  ///< ahead=on: the receiver sends its packets on before those of others
  bool pfc = true;     ///< pfc=off: its receiver pauses nobody
  // priority_map=26:0: the receiver takes this DSCP for that priority.
  std::optional<std::uint8_t> mapped_dscp{};
  std::uint8_t mapped_priority = 0;
  bool operator==(const Faults&) const = default;
};

/// Adds words to faults: "loss=1% priority=3"; "clear" undoes all before it. Throws
/// std::runtime_error: one sentence with the word, what it takes, or all words.
Faults with_words(Faults faults, std::string_view words);

/// Whether loss, duplication, corruption and a rewritten DSCP concern this packet.
bool concern(const Faults& faults, const Packet& packet);

/// Whether a flapping link is up, so long after the fault began.
bool flap_is_up(const Faults& faults, Time since);
/// When it changes next, counted likewise. Only of a link that flaps.
Time next_flap(const Faults& faults, Time since);
inline bool flaps(const Faults& faults) {
  return faults.flap_down > Time{};
}

}  // namespace railgauge::softfabric
