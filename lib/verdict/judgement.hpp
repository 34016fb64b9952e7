#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "verdict/row.hpp"

namespace railgauge::verdict {

/// The part that holds what a run says of itself.
constexpr const char* kOwn = "run";

/// One criterion: what was compared, and what that says.
struct Part {
  std::string criterion{};  ///< kOwn, "line rate", "baseline yesterday.json"
  Rows rows{};
  finding::Report report{};
};

/// Whether it has an outcome; one of notes has none.
[[nodiscard]] bool decides(const Part& part);

/// A result and all that was compared.
struct Judgement {
  std::string result{};  ///< its file
  std::vector<Part> parts{};
  finding::Policy policy{};
  bool software = false;  ///< it ran on software devices: its outcome says nothing of hardware
};

/// The findings and the coverage of all parts, which decide the outcome (finding/outcome.hpp).
[[nodiscard]] finding::Report report_of(const Judgement& judgement);
[[nodiscard]] finding::Outcome outcome_of(const Judgement& judgement);
[[nodiscard]] finding::Outcome outcome_of(const Judgement& judgement, const Part& part);

/// Of several results: the worst.
[[nodiscard]] finding::Outcome outcome_of(const std::vector<Judgement>& judgements);

/// Whether all that is wrong is that something could not be compared: the run itself passes, if it
/// says anything, and nothing fails.
[[nodiscard]] bool passes_but_for_gaps(const Judgement& judgement);

/// "PASS", or of software devices "PASS (SOFTWARE)".
[[nodiscard]] std::string outcome_words(finding::Outcome outcome, bool software);

/// What decides, what was compared and not compared, and what limits it (Row::limits), also lines
/// of a log that were not understood: "1 finding: fabric: all_reduce float: 64K-1M slow by 20 %;
/// baseline then.json: bandwidth and 25 sizes compared, latency not compared".
[[nodiscard]] std::string headline(const Judgement& judgement);

/// "compared bandwidth and 1 of 25 sizes", then the findings, then what was not tested.
[[nodiscard]] std::vector<std::string> reasons_of(const Judgement& judgement, const Part& part);

/// Judgements for people, in lines of at most 100 columns: for each result a line with the outcome
/// and the headline, under it each criterion with its outcome and a line for each reason; then the
/// rows of all, curve by curve. "our %" and "their %" are shares of the line rate of a host's NICs.
void write_table(std::ostream& out, const std::vector<Judgement>& judgements);

/// Judgements as a document of results-schema/railgauge-comparison-1.schema.json, ending in a line
/// feed.
[[nodiscard]] std::string json_text(const std::vector<Judgement>& judgements);

}  // namespace railgauge::verdict
