#pragma once

// This folder holds RDMA devices, ports, memory, queue pairs and completions: RAII over libibverbs
// and librdmacm, with failures in words. It must not know collectives, ranks or MPI.
//
// Start here, then port.hpp, queue_pair.hpp, completion_queue.hpp. What every header shares:
// setting up throws std::system_error naming the verb; completions are values; destructors print
// and go on; an object belongs to one thread at a time.

#include <string>
#include <string_view>
#include <vector>

#include "verbs/handle.hpp"

namespace railgauge::verbs {

/// What libibverbs offers on this host, and where it was looked for.
struct DeviceSearch {
  std::vector<std::string> names{};  ///< in natural order: mlx5_2 before mlx5_10
  /// One line for the user: "libibverbs lists no device (Function not implemented);
  /// /sys/class/infiniband does not exist".
  std::string looked_at{};
};

/// Never throws for want of devices or of RDMA in the kernel: `names` is empty and `looked_at`
/// tells.
DeviceSearch search_devices();

/// Opens a device by name. Throws std::system_error; ENODEV when there is no such device.
/// Its asynchronous events can be read without blocking (async_events.hpp).
Context open_device(const std::string& name);

/// A protection domain: memory regions and queue pairs of one domain may work together.
/// `context` has to outlive it.
ProtectionDomain allocate_domain(ibv_context& context);

/// The device's name: "mlx5_0".
std::string device_name(const ibv_context& context);

/// Order in which runs of digits compare as numbers.
bool natural_less(std::string_view left, std::string_view right);

}  // namespace railgauge::verbs
