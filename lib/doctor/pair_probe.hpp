#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "finding/location.hpp"

namespace railgauge::doctor {

/// A port as pairs name it.
struct ProbedPort {
  std::string host{};
  std::string device{};
  int number = 1;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const ProbedPort&, const ProbedPort&) = default;
};

/// How a path between two ports did.
enum class Did : std::uint8_t {
  well,
  lost_large_packets,  ///< smaller ones passed
  nothing,             ///< not even small packets passed
  slowly,
  lost_packets,    ///< as ports counted; it may be fast all the same
  other_class,     ///< packets arrived in another class than they were sent in; likewise
  other_priority,  ///< in the right class, and in a priority that is not that class's; likewise
};

/// What a test of pairs found of one port's sending to another.
struct PairProbe {
  ProbedPort from{};
  ProbedPort to{};
  bool same_rail = true;  ///< others may leave by another port of their host
  Did did = Did::well;
  bool sure = true;      ///< no busy host is an excuse
  std::string remark{};  ///< why it is bad
  /// Packets that did not arrive, as both ports counted; empty: neither counts.
  std::optional<std::int64_t> lost{};
  std::uint64_t bytes = 0;     ///< of all that it carried meanwhile
  std::string lost_by_host{};  ///< why the fabric need not have lost them, a clause; empty: it did
  bool software = false;       ///< what a single path loses may be lost by a busy machine
  bool asks_class = false;     ///< the test sent datagrams, to see in which class they arrive
  std::optional<int> arrived_class{};  ///< empty: none arrived, or the device does not say
  /// In which packets left and arrived, as ports counted bytes; empty: they do not tell.
  std::optional<int> sent_priority{};
  std::optional<int> arrived_priority{};
  std::optional<int> expected_priority{};     ///< at the receiver, see add_pairs()
  std::optional<double> line_rate_percent{};  ///< of hardware
};

/// How far a host's clock is ahead of the first host's.
struct ClockAhead {
  std::optional<double> ms{};  ///< empty: it drifted too far while it was compared
  double uncertainty_ms = 0;   ///< by how much that may be wrong
};

/// Of the paths of a port in one direction, on its rail, how many did so.
struct Tally {
  std::size_t all = 0;  ///< those of which it is known
  std::size_t bad = 0;
  std::size_t sure = 0;       ///< of these
  std::size_t by_fabric = 0;  ///< of these: no host is known to have lost what they lost
  std::size_t first = 0;      ///< of these, among PairProbes::probes
  bool accuses = false;       ///< the port is the reason
};

/// What the paths of a port say together.
struct PortPaths {
  std::map<std::pair<finding::Direction, Did>, Tally> tallies{};
  std::set<Did> told{};          ///< in what respects anything is known, on other rails, too
  std::set<ProbedPort> peers{};  ///< some of its rail that it sends to
  std::optional<double> best_percent{};  ///< of line rate, of all that it sends on
};

/// What a test of pairs found.
struct PairProbes {
  std::vector<PairProbe> probes{};
  std::map<ProbedPort, PortPaths> ports{};     ///< this and the next two: see add_pairs()
  bool asks_class = false;                     ///< any of them does
  bool has_rates = false;                      ///< any has a share of line rate
  int sent_class = 0;                          ///< traffic class of all packets
  std::map<std::string, ClockAhead> clocks{};  ///< by host; empty: they were not compared
  std::string unfinished{};  ///< how it ended, if not all was measured; empty: all was
};

}  // namespace railgauge::doctor
