#pragma once

#include <string>
#include <vector>

#include "fabric/sizing.hpp"

namespace railgauge::fabric {

/// One side of a storage fabric: pods of servers whose ports are spread over a few leaves.
struct StorageSide {
  Count pods = 1;
  Count servers = 64;  ///< of a pod
  Count ports = 2;     ///< of a server
  double port_gbps = 200;
  Count leaves = 2;  ///< of a pod
  SwitchModel leaf{64, 400};
  Count uplinks = 2;  ///< of a leaf to each spine
  double uplink_gbps = 400;
};

/// Compute pods and storage pods under the same spines. The default is a published one: 16 compute
/// pods of 64 servers with 2x200G, one storage pod of 64 servers with 2x400G.
struct StorageFabric {
  StorageSide compute{.pods = 16};
  StorageSide storage{.port_gbps = 400, .leaf = {64, 800}, .uplink_gbps = 800};
  Count spines = 16;
  SwitchModel spine{64, 800};
};

/// What one side's leaf has, with uplinks counted per spine.
struct StorageLeaf {
  Count down = 0;  ///< links to servers
  Count up = 0;
  Count ports_used = 0;
  double oversubscription = 0;
  Count spine_ports = 0;  ///< that this side takes of one spine
  double total_gbps = 0;  ///< of all servers of the side
};

struct StorageReport {
  StorageLeaf compute{};
  StorageLeaf storage{};
  Count spine_ports_used = 0;
  double servers_to_storage = 0;  ///< bandwidth of all compute servers over that of all storage
  std::vector<std::string> contradictions{};  ///< of the description, a sentence each
};

[[nodiscard]] StorageReport report_on(const StorageFabric& fabric);
[[nodiscard]] std::string as_text(const StorageFabric& fabric);

}  // namespace railgauge::fabric
