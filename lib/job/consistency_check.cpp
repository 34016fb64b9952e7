#include "job/consistency_check.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "job/exchanged_values.hpp"
#include "job/failure.hpp"

namespace railgauge::job {
namespace {

std::string value_in(const CommonValues& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "not there" : "'" + found->second + "'";
}

/// The names of both.
std::set<std::string> names_in(const CommonValues& one, const CommonValues& other) {
  std::set<std::string> names;
  for (const auto* values : {&one, &other}) {
    for (const auto& [name, value] : *values) names.insert(name);
  }
  return names;
}

std::string difference(const std::string& name, const std::string& first, const std::string& other,
                       std::size_t rank) {
  return "ranks do not agree: " + name + " is " + first + " on rank 0 and " + other + " on rank " +
         std::to_string(rank) + "; start all ranks with the same binary, options and environment";
}

}  // namespace

CommonValues common_values(const std::string& version, const Options& options) {
  CommonValues values{{"the version", version}};
  for (const auto& [name, option] : options) {
    if (name == "devices" || name == "device") continue;
    const auto json =
        std::visit([](const auto& held) { return nlohmann::json(held); }, option.value);
    values["--" + name] = json.is_string() ? json.get<std::string>() : json.dump();
  }
  return values;
}

std::string describe_difference(const CommonValues& of_rank_0, const CommonValues& of_rank,
                                std::size_t rank) {
  for (const std::string& name : names_in(of_rank_0, of_rank)) {
    const std::string first = value_in(of_rank_0, name);
    const std::string other = value_in(of_rank, name);
    if (first == other) continue;
    return difference(name, first, other, rank);
  }
  return "";
}

void check_consistency(transport::Exchange& exchange, const std::string& version,
                       const Options& options) {
  const auto of_ranks = exchange.all_gather(packed(common_values(version, options)));
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
    if (of_ranks[rank] == of_ranks[0]) continue;
    refuse_use(describe_difference(unpacked<CommonValues>(of_ranks[0]),
                                   unpacked<CommonValues>(of_ranks[rank]), rank));
  }
}

}  // namespace railgauge::job
