#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "json/members.hpp"

namespace railgauge::fabric {

/// Where racks stand. Leaves stand in the middle of the row of their hosts, spines and cores in the
/// middle of all rows.
struct Layout {
  Count hosts_per_rack = 4;
  double rack_metres = 0.6;    ///< from one rack to the next
  double row_metres = 3;       ///< from one row to the next
  double within_metres = 1.5;  ///< of a cable inside the racks at its ends, slack included
};

struct Cables {
  std::string between{};  ///< "host-leaf"
  std::string kind{};     ///< "DAC", "AOC", "optics"
  double gbps = 0;
  Count count = 0;
  double most_metres = 0;

  RAILGAUGE_FIELDS(between, kind, gbps, count, most_metres)
};

/// Cables by where they are and by kind: DAC up to 3 m, AOC up to 30 m, transceivers and fibre
/// above.
[[nodiscard]] std::vector<Cables> cables_of(const Fabric& fabric, const Layout& layout);

}  // namespace railgauge::fabric
