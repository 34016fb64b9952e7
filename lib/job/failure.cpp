#include "job/failure.hpp"

namespace railgauge::job {

using results::ExitCode;
using results::Failure;

RunFailure timed_out(std::chrono::seconds limit, const std::string& what) {
  constexpr std::chrono::seconds kShort{10};
  const std::string time = std::to_string(limit.count()) + " s";
  std::string text = "timed out after " + time + " waiting for other ranks at " + what;
  if (limit < kShort) {
    text +=
        "; -T " + std::to_string(limit.count()) +
        " is short: in that time ranks also set up devices and memory, which may take seconds on "
        "a busy host";
  }
  return {Failure::Kind::time_out, text};
}

ExitCode exit_code_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::time_out:
    case Failure::Kind::transport: return ExitCode::time_out;
    case Failure::Kind::wrong_data: return ExitCode::wrong_data;
    case Failure::Kind::usage: return ExitCode::usage;
    case Failure::Kind::verdict: return ExitCode::verdict_failed;
    case Failure::Kind::interrupted: return ExitCode::interrupted;
    case Failure::Kind::environment:
    case Failure::Kind::lost:
    case Failure::Kind::stopped: break;
  }
  return ExitCode::environment;
}

}  // namespace railgauge::job
