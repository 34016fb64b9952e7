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

/// Of its curves the highest bandwidth, against line rate; nothing if it has none.
std::string plateau_of(const verdict::RunSet& run_set);

/// Why the outcome is what it is; of a PASS its warnings first.
std::string reason_of(const Result& result);

/// The same with the outcome: "PASS (SOFTWARE): line rate: bandwidth compared."
std::string sentence_of(const Result& result);

}  // namespace railgauge::report
