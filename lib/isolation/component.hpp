#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isolation/evidence.hpp"

namespace railgauge::isolation {

/// What may be bad, the smallest first.
enum class Kind : std::uint8_t {
  link,          ///< from a switch to the next, one way
  nic_sends,     ///< the way from a NIC to its leaf: NIC, cable, port
  nic_receives,  ///< the way from a leaf to a NIC
  nic,           ///< both ways
  host,          ///< all its NICs, both ways
  leaf,          ///< a switch that has NICs
  spine,         ///< any other switch
  uplinks,       ///< somewhere behind a leaf, where the path is not known
  downlinks,     ///< somewhere before a leaf, where the path is not known
  core,          ///< somewhere between NICs, where the path is not known
};

struct Component {
  Kind kind = Kind::link;
  int first = 0;   ///< the NIC, the switch (a link's first), or a NIC of the host
  int second = 0;  ///< the link's second switch

  friend bool operator==(const Component&, const Component&) = default;
};

/// "link", "nic-sends", "host", "spine".
[[nodiscard]] std::string_view word(Kind kind);

/// Whether it stands for something on the way that is not known.
[[nodiscard]] bool is_of_unknown_path(const Component& component);

/// "link leaf0 -> spine2", "what host3 mlx5_1 sends", "host host3", "spine spine2", "leaf leaf0",
/// "somewhere from leaf0 upwards (path not known)".
[[nodiscard]] std::string in_words(const Component& component, const Evidence& evidence);

/// What to look at there.
[[nodiscard]] std::string advice(const Component& component, const Evidence& evidence);

}  // namespace railgauge::isolation
