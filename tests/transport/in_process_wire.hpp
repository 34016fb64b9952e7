#pragma once

#include "transport/wire.hpp"

namespace railgauge::transport {

/// Ranks that are threads, as the library has them.
class InProcessWire : public Wire {
 public:
  explicit InProcessWire(InProcessFabric& fabric) : fabric_(fabric) {}
  [[nodiscard]] unsigned rails() const override { return 2; }
  std::unique_ptr<Transport> join(Exchange& exchange,
                                  std::span<const ChannelRequest> channels) override {
    return fabric_.join(exchange, channels);
  }
  void sever(Rank from, Rank to) override { fabric_.sever(from, to); }
  void fail(Rank from, Rank to) override { fabric_.fail(from, to); }

 private:
  InProcessFabric& fabric_;
};

}  // namespace railgauge::transport
