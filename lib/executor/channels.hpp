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

/// Of one rank: the rails that it takes to some of its peers instead of all, which several stripes
/// then share. A peer takes the same ones to this rank. Their number divides that of all rails, so
/// that each carries equally many stripes.
struct FewerRails {
  std::vector<unsigned> rails{};
  std::vector<bool> peers{};  // [rank] whether they lead to it; empty: to none

  [[nodiscard]] bool lead_to(transport::Rank peer) const {
    return peer < peers.size() && peers[peer];
  }
};

/// How many stripes a collective's data are split into. Each stripe runs the whole schedule by
/// itself, on queue pairs of its own.
///
/// Planes: to stripes each plane of a rail is a rail. So the data of a collective are split evenly
/// over all planes of all rails in use, and a rail of four planes carries four stripes where one of
/// two carries two. All ranks have the same stripes, over the same planes: those that every host
/// has. A plane that one host lacks is left out on all, which costs the rail 1 of its planes.
struct Stripes {
  unsigned rails = 1;        // planes of rails, one by one
  unsigned queue_pairs = 1;  // to each peer on each rail: ECMP picks a path for each
  /// With more than one stripe, none is smaller than this: splitting further costs more in messages
  /// than it gains.
  std::size_t least_bytes = std::size_t{16} * 1024;
  FewerRails fewer{};

  [[nodiscard]] unsigned count() const { return rails * queue_pairs; }
  /// The stripe's own rail, by which progress threads divide stripes; it is the one to most peers.
  [[nodiscard]] unsigned rail(unsigned stripe) const { return stripe % rails; }
  /// The rail that carries the stripe between this rank and a peer.
  [[nodiscard]] unsigned rail(unsigned stripe, transport::Rank peer) const {
    return fewer.lead_to(peer) ? fewer.rails[stripe % fewer.rails.size()] : rail(stripe);
  }
  /// How many are used for this many bytes. The first ones are on different rails.
  [[nodiscard]] unsigned used(std::size_t bytes) const;
};

/// The part of a rank's rails that one of several progress threads drives: every `of`-th, from
/// `number` on. It numbers its rails, and the stripes on them, by itself: from 0, in the same
/// order.
struct RailShare {
  unsigned number = 0;
  unsigned of = 1;

  [[nodiscard]] bool has(unsigned rail) const { return rail % of == number; }
  /// The rail, among all, that is the share's `own`-th.
  [[nodiscard]] unsigned rail(unsigned own) const { return own * of + number; }
  /// The stripes of these that are on its rails. `of` must not be more than the rails. Of fewer
  /// rails it must divide the number, and the i-th must be of share i modulo `of`.
  [[nodiscard]] Stripes part_of(const Stripes& stripes) const;
};

/// The channels that one rank of a schedule needs: to every peer it exchanges data with, for every
/// stripe and every channel number of the schedule's ops with that peer. Sorted in that order, so
/// that two ranks list the channels between them alike and these pair up.
[[nodiscard]] std::vector<transport::ChannelRequest> channels_of(const schedule::Schedule& schedule,
                                                                 schedule::Rank rank,
                                                                 const Stripes& stripes);

/// The channels for several schedules that take turns on one transport, each with its stripes.
[[nodiscard]] std::vector<transport::ChannelRequest> channels_of(
    std::span<const schedule::Schedule> schedules, schedule::Rank rank,
    std::span<const Stripes> stripes);

/// Channels by the way around the circle of ranks to their peers, the longest first: who takes them
/// from the end begins with the next rank. If all ranks began with the same peer, the lines of the
/// others would be idle.
[[nodiscard]] std::vector<transport::Channel> from_farthest(
    std::span<const transport::ChannelRequest> channels, transport::Rank rank);

/// Which channel of a transport carries what of a schedule.
class ChannelMap {
 public:
  /// `channels` are those of the transport, and must contain channels_of(schedule, rank, stripes).
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
