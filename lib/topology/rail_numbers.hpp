#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// What most hosts have on each rail, of those whose rails are sure.
class Likeness {
 public:
  explicit Likeness(std::size_t rails) : nics_(rails) {}

  void add(const Host& host);
  /// Without their subnets.
  [[nodiscard]] std::vector<UsualRail> usual() const;

 private:
  [[nodiscard]] std::string most(std::size_t rail, std::string Nic::*member) const;

  std::vector<std::vector<Nic>> nics_;
};

/// From the hosts that are as most are.
Likeness likeness_of(const FoundRails& found);

/// Says which rail each NIC of a host is on: by subnet, else by what its like is on other hosts,
/// else the first one free. -1 is a NIC beyond the rails.
void number(const FoundRails& found, const RailGroup& group, Host& host);

}  // namespace railgauge::topology
