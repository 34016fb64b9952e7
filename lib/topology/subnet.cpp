#include "topology/subnet.hpp"

namespace railgauge::topology {

std::string to_string(const Subnet& subnet) {
  return to_string(subnet.network) + "/" + std::to_string(subnet.prefix_length);
}

std::string address_of(const Nic& nic) {
  return nic.address + "/" + std::to_string(nic.prefix_length);
}

std::optional<Subnet> subnet_of(const Nic& nic) {
  const auto address = parse_ip_address(nic.address);
  if (!address || nic.prefix_length < 0 || nic.prefix_length > address_bits(*address)) return {};
  return Subnet{network_of(*address, nic.prefix_length), nic.prefix_length};
}

bool is_point_to_point(const Subnet& subnet) {
  return subnet.prefix_length >= address_bits(subnet.network) - 1;
}

}  // namespace railgauge::topology
