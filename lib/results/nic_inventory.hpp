#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/nic_use.hpp"
#include "results/rank.hpp"

namespace railgauge::results {

/// What a rank sends by on one rail: a port, or several that are planes of the rail.
struct Nic {
  int rail = 0;
  std::string port{};              // what tells it from others of its host
  double gigabits_per_second = 0;  // line rate of a plane, one direction; 0: not known
  int planes = 1;                  // in use, all of that line rate
};

/// Who took part in a result of ours, and by which NICs. Ranks of a host that drive the same port
/// share one NIC.
class NicInventory {
 public:
  void add_rank(const std::string& host, const std::vector<Nic>& nics);

  /// A collective of all ranks that takes these rails: ranks, hosts, NICs and line rate, and what
  /// carries data besides the NICs. NICs are not known if hosts differ in their number, nor is line
  /// rate if ports differ in it. A NIC's line rate is that of all its planes together; where one
  /// NIC has lost a plane, it is the mean of the NICs', so that it is right for the host.
  /// `by_memory`: ranks of one host exchange their data through memory.
  [[nodiscard]] NicUse use(const std::vector<int>& rails, bool by_memory) const;

 private:
  using Ports = std::map<std::string, Nic>;  // by port

  int ranks_ = 0;
  std::map<std::string, Ports> hosts_;
};

/// Of those that took part in a result.
[[nodiscard]] NicInventory nic_inventory_of(const std::vector<Rank>& ranks);

}  // namespace railgauge::results
