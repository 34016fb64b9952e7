#pragma once

#include <map>
#include <string>

#include "job/communicator.hpp"
#include "results/document.hpp"

namespace railgauge::job {

/// Collective: throws RunFailure (usage), on all ranks, if two of them are of another version, or
/// have another value of an option; it names both ranks and what differs. --device and --devices
/// may differ from host to host.
void check_consistency(Communicator& communicator, const std::string& version,
                       const std::map<std::string, results::Option>& options);

}  // namespace railgauge::job
