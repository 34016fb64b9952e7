#include "softfabric/softswitch/host_ports.hpp"
#include "softfabric/netdevs.hpp"

#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

namespace railgauge::softfabric {
namespace {

/// The name of a link's netdev; nothing if it joins two switches.
std::optional<std::string> netdev_of(const Fabric& fabric, std::size_t link) {
  std::optional<std::string> name;
  if (is_host(fabric, fabric.links[link].a.node)) name = switch_netdev(link, End::b);
  if (is_host(fabric, fabric.links[link].b.node)) name = switch_netdev(link, End::a);
  return name;
}

int index_of(const std::string& netdev) {
  const unsigned index = if_nametoindex(netdev.c_str());
  if (index != 0) return static_cast<int>(index);
  throw std::runtime_error("there is no netdev " + netdev +
                           " in this network namespace: launchers/fabric makes them");
}

}  // namespace

HostPorts::HostPorts(const Fabric& fabric, int descriptor)
    : descriptor_(descriptor), netdevs_(fabric.links.size()) {
  for (std::size_t link = 0; link < fabric.links.size(); ++link) {
    const auto netdev = netdev_of(fabric, link);
    if (!netdev) continue;
    netdevs_[link].sll_family = AF_PACKET;
    netdevs_[link].sll_ifindex = index_of(*netdev);
    links_[netdevs_[link].sll_ifindex] = link;
  }
}

std::optional<std::size_t> HostPorts::link_of_netdev(int index) const {
  std::optional<std::size_t> link;
  const auto found = links_.find(index);
  if (found != links_.end()) link = found->second;
  return link;
}

void HostPorts::packet(std::size_t link, std::span<const std::byte> frame) {
  add(link, frame.data(), frame.size());
}

void HostPorts::pause(std::size_t link, std::span<const std::byte> frame) {
  if (used_ == kBatch) flush();
  SmallFrame& copy = pauses_[used_];
  std::ranges::copy(frame.first(copy.size()), copy.begin());
  add(link, copy.data(), copy.size());
}

void HostPorts::add(std::size_t link, const std::byte* bytes, std::size_t count) {
  if (used_ == kBatch) flush();
  pieces_[used_] = {const_cast<std::byte*>(bytes), count};  // iovec knows no const
  msghdr& header = messages_[used_].msg_hdr;
  header = {};
  header.msg_name = &netdevs_[link];
  header.msg_namelen = sizeof netdevs_[link];
  header.msg_iov = &pieces_[used_];
  header.msg_iovlen = 1;
  ++used_;
}

/// sendmmsg() ends at the first message that fails, whose error the next call tells.
void HostPorts::flush() {
  std::size_t done = 0;
  while (done < used_) {
    const int sent =
        sendmmsg(descriptor_, &messages_[done], static_cast<unsigned>(used_ - done), MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ++refused_;
    done += sent > 0 ? static_cast<std::size_t>(sent) : 1;
  }
  used_ = 0;
}

}  // namespace railgauge::softfabric
