#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "transport/local_socket.hpp"
#include "transport/mailbox.hpp"
#include "transport/memory.hpp"
#include "transport/transport.hpp"

namespace railgauge::transport {

/// What a rank hands to its peers when they connect.
struct OwnMailbox {
  explicit OwnMailbox(std::size_t channels);

  FileHandle file;  // the mailbox's memory
  FileHandle bell;  // an eventfd: a peer that finds the mailbox's owner asleep rings it
  std::shared_ptr<SharedMapping> memory;
  Mailbox mailbox;
};

/// Another rank of this host. Each side has made one of the two connections between them, so that
/// neither waits for the other: only the rounds of the exchange wait.
struct LocalPeer {
  void wake() const noexcept;
  [[nodiscard]] bool took_leave() const noexcept;

  Rank rank = 0;
  pid_t process = 0;
  FileHandle to{-1};    // sends our memory
  FileHandle from{-1};  // receives its memory; hangs up when its process ends
  FileHandle bell{-1};
  std::shared_ptr<SharedMapping> memory;
  Mailbox mailbox;
  std::vector<std::shared_ptr<SharedMapping>> regions;  // by region number
};

struct SharedChannel {
  LocalPeer& peer;
  Channel back;  // the peer's number for it
  Outbox outbox;
  std::uint64_t written = 0;
  std::uint32_t unreported = 0;
  bool to_report = false;
};

struct SharedConnections {
  std::vector<std::unique_ptr<LocalPeer>> peers;
  std::vector<SharedChannel> channels;
};

/// Collective, in two rounds of the exchange among neighbours: connects to the peers of these
/// channels. Throws std::logic_error for a channel that the peer does not have, std::system_error
/// or std::runtime_error.
SharedConnections connect_shared_channels(Exchange& exchange,
                                          std::span<const ChannelRequest> channels,
                                          const OwnMailbox& own);

}  // namespace railgauge::transport
