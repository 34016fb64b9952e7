#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isolation/evidence.hpp"

namespace railgauge::isolation {

/// What switches are called, of which traces know addresses only; and which there ought to be.
class SwitchNames {
 public:
  SwitchNames() = default;
  /// Reads a railgauge/fabric/1, or lines of an address and a name, as /etc/hosts has them. Throws
  /// std::runtime_error.
  explicit SwitchNames(std::string_view text);

  /// Addresses become "spine2 (10.255.2.3)".
  void name(Evidence& evidence) const;
  /// Of a description, named: switches that are on no path, though links join them to a lower one
  /// that is. Leaves of hosts that are not here are not missed.
  [[nodiscard]] std::vector<std::string> missing(const Evidence& evidence) const;

 private:
  [[nodiscard]] std::string named(const std::string& address) const;

  std::map<std::string, std::string> names_;                // by address
  std::map<std::string, std::set<std::string>> uplinks_{};  // addresses, by address
};

}  // namespace railgauge::isolation
