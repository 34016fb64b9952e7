#include "cluster/port_counters.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "telemetry/counters.hpp"

namespace railgauge::cluster {
namespace {

/// The rails whose counters a rank reads: those that no lower rank of its host has. Ranks of a host
/// share its ports, except soft devices: there every process has its own, with its own address.
std::vector<const results::RankRail*> rails_to_read(const results::Rank& reader,
                                                    const std::vector<results::Rank>& ranks) {
  std::vector<const results::RankRail*> rails;
  for (const results::RankRail& rail : reader.rails) {
    const auto has_it = [&](const results::Rank& other) {
      if (other.host != reader.host || other.rank >= reader.rank) return false;
      return std::ranges::any_of(other.rails, [&](const results::RankRail& one) {
        return one.device == rail.device && one.port == rail.port && one.address == rail.address;
      });
    };
    if (std::ranges::none_of(ranks, has_it)) rails.push_back(&rail);
  }
  return rails;
}

}  // namespace

std::vector<results::PortCounters> read_counters(job::Communicator& communicator,
                                                 const std::vector<results::Rank>& ranks) {
  nlohmann::json own = nlohmann::json::array();
  for (const results::RankRail* rail : rails_to_read(ranks[communicator.rank()], ranks)) {
    own.push_back(telemetry::read_counters(rail->device, rail->port));
  }
  const std::vector<std::uint8_t> packed = nlohmann::json::to_cbor(own);
  const auto everybody = communicator.all_gather(std::as_bytes(std::span(packed)));
  std::vector<results::PortCounters> all;
  for (const results::Rank& rank : ranks) {
    const auto& bytes = everybody[static_cast<std::size_t>(rank.rank)];
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto counters = nlohmann::json::from_cbor(begin, begin + bytes.size());
    const auto read = rails_to_read(rank, ranks);
    for (std::size_t i = 0; i < read.size(); ++i) {
      all.push_back({rank.host,
                     read[i]->device,
                     read[i]->port,
                     read[i]->rail,
                     read[i]->plane,
                     read[i]->address,
                     counters.at(i).get<telemetry::Counters>(),
                     {}});
    }
  }
  return all;
}

}  // namespace railgauge::cluster
