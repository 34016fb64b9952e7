#pragma once

#include <ostream>
#include <vector>

#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// Judgements for people: for each result and criterion a line with the verdict and how many
/// findings there are of each, and under it the findings. "our %" and "their %" are shares of the
/// line rate of a host's NICs.
void write_table(std::ostream& out, const std::vector<Judgement>& judgements);

}  // namespace railgauge::verdict
