#pragma once

#include <functional>
#include <string>

#include "transport/exchange.hpp"

namespace railgauge::cluster {

/// Collective: what `read` returns (topology::hwloc_xml_here) on the first rank of each host, to
/// all ranks of that host. hwloc reads the configuration space of every PCI device; the kernel lets
/// one process at a time do that (drivers/pci/access.c, pci_lock), and in a virtual machine a
/// device takes 2 ms. 64 ranks that all read so need most of their start for it.
///
/// Ranks with the same `host` on the same kernel are of one host. Throws what `read` throws, there;
/// the other ranks of the host wait for it, until the exchange's deadline.
[[nodiscard]] std::string hwloc_of_host(transport::Exchange& exchange, const std::string& host,
                                        const std::function<std::string()>& read);

}  // namespace railgauge::cluster
