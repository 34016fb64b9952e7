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
  void add(const std::string& host, const std::string& device, int port, const RailPlane& place,
           const std::string& one, const std::string& many);
  void add(const Host& host, const Nic& nic, const std::string& one, const std::string& many) {
    add(host.name, nic.device, nic.port, rail_plane_of(nic), one, many);
  }

  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Accusation {
    std::string host{};
    std::string one{};
    std::string many{};
    std::vector<std::string> devices{};     // in order of the first port of each
    std::vector<std::vector<int>> ports{};  // of each
    std::vector<RailPlane> places{};
  };
  std::vector<Accusation> all_;
};

/// "rail 3", "rails 2 and 3", "rails 0 to 7"
std::string rails_text(std::vector<int> rails);

/// The same of rails with all their planes; else "rail 3 planes 0 and 1", "plane 1 of rails 0 to
/// 7", or a mixture of these. With `name_planes` those of whole rails are named, too.
std::string rails_text(std::vector<RailPlane> places, bool name_planes = false);

/// "a, b and c"
std::string listed(const std::vector<std::string>& names);

/// "host3 mlx5_1 (rail 1)"
std::string place_of(const Host& host, const Nic& nic);

/// A NIC as what is said of its whole device wants it: without port and plane.
Nic whole_device(Nic nic);

}  // namespace railgauge::topology
