#pragma once

// lib/diagnosis says who is slow and why: observations in, findings out. It must not know how
// anything was measured, and never names what the evidence does not single out.

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "results/port_events.hpp"
#include "results/rank.hpp"

namespace railgauge::diagnosis {

/// A port that took part, and who drives it.
struct Port {
  std::string host;
  std::string device;
  int number = 1;
  std::string address;
  int rail = 0;
  int plane = 0;
  bool software = false;
  std::vector<int> ranks;
};

/// Of one rail, and of one plane of it.
[[nodiscard]] inline bool same_rail(const Port& one, const Port& other) {
  return one.rail == other.rail && one.plane == other.plane;
}

/// From one port to another: what packets cross, and what is slow or loses them. Ports by their
/// numbers in Ports.
struct Path {
  std::size_t from = 0;
  std::size_t to = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes <=>'s own 0 for a pointer
  friend auto operator<=>(const Path&, const Path&) = default;
};

/// All ports of a run, each once.
class Ports {
 public:
  explicit Ports(const std::vector<results::Rank>& ranks);

  [[nodiscard]] std::size_t size() const { return ports_.size(); }
  [[nodiscard]] const Port& operator[](std::size_t number) const { return ports_[number]; }
  /// The one that a rank has on a plane of a rail.
  [[nodiscard]] std::optional<std::size_t> of_rank(int rank, int rail, int plane) const;
  /// The one that counted these.
  [[nodiscard]] std::optional<std::size_t> that_counted(const results::PortEvents& events) const;
  /// Whether they are driven by the same ranks: the ports of a host, or of a process with devices
  /// of its own.
  [[nodiscard]] bool together(std::size_t one, std::size_t other) const {
    return ports_[one].host == ports_[other].host && ports_[one].ranks == ports_[other].ranks;
  }
  /// "rank 2 (host1)"; "host1"
  [[nodiscard]] std::string owner(std::size_t number) const;

 private:
  std::vector<Port> ports_;
};

}  // namespace railgauge::diagnosis
