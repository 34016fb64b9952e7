#pragma once

#include <cstdint>
#include <vector>

namespace railgauge::predict {

/// Flows and the links that each crosses, as one list with offsets.
struct Flows {
  std::vector<std::uint32_t> links{};
  std::vector<std::uint32_t> first{0};  ///< of each flow, and the end

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  void end_flow() { first.push_back(static_cast<std::uint32_t>(links.size())); }
};

/// Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): the
/// link whose equal share is the least fixes its flows, which leaves the rest to the others.
[[nodiscard]] std::vector<double> fair_rates(const Flows& flows,
                                             const std::vector<double>& capacities);

}  // namespace railgauge::predict
