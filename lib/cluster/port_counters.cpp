#include "cluster/port_counters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <tuple>

#include "job/exchanged_values.hpp"
#include "telemetry/ethtool.hpp"
#include "telemetry/meaning.hpp"
#include "telemetry/port_condition.hpp"

namespace railgauge::cluster {

namespace {

/// [rank] What ports_read_by() says. The addresses of soft devices differ.
using Readers = std::vector<std::vector<const results::RankRail*>>;

Readers readers_of(const std::vector<results::Rank>& ranks) {
  std::set<std::tuple<std::string, std::string, int, std::string>> taken;
  Readers readers(ranks.size());
  for (const results::Rank& rank : ranks) {
    for (const results::RankRail& rail : rank.rails) {
      if (!taken.insert({rank.host, rail.device, rail.port, rail.address}).second) continue;
      readers[static_cast<std::size_t>(rank.rank)].push_back(&rail);
    }
  }
  return readers;
}

std::vector<telemetry::Counters> read_all(const std::vector<const results::RankRail*>& rails) {
  std::vector<telemetry::Counters> counters;
  counters.reserve(rails.size());
  for (const results::RankRail* rail : rails) {
    counters.push_back(counters_of(*rail));
  }
  return counters;
}

/// The ports that a rank reads, with what it says of each, from all ranks, in their order.
template <class Value, class Take>
void gather(job::Communicator& communicator, const std::vector<results::Rank>& ranks,
            const Readers& readers, const std::vector<Value>& own, const Take& take) {
  std::vector<std::vector<Value>> said = job::all_gather_values(communicator, own);
  for (const results::Rank& rank : ranks) {
    const auto number = static_cast<std::size_t>(rank.rank);
    for (std::size_t i = 0; i < readers[number].size(); ++i)
      take(rank, *readers[number][i], std::move(said[number].at(i)));
  }
}

using Moved = std::map<std::string, std::int64_t>;

/// Whether it is known to count something else than traffic. What is not known may be anything, and
/// stands in the document's counters.
bool is_event(const std::string& name) {
  const auto meaning = telemetry::meaning_of(name);
  return meaning && meaning->counted != telemetry::Counted::traffic;
}

/// Nothing if nothing but traffic was counted; of a software device always all.
Moved unless_quiet(const results::RankRail& rail, Moved moved) {
  const bool quiet = std::ranges::none_of(moved, is_event, &Moved::value_type::first);
  const bool counts = !quiet || rail.kind != results::DeviceKind::hardware;
  return counts ? std::move(moved) : Moved();
}

/// Of a port: what says which it is, and what it counted.
template <class Port>
results::PortEvents port_events(const std::string& host, const Port& port, Moved moved) {
  results::PortEvents events{
      .host = host,
      .device = port.device,
      .port = port.port,
      .rail = port.rail,
      .plane = port.plane,
      .address = port.address,
      .packets_sent = telemetry::packets(moved, finding::Direction::transmit),
      .packets_received = telemetry::packets(moved, finding::Direction::receive)};
  std::erase_if(moved, [](const auto& entry) { return !is_event(entry.first); });
  events.moved = std::move(moved);
  return events;
}

bool is_of(const results::PortCounters& counters, const std::string& host,
           const results::RankRail& rail) {
  return counters.host == host && counters.device == rail.device && counters.port == rail.port &&
         counters.address == rail.address;
}

void add(FinalCounters last, std::vector<results::PortCounters>& counters,
         std::vector<results::PortEvents>& events) {
  results::PortCounters& port = counters.at(last.port);
  if (port.after.empty()) port.after = std::move(last.after);
  if (last.of_row.empty()) return;
  events.push_back(port_events(port.host, port, std::move(last.of_row)));
}

}  // namespace

telemetry::Counters counters_of(const results::RankRail& rail) {
  telemetry::Counters counters = telemetry::read_counters(rail.device, rail.port);
  counters.merge(telemetry::read_host_counters(rail.device, rail.netdev));
  counters.merge(telemetry::read_ethtool_counters(rail.netdev));
  return counters;
}

std::chrono::milliseconds counters_age(const results::RankRail& rail) {
  return std::max(telemetry::refresh_time(rail.device, rail.port),
                  telemetry::ethtool_refresh_time(rail.netdev));
}

std::vector<const results::RankRail*> ports_read_by(const std::vector<results::Rank>& ranks,
                                                    std::size_t rank) {
  return readers_of(ranks).at(rank);
}

std::vector<results::PortCounters> read_counters(job::Communicator& communicator,
                                                 const std::vector<results::Rank>& ranks) {
  const Readers readers = readers_of(ranks);
  std::vector<results::PortCounters> all;
  gather(
      communicator, ranks, readers, read_all(readers[communicator.rank()]),
      [&](const results::Rank& rank, const results::RankRail& rail, telemetry::Counters counters) {
        all.push_back({rank.host,
                       rail.device,
                       rail.port,
                       rail.rail,
                       rail.plane,
                       rail.address,
                       std::move(counters),
                       {}});
      });
  return all;
}

PortWatch::PortWatch(job::Communicator& communicator, const std::vector<results::Rank>& ranks)
    : communicator_(communicator), ranks_(ranks), readers_(readers_of(ranks)) {
  restart();
}

std::vector<telemetry::Counters> PortWatch::read() const {
  return read_all(readers_[communicator_.rank()]);
}

void PortWatch::take(std::vector<telemetry::Counters> now) {
  last_ = std::move(now);
  std::chrono::milliseconds longest{0};
  for (const results::RankRail* rail : readers_[communicator_.rank()])
    longest = std::max(longest, counters_age(*rail));
  fresh_at_ = std::chrono::steady_clock::now() + longest;
}

std::vector<results::PortEvents> PortWatch::next() {
  std::this_thread::sleep_until(fresh_at_);
  std::vector<telemetry::Counters> now = read();
  std::vector<Moved> own;
  own.reserve(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    own.push_back(
        unless_quiet(*readers_[communicator_.rank()][i], telemetry::moved(last_[i], now[i])));
  }
  take(std::move(now));
  std::vector<results::PortEvents> all;
  gather(communicator_, ranks_, readers_, own,
         [&](const results::Rank& rank, const results::RankRail& rail, Moved moved) {
           if (!moved.empty()) all.push_back(port_events(rank.host, rail, std::move(moved)));
         });
  return all;
}

/// Every rank reads all of its ports, as the one that reads them for its host may be the one that
/// is lost. Only that one knows how the row began.
std::string PortWatch::final_counters(const std::vector<results::PortCounters>& counters) const {
  const results::Rank& own = ranks_[communicator_.rank()];
  const auto& watched = readers_[communicator_.rank()];
  std::vector<FinalCounters> all;
  for (const results::RankRail& rail : own.rails) {
    const auto found = std::ranges::find_if(
        counters, [&](const results::PortCounters& one) { return is_of(one, own.host, rail); });
    if (found == counters.end()) continue;
    FinalCounters last{static_cast<std::size_t>(found - counters.begin()), counters_of(rail)};
    const auto place =
        static_cast<std::size_t>(std::ranges::find(watched, &rail) - watched.begin());
    if (place < watched.size()) {
      last.of_row = unless_quiet(rail, telemetry::moved(last_[place], last.after));
    }
    all.push_back(std::move(last));
  }
  return packed(all);
}

std::string packed(const std::vector<FinalCounters>& counters) {
  const transport::Bytes bytes = job::packed(counters);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool add_final_counters(const std::string& packed, std::vector<results::PortCounters>& counters,
                        std::vector<results::PortEvents>& events) {
  try {
    const auto bytes = std::as_bytes(std::span(packed));
    for (FinalCounters& one : job::unpacked<std::vector<FinalCounters>>(bytes))
      add(std::move(one), counters, events);
  } catch (const std::exception&) {  // cut off, or of nobody who had ports
    return false;
  }
  return true;
}

}  // namespace railgauge::cluster
