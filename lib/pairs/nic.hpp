#pragma once

// lib/pairs holds which pairs of NICs are measured and when, what the figures are worth, and their
// pictures. It must not know verbs, MPI, or how anything is measured.

#include <string>

namespace railgauge::pairs {

/// A port of a host, and the rail it is on.
struct Nic {
  std::string host{};
  int rail = 0;
  int plane = 0;         // of the rail
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};
  double link_gigabits_per_second = 0;  // 0: not known
  bool software = false;                // the results then do not represent hardware
};

}  // namespace railgauge::pairs
