#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "results/document.hpp"
#include "transport/exchange.hpp"

namespace railgauge::job {

using Options = std::map<std::string, results::Option>;

/// What has to be the same on all ranks, by name: the version and every option. --device and
/// --devices may differ from host to host, and are left out.
using CommonValues = std::map<std::string, std::string>;
[[nodiscard]] CommonValues common_values(const std::string& version, const Options& options);

/// What differs between rank 0 and this rank, in a sentence that names both; "" if nothing does.
[[nodiscard]] std::string describe_difference(const CommonValues& of_rank_0,
                                              const CommonValues& of_rank, std::size_t rank);

/// Collective: throws RunFailure (usage), on all ranks, if two of them differ.
void check_consistency(transport::Exchange& exchange, const std::string& version,
                       const Options& options);

}  // namespace railgauge::job
