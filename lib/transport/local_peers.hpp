#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "transport/local_socket.hpp"
#include "transport/notification_ring.hpp"
#include "transport/shared_mapping.hpp"

namespace railgauge::transport {

/// What a rank gives to its peers when they meet.
struct OwnStation {
  explicit OwnStation(std::size_t channels);

  FileHandle file;  // the mailbox's memory
  FileHandle bell;  // an eventfd: whoever finds the mailbox's owner asleep rings it
  std::shared_ptr<SharedMapping> memory;
  Mailbox mailbox;
};

/// Another rank of this host. Of the two connections with it each side has made one, so that
/// neither has to wait for the other: the exchange's rounds are all that anybody waits for.
struct LocalPeer {
  void wake() const noexcept;
  [[nodiscard]] bool took_leave() const noexcept;

  Rank rank = 0;
  pid_t process = 0;
  FileHandle to{-1};    // hands our memory over
  FileHandle from{-1};  // and takes its; hangs up when its process ends
  FileHandle bell{-1};
  std::shared_ptr<SharedMapping> memory;
  Mailbox mailbox;
  std::vector<std::shared_ptr<SharedMapping>> regions;  // by region number
};

/// Where a rank is met, and how many channels its mailbox has.
struct MeetingPoint {
  LocalAddress address{};
  std::size_t channels = 0;
};

/// Collective: meets those ranks, at `points` (by rank), which do the same with this one. Throws
/// std::system_error or std::runtime_error.
std::vector<std::unique_ptr<LocalPeer>> meet_host_mates(Exchange& exchange,
                                                        const std::vector<Rank>& ranks,
                                                        const std::vector<MeetingPoint>& points,
                                                        const LocalListener& listener,
                                                        const OwnStation& own);

}  // namespace railgauge::transport
