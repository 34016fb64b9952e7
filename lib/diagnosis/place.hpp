#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnosis/ports.hpp"
#include "results/finding.hpp"

namespace railgauge::diagnosis {

/// Which way packets go that are concerned, seen from the place.
enum class Direction : std::uint8_t { sends, receives, both };

/// Where something may be wrong: the smallest first.
enum class Scope : std::uint8_t {
  path,  ///< between two ports, one way: a cable's direction, an entry in a switch
  port,  ///< all paths of a port: its cable, its NIC, its port at the switch
  host,  ///< all ports that the same ranks drive: a host, or a process with devices of its own
  rail,  ///< all paths of a rail, or of a plane of it
};

struct Place {
  Scope scope = Scope::path;
  Direction direction = Direction::both;
  Path path{};           ///< of a path, in that direction
  std::size_t port = 0;  ///< the port; any port of the host, of the rail

  friend bool operator==(const Place&, const Place&) = default;
};

/// Whether what goes that way passes the place.
[[nodiscard]] bool holds(const Place& place, const Path& path, const Ports& ports);

/// All that these paths pass, smallest first: those between which it is to be told.
[[nodiscard]] std::vector<Place> places_of(const std::set<Path>& paths, const Ports& ports);

/// Fills scope, direction, host, device, rail and ranks.
void name_place(results::Finding& finding, const Place& place, const Ports& ports);

/// "rank 2 (host1) -> rank 3 (host1) on rail 1 (soft1)", "what rank 2 (host1) soft1 (rail 1)
/// sends", "rail 1".
[[nodiscard]] std::string in_words(const Place& place, const Ports& ports);

/// What to look at there.
[[nodiscard]] std::string advice(const Place& place, const Ports& ports);

}  // namespace railgauge::diagnosis
