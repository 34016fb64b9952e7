#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/rail.hpp"
#include "topology/subnet.hpp"

namespace railgauge::topology {

/// The subnet that most hosts have rail i in, of every rail: of those hosts only that have the
/// usual number of rails, as a missing one moves all that come after it. Empty for a rail of
/// point-to-point links.
std::vector<std::optional<Subnet>> usual_subnets(const std::vector<Host>& hosts);

/// For every NIC of a host, the rail whose usual subnet it is in. Empty unless each is in one, none
/// shares its rail, and the rails' subnets differ.
std::vector<int> rails_by_subnet(const Host& host, const std::vector<std::optional<Subnet>>& usual);

/// That a host's NICs are on each other's rails, and what to do; "" if `rails` (rails_by_subnet)
/// are in order.
std::string crossing(const Host& host, const std::vector<int>& rails);

/// What is wrong with the subnets of rails, one sentence each: crossed rails, and NICs outside
/// their rail's subnet.
std::vector<std::string> check_subnets(const std::vector<Host>& hosts);

}  // namespace railgauge::topology
