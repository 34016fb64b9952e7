#pragma once

#include <string>

#include "report/report.hpp"

namespace railgauge::report {

/// The parts of a page, as HTML; each is empty if the document has nothing for it.

std::string verdict_part(const Report& report);  // of all results: what is good, what failed, where
std::string curves_part(const Result& result, const verdict::Criteria& criteria);
std::string distribution_part(const Result& result);  // of times, by size
std::string own_time_part(const Result& result);      // of ranks beside each other, by size
std::string rail_times_part(const Result& result);    // how long rails took every rank
std::string placement_part(const Result& result);     // hosts, NUMA nodes, ranks, rails
std::string rails_part(const Result& result);         // what went by every rail, by its drivers
std::string counters_part(const Result& result);      // what moved, of every port
std::string predictions_part(const Result& result);   // beside what was measured
std::string certificate_part(const Result& result);   // what ran, where, how, when

}  // namespace railgauge::report
