#pragma once

#include <CLI/CLI.hpp>

namespace railgauge::runner {

/// Options of nccl-tests that speak of GPUs: whoever gives one is told what to use instead, because
/// a script that means it would not get what it asks for.
void refuse_options(CLI::App& app);

}  // namespace railgauge::runner
