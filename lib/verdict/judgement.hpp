#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// Judgements for people, in lines of at most 100 columns: for each result a line with the verdict
/// and a reading in words, under it each criterion with its verdict and a line for each reason;
/// then the details of all, curve by curve. "our %" and "their %" are shares of the line rate of a
/// host's NICs. A verdict of software devices says SOFTWARE.
void write_table(std::ostream& out, const std::vector<Judgement>& judgements);

/// Judgements as a document of results-schema/railgauge-comparison-1.schema.json, ending in a line
/// feed. `verdict` is that of all results together.
std::string json_text(const std::vector<Judgement>& judgements, Verdict verdict);

}  // namespace railgauge::verdict
