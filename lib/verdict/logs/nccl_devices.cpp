#include "verdict/logs/nccl_devices.hpp"

#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
bool NcclDevices::read(std::string_view line) {
  const auto rank = after(line, "#  Rank ");
  const auto host = after(line, " on ");
  if (!rank || !host || !after(line, " Pid ")) return false;
  const auto number_of_rank = small_number(first_word(*rank));
  if (!number_of_rank) return false;
  const std::string name = first_word(*host);
  host_of_rank_[*number_of_rank] = name;
  if (const auto address = after(line, " address ")) nics_[name].insert(first_word(*address));
  if (const auto link = after(line, " link ")) {
    line_rates_.insert(number(first_word(*link)).value_or(0));
  }
  return true;
}

void NcclDevices::tell(Run& run) const {
  if (host_of_rank_.empty()) return;
  const int ranks = host_of_rank_.rbegin()->first + 1;
  run.ranks = ranks;
  if (static_cast<int>(host_of_rank_.size()) < ranks) return;  // some lines are missing
  std::set<std::string> hosts;
  for (const auto& [rank, host] : host_of_rank_) hosts.insert(host);
  run.nodes = static_cast<int>(hosts.size());
  std::set<std::size_t> nics;
  for (const auto& [host, addresses] : nics_) nics.insert(addresses.size());
  if (nics.size() == 1 && nics_.size() == hosts.size()) {
    run.nics_per_node = static_cast<int>(*nics.begin());
  }
  if (line_rates_.size() == 1) run.line_rate_gigabits_per_second = *line_rates_.begin();
}

}  // namespace railgauge::verdict
