#include "experiments/congestion/link_rates.hpp"

#include <algorithm>

#include "fabric/description.hpp"

namespace railgauge::runner {

std::map<congestion::Link, double> link_rates(std::string_view text,
                                              double nic_gigabits_per_second) {
  std::map<congestion::Link, double> rates;
  const auto add = [&rates](const congestion::Link& link, double rate) {
    const auto [place, is_new] = rates.emplace(link, rate);
    if (!is_new) place->second = std::min(place->second, rate);
  };
  for (const fabric::SwitchLink& link : fabric::description_of(text).links) {
    add({link.lower, link.upper}, link.gbps / nic_gigabits_per_second);
    add({link.upper, link.lower}, link.gbps / nic_gigabits_per_second);
  }
  return rates;
}

}  // namespace railgauge::runner
