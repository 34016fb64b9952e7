#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "manual/manual.hpp"
#include "options/syntax.hpp"
#include "results/sweep_point.hpp"
#include "topology/rail_map.hpp"

// Options that several programs have.

namespace railgauge::options {

[[nodiscard]] inline Syntax<topology::PortPattern> ports() {
  return {"PORTS", [](const std::string& word) { return topology::PortPattern(word); },
          [](const topology::PortPattern& pattern) { return pattern.text(); }};
}

/// Which ports are rails, and where ranks are placed.
[[nodiscard]] inline Declaration<topology::PortPattern> include() {
  return {"--include", ports(),
          "Use only these ports as rails, in NCCL_IB_HCA syntax: mlx5_0:1,mlx5_1. =mlx5_1 matches "
          "that exact name, ^mlx5_1 all other ports; =mlx5_0:1:0:1 is on plane 1 of rail 0 "
          "(default: NCCL_IB_HCA, if set)"};
}

[[nodiscard]] inline Declaration<topology::PortPattern> exclude() {
  return {"--exclude", ports(), "Exclude these ports; =mlx5_1 matches that exact name"};
}

[[nodiscard]] inline Declaration<std::string> fabric() {
  return {"--fabric", text("NAME"),
          "Use the ports of this fabric: rails (default), or a name that railgauge topo lists "
          "under other fabrics"};
}

[[nodiscard]] inline Declaration<topology::RailMap> rail_map() {
  return {"--rail-map",
          {"MAP", [](const std::string& word) { return topology::load_rail_map(word); },
           [](const topology::RailMap&) { return std::string(); }},
          "Rail of each device: mlx5_0=0,mlx5_1=1; with planes: mlx5_0=0:0,mlx5_1=0:1; "
          "NCCL_IB_HCA syntax; or a file of such entries (default: by shared subnets, otherwise "
          "in PCI order)"};
}

[[nodiscard]] inline Declaration<std::string> placement() {
  return {"--placement", text("MODE"),
          "CPU and memory binding of ranks: rail (local to the NIC), spread (over all NUMA nodes), "
          "none, or a file. A file has a line per rank of a host: 0 rails=0,1 cpus=0-7 memory=0"};
}

[[nodiscard]] inline Declaration<results::MemoryKind> memory() {
  using results::MemoryKind;
  return {"--memory", choice<MemoryKind>({{"host", MemoryKind::host}, {"gpu", MemoryKind::gpu}}),
          "Memory that data are in: the host's, or that of the GPU nearest to the rail"};
}

/// What packets carry, and how many queue pairs carry them.
[[nodiscard]] inline Declaration<std::uint8_t> traffic_class() {
  return {"--traffic-class", whole<std::uint8_t>(0, 255),
          "IP traffic class byte: DSCP << 2, plus ECN bits"};
}

/// At most `most` of them, as the program has room for.
[[nodiscard]] inline Declaration<unsigned> queue_pairs(unsigned most) {
  return {"--qps", whole<unsigned>(1, most),
          "Queue pairs between two NICs; a fabric with ECMP can route each on its own path"};
}

/// How paths are traced.
[[nodiscard]] inline Declaration<int> traced_source_ports() {
  constexpr int kMost = 4096;
  return {"--labels", whole<int>(1, kMost),
          "UDP source ports (flow labels) to trace between two NICs"};
}

[[nodiscard]] inline Declaration<int> probe_rate() {
  constexpr int kMost = 100'000;
  return {"--probe-rate", whole<int>(1, kMost),
          "Probes per second and host; switches typically limit ICMP to a few hundred replies per "
          "second"};
}

/// Which pairs of NICs are tested, for how long and how often.
[[nodiscard]] inline Declaration<bool> cross_rail_pairs() {
  return {.names = "--cross-rail", .about = "Include pairs of NICs on different rails and planes"};
}

[[nodiscard]] inline Declaration<std::uint64_t> seed() {
  constexpr std::int64_t kMost = 1'000'000'000;
  return {"--seed", whole<std::uint64_t>(0, kMost),
          "Seed of random choices; the same seed repeats them"};
}

/// At most `most_ms`, so that a test ends within its deadline.
[[nodiscard]] inline Declaration<std::chrono::milliseconds> test_time(std::int64_t most_ms) {
  return {
      "--time", milliseconds(1, most_ms),
      "Sending time of each test in each direction; a number without a unit is in milliseconds"};
}

[[nodiscard]] inline Declaration<int> retries() {
  constexpr int kMost = 1000;
  return {"--retries", whole<int>(0, kMost), "Retests of suspect pairs; the best result counts"};
}

/// Files that a program writes, and the form of what it prints.
[[nodiscard]] inline Declaration<std::string> output_file() {
  return {"-o,--output", text("PATH"), "Output file (default: stdout)"};
}

[[nodiscard]] inline Declaration<bool> force() {
  return {.names = "--force", .about = "Replace output files that exist"};
}

/// `schema`: "railgauge/topology/1"; empty: none of its own.
[[nodiscard]] inline Declaration<bool> json(const std::string& schema) {
  return {.names = "--json",
          .about = "Print JSON instead of text" + (schema.empty() ? "" : " (" + schema + ")")};
}

[[nodiscard]] inline Declaration<std::string> svg() {
  return {"--svg", text("PATH"), "SVG file to draw the heat map into"};
}

/// `launcher`: the command that turns them on for its ranks.
[[nodiscard]] inline Declaration<bool> colours(const std::string& launcher) {
  return {.names = "--colours",
          .about = "Print the heat map in colours; " + launcher +
                   " sets it on a terminal, which Open MPI hides from the ranks"};
}

/// The system that figures are of.
[[nodiscard]] inline Declaration<std::string> collective() {
  return {"--collective", text("NAME"), "Collective, such as all_reduce or alltoall"};
}

[[nodiscard]] inline Declaration<int> nics_per_host() {
  constexpr int kMost = 1'000'000;
  return {"--nics", whole<int>(1, kMost), "NICs used on each host"};
}

[[nodiscard]] inline Declaration<double> line_rate_of_nic() {
  return {"--gbits", positive_number(), "Line rate of one NIC, in Gb/s"};
}

[[nodiscard]] inline Declaration<std::string> transport() {
  return {"--transport", text("NAME"), "Network transport, such as RoCEv2 or InfiniBand"};
}

/// What every program answers without doing anything; `group`: the heading in its help.
[[nodiscard]] inline manual::Option help(const std::string& group) {
  return {.names = "-h,--help", .about = "Print this help and exit", .group = group};
}

[[nodiscard]] inline manual::Option version(const std::string& group) {
  return {.names = "--version", .about = "Print the version and exit", .group = group};
}

[[nodiscard]] inline manual::Option completion(const std::string& group) {
  return {.names = "--completion",
          .value = "SHELL",
          .about = "Print completion for bash or zsh and exit",
          .group = group,
          .words = {"bash", "zsh"}};
}

/// The shell of "--completion bash" or "--completion=bash", where `word` begins it; empty if it is
/// another option.
[[nodiscard]] inline std::optional<std::string> shell_asked_for(const std::string& word,
                                                                const std::string& next) {
  const std::string name = completion("").names;
  if (word == name) return next;
  if (!word.starts_with(name + "=")) return std::nullopt;
  return word.substr(name.size() + 1);
}

/// The script for that shell. Throws std::invalid_argument for one that there is none for.
[[nodiscard]] inline std::string completion_for(const std::string& shell,
                                                const manual::Manual& manual) {
  if (shell == "bash") return manual::bash_completion(manual);
  if (shell == "zsh") return manual::zsh_completion(manual);
  throw std::invalid_argument("--completion " + shell + ": expected bash or zsh");
}

}  // namespace railgauge::options
