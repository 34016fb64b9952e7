#include <algorithm>
#include <stdexcept>

#include "transport/hybrid.hpp"
#include "transport/wire.hpp"

namespace railgauge::transport {
namespace {

/// As if ranks 0 and 1 were on one host, 2 and 3 on the next, and so on: both wires are used. All
/// are on this host's own devices.
class HybridWire final : public Wire {
 public:
  explicit HybridWire(std::vector<verbs::Port> ports) : ports_(std::move(ports)) {}
  [[nodiscard]] unsigned rails() const override { return static_cast<unsigned>(ports_.size()); }
  [[nodiscard]] int rounds() const override { return 5; }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    const auto is_mate = [&](Rank peer) { return peer / 2 == exchange.rank() / 2; };
    return connect_hybrid(exchange, ports_, channels, is_mate, {.queue_pairs = {}, .host = "here"});
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
  return std::make_unique<HybridWire>(ports);
}

}  // namespace railgauge::transport
