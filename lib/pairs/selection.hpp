#pragma once

// lib/pairs holds which pairs of NICs are measured and when, what the figures are worth, and their
// pictures. It must not know verbs, MPI, or how anything is measured.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace railgauge::pairs {

/// A port of a host, and the rail it is on.
struct Nic {
  std::string host{};
  int rail = 0;
  int plane = 0;         // of the rail
  std::string device{};  // "mlx5_0"
  int port = 1;
  std::string netdev{};
  std::string address{};
  double link_gigabits_per_second = 0;  // 0: not known
  bool software = false;                // the results then do not represent hardware
};

/// Two NICs, by their places in a list.
struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Which pairs are measured. None has both NICs on one host.
struct Selection {
  enum class Kind : std::uint8_t {
    nics,      ///< all on one plane of one rail
    hosts,     ///< of every two hosts one, rails in turn
    ring,      ///< of every host and the next, on all rails
    random,    ///< so many of all
    schedule,  ///< of hosts that exchange data in an algorithm of all-reduce, on all rails
  };
  Kind kind = Kind::nics;
  std::uint64_t count = 0;  ///< of random
  std::string algorithm{};  ///< of schedule: "ring"
  bool cross_rail = false;  ///< also NICs of different rails or planes; of nics and random
  std::uint64_t seed = 1;   ///< of random
};

/// "nics", "hosts", "ring", "random:64", "skeleton:tree". Throws std::invalid_argument.
[[nodiscard]] Selection parse_selection(const std::string& text);
/// As parse_selection() reads it.
[[nodiscard]] std::string text_of(const Selection& selection);

/// The pairs, each once, in an order in which neighbours rarely share a NIC. `host_of` has the
/// number of each NIC's host, from 0 and in order: hosts may have the same name. Throws
/// std::invalid_argument if the algorithm cannot serve so many hosts.
[[nodiscard]] std::vector<Pair> pairs_of(const std::vector<Nic>& nics,
                                         const std::vector<std::size_t>& host_of,
                                         const Selection& selection);

}  // namespace railgauge::pairs
