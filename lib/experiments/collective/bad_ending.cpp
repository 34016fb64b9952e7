#include "experiments/collective/bad_ending.hpp"

namespace railgauge::runner {

using executor::Ending;
using results::Failure;

void fail(executor::Outcome outcome, const std::string& what, const std::string& operation,
          job::AbortChannel& abort_channel, std::chrono::seconds limit) {
  const std::string report = outcome.report();
  for (finding::Finding& fault : outcome.faults) fault.evidence.push_back({.text = operation});
  if (outcome.ending == Ending::deadline) {
    throw job::RunFailure(
        Failure::Kind::time_out,
        what + " did not end within " + std::to_string(limit.count()) + " s: " + report,
        outcome.faults);
  }
  if (outcome.ending == Ending::failed)
    throw job::RunFailure(Failure::Kind::transport, report, outcome.faults);
  if (outcome.ending == Ending::device)
    throw job::RunFailure(Failure::Kind::environment, report, outcome.faults);
  try {
    abort_channel.check();
  } catch (const job::RunFailure& stop) {
    throw job::RunFailure(stop.kind, stop.what() + (": " + report), outcome.faults);
  }
  throw job::RunFailure(Failure::Kind::stopped, report, outcome.faults);
}

}  // namespace railgauge::runner
