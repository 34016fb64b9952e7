#include "results/exit_code.hpp"

#include <stdexcept>

namespace railgauge::results {

std::string_view status_word(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return "ok";
    case ExitCode::verdict_failed: return "failed";
    case ExitCode::usage: return "usage";
    case ExitCode::time_out: return "time-out";
    case ExitCode::wrong_data: return "wrong-data";
    case ExitCode::environment: return "environment";
    case ExitCode::interrupted: return "interrupted";
  }
  throw std::invalid_argument("no exit code of railgauge's");
}

}  // namespace railgauge::results
