#include "transport/local_peers.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace railgauge::transport {
namespace {

FileHandle make_bell() {
  FileHandle bell(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (bell.number() >= 0) return bell;
  throw std::system_error(errno, std::generic_category(), "eventfd");
}

/// Takes in whoever has connected next.
void welcome(const LocalListener& listener, std::span<const std::unique_ptr<LocalPeer>> mates,
             const std::vector<MeetingPoint>& points) {
  LocalCaller caller = accept_locally(listener);
  ReceivedFile mailbox = receive_file(caller.socket);
  ReceivedFile bell = receive_file(caller.socket);
  const auto is_caller = [&](const auto& mate) { return mate->rank == mailbox.word; };
  const auto found = std::ranges::find_if(mates, is_caller);
  if (found == mates.end()) throw std::runtime_error("a rank has connected that has no channel");
  LocalPeer& mate = **found;
  mate.process = caller.process;
  mate.from = std::move(caller.socket);
  mate.bell = std::move(bell.file);
  mate.memory = SharedMapping::of(mailbox.file);
  mate.mailbox = station_in(mate.memory->bytes(), points[mate.rank].channels);
}

}  // namespace

OwnStation::OwnStation(std::size_t channels)
    : file(make_shared_memory(station_bytes(channels))),
      bell(make_bell()),
      memory(SharedMapping::of(file)),
      mailbox(station_in(memory->bytes(), channels)) {}

/// A system call only if it sleeps, and of all who see that by only one.
void LocalPeer::wake() const noexcept {
  auto& asleep = mailbox.head->asleep;
  if (asleep.load(std::memory_order_seq_cst) == 0 || asleep.exchange(0) == 0) return;
  eventfd_write(bell.number(), 1);
}

bool LocalPeer::took_leave() const noexcept {
  return mailbox.head->left.load(std::memory_order_acquire) != 0;
}

std::vector<std::unique_ptr<LocalPeer>> meet_host_mates(Exchange& exchange,
                                                        const std::vector<Rank>& ranks,
                                                        const std::vector<MeetingPoint>& points,
                                                        const LocalListener& listener,
                                                        const OwnStation& own) {
  std::vector<std::unique_ptr<LocalPeer>> mates;
  for (const Rank rank : ranks) {
    LocalPeer& mate = *mates.emplace_back(std::make_unique<LocalPeer>());
    mate.rank = rank;
    mate.to = connect_locally(points.at(rank).address, rank);
    send_file(mate.to, own.file, exchange.rank());
    send_file(mate.to, own.bell, exchange.rank());
  }
  exchange.all_gather({});  // everybody has connected
  for (std::size_t i = 0; i < mates.size(); ++i) welcome(listener, mates, points);
  return mates;
}

}  // namespace railgauge::transport
