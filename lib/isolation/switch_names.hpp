#pragma once

#include <chrono>
#include <functional>
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

  /// What `resolve` calls each address, "" if nothing; asked one after the other until the time is
  /// up.
  using Resolve = std::function<std::string(const std::string& address)>;
  static SwitchNames resolved(const std::vector<std::string>& addresses, const Resolve& resolve,
                              std::chrono::seconds limit);

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

/// What the host's resolver (DNS, /etc/hosts) calls an IPv4 address; "" if nothing, or if the
/// answer is late.
[[nodiscard]] std::string name_of_address(const std::string& address);

}  // namespace railgauge::isolation
