#include <algorithm>

#include "reachability/heat_map.hpp"
#include "report/html.hpp"
#include "report/parts.hpp"

namespace railgauge::report {
namespace {

using results::Endpoint;

/// The place of an end among the NICs; their number if it is not there.
std::size_t place_of(const Endpoint& end, const std::vector<reachability::Nic>& nics) {
  const auto found = std::ranges::find_if(nics, [&](const reachability::Nic& nic) {
    return nic.host == end.host && nic.rail == end.rail && nic.plane == end.plane;
  });
  return static_cast<std::size_t>(found - nics.begin());
}

/// The ends as rows have them: those that send first, in the order of rows, then any other.
std::vector<reachability::Nic> nics_of(const results::ReachabilityBody& body) {
  std::vector<reachability::Nic> nics;
  for (const Endpoint results::ReachabilityRow::*end :
       {&results::ReachabilityRow::from, &results::ReachabilityRow::to}) {
    for (const results::ReachabilityRow& row : body.rows) {
      const Endpoint& one = row.*end;
      if (place_of(one, nics) < nics.size()) continue;
      nics.push_back({.host = one.host,
                      .rail = one.rail,
                      .plane = one.plane,
                      .device = one.device,
                      .port = one.port,
                      .address = one.address});
    }
  }
  return nics;
}

reachability::Matrix matrix_of(const results::ReachabilityBody& body) {
  reachability::Matrix matrix(nics_of(body));
  for (const results::ReachabilityRow& row : body.rows) {
    matrix.add(place_of(row.from, matrix.nics()), place_of(row.to, matrix.nics()),
               {.reached = row.reached,
                .latency_us = row.latency_us.value_or(0),
                .gigabytes_per_second = row.gigabytes_per_second.value_or(0),
                .reason = row.reason});
  }
  return matrix;
}

std::string summary_of(const results::ReachabilityBody& body) {
  std::vector<std::vector<Cell>> rows;
  for (const results::ReachabilitySummary& summary : body.summary) {
    const bool all = summary.reached == summary.tested;
    rows.push_back({{summary.same_rail ? "same rail" : "different rails", ""},
                    {std::to_string(summary.tested), ""},
                    {std::to_string(summary.reached), all ? "" : "warn"},
                    {number_text(summary.median_gigabytes_per_second), ""}});
  }
  return table({"pairs", "tested", "reached", "median, GB/s"}, rows);
}

std::string name_of(const Endpoint& end) {
  return end.host + " rail " + std::to_string(end.rail) + " (" + end.device + ")";
}

std::string pairs_of(const results::ReachabilityBody& body) {
  std::vector<std::vector<Cell>> rows;
  for (const results::ReachabilityRow& row : body.rows) {
    const auto figure = [](const std::optional<double>& value) {
      return Cell{value ? number_text(*value) : "", ""};
    };
    rows.push_back({{name_of(row.from), ""},
                    {name_of(row.to), ""},
                    {row.reached ? "yes" : "no", row.reached ? "" : "bad"},
                    figure(row.latency_us),
                    figure(row.gigabytes_per_second),
                    {row.reason, ""}});
  }
  return folded("All pairs",
                table({"from", "to", "reached", "latency, µs", "GB/s", "reason"}, rows));
}

}  // namespace

std::string reachability_part(const results::ReachabilityBody& body) {
  if (body.rows.empty()) return "";
  return section("Reachability",
                 summary_of(body) + reachability::picture(matrix_of(body)) + pairs_of(body));
}

}  // namespace railgauge::report
