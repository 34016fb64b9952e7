#include "softroce/device/gid_table.hpp"

#include <algorithm>

namespace railgauge::softroce {
namespace {

// fe80::/64, and the beginning of an interface identifier that ends with an IPv4 address.
constexpr std::array<std::uint8_t, 12> kLinkLocalPrefix{0xfe, 0x80, 0, 0, 0,    0,
                                                        0,    0,    0, 0, 0x5e, 0xfe};

}  // namespace

GidTable gid_table(const Address& address) {
  return {{{address, GidType::roce_v2},
           {link_local(address), GidType::roce_v2},
           {address, GidType::roce_v1},
           {address, GidType::roce_v2}}};
}

Address link_local(const Address& address) {
  if (!is_ipv4(address)) return address;
  Address gid = address;
  std::ranges::copy(kLinkLocalPrefix, gid.bytes.begin());
  return gid;
}

Address address_of(const Address& gid) {
  const bool linked =
      std::equal(kLinkLocalPrefix.begin(), kLinkLocalPrefix.end(), gid.bytes.begin());
  if (!linked) return gid;
  Address address = ipv4(0);
  std::copy(gid.bytes.begin() + kLinkLocalPrefix.size(), gid.bytes.end(),
            address.bytes.begin() + kLinkLocalPrefix.size());
  return address;
}

}  // namespace railgauge::softroce
