#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "job/communicator.hpp"
#include "json/members.hpp"
#include "results/document.hpp"
#include "results/port_events.hpp"
#include "telemetry/counters.hpp"

namespace railgauge::cluster {

/// All that is counted of a port: by its RDMA driver (telemetry/counters.hpp), its place in the
/// host (port_condition.hpp) and its network device (ethtool.hpp). The first that has a name
/// counts.
[[nodiscard]] telemetry::Counters counters_of(const results::RankRail& rail);

/// How old they may be, if something has read them before, as the driver says. At most a second.
[[nodiscard]] std::chrono::milliseconds counters_age(const results::RankRail& rail);

/// Collective: the counters of every rail of every host, on every rank and in the order of ranks
/// that read them (ports_read_by()). `before` of what comes back is filled, `after` is not: the
/// caller reads twice, and takes the second for `after`. A port without counters has an empty list.
[[nodiscard]] std::vector<results::PortCounters> read_counters(
    job::Communicator& communicator, const std::vector<results::Rank>& ranks);

/// The rails whose ports a rank reads for its host: those that no lower rank of it has. Soft
/// devices are each process's own. They are parts of `ranks`.
[[nodiscard]] std::vector<const results::RankRail*> ports_read_by(
    const std::vector<results::Rank>& ranks, std::size_t rank);

/// What the ports of all hosts count from one moment to the next.
class PortWatch {
 public:
  /// Reads the ports that this rank reads; from here on they count. Not collective.
  /// Both arguments have to outlive it.
  PortWatch(job::Communicator& communicator, const std::vector<results::Rank>& ranks);

  /// From here on they count anew. Not collective.
  void restart() { take(read()); }

  /// Collective: what every port has counted since then, or since the last call, on every rank and
  /// in the order of ranks: those that counted anything but traffic, and all software devices that
  /// were used: nobody else counts what these send and receive, so what was sent and not received
  /// was lost. Waits until no port's driver gives what it has kept from the last reading.
  [[nodiscard]] std::vector<results::PortEvents> next();

  /// When a run fails: what the ports of this rank's host have counted, for add_final_counters() of
  /// rank 0, whose `counters` (from read_counters) this rank has, too. Not collective.
  [[nodiscard]] std::string final_counters(
      const std::vector<results::PortCounters>& counters) const;

 private:
  [[nodiscard]] std::vector<telemetry::Counters> read() const;
  void take(std::vector<telemetry::Counters> now);

  job::Communicator& communicator_;
  const std::vector<results::Rank>& ranks_;
  std::vector<std::vector<const results::RankRail*>> readers_;  // [rank] the rails that it reads
  std::vector<telemetry::Counters> last_;                       // of each port that this rank reads
  std::chrono::steady_clock::time_point fresh_at_;              // when a driver will tell more
};

/// What a rank says of one of its ports when a run fails.
struct FinalCounters {
  std::size_t port = 0;  // its place in the document's counters
  telemetry::Counters after{};
  /// What it counted since the row began that was not finished, if that was anything but traffic;
  /// only the rank that reads the port for its host knows.
  std::map<std::string, std::int64_t> of_row{};

  RAILGAUGE_FIELDS((port), (after), (of_row))
};
[[nodiscard]] std::string packed(const std::vector<FinalCounters>& counters);

/// Takes what a rank, packed, said last of its ports: `after` of ports of which no other rank has
/// told yet, and events. False if the bytes are something else.
bool add_final_counters(const std::string& packed, std::vector<results::PortCounters>& counters,
                        std::vector<results::PortEvents>& events);

}  // namespace railgauge::cluster
