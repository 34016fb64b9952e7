#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace railgauge::report {

/// What somebody who is handed a report asks first.
struct Fact {
  std::string name{};
  std::string text{};
};

/// What ran, when, on which hosts, by which NICs (and whether they are software), and its plateau
/// against line rate, in this order. What is not known is left out.
std::vector<Fact> facts_of(const Result& result);

/// The verdict in one sentence: "PASS (SOFTWARE): bandwidth fine; latency fine." `asked`: whether
/// there is a criterion at all.
std::string sentence_of(const Result& result, bool asked);

}  // namespace railgauge::report
