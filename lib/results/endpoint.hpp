#pragma once

#include <compare>
#include <string>

#include "finding/location.hpp"

namespace railgauge::results {

/// A NIC at one end of a path, as a reader finds it again. Its rank has the rest of it.
struct Endpoint {
  std::string host{};
  int rail = 0;
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string address{};
  int plane = 0;  // of the rail

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("host", self.host);
    visit.required("rail", self.rail);
    visit("plane", self.plane);
    visit("device", self.device);
    visit("port", self.port);
    visit("address", self.address);
  }
};

/// For findings.
[[nodiscard]] finding::Endpoint place_of(const Endpoint& end);

}  // namespace railgauge::results
