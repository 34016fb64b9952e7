#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "finding/location.hpp"

namespace railgauge::telemetry {

/// What a port's counter counts. Drivers name the same thing differently; this is one word for it.
enum class Counted : std::uint8_t {
  traffic,      ///< packets, bytes, operations: neither good nor bad
  loss,         ///< packets that did not arrive, or that were sent again for it
  exhausted,    ///< retries used up: a queue pair failed
  corruption,   ///< packets whose ICRC or CRC was wrong
  repetition,   ///< requests that had been seen: the peer sent again though they had arrived
  congestion,   ///< ECN marks and congestion notification packets: the network at work
  ignored_cnp,  ///< notifications that did not slow the sender: its congestion control is off
  pause,        ///< pause frames, or microseconds for which sending was forbidden
  link,         ///< a link that went down or was retrained
  physical,     ///< symbols or blocks that were wrong and could not be corrected
  corrected,    ///< errors that were corrected: normal in number, telling as a rate
  host,         ///< PCIe or memory could not keep up with the port
  not_ready,    ///< the receiver had posted nothing to receive into: the program's fault
  oversize,     ///< packets larger than this port takes: an MTU that differs
  protocol,     ///< requests that were refused: the program's fault
};

inline constexpr std::size_t kCountedClasses = 15;

/// "loss", "ignored_cnp": as it is called above.
[[nodiscard]] std::string_view word(Counted counted);
/// The one of that name; empty if there is none.
[[nodiscard]] std::optional<Counted> counted_of(std::string_view word);

struct Meaning {
  Counted counted = Counted::traffic;
  /// Which packets it tells about, seen from the port that counts; both: it cannot be told, as of a
  /// time-out, which may be of a request or of its acknowledgement.
  finding::Direction direction = finding::Direction::both;
  bool microseconds = false;  ///< a duration, not a number of events
  bool wraps_at_32_bits = false;
  bool gap = false;     ///< seen by what came next: a packet that is only overtaken makes one, too
  bool resent = false;  ///< packets sent again, of which a single loss may cause many
};

/// What a counter of that name tells, from whichever driver or tool it comes; empty of a name that
/// is not known, which is not "nothing happened". Names are those of mlx5, bnxt_re, irdma, ionic,
/// efa, mana, hns, erdma, rdma_rxe and softroce, of the network devices of mlx5, bnxt_en, ice and
/// ionic, of every driver's port counters (Documentation/ABI/stable/sysfs-class-infiniband), what
/// port_condition.hpp reads, and what doctor reads by netlink. tests/telemetry/names lists them by
/// driver, with those that are ignored.
[[nodiscard]] std::optional<Meaning> meaning_of(std::string_view name);

/// Whether what it counts should not happen on a healthy fabric. Congestion, pause, repetition and
/// corrected errors may, at some rate.
[[nodiscard]] bool is_fault(Counted counted);

/// Whether a software device may count it because its machine is busy elsewhere, or its peer was
/// killed: a time-out, and what was sent again for one. A gap in what arrives is not.
[[nodiscard]] bool is_of_busy_machine(const Meaning& meaning);

/// How many packets a port sent or received, from what its counters moved by; empty if it does not
/// say.
[[nodiscard]] std::optional<std::int64_t> packets(const std::map<std::string, std::int64_t>& moved,
                                                  finding::Direction direction);

/// Whether packets() asks for it.
[[nodiscard]] bool counts_packets(std::string_view name);

/// Packets that did not arrive as they were sent, on their way from this port (transmit) or to it
/// (receive), by what its counters moved by: gaps that were seen or told of, drops, wrong
/// checksums. Counters may tell the same packets: the highest counts. Time-outs do not: what is
/// late may have arrived. `before`: all of the port's counters; empty if none of them tells.
[[nodiscard]] std::optional<std::int64_t> lost_packets(
    const std::map<std::string, std::uint64_t>& before,
    const std::map<std::string, std::int64_t>& moved, finding::Direction direction);

/// Whether all that a path's receiver missed was overtaken and came later, by what the counters of
/// both ends moved by: nothing was dropped, and the sender neither heard of gaps nor sent again.
[[nodiscard]] bool only_overtaken(const std::map<std::string, std::int64_t>& sender,
                                  const std::map<std::string, std::int64_t>& receiver);

/// How far a counter has come, whether or not it wrapped; negative: it was reset in between.
[[nodiscard]] std::int64_t advance(std::string_view name, std::uint64_t before,
                                   std::uint64_t after);

}  // namespace railgauge::telemetry
