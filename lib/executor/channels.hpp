#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "schedule/schedule.hpp"
#include "transport/transport.hpp"

namespace railgauge::executor {

/// How many parts a collective's data are cut into. Each of them is a run of the whole schedule by
/// itself, and travels on queue pairs of its own.
struct Stripes {
  unsigned rails = 1;
  unsigned queue_pairs = 1;  // to each peer on each rail: for networks that choose a path by them
  /// No stripe is smaller than this, as long as there is another: what is split further costs more
  /// messages than it gains.
  std::size_t least_bytes = std::size_t{16} * 1024;

  [[nodiscard]] unsigned count() const { return rails * queue_pairs; }
  [[nodiscard]] unsigned rail(unsigned stripe) const { return stripe % rails; }
  /// How many are used for so many bytes. The first of them are on different rails.
  [[nodiscard]] unsigned used(std::size_t bytes) const;
};

/// The channels that one rank of a schedule needs: to every peer it sends to or takes from, for
/// every stripe and every channel number of the schedule's ops with that peer. In order of these,
/// so that two ranks list what is between them in the same order and can be connected.
[[nodiscard]] std::vector<transport::ChannelRequest> channels_of(const schedule::Schedule& schedule,
                                                                 schedule::Rank rank,
                                                                 const Stripes& stripes);

/// What several schedules need that take turns on one transport.
[[nodiscard]] std::vector<transport::ChannelRequest> channels_of(
    std::span<const schedule::Schedule> schedules, schedule::Rank rank, const Stripes& stripes);

/// Which channel of a transport carries what of a schedule.
class ChannelMap {
 public:
  /// `channels` are those of the transport, and have to contain channels_of(schedule, rank,
  /// stripes).
  ChannelMap(const schedule::Schedule& schedule, schedule::Rank rank, const Stripes& stripes,
             std::span<const transport::ChannelRequest> channels);

  [[nodiscard]] transport::Channel channel(schedule::Rank peer, unsigned stripe,
                                           std::uint8_t number) const {
    return channels_.at({peer, stripe, number});
  }

 private:
  std::map<std::tuple<schedule::Rank, unsigned, std::uint8_t>, transport::Channel> channels_;
};

}  // namespace railgauge::executor
