#include "job/failure.hpp"

namespace railgauge::job {

using results::ExitCode;
using results::Failure;

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
