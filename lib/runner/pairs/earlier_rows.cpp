#include "runner/pairs/earlier_rows.hpp"

#include <map>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "pairs/judgement.hpp"
#include "runner/pairs/pairs_plan.hpp"

namespace railgauge::runner {
namespace {

using results::Endpoint;
using ByName = std::map<Endpoint, Endpoint>;  // without its address: with it

Endpoint without_address(Endpoint end) {
  end.address.clear();
  return end;
}

ByName nics_by_name(const std::vector<Endpoint>& ends) {
  ByName found;
  for (const Endpoint& end : ends) found.emplace(without_address(end), end);
  return found;
}

std::vector<Endpoint> endpoints_of(const AllNics& all) {
  std::vector<Endpoint> ends;
  ends.reserve(all.nics.size());
  for (const reachability::Nic& nic : all.nics) ends.push_back(endpoint_of(nic));
  return ends;
}

[[noreturn]] void refuse_nics(const std::string& why) {
  throw job::RunFailure(results::Failure::Kind::usage,
                        "--resume: " + why +
                            ": go on with the same hosts and devices, or measure all again, into "
                            "another file");
}

const Endpoint& end_now(const ByName& now, const Endpoint& end) {
  const auto found = now.find(without_address(end));
  if (found == now.end())
    refuse_nics("the result has " + pairs::name_of(end) + ", which does not take part now");
  return found->second;
}

}  // namespace

std::vector<results::PairRow> rows_of_same_nics(EarlierRows earlier, const AllNics& now) {
  const ByName before = nics_by_name(earlier.nics);
  const ByName present = nics_by_name(endpoints_of(now));
  for (const auto& [name, end] : before) (void)end_now(present, end);
  for (results::PairRow& row : earlier.rows) {
    row.from = end_now(present, row.from);
    row.to = end_now(present, row.to);
  }
  for (const auto& [name, end] : present) {
    if (!before.empty() && !before.contains(name))
      refuse_nics(pairs::name_of(end) + " takes part now, and the result does not have it");
  }
  return std::move(earlier.rows);
}

}  // namespace railgauge::runner
