#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "normal/own_past.hpp"
#include "soak/header.hpp"
#include "soak/window.hpp"

namespace railgauge::soak {

/// Which port it is. Software devices have the same names in every process: they differ by their
/// addresses.
struct PortKey {
  std::string host{};
  std::string device{};
  int port = 1;
  std::string address{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
  friend auto operator<=>(const PortKey&, const PortKey&) = default;
};

[[nodiscard]] PortKey key_of(const PortSample& port);

/// A fabric as far as findings name it.
class Places {
 public:
  static constexpr std::size_t kEnoughOfSoftware = 30;  ///< windows of the past
  static constexpr std::size_t kRunOfSoftware = 5;      ///< windows that make a step

  explicit Places(const Header& header);

  [[nodiscard]] bool software() const { return software_; }
  /// Whether all ports are devices of softroce: each a process's own, with counters of every
  /// packet.
  [[nodiscard]] bool counts_every_packet() const { return ours_; }
  /// A detector for times: those of software devices are those of a busy machine, and have to stay
  /// up for longer.
  [[nodiscard]] normal::StepDetector steps() const {
    using Steps = normal::StepDetector;
    return software_ ? Steps(kRunOfSoftware, kEnoughOfSoftware) : Steps();
  }
  /// Share of its past rate below which a rail is out of service.
  [[nodiscard]] double outage_percent() const { return outage_percent_; }
  [[nodiscard]] const std::vector<Phase>& plan() const { return plan_; }

  /// A port with the ranks that drive it; the plane where its rail has several.
  [[nodiscard]] finding::Location port(
      const PortSample& port, finding::Direction direction = finding::Direction::both) const;
  [[nodiscard]] finding::Location path(const PortSample& from, const PortSample& to) const;
  [[nodiscard]] finding::Location rail(int rail, int plane) const;
  /// What runs these ranks, by host.
  [[nodiscard]] std::vector<finding::Location> processors(const std::set<int>& ranks) const;

 private:
  bool software_ = false;
  bool ours_ = true;
  double outage_percent_;
  std::vector<std::string> host_of_rank_;
  std::vector<Phase> plan_;
  std::map<int, int> planes_;                  // rail → how many planes it has
  std::map<PortKey, std::vector<int>> ranks_;  // that drive a port

  [[nodiscard]] finding::Endpoint endpoint(const PortSample& port) const;
  [[nodiscard]] std::optional<int> plane_of(int rail, int plane) const;
};

/// Whether it is compared with its own past only.
[[nodiscard]] bool is_of_own_past(finding::Cause cause);

/// A finding of that window without evidence. What is compared with its own past
/// only (latency, bandwidth) is a warning unless the rail is out of service: other jobs slow down a
/// healthy fabric.
[[nodiscard]] finding::Finding found_in(const Window& window, finding::Cause cause,
                                        finding::Location where);

/// The same of what began with that step, and was found in `window`.
[[nodiscard]] finding::Finding found_since(const normal::Step& step, const Window& window,
                                           finding::Cause cause, finding::Location where);

}  // namespace railgauge::soak
