#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/option.hpp"
#include "results/rank.hpp"

// Whether a run may go on with what an earlier one recorded. All return the first thing that
// differs, in a sentence that names both, and nothing if there is none.

namespace railgauge::results {

/// "WHAT is NOW, and the record's is RECORDED".
[[nodiscard]] std::string differs(const std::string& what, const std::string& recorded,
                                  const std::string& now);

/// Where output goes, how long the run lasts and how long ranks are waited for may differ.
[[nodiscard]] std::string difference_of_options(const std::map<std::string, Option>& recorded,
                                                const std::map<std::string, Option>& now);

/// Of ranks, hosts and rails. Of a host that was swapped for another it says so: "host3 has taken
/// the place of host2, which had ranks 4 and 5". Process numbers and addresses of software devices
/// may differ.
[[nodiscard]] std::string difference_of_fabrics(const std::vector<Rank>& recorded,
                                                const std::vector<Rank>& now);

}  // namespace railgauge::results
