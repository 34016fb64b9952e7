#include <stdexcept>

#include "transport/shared_memory.hpp"
#include "transport/wire.hpp"

namespace railgauge::transport {
namespace {

/// Rails are names only here; two of them, so that ranks have more than one channel to a peer.
class SharedMemoryWire final : public Wire {
 public:
  [[nodiscard]] unsigned rails() const override { return 2; }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return connect_shared_memory(exchange, channels);
  }
  void sever(Rank, Rank) override { throw std::logic_error("memory cannot be severed"); }
  void fail(Rank, Rank) override { throw std::logic_error("memory cannot fail on demand"); }
};

}  // namespace

std::unique_ptr<Wire> make_wire(InProcessFabric&, std::string&) {
  return std::make_unique<SharedMemoryWire>();
}

}  // namespace railgauge::transport
