#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// Judgements for people: for each result and criterion a line with the verdict and how many
/// findings there are of each, and under it the findings. "our %" and "their %" are shares of the
/// line rate of a host's NICs.
void write_table(std::ostream& out, const std::vector<Judgement>& judgements);

/// Judgements as a document of results-schema/railgauge-comparison-1.schema.json, ending in a line
/// feed. `verdict` is that of all results together.
std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict);

}  // namespace railgauge::verdict
