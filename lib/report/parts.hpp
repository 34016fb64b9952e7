#pragma once

#include <string>

#include "report/report.hpp"

namespace railgauge::report {

/// The parts of a page, as HTML; each is empty if there is nothing for it.

std::string verdict_part(const Report& report);  // of all results: what is good, what failed, where
std::string curves_part(const verdict::RunSet& run_set, const verdict::Criteria& criteria);

// Of a collective.
std::string distribution_part(const results::CollectiveBody& body);  // of times, by size
std::string own_time_part(const results::CollectiveBody& body);      // of every rank, by size
std::string rail_times_part(const results::CollectiveBody& body);    // of every rail on every rank
std::string predictions_part(const results::CollectiveBody& body);   // and what was measured

// Of a reachability test.
std::string reachability_part(const results::ReachabilityBody& body);

// Of any result.
std::string placement_part(const results::Document& document);  // hosts, NUMA nodes, ranks, rails
std::string rails_part(const results::Document& document,
                       const verdict::RunSet& run_set);     // what went by every rail
std::string counters_part(const verdict::RunSet& run_set);  // what moved, of every port
std::string provenance_part(const verdict::Input& input);   // what ran, where, how, when

}  // namespace railgauge::report
