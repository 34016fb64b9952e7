#pragma once

#include <compare>
#include <optional>
#include <string>

#include "finding/location.hpp"
#include "json/members.hpp"

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

  RAILGAUGE_FIELDS((host), (rail), plane, device, port, address)
};

/// For findings.
[[nodiscard]] inline finding::Endpoint place_of(const Endpoint& end) {
  return {.host = end.host,
          .device = end.device,
          .port = end.port,
          .rail = end.rail,
          .plane = end.plane == 0 ? std::nullopt : std::optional(end.plane),
          .address = end.address};
}

}  // namespace railgauge::results
