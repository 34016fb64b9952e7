#pragma once

#include <string>
#include <vector>

#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// Judgements as a document of results-schema/railgauge-comparison-1.schema.json, ending in a line
/// feed. `verdict` is that of all results together.
std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict);

}  // namespace railgauge::verdict
