#pragma once

#include <chrono>
#include <string>

#include "executor/executor.hpp"
#include "job/abort_channel.hpp"

namespace railgauge::runner {

/// Ends this rank's run because of an outcome other than done: throws job::RunFailure. `what` did
/// not end in time; `operation` goes into the evidence of every fault: what the fabric carried when
/// it failed.
[[noreturn]] void fail(executor::Outcome outcome, const std::string& what,
                       const std::string& operation, job::AbortChannel& abort_channel,
                       std::chrono::seconds limit);

}  // namespace railgauge::runner
