#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// From one switch to the next.
using Link = std::pair<std::string, std::string>;
/// The switches that a queue pair passes, in order; empty, or with "" in it: not known.
using Path = std::vector<std::string>;

[[nodiscard]] bool is_known(const Path& path);
[[nodiscard]] std::vector<Link> links_of(const Path& path);

/// In parts of the line rate.
[[nodiscard]] double rate_of(const Step& step, const Link& link);

/// Of each flow, in parts of the line rate, what it has if NICs are all that it shares with others
/// (max-min fair), and no more than its own path carries.
[[nodiscard]] std::vector<double> fair_shares(const Step& step);
/// The same with the links between switches, shared by all queue pairs alike. Empty: a path is not
/// known.
[[nodiscard]] std::optional<std::vector<double>> path_shares(const Step& step);

/// What the step's link rates are from, in words.
[[nodiscard]] std::string rates_from(const Step& step);

/// Flows on each of the known links, each queue pair as its part of a flow.
[[nodiscard]] std::map<Link, double> link_loads(const Step& step);

/// Of each flow one of its candidates for each queue pair, so that links are loaded as evenly as a
/// search finds: each takes what adds least to the sum of the squares of loads, and again until
/// nothing gets better. Without candidates a flow has none.
[[nodiscard]] std::vector<std::vector<std::size_t>> spread_over(
    std::span<const std::vector<Path>> candidates, int queue_pairs);

}  // namespace railgauge::congestion
