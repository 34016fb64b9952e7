#include "runner/isolation/evidence_file.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/codec.hpp"
#include "results/document.hpp"
#include "results/input_file.hpp"

namespace railgauge::runner {
namespace {

using results::IsolateRow;
using Rows = std::vector<IsolateRow>;

Rows rows_of(const results::IsolateBody& body) {
  return body.rows;
}

/// They may all have run at the same time, for all that is known.
Rows rows_of(const results::ReachabilityBody& body) {
  Rows rows;
  rows.reserve(body.rows.size());
  for (const results::ReachabilityRow& row : body.rows) {
    IsolateRow& made = rows.emplace_back();
    made.from = row.from;
    made.to = row.to;
    made.failed = !row.reached;
    made.gigabytes_per_second = row.gigabytes_per_second;
    made.p50_us = row.latency_us;
    made.reason = row.reason;
  }
  return rows;
}

template <class Body>
Rows rows_of(const Body&) {
  throw std::runtime_error(std::string("a result of the kind '") + Body::kKind +
                           "' does not tell single ways between NICs; isolate_perf and "
                           "reachability_perf write such");
}

}  // namespace

Rows read_evidence(const std::string& path) {
  try {
    const auto json = nlohmann::ordered_json::parse(results::read_input(path));
    const results::Document document = results::read_document(json);
    return std::visit([](const auto& body) { return rows_of(body); }, document.body);
  } catch (const std::exception& error) {
    throw std::runtime_error(results::name_of_input(path) + ": " + error.what());
  }
}

std::string packed(const Rows& rows) {
  return results::encode(rows).dump();
}

Rows unpacked(const std::string& text) {
  Rows rows;
  results::decode(results::Json::parse(text), rows);
  return rows;
}

}  // namespace railgauge::runner
