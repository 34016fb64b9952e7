#pragma once

#include "reachability/matrix.hpp"

namespace railgauge::reachability {

/// A fabric of which nothing is known yet; host 1 rail 0 is 10.0.0.1.
inline Matrix fabric(int hosts, int rails) {
  std::vector<Nic> nics;
  for (int host = 0; host < hosts; ++host) {
    for (int rail = 0; rail < rails; ++rail) {
      nics.push_back({.host = "host" + std::to_string(host),
                      .rail = rail,
                      .device = "mlx5_" + std::to_string(rail),
                      .address = "10." + std::to_string(rail) + ".0." + std::to_string(host)});
    }
  }
  return Matrix(std::move(nics));
}

/// Every two NICs of different hosts, filled in by `reach(from, to)`.
template <class Rule>
Matrix filled(Matrix matrix, Rule reach) {
  for (std::size_t from = 0; from < matrix.nics().size(); ++from) {
    for (std::size_t to = 0; to < matrix.nics().size(); ++to) {
      if (matrix.nics()[from].host != matrix.nics()[to].host) {
        matrix.add(from, to, reach(from, to));
      }
    }
  }
  return matrix;
}

inline Reach works(double gigabytes_per_second = 10) {
  return {true, 2, gigabytes_per_second, ""};
}

inline Reach fails() {
  return {false, 0, 0, "nobody answered"};
}

}  // namespace railgauge::reachability
