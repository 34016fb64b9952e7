#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verdict/reference.hpp"

namespace railgauge::verdict {

/// The NICs of one's own host; what is not known is not asked for.
struct Nics {
  std::optional<int> per_node{};
  std::optional<double> gigabits_per_second{};  // of one
};

/// A published system that may be compared with.
struct Suggestion {
  std::string name{};
  double distance = 0;                     // 0: the same number of NICs at the same speed
  std::vector<std::string> collectives{};  // of which it has a run that is a target (line_rate.hpp)
};

/// Systems with runs that are targets for NICs, nearest first: by the logarithm of the line rate of
/// a NIC, since that sets what one rail can do, and then by that of the number of NICs. With a
/// collective, only those that have it.
std::vector<Suggestion> suggested(const std::vector<Reference>& references, const Nics& nics,
                                  const std::string& collective);

}  // namespace railgauge::verdict
