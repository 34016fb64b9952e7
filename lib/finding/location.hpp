#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/members.hpp"

namespace railgauge::finding {

/// What kind of place it is.
enum class Scope : std::uint8_t {
  fabric,     ///< all of it, or where in it is not known
  rail,       ///< all ports of a rail, or of one plane of it
  host,       ///< all its ports
  processor,  ///< of a host: what runs its ranks
  device,     ///< a NIC, whichever its port
  port,       ///< a port of a NIC with its cable and its switch port
  path,       ///< from one port to another, one direction
  link,       ///< from one switch to the next, one direction
  cable,      ///< between two switches, both directions
  node,       ///< a switch
};

/// Seen from the place: packets that it transmits, or that it receives.
enum class Direction : std::uint8_t { both, transmit, receive };

/// A port as people find it again. What is not known is empty.
struct Endpoint {
  std::string host{};
  std::string device{};
  std::optional<int> port{};
  std::optional<int> rail{};
  std::optional<int> plane{};
  std::string address{};
  std::vector<int> ranks{};  ///< that drive it

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;

  RAILGAUGE_FIELDS(host, device, port, rail, plane, address, ranks)
};

/// "port", "switch"; "transmit". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Scope scope);
[[nodiscard]] std::string_view word(Direction direction);

/// The smallest place that explains the evidence. Findings of several tests meet here.
struct Location {
  Scope scope = Scope::fabric;
  Direction direction = Direction::both;
  Endpoint at{};                        ///< of a path: its sender
  std::optional<Endpoint> peer{};       ///< of a path: its receiver
  std::vector<std::string> switches{};  ///< of a link two, in its direction, "" for one that is
                                        ///< not known; of a cable two; of a switch one

  // NOLINTNEXTLINE(modernize-use-nullptr): likewise
  friend auto operator<=>(const Location&, const Location&) = default;

  RAILGAUGE_FIELDS(scope, direction, at, peer, switches)
};

/// "host3 mlx5_1 (rail 1) TX", "host0 soft1 (rail 1, rank 2) -> host1 soft1 (rail 1, rank 3)",
/// "link leaf0 -> spine2", "link leaf0 -> ?", "cable leaf0 - spine2", "host3", "rail 2", "fabric".
[[nodiscard]] std::string in_words(const Location& location);

/// "host3 mlx5_1 (rail 1)"; a port is named by its number where it is not 1: "mlx5_1:2".
[[nodiscard]] std::string in_words(const Endpoint& endpoint);

/// For ids and for comparing places of several tests: like in_words(), without ranks and addresses.
[[nodiscard]] std::string key_of(const Location& location);

/// Whether something at `outer` can be seen at `inner`: it is the same place, a part of it, or a
/// path that passes it. Switches and links are compared by name; a path whose switches are not
/// known passes none.
[[nodiscard]] bool reaches(const Location& outer, const Location& inner);

}  // namespace railgauge::finding
