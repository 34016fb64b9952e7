#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "soak/places.hpp"

namespace railgauge::soak {

/// Finds rails that carry less and ports whose chunks take longer than before, compared with the
/// others of the same phase and window: a slowdown of all is not found. A finding is of a rail, or
/// of the port on it whose chunks take longest, if it shows in chunks.
///
/// A latency that was added is about the same for small messages as for large ones; what grows with
/// the size is bandwidth. Where a rail has messages of one size only, the finding is of bandwidth
/// and says that it may be either. A rail that is out of service is an error, any other slowdown a
/// warning.
class TimeWatch {
 public:
  /// `places` has to live as long.
  explicit TimeWatch(const Places& places) : places_(&places) {}

  [[nodiscard]] std::vector<finding::Finding> take(const Window& window);

 private:
  using Rail = std::pair<int, int>;  // and plane
  enum class End : std::uint8_t { sender, receiver };
  enum class Growth : std::uint8_t { none, with_size, unknown };
  using PortTime = std::tuple<PortKey, std::size_t, End>;  // of a phase
  /// A step of which it is still open what it is.
  struct Suspicion {
    normal::Step step{};
    bool of_port = false;  // it shows in chunks, not only in the rail's share
    int windows = 0;       // that have passed: one that is not of a port waits for one that is
  };

  using Shares = std::map<Rail, std::vector<double>>;  // over their past, of each phase
  void take_rails(const Window& window, const PhaseSample& sample, Shares& shares);
  void take_shares(const Window& window, const Shares& shares);
  void take_ports(const Window& window, std::size_t phase, End end);
  void suspect(const Rail& rail, const normal::Step& step, bool of_port);
  void calm_down();
  [[nodiscard]] finding::Finding finding_of(const Window& window, const Rail& rail,
                                            const Suspicion& suspicion) const;
  [[nodiscard]] double excess_of(const Rail& rail) const;
  void judge(const Rail& rail, finding::Finding& finding) const;
  [[nodiscard]] const PortSample* slowest_port(const Window& window, const Rail& rail) const;
  [[nodiscard]] bool all_are_late(const Window& window, const Rail& rail,
                                  const PortSample& latest) const;
  [[nodiscard]] double excess_us(const PortSample& port, std::size_t phase, End end) const;
  [[nodiscard]] double excess_us(const PortSample& port, std::size_t phase) const;
  [[nodiscard]] double longest_us(const PortSample& port) const;
  [[nodiscard]] Growth growth(const PortSample& port) const;
  [[nodiscard]] static const char* with_growth(Growth growth);

  const Places* places_;
  std::map<std::pair<std::size_t, Rail>, normal::StepDetector> phases_;  // of each phase, in shares
  std::map<Rail, normal::StepDetector> rails_;                           // the median of all phases
  std::map<PortTime, normal::StepDetector> ports_;  // in microseconds over the others
  std::map<Rail, Suspicion> suspicions_;
  std::map<Rail, int> quiet_;  // windows for which nothing more is found on it
};

}  // namespace railgauge::soak
