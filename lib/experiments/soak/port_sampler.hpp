#pragma once

#include <vector>

#include "json/members.hpp"
#include "results/rank.hpp"
#include "soak/record.hpp"
#include "soak/window.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::runner {

/// A port as it was when a window ended.
struct PortReading {
  soak::PortSample sample{};       // without times
  telemetry::Counters counters{};  // absolute

  RAILGAUGE_FIELDS((sample), (counters))
};

/// Reads the ports that this rank reads for its host, once a window: some hundred small files of
/// sysfs a port, a millisecond or two.
class PortSampler {
 public:
  /// From here on ports count. `ranks` has to outlive it.
  PortSampler(const std::vector<results::Rank>& ranks, std::size_t rank);

  /// What they counted since then, or since the last call.
  [[nodiscard]] std::vector<PortReading> next();

 private:
  struct Port {
    const results::Rank* rank = nullptr;
    const results::RankRail* rail = nullptr;
    telemetry::Counters last{};

    [[nodiscard]] telemetry::Counters read() const;
    [[nodiscard]] PortReading next();
  };

  std::vector<Port> ports_;
};

}  // namespace railgauge::runner
