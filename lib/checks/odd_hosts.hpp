#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "finding/finding.hpp"

namespace railgauge::checks {

/// The rails of each host, by its name.
using RailsOfHosts = std::map<std::string, std::set<int>>;

/// Hosts that lack a rail that most hosts have, and hosts with a rail that most lack. Of two hosts
/// the one that lacks the rail. Where as many hosts have a rail as lack it, no host is accused, but
/// the fabric. A pure function.
[[nodiscard]] std::vector<finding::Finding> odd_hosts(const std::string& check,
                                                      const RailsOfHosts& rails_of);

}  // namespace railgauge::checks
