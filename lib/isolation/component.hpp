#pragma once

#include <cstdint>
#include <string>

#include "finding/location.hpp"
#include "isolation/evidence.hpp"

namespace railgauge::isolation {

/// What may be bad, the smallest first.
enum class Kind : std::uint8_t {
  link,          ///< from a switch to the next, one direction
  cable,         ///< between two switches, both directions
  nic_transmit,  ///< from a NIC to its leaf: NIC, cable, switch port
  nic_receive,   ///< from a leaf to a NIC
  nic,           ///< both directions
  host,          ///< all its NICs, both directions
  leaf,          ///< a switch that has NICs
  spine,         ///< any other switch
  uplinks,       ///< somewhere behind a leaf, where the path is not known
  downlinks,     ///< somewhere before a leaf, where the path is not known
  core,          ///< somewhere between NICs, where the path is not known
};

struct Component {
  Kind kind = Kind::link;
  int first = 0;   ///< the NIC, the switch (a link's first), or a NIC of the host
  int second = 0;  ///< the second switch of a link; of a cable the one with the higher number

  friend bool operator==(const Component&, const Component&) = default;
};

/// Whether it consists of other components.
[[nodiscard]] inline bool has_parts(const Component& component) {
  return component.kind == Kind::cable || component.kind >= Kind::nic;
}

/// Whether it stands for something on a path that is not known.
[[nodiscard]] bool is_of_unknown_path(const Component& component);

/// As findings have it: "link leaf0 -> spine2", "cable leaf0 - spine2", "host3 mlx5_1 (rail 1) TX",
/// "host3", "switch spine2"; of an unknown path "link leaf0 -> ?" and "fabric".
[[nodiscard]] finding::Location location_of(const Component& component, const Evidence& evidence);

/// What to check there.
[[nodiscard]] std::string remedy_at(const Component& component, const Evidence& evidence);

}  // namespace railgauge::isolation
