#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verdict/comparison.hpp"
#include "verdict/finding.hpp"
#include "verdict/run_set.hpp"

// lib/report holds results and their verdicts as one hands them over: a page, a comment on a pull
// request, a test report. It must not judge, nor know how anything was measured.

namespace railgauge::report {

using Json = nlohmann::ordered_json;

/// A result: its document as it was read, what of it is judged, and the judgement.
// NOLINTNEXTLINE(bugprone-exception-escape): to clang-tidy 14 JSON throws when it moves
struct Result {
  Json document{};
  verdict::RunSet run_set{};
  verdict::Judgement judgement{};
};

/// What is reported, and what it was held to.
struct Report {
  std::vector<Result> results{};
  verdict::Criteria criteria{};
  bool asked = false;  // whether there is a criterion at all
  verdict::Verdict verdict = verdict::Verdict::pass;
};

/// The three forms. All that comes from documents is escaped. Throws std::runtime_error, which
/// names the field, for a document that is not of its schema.
std::string page(const Report& report);      // one HTML file that needs nothing else
std::string markdown(const Report& report);  // for a pull request
std::string junit(const Report& report);     // for CI: a test case for each finding

}  // namespace railgauge::report
