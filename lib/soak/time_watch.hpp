#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "soak/places.hpp"
#include "soak/step.hpp"

namespace railgauge::soak {

/// Sees rails that carry less and ports whose chunks take longer than before, held against the
/// others of the same phase and window: what is slow everywhere is not seen. An event is of a rail,
/// and names the port on it whose chunks take longest, if it is seen in chunks.
///
/// A latency that was added is about the same for small messages as for large ones; what grows with
/// the size is a rail that carries less. Where a rail has messages of one size only, the event is
/// of a slow rail and says that it may be either.
class TimeWatch {
 public:
  /// `places` has to live as long.
  explicit TimeWatch(const Places& places) : places_(&places) {}

  [[nodiscard]] std::vector<Event> take(const Window& window);

 private:
  using Rail = std::pair<int, int>;  // and plane
  enum class Way : std::uint8_t { sent, received };
  enum class Growth : std::uint8_t { none, with_size, unknown };
  using PortTime = std::tuple<PortKey, std::size_t, Way>;  // of a phase
  /// A step of which it is still open what it is.
  struct Suspicion {
    Step step{};
    bool of_port = false;  // it is seen in chunks, not only in the rail's share
    int windows = 0;       // that have passed: one that is not of a port waits for one that is
  };

  void remember_start(const Window& window);
  using Shares = std::map<Rail, std::vector<double>>;  // over their past, of each phase
  void take_rails(const Window& window, const PhaseSample& sample, Shares& shares);
  void take_shares(const Window& window, const Shares& shares);
  void take_ports(const Window& window, std::size_t phase, Way way);
  void suspect(const Rail& rail, const Step& step, bool of_port);
  void calm_down();
  [[nodiscard]] Event told(const Window& window, const Rail& rail,
                           const Suspicion& suspicion) const;
  [[nodiscard]] const PortSample* slowest_port(const Window& window, const Rail& rail) const;
  [[nodiscard]] double excess_us(const PortSample& port, std::size_t phase, Way way) const;
  [[nodiscard]] double excess_us(const PortSample& port, std::size_t phase) const;
  [[nodiscard]] double longest_us(const PortSample& port) const;
  [[nodiscard]] Growth growth(const PortSample& port) const;
  [[nodiscard]] static const char* with_growth(Growth growth);

  const Places* places_;
  std::map<std::pair<std::size_t, Rail>, StepDetector> phases_;  // of each phase, in shares
  std::map<Rail, StepDetector> rails_;                           // the median of all phases
  std::map<PortTime, StepDetector> ports_;                       // in microseconds over the others
  std::map<Rail, Suspicion> suspicions_;
  std::map<Rail, int> quiet_;  // windows for which nothing more is told of it
  std::map<std::uint64_t, std::chrono::system_clock::time_point> starts_;  // of the last windows
};

}  // namespace railgauge::soak
