#include <algorithm>
#include <stdexcept>

#include "transport/verbs_transport.hpp"
#include "transport/wire.hpp"

namespace railgauge::transport {
namespace {

/// All ranks on this host's own devices: a pair of ranks talks through one device's loopback.
class VerbsWire final : public Wire {
 public:
  explicit VerbsWire(std::vector<verbs::Port> ports) : ports_(std::move(ports)) {}
  [[nodiscard]] unsigned rails() const override { return static_cast<unsigned>(ports_.size()); }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return connect_verbs(exchange, ports_, channels, {.queue_pairs = {}, .host = "here"});
  }
  void sever(Rank, Rank) override { throw std::logic_error("a device cannot be severed here"); }
  void fail(Rank, Rank) override { throw std::logic_error("a device cannot fail on demand"); }

 private:
  std::vector<verbs::Port> ports_;
};

}  // namespace

std::unique_ptr<Wire> make_wire(InProcessFabric&, std::string& why_not) {
  std::vector<verbs::Port> ports = verbs::find_ports();
  why_not = "needs an RDMA device: " + verbs::explain_no_usable_port(ports);
  std::erase_if(ports, [](const verbs::Port& port) { return !port.usable(); });
  if (ports.empty()) return nullptr;
  return std::make_unique<VerbsWire>(ports);
}

}  // namespace railgauge::transport
