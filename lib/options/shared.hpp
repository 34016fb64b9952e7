#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "manual/manual.hpp"
#include "options/syntax.hpp"
#include "topology/rail_map.hpp"

// Options that several programs have.

namespace railgauge::options {

/// Which ports are rails, and where ranks are placed.
[[nodiscard]] Declaration<topology::PortPattern> include();
[[nodiscard]] Declaration<topology::PortPattern> exclude();
[[nodiscard]] Declaration<std::string> fabric();
[[nodiscard]] Declaration<topology::RailMap> rail_map();
[[nodiscard]] Declaration<std::string> placement();

/// What packets carry, and how many queue pairs carry them.
[[nodiscard]] Declaration<std::uint8_t> traffic_class();
/// At most `most` of them, as the program has room for.
[[nodiscard]] Declaration<unsigned> queue_pairs(unsigned most);

/// How paths are traced.
[[nodiscard]] Declaration<int> traced_source_ports();
[[nodiscard]] Declaration<int> probe_rate();

/// Which pairs of NICs are tested, for how long and how often.
[[nodiscard]] Declaration<bool> cross_rail_pairs();
[[nodiscard]] Declaration<std::uint64_t> seed();
/// At most `most_ms`, so that a test ends within its deadline.
[[nodiscard]] Declaration<std::chrono::milliseconds> test_time(std::int64_t most_ms);
[[nodiscard]] Declaration<int> retries();

/// Files that a program writes, and the form of what it prints.
[[nodiscard]] Declaration<std::string> output_file();
[[nodiscard]] Declaration<bool> force();
/// `schema`: "railgauge/topology/1"; empty: none of its own.
[[nodiscard]] Declaration<bool> json(const std::string& schema);
[[nodiscard]] Declaration<std::string> svg();
/// `launcher`: the command that turns them on for its ranks.
[[nodiscard]] Declaration<bool> colours(const std::string& launcher);

/// The system that figures are of.
[[nodiscard]] Declaration<std::string> collective();
[[nodiscard]] Declaration<int> nics_per_host();
[[nodiscard]] Declaration<double> line_rate_of_nic();
[[nodiscard]] Declaration<std::string> transport();

/// What every program answers without doing anything; `group`: the heading in its help.
[[nodiscard]] manual::Option help(const std::string& group);
[[nodiscard]] manual::Option version(const std::string& group);
[[nodiscard]] manual::Option completion(const std::string& group);

/// The script for that shell. Throws std::invalid_argument for one that there is none for.
[[nodiscard]] std::string completion_for(const std::string& shell, const manual::Manual& manual);

}  // namespace railgauge::options
