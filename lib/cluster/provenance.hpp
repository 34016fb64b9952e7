#pragma once

#include <map>
#include <string>
#include <vector>

#include "job/communicator.hpp"
#include "results/document.hpp"

namespace railgauge::cluster {

/// Variables of this process that may change what is measured: by name, from a list, and by the
/// prefixes of libraries that are under test. Never the whole environment, which has secrets.
[[nodiscard]] std::map<std::string, std::string> relevant_environment();

/// Collective: the hosts of these ranks, each as its first rank describes it, known to all.
[[nodiscard]] std::vector<results::Host> describe_hosts(job::Communicator& communicator,
                                                        const std::vector<results::Rank>& ranks);

}  // namespace railgauge::cluster
