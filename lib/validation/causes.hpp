#pragma once

#include <string>
#include <vector>

#include "finding/finding.hpp"

namespace railgauge::validation {

/// A finding, and the stage that has it.
struct StageFinding {
  std::string stage{};
  finding::Finding finding{};
};

/// One thing to repair, and all that follows from it.
struct CauseGroup {
  finding::Finding cause{};
  std::vector<std::string> stages{};     ///< that name it, in their order
  std::vector<StageFinding> symptoms{};  ///< what it explains
  bool located = true;  ///< a component is named; else no stage knows where it is from
};

/// Findings of all stages as causes, the gravest first. Findings of one cause at places that
/// contain each other are one group, at the place that is a component: a port explains the paths
/// that end there. Of different causes a group is one if finding::explains() says so at the same
/// place, in the same direction. Several paths that share an end and have no other explanation are
/// that end's. Info, cleared and waived findings, and warnings that explain no error, are left out.
[[nodiscard]] std::vector<CauseGroup> causes_of(const std::vector<StageFinding>& findings);

}  // namespace railgauge::validation
