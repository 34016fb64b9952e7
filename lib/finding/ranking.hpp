#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"

namespace railgauge::finding {

/// The same findings in the order in which to work on them: by severity, then causes before what
/// they explain, then by certainty. Findings of several checks at one place with one cause become
/// one, with the evidence of all. What a likelier finding at the same place causes (packet loss
/// makes a path slow) is kept and marked by `explained_by`.
[[nodiscard]] std::vector<Finding> ranked(std::vector<Finding> findings);

/// Findings of ports of one host, or of rails, that say the same: one sentence for all of them.
struct FindingGroup {
  Finding first{};
  std::vector<Location> others{};
};

/// Ranked findings, those of one host, or of rails, with the same words together.
[[nodiscard]] std::vector<FindingGroup> grouped(const std::vector<Finding>& findings);

/// "host3 mlx5_0 and mlx5_1 (rails 0 and 1): ..."; of a single place as the finding has it.
[[nodiscard]] std::string headline(const FindingGroup& group);
[[nodiscard]] std::string sentence(const FindingGroup& group);

/// "rail 3", "rails 2 and 3", "rails 0 to 7"
[[nodiscard]] std::string rails_text(std::vector<int> rails);

/// The same with planes, where they are known: "rail 3 planes 0 and 1", "plane 2 of rails 3 and 4".
/// Empty if no rail is known.
[[nodiscard]] std::string rails_and_planes(const std::vector<Endpoint>& ends);

}  // namespace railgauge::finding
