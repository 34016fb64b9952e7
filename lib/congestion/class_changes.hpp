#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "congestion/evidence.hpp"

namespace railgauge::congestion {

/// A switch in which packets change their priority.
struct ClassChange {
  std::string node{};
  int from = 0;
  int to = 0;
  std::int64_t packets = 0;
};

/// By what switches count. One that gives packets the priority back with which hosts sent them is
/// not among them.
[[nodiscard]] std::vector<ClassChange> class_changes(Steps steps);

}  // namespace railgauge::congestion
