#pragma once

#include <optional>
#include <string>
#include <vector>

#include "soak/record.hpp"
#include "verdict/comparison.hpp"
#include "verdict/finding.hpp"
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
};

/// What is reported, and what it was held to.
struct Report {
  std::vector<Result> results{};
  verdict::Criteria criteria{};
  bool asked = false;  // whether there is a criterion at all
  verdict::Verdict verdict = verdict::Verdict::pass;
};

/// Whether one of its results ran on software devices, which is said at every verdict.
bool is_of_software(const Report& report);

/// The three forms. All that comes from documents is escaped.
std::string page(const Report& report);      // one HTML file that needs nothing else
std::string markdown(const Report& report);  // for a pull request
std::string junit(const Report& report);     // for CI: a test case for each finding

}  // namespace railgauge::report
