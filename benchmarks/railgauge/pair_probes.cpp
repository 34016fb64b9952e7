#include "benchmarks/railgauge/pair_probes.hpp"

#include <stdexcept>
#include <tuple>

#include "benchmarks/railgauge/result_input.hpp"

namespace railgauge::benchmarks {
namespace {

using doctor::Did;
using results::PairRow;
using results::PairVerdict;

doctor::ProbedPort port_of(const results::Endpoint& end) {
  return {end.host, end.device, end.port};
}

Did did(const PairRow& row) {
  if (row.verdict == PairVerdict::pass) return Did::well;
  if (row.figures.lost_packet_bytes) return Did::lost_large_packets;
  return row.figures.reason.empty() ? Did::slowly : Did::nothing;
}

std::string remark_of(const PairRow& row) {
  const auto& [passed, lost] =
      std::tie(row.figures.passed_packet_bytes, row.figures.lost_packet_bytes);
  if (!lost) return row.remark;
  return (passed ? "packets of " + std::to_string(*passed) + " bytes pass, and " : "packets ") +
         "of " + std::to_string(*lost) + (passed ? " do not" : " bytes do not pass");
}

doctor::PairProbe probe_of(const PairRow& row) {
  return {.from = port_of(row.from),
          .to = port_of(row.to),
          .same_rail = row.same_rail,
          .did = did(row),
          .sure = row.verdict == PairVerdict::fail,
          .remark = remark_of(row)};
}

}  // namespace

doctor::PairProbes pair_probes_in(const std::string& file) {
  const ResultInput read = read_result(file);
  const auto* const document = std::get_if<results::Document>(&read.input);
  const auto* const body =
      document == nullptr ? nullptr : std::get_if<results::PairsBody>(&document->body);
  if (body == nullptr)
    throw std::invalid_argument("--pairs " + file +
                                " is no result of reachability_perf or pairs_perf");
  doctor::PairProbes pairs;
  for (const PairRow& row : body->rows) pairs.probes.push_back(probe_of(row));
  const auto& code = document->exit_code;
  const bool whole = code == results::ExitCode::ok || code == results::ExitCode::verdict_failed;
  if (!whole) pairs.unfinished = "status '" + status_of(*document) + "'";
  return pairs;
}

}  // namespace railgauge::benchmarks
