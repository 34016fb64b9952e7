#include "softroce/engine/addresses.hpp"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include "softroce/wire/packet.hpp"

namespace railgauge::softroce {

namespace {

constexpr std::uint32_t kFirstNetwork = 0x7f400000;  // 127.64.0.0
constexpr std::uint32_t kLastHost = 0xfffe;
// When so many addresses in a row are taken and also one far away, it is the port that is taken.
constexpr std::uint32_t kSuspicious = 64;
constexpr std::uint32_t kFarAway = 0xfefe;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error(what);
}

bool is_free(const Address& address) {
  try {
    const UdpSocket socket(address, kRocePort);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

Taken named(const Address& address) {
  try {
    // The place first: whoever has one is in the kernel's choice too, or about to be.
    auto neighbours = std::make_unique<Neighbours>(address);
    UdpSocket socket(address, kRocePort, true);
    Neighbours::choose_by_queue_pair(socket.descriptor());
    return {address, std::move(socket), std::move(neighbours)};
  } catch (const std::system_error& error) {
    const std::string what = error.what();
    if (error.code().value() == EADDRINUSE) {
      refuse(what +
             ": another user's process has it, or the kernel's rdma_rxe, which takes the port "
             "on all addresses: use another address, or a network namespace of its own");
    }
    if (error.code().value() == EADDRNOTAVAIL) refuse(what + ": this host has no such address");
    refuse(what);
  }
}

}  // namespace

Taken take_address(const Settings& settings, int rail) {
  if (!settings.addresses.empty()) return named(settings.addresses[static_cast<std::size_t>(rail)]);
  const std::uint32_t network = kFirstNetwork + (static_cast<std::uint32_t>(rail) << 16);
  // Binding succeeds all the same, and then every packet is lost.
  if (!interface_of(ipv4(network)).up) {
    refuse("there is no 127.0.0.0/8: is the loopback interface up? (ip link set lo up)");
  }
  for (std::uint32_t host = 1; host <= kLastHost; ++host) {
    const Address address = ipv4(network + host);
    try {
      return {address, UdpSocket(address, kRocePort), nullptr};
    } catch (const std::system_error& error) {
      if (error.code().value() != EADDRINUSE) refuse(error.what());
    }
    if (host == kSuspicious && !is_free(ipv4(network + kFarAway))) {
      refuse(
          "UDP port 4791 is taken on every address: the kernel's rdma_rxe is loaded, or another "
          "program has it. Use rdma_rxe's devices, or run in a network namespace of its own: "
          "unshare --user --map-root-user --net sh -c 'ip link set lo up; exec COMMAND'");
    }
  }
  refuse("no address is left in " + to_text(ipv4(network)) + "/16");
}

}  // namespace railgauge::softroce
