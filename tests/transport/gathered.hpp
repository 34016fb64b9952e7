#pragma once

#include <utility>
#include <vector>

#include "transport/exchange.hpp"

namespace railgauge::transport {

/// The exchange of a rank whose call gathers these bytes of all ranks, its own among them, whatever
/// it puts in.
class Gathered final : public Exchange {
 public:
  Gathered(Rank rank, std::vector<Bytes> of_ranks) : rank_(rank), of_ranks_(std::move(of_ranks)) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank ranks() const override { return static_cast<Rank>(of_ranks_.size()); }
  std::vector<Bytes> all_gather(std::span<const std::byte> own) override {
    (void)own;
    return of_ranks_;
  }
  std::vector<Bytes> exchange_with(std::span<const Rank> peers, std::span<const Bytes>) override {
    std::vector<Bytes> of_peers;
    for (const Rank peer : peers) of_peers.push_back(of_ranks_.at(peer));
    return of_peers;
  }

 private:
  Rank rank_;
  std::vector<Bytes> of_ranks_;
};

}  // namespace railgauge::transport
