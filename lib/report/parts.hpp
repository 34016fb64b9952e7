#pragma once

#include <string>

#include "report/report.hpp"

namespace railgauge::report {

using Ranks = std::vector<results::Rank>;

/// The parts of a page, as HTML; each is empty if there is nothing for it. Of many hosts a part
/// shows those that stand out, worst first, with the others folded up or counted, so that a page
/// has some screens, whatever the size of the fabric.

std::string head_part(const Report& report);     // of all results: the verdict, and what it is of
std::string verdict_part(const Report& report);  // of all results: what is good, what failed, where
std::string curves_part(const verdict::RunSet& run_set, const verdict::Criteria& criteria);

std::string findings_part(const finding::Report& report);  // what is wrong, causes first

// A kind of result: what ran and how fast it was, in a few words, and parts of its own. Whoever
// adds a kind adds these, in a file of its own.
std::string what_ran(const results::CollectiveBody& body);
std::string plateau(const results::CollectiveBody& body, const verdict::RunSet& run_set);
std::string parts_of(const results::CollectiveBody& body, const Ranks& ranks);

std::string what_ran(const results::PairsBody& body);
std::string plateau(const results::PairsBody& body, const verdict::RunSet& run_set);
std::string parts_of(const results::PairsBody& body, const Ranks& ranks);

std::string what_ran(const results::SoakBody& body);
std::string plateau(const results::SoakBody& body, const verdict::RunSet& run_set);
std::string parts_of(const results::SoakBody& body, const Ranks& ranks);

std::string what_ran(const results::IsolateBody& body);
inline std::string plateau(const results::IsolateBody& /*body*/,
                           const verdict::RunSet& /*run_set*/) {
  return "";
}
std::string parts_of(const results::IsolateBody& body, const Ranks& ranks);

std::string what_ran(const results::CongestionBody& body);
inline std::string plateau(const results::CongestionBody& /*body*/,
                           const verdict::RunSet& /*run_set*/) {
  return "";
}
std::string parts_of(const results::CongestionBody& body, const Ranks& ranks);

std::string what_ran(const results::JobBody& body);
inline std::string plateau(const results::JobBody& /*body*/, const verdict::RunSet& /*run_set*/) {
  return "";
}
std::string parts_of(const results::JobBody& body, const Ranks& ranks);

// Of a collective.
std::string distribution_part(const results::CollectiveBody& body);  // of times, by size
std::string own_time_part(const results::CollectiveBody& body,
                          const Ranks& ranks);  // of every rank or host, by size
std::string rail_times_part(const results::CollectiveBody& body,
                            const Ranks& ranks);  // of every rail on every rank or host
std::string predictions_part(const results::CollectiveBody& body);  // and what was measured

// Of a soak.
std::string soak_part(const results::SoakBody& body);  // its figures and gaps
std::string soak_series_part(const results::SoakBody& body,
                             const std::optional<soak::Record>& samples);  // over time

std::string examination_part(const doctor::Document& examination);  // hosts that differ, checks

// Of any result.
std::string placement_part(const results::Document& document);  // hosts, NUMA nodes, ranks, rails
std::string counters_part(const verdict::RunSet& run_set);      // what moved, of every port
std::string provenance_part(const verdict::Input& input);       // what ran, where, how, when

/// The class of an outcome's cell: "good", "bad" or "warn".
std::string style_of(finding::Outcome outcome);

}  // namespace railgauge::report
