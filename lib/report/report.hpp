#pragma once

#include <optional>
#include <string>
#include <vector>

#include "soak/record.hpp"
#include "verdict/comparison.hpp"
#include "verdict/run_set.hpp"

// lib/report holds results and their verdicts as one hands them over: a page, a comment on a pull
// request, a test report. It must not judge, nor know how anything was measured.

namespace railgauge::report {

/// A result as it was read, what of it is judged, and the judgement.
struct Result {
  verdict::Input input{};
  verdict::RunSet run_set{};
  verdict::Judgement judgement{};
  std::optional<soak::Record> samples{};  // of a soak, if they were found
  std::string link{};                     // from the page to the document; empty: there is none
};

/// What is reported, and what it was compared with.
struct Report {
  std::vector<Result> results{};
  verdict::Criteria criteria{};
};

/// Of all results the worst: "FAIL", or of software devices "FAIL (SOFTWARE)".
std::string outcome_words(const Report& report);
finding::Outcome outcome_of(const Report& report);

/// Whether a criterion says more than the reason and the findings, which a reader sees first.
bool tells_more(const verdict::Judgement& judgement, const verdict::Part& part);

/// The three forms. All that comes from documents is escaped.
std::string page(const Report& report);      // one HTML file that needs nothing else
std::string markdown(const Report& report);  // for a pull request
std::string junit(const Report& report);     // for CI: a test case for each row and criterion

}  // namespace railgauge::report
