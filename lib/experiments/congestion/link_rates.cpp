#include "experiments/congestion/link_rates.hpp"

#include <algorithm>

#include "fabric/addresses.hpp"

namespace railgauge::runner {

std::map<congestion::Link, double> link_rates(std::string_view text,
                                              double nic_gigabits_per_second) {
  std::map<congestion::Link, double> rates;
  const auto add = [&rates](const congestion::Link& link, double rate) {
    const auto [place, is_new] = rates.emplace(link, rate);
    if (!is_new) place->second = std::min(place->second, rate);
  };
  auto described = fabric::described::fabric_in(text);
  fabric::described::fill_in_switches(described);
  for (const auto& link : switch_links(described)) {
    add({link.lower, link.upper}, link.gbps / nic_gigabits_per_second);
    add({link.upper, link.lower}, link.gbps / nic_gigabits_per_second);
  }
  return rates;
}

}  // namespace railgauge::runner
