#include "topology/placement.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace railgauge::topology {
namespace {

/// The numbers after "rails=", "cpus=" or "memory=" of a line; empty if it is not there.
using Fields = std::map<std::string, CpuSet>;

struct Line {
  int rank = -1;
  Fields fields{};
};

Line parsed(const std::string& text) {
  std::istringstream words(text);
  Line line;
  words >> line.rank;
  if (!words || line.rank < 0) throw std::invalid_argument("it does not start with a rank");
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos || (name != "rails" && name != "cpus" && name != "memory")) {
      throw std::invalid_argument("'" + word + "' is not rails=, cpus= or memory=");
    }
    const auto numbers = parse_cpu_list(word.substr(equals + 1));
    if (!numbers || numbers->empty()) throw std::invalid_argument("'" + word + "' has no numbers");
    line.fields[name] = *numbers;
  }
  return line;
}

Placement placement(const Fields& fields, const HostMap& host, int rails) {
  const auto numbers = [&](const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() ? CpuSet{} : found->second;
  };
  const CpuSet driven = numbers("rails");
  const CpuSet memory = numbers("memory");
  Placement made{.rails = {driven.begin(), driven.end()}, .cpus = numbers("cpus")};
  if (driven.empty() || *driven.rbegin() >= rails) {
    throw std::invalid_argument("rails are 0 to " + std::to_string(rails - 1));
  }
  if (made.cpus.empty() || !std::ranges::includes(host.allowed, made.cpus)) {
    throw std::invalid_argument("the allowed cpus are " + cpu_list(host.allowed));
  }
  if (memory.size() > 1 || (!memory.empty() && find_node(host, *memory.begin()) == nullptr)) {
    throw std::invalid_argument("memory takes one NUMA node of this host");
  }
  made.numa_node = node_of(host, made.cpus);
  if (!memory.empty()) made.memory_node = *memory.begin();
  return made;
}

}  // namespace

std::vector<Placement> read_placement(const std::string& text, const HostMap& host, int rails,
                                      int ranks) {
  std::map<int, Placement> placed;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    try {
      const Line one = parsed(line);
      if (one.rank >= ranks) throw std::invalid_argument("there is no such rank");
      if (!placed.emplace(one.rank, placement(one.fields, host, rails)).second) {
        throw std::invalid_argument("the rank is listed twice");
      }
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("placement, line " + std::to_string(number) + ", '" + line +
                                  "': " + error.what());
    }
  }
  std::vector<Placement> all;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!placed.contains(rank)) {
      throw std::invalid_argument("the placement has no rank " + std::to_string(rank) + " of " +
                                  std::to_string(ranks));
    }
    all.push_back(placed.at(rank));
  }
  return all;
}

std::vector<Placement> load_placement(const std::string& path, const HostMap& host, int rails,
                                      int ranks) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (in) return read_placement(text.str(), host, rails, ranks);
  throw std::invalid_argument("expected rail, spread, none or a readable file");
}

namespace {

/// The logical numbers, among the cores with an allowed cpu, of those that have one of `cpus`.
CpuSet core_numbers(const HostMap& map, const CpuSet& cpus) {
  CpuSet numbers;
  int number = 0;
  for (const CpuSet& core : map.cores) {
    if (common(core, map.allowed).empty()) continue;
    if (!common(core, cpus).empty()) numbers.insert(number);
    ++number;
  }
  return numbers;
}

}  // namespace

std::string rankfile(const std::vector<RankfileHost>& hosts) {
  std::string text;
  int rank = 0;
  for (const RankfileHost& host : hosts) {
    for (const Placement& placement : host.ranks) {
      const CpuSet cores = core_numbers(host.map, placement.cpus);
      if (cores.empty()) {
        throw std::invalid_argument("a rankfile needs every rank bound, and rank " +
                                    std::to_string(rank) + " is not");
      }
      text +=
          "rank " + std::to_string(rank++) + "=" + host.name + " slot=" + cpu_list(cores) + "\n";
    }
  }
  return text;
}

}  // namespace railgauge::topology
