#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnosis/ports.hpp"
#include "finding/location.hpp"

namespace railgauge::diagnosis {

using finding::Direction;
using finding::Scope;

/// Of finding::Scope four: a path (a cable's direction, an entry in a switch), a port (its cable,
/// NIC and switch port), a host (all ports that the same ranks drive: a host, or a process with
/// devices of its own), a rail (or a plane of it).
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

/// The same for people and other programs.
[[nodiscard]] finding::Location location_of(const Place& place, const Ports& ports);

/// What to do there, in the imperative.
[[nodiscard]] std::string remedy_at(const Place& place, const Ports& ports);

/// Whether the place is of software devices, whose times are those of the CPUs that play the NIC.
[[nodiscard]] bool is_software(const Place& place, const Ports& ports);

}  // namespace railgauge::diagnosis
