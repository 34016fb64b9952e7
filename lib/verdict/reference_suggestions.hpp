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
  std::string transport{};                      // "RoCE", "InfiniBand"
};

/// The highest plateau of a system's targets of one collective.
struct PublishedPlateau {
  std::string collective{};
  std::optional<int> nodes{};
  double busbw_gigabytes_per_second = 0;
  std::optional<double> line_rate_fraction{};
};

/// A published system that may be compared with.
struct Suggestion {
  std::string name{};
  double distance = 0;  // 0: the same number of NICs at the same speed, and the same transport
  std::vector<PublishedPlateau> plateaus{};  // of runs that are targets (line_rate.hpp)
};

/// From this distance on a system is hardly alike: twice or half the speed.
constexpr double kHardlyAlike = 1;

/// Systems with runs that are targets for NICs, nearest first: by the logarithm of the line rate of
/// a NIC, since that sets what one rail can do, then by transport, and then by the logarithm of the
/// number of NICs. With a collective, only those that have it, and only its plateau.
std::vector<Suggestion> suggested(const std::vector<Reference>& references, const Nics& nics,
                                  const std::string& collective);

}  // namespace railgauge::verdict
