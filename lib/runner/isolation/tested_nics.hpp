#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isolation/evidence.hpp"
#include "results/rank.hpp"
#include "results/reachability.hpp"

namespace railgauge::runner {

/// A NIC of the fabric, and who drives it. Planes of a rail are networks of their own, and so rails
/// here.
struct TestedNic {
  isolation::Nic nic{};
  results::Endpoint end{};
  std::size_t rank = 0;
  bool software = false;
};

/// All ranks' NICs, by rank and rail. A rank is a host: the only one on it, or one with devices of
/// its own. Throws job::RunFailure (usage) if two ranks share a NIC.
[[nodiscard]] std::vector<TestedNic> tested_nics(const std::vector<results::Rank>& ranks);

/// Of each rail whose links differ in their rates a sentence, with one of the slower ones: tests
/// are held to them, and so they do not look bad.
[[nodiscard]] std::vector<std::string> slower_links(const std::vector<TestedNic>& nics);

}  // namespace railgauge::runner
