#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace railgauge::softroce::paths {

/// As many descriptors as the kernel lets a process have unless the administrator raises it
/// (fs.nr_open); the array's pages are used only where descriptors are marked.
inline constexpr std::size_t kMostDescriptors = std::size_t{1} << 20;
inline std::uint8_t channel_marks[kMostDescriptors];

/// Whether a descriptor stands for a channel of the connection manager (softroce/cm): what every
/// write() and close() of the program costs.
inline bool is_channel(int descriptor) {
  const auto index = static_cast<std::size_t>(static_cast<unsigned>(descriptor));
  return index < kMostDescriptors &&
         std::atomic_ref(channel_marks[index]).load(std::memory_order_relaxed) != 0;
}

/// Whether the kernel's /dev/infiniband/rdma_cm stays the program's: it has one, and devices for
/// it, and SOFTROCE_RDMACM=1 does not say otherwise.
bool kernel_has_connection_manager();

/// open("/dev/infiniband/rdma_cm")
int open_channel(int flags);
/// write() to a channel: a command of <rdma/rdma_user_cm.h>.
long write_to_channel(int descriptor, const void* data, std::size_t size);
/// The descriptor is about to be closed, or has become another file.
void release_channel(int descriptor);
/// `copy` is a duplicate of `descriptor`.
void copy_channel(int descriptor, int copy);
/// The first marked descriptor from `first` to `last`; -1 if there is none.
int next_channel(unsigned first, unsigned last);

}  // namespace railgauge::softroce::paths
