#include "softroce/shortcut/process_peer.hpp"

#include <sys/uio.h>

#include <cerrno>
#include <cstddef>

#include "softroce/device/receive_queue.hpp"
#include "softroce/device/send_queue.hpp"

namespace railgauge::softroce {

namespace {

// A change of the table takes nanoseconds, if the process is not stopped in the middle of it.
constexpr int kTries = 4;
constexpr unsigned kTagBits = 8;  // of a key, below the place

iovec at(std::uint64_t address, std::size_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the other process
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), bytes};
}

}  // namespace

bool ProcessPeer::read(std::span<const iovec> local, std::span<const iovec> remote) const {
  ssize_t bytes = 0;
  for (const iovec& piece : local) bytes += static_cast<ssize_t>(piece.iov_len);
  return process_vm_readv(process_, local.data(), local.size(), remote.data(), remote.size(), 0) ==
         bytes;
}

bool ProcessPeer::read_header(TableHeader& out) {
  const std::array local{iovec{&out, sizeof out}};
  const std::array remote{at(table_, sizeof out)};
  // It has ended, or runs another program, or the number is another process's by now.
  lost_ = lost_ || !read(local, remote) || out.cookie != cookie_;
  return !lost_;
}

int ProcessPeer::probe() {
  TableHeader header;
  errno = 0;
  if (read_header(header)) return 0;
  return errno != 0 ? errno : ESRCH;
}

RegionEntry& ProcessPeer::slot(std::uint32_t key) {
  return regions_[(key >> kTagBits) % regions_.size()];
}

bool ProcessPeer::refresh(std::uint32_t key) {
  const std::uint32_t place = key >> kTagBits;
  if (place >= kRegionPlaces) return false;
  for (int i = 0; i < kTries; ++i) {
    TableHeader before;
    TableHeader after;
    if (!read_header(before)) return false;
    if (before.epoch == epoch_ && slot(key).key == key) return true;
    if (before.epoch % 2 != 0) continue;
    if (before.epoch != epoch_) regions_ = {};
    const std::array local{iovec{&queue_pair_, sizeof queue_pair_},
                           iovec{&slot(key), sizeof(RegionEntry)}};
    const std::array remote{
        at(table_ + offsetof(TableLayout, queue_pairs) +
               (number_ % kQueuePairPlaces) * sizeof(QueuePairEntry),
           sizeof(QueuePairEntry)),
        at(table_ + offsetof(TableLayout, regions) + std::uint64_t{place} * sizeof(RegionEntry),
           sizeof(RegionEntry))};
    epoch_ = 1;  // until it is known that they belong together
    if (!read(local, remote) || !read_header(after)) return false;
    if (after.epoch != before.epoch) continue;
    epoch_ = before.epoch;
    return true;
  }
  return false;
}

std::optional<std::uint64_t> ProcessPeer::resolve(const SendRequest& request) {
  if (!refresh(request.remote_key)) return {};
  const RegionEntry& region = slot(request.remote_key);
  const unsigned access = request.is_read() ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
  if (queue_pair_.number != number_ || region.key != request.remote_key ||
      region.domain != queue_pair_.domain || (region.access & queue_pair_.access & access) == 0) {
    return {};
  }
  const std::uint64_t offset = request.remote_address - region.iova;
  if (offset > region.length || request.length > region.length - offset) return {};
  return region.address + offset;
}

bool ProcessPeer::carry_out(const SendRequest& request, std::span<const ibv_sge> elements,
                            std::uint64_t offset, std::size_t bytes) {
  const auto address = resolve(request);
  if (!address) return false;
  std::array<iovec, kMaxElements> local;  // NOLINT(cppcoreguidelines-pro-type-member-init): hot
  const std::size_t pieces = gather(elements, offset, bytes, local.data());
  const iovec remote = at(*address + offset, bytes);
  const auto copy = request.is_read() ? process_vm_readv : process_vm_writev;
  return copy(process_, local.data(), pieces, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace railgauge::softroce
