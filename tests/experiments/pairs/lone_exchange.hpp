#pragma once

#include "transport/exchange.hpp"

namespace railgauge::runner {

/// A rank that has no others.
class LoneExchange final : public transport::Exchange {
 public:
  [[nodiscard]] transport::Rank rank() const override { return 0; }
  [[nodiscard]] transport::Rank ranks() const override { return 1; }
  std::vector<transport::Bytes> all_gather(std::span<const std::byte> own) override {
    return {transport::Bytes(own.begin(), own.end())};
  }
  std::vector<transport::Bytes> exchange_with(std::span<const transport::Rank>,
                                              std::span<const transport::Bytes>) override {
    return {};
  }
};

}  // namespace railgauge::runner
