#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/world.hpp"
#include "results/document.hpp"
#include "verbs/port.hpp"

namespace railgauge::benchmarks {

/// This host's rails, and its ports that are none with the reason, a line each.
struct Rails {
  std::vector<verbs::Port> ports;
  std::string left_out;
};

/// The ports of the devices that are named, in that order, all of which have to be usable; or, if
/// none is named, all usable ports in natural order. `gid_index` is that of the GID of each, if not
/// chosen by rule. Throws RunFailure (environment) when there is
/// none: what was looked at, and what to do.
[[nodiscard]] Rails find_rails(const std::vector<std::string>& devices,
                               std::optional<int> gid_index);

/// Collective: every rank with its host and rails, known to all. Throws RunFailure (environment, on
/// all ranks) when the hosts' rails do not fit together: other numbers, other subnets, an address
/// that is there twice. It says what this host has left out, which may be why.
[[nodiscard]] std::vector<results::Rank> meet(World& world, const Rails& rails);

/// Throws RunFailure (usage) unless the ranks are on `nodes` hosts, `per_node` on each. 0: any
/// number.
void check_nodes(const std::vector<results::Rank>& ranks, int nodes, int per_node);

/// Collective: the counters of every rail of every host, on rank 0. `before` is filled, `after`
/// not.
[[nodiscard]] std::vector<results::PortCounters> read_counters(
    World& world, const std::vector<results::Rank>& ranks);

}  // namespace railgauge::benchmarks
