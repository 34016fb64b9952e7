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

// Of a collective.
std::string findings_part(const results::CollectiveBody& body);      // who is slow, and why
std::string edges_part(const results::CollectiveBody& body);         // of every connection
std::string distribution_part(const results::CollectiveBody& body);  // of times, by size
std::string own_time_part(const results::CollectiveBody& body,
                          const Ranks& ranks);  // of every rank or host, by size
std::string rail_times_part(const results::CollectiveBody& body,
                            const Ranks& ranks);  // of every rail on every rank or host
std::string predictions_part(const results::CollectiveBody& body);  // and what was measured

// Of a reachability test.
std::string reachability_part(const results::ReachabilityBody& body);

// Of a test of pairs.
std::string pairs_part(const results::PairsBody& body);

// Of a soak.
std::string soak_part(const results::SoakBody& body);  // its verdict, events, gaps
std::string soak_series_part(const results::SoakBody& body,
                             const std::optional<soak::Record>& samples);  // over time
std::string soak_rows_part(const results::SoakBody& body);                 // phase by phase

// Of a search for a bad component.
std::string isolate_part(const results::IsolateBody& body);       // its verdict and suspects
std::string isolate_rows_part(const results::IsolateBody& body);  // its tests

// Of any result.
std::string placement_part(const results::Document& document);  // hosts, NUMA nodes, ranks, rails
std::string rails_part(const results::Document& document,
                       const verdict::RunSet& run_set);     // what went by every rail
std::string counters_part(const verdict::RunSet& run_set);  // what moved, of every port
std::string provenance_part(const verdict::Input& input);   // what ran, where, how, when

/// The class of a verdict's cell: "good", "bad", "warn" or none.
std::string style_of(verdict::Verdict verdict);

}  // namespace railgauge::report
