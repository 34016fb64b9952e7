#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/rail_rule.hpp"

namespace railgauge::topology {

/// What most hosts have at each slot, of those whose slots are sure.
class Likeness {
 public:
  explicit Likeness(std::size_t slots) : nics_(slots) {}

  void add(const Host& host);
  /// Without their subnets.
  [[nodiscard]] std::vector<UsualNic> usual() const;

 private:
  template <class T>
  [[nodiscard]] static std::optional<T> most(const std::vector<Nic>& nics, T Nic::*member);

  std::vector<std::vector<Nic>> nics_;
};

/// The hosts that are as most are, with the slots of their NICs.
std::vector<Host> sure_hosts(const FoundRails& found);

/// Says at which slot each NIC of a host is: by subnet, else by what its like is on other hosts,
/// else the first one free. -1 is a NIC beyond the slots.
void number(const RailGroup& group, Host& host);

}  // namespace railgauge::topology
