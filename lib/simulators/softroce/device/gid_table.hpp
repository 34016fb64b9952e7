#pragma once

#include <array>

#include "softroce/wire/address.hpp"

namespace railgauge::softroce {

enum class GidType { roce_v1, roce_v2 };

struct Gid {
  Address address;
  GidType type;
};

/// A port's GIDs, by index, in the places that mlx5 has them in (the order in which the kernel's
/// drivers/infiniband/core/roce_gid_mgmt.c makes them): 1 link-local, 2 the address as RoCE v1, 3
/// the address as RoCE v2. Programs that name an index without looking name 0, 1 or 3. So 0 is the
/// address as RoCE v2 once more and not, as on a NIC, link-local RoCE v1, which could not be used:
/// RoCE v1 packets are Ethernet frames, and a process may send UDP datagrams only.
using GidTable = std::array<Gid, 4>;
GidTable gid_table(const Address& address);

/// The link-local GID of an IPv4 address, from which it can be read again: fe80::5efe:127.64.0.1
/// (RFC 5214, 6.1). An IPv6 address does not fit: its own stands in the link-local one's place.
Address link_local(const Address& address);

/// Where the port with this GID is: the IPv4 address in a link-local one, else the GID itself.
Address address_of(const Address& gid);

}  // namespace railgauge::softroce
