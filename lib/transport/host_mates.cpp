#include "transport/host_mates.hpp"

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
void welcome(const LocalListener& listener, std::span<const std::unique_ptr<HostMate>> mates,
             const std::vector<MeetingPoint>& points) {
  LocalCaller caller = accept_locally(listener);
  ReceivedFile station = receive_file(caller.socket);
  ReceivedFile bell = receive_file(caller.socket);
  const auto is_caller = [&](const auto& mate) { return mate->rank == station.word; };
  const auto found = std::ranges::find_if(mates, is_caller);
  if (found == mates.end()) throw std::runtime_error("a rank has connected that has no lane");
  HostMate& mate = **found;
  mate.process = caller.process;
  mate.from = std::move(caller.socket);
  mate.bell = std::move(bell.file);
  mate.memory = SharedMapping::of(station.file);
  mate.station = station_in(mate.memory->bytes(), points[mate.rank].lanes);
}

}  // namespace

OwnStation::OwnStation(std::size_t lanes)
    : file(make_shared_memory(station_bytes(lanes))),
      bell(make_bell()),
      memory(SharedMapping::of(file)),
      station(station_in(memory->bytes(), lanes)) {}

/// A system call only if it sleeps, and of all who see that by only one.
void HostMate::wake() const noexcept {
  auto& asleep = station.head->asleep;
  if (asleep.load(std::memory_order_seq_cst) == 0 || asleep.exchange(0) == 0) return;
  eventfd_write(bell.number(), 1);
}

bool HostMate::took_leave() const noexcept {
  return station.head->left.load(std::memory_order_acquire) != 0;
}

std::vector<std::unique_ptr<HostMate>> meet_host_mates(Exchange& exchange,
                                                       const std::vector<Rank>& ranks,
                                                       const std::vector<MeetingPoint>& points,
                                                       const LocalListener& listener,
                                                       const OwnStation& own) {
  std::vector<std::unique_ptr<HostMate>> mates;
  for (const Rank rank : ranks) {
    HostMate& mate = *mates.emplace_back(std::make_unique<HostMate>());
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
