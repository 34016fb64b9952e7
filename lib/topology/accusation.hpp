#pragma once

#include <string>
#include <vector>

#include "topology/rail.hpp"

namespace railgauge::topology {

/// What is to be said of ports of hosts, gathered so that what several ports of a host share is one
/// sentence: "host3 mlx5_0, mlx5_1 (rails 0 and 1) are slow: …".
class Accusations {
 public:
  /// `one` follows the port as " is slow: …", `many` several of them; ports with the same `one` are
  /// said together.
  void add(const std::string& host, const std::string& device, int rail, const std::string& one,
           const std::string& many);
  void add(const Host& host, const Nic& nic, const std::string& one, const std::string& many) {
    add(host.name, name_of(nic), nic.rail, one, many);
  }

  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Accusation {
    std::string host{};
    std::string one{};
    std::string many{};
    std::vector<std::string> devices{};
    std::vector<int> rails{};
  };
  std::vector<Accusation> all_;
};

/// "rail 3", "rails 2 and 3", "rails 0 to 7"
std::string rails_text(std::vector<int> rails);

/// "a, b and c"
std::string listed(const std::vector<std::string>& names);

/// "host3 mlx5_1 (rail 1)"
std::string place_of(const Host& host, const Nic& nic);

}  // namespace railgauge::topology
