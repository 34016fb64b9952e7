#pragma once

#include <string>

#include "finding/finding.hpp"

namespace railgauge::finding {

/// A port of a NIC on rail `rail`, device "mlx5_<rail>".
inline Location port_of(const std::string& host, int rail, Direction direction = Direction::both) {
  return {.scope = Scope::port,
          .direction = direction,
          .at = {.host = host, .device = "mlx5_" + std::to_string(rail), .port = 1, .rail = rail}};
}

inline Location path_of(const std::string& from, const std::string& to, int rail) {
  return {.scope = Scope::path, .at = port_of(from, rail).at, .peer = port_of(to, rail).at};
}

}  // namespace railgauge::finding
