#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "soak/header.hpp"
#include "soak/step.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// Which port it is. Software devices have the same names in every process: the address tells them
/// apart.
struct PortKey {
  std::string host{};
  std::string device{};
  int port = 1;
  std::string address{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const PortKey&, const PortKey&) = default;
};

[[nodiscard]] PortKey key_of(const PortSample& port);

/// What of a fabric its events are told with.
class Places {
 public:
  explicit Places(const Header& header);

  [[nodiscard]] bool software() const { return software_; }
  /// Whether all ports are devices of softroce: each a process's own, with counters of every
  /// packet.
  [[nodiscard]] bool counts_every_packet() const { return ours_; }
  /// A detector for times: those of software devices are those of a busy machine, and have to stay
  /// up for longer.
  [[nodiscard]] StepDetector steps() const {
    if (!software_) return StepDetector();
    return StepDetector(StepDetector::kRunOfSoftware, StepDetector::kEnoughOfSoftware);
  }
  [[nodiscard]] const std::vector<std::string>& host_of_rank() const { return host_of_rank_; }
  [[nodiscard]] const std::vector<Phase>& plan() const { return plan_; }
  /// How long a window is meant to be.
  [[nodiscard]] double window_s() const { return window_s_; }

  /// "host2 mlx5_1 (rail 1)", "host2 soft1 127.65.0.4 (rail 1 plane 0)": with the address where the
  /// host has several of that name, with the plane where the rail has several.
  [[nodiscard]] std::string name(const PortSample& port) const;
  /// "rail 1", "rail 1 plane 0".
  [[nodiscard]] std::string rail_name(int rail, int plane) const;
  /// "rank 3 (host1)".
  [[nodiscard]] std::string rank_name(int rank) const;

 private:
  bool software_ = false;
  bool ours_ = true;
  std::vector<std::string> host_of_rank_;
  std::vector<Phase> plan_;
  double window_s_ = 0;
  std::map<int, int> planes_;  // rail → how many planes it has
  std::map<std::pair<std::string, std::string>, std::size_t> addresses_;  // of a host and device
};

/// An event of that window at that port.
[[nodiscard]] Event event_at(EventKind kind, const Window& window, const PortSample& port);

/// An event of that window, at no place yet.
[[nodiscard]] Event event_in(EventKind kind, const Window& window);

}  // namespace railgauge::soak
