#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "transport/exchange.hpp"

namespace railgauge::transport {

/// The exchanges of ranks that connect, on one thread: what a rank tells its neighbours first is
/// kept, and breaks it off; when it connects again it is answered by what they have said. After
/// that nobody has anything to say.
class SimulatedExchange final : public Exchange {
 public:
  /// Ends a rank's first turn.
  struct BrokenOff {};
  using Kept = std::map<std::pair<Rank, Rank>, Bytes>;  // from, to

  SimulatedExchange(Rank rank, Rank ranks, Kept& kept) : rank_(rank), ranks_(ranks), kept_(kept) {}

  /// The first turn: `connect` calls exchange_with().
  template <class Connect>
  static void keep(Rank rank, Rank ranks, Kept& kept, const Connect& connect) {
    SimulatedExchange exchange(rank, ranks, kept);
    exchange.keeps_ = true;
    try {
      connect(exchange);
    } catch (const BrokenOff&) {
    }
  }

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank ranks() const override { return ranks_; }
  std::vector<Bytes> all_gather(std::span<const std::byte>) override {
    throw std::logic_error("a rank that connects asks everybody");
  }
  std::vector<Bytes> exchange_with(std::span<const Rank> peers,
                                   std::span<const Bytes> own) override {
    if (keeps_) keep(peers, own);
    std::vector<Bytes> theirs(peers.size());
    if (answered_) return theirs;
    answered_ = true;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      theirs[i] = kept_.at({peers[i], rank_});
      sent_ += own[i].size();
      received_ += theirs[i].size();
    }
    return theirs;
  }

  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t received() const { return received_; }

 private:
  [[noreturn]] void keep(std::span<const Rank> peers, std::span<const Bytes> own) {
    for (std::size_t i = 0; i < peers.size(); ++i) kept_[{rank_, peers[i]}] = own[i];
    throw BrokenOff{};
  }

  Rank rank_;
  Rank ranks_;
  Kept& kept_;
  bool keeps_ = false;
  bool answered_ = false;
  std::size_t sent_ = 0;
  std::size_t received_ = 0;
};

}  // namespace railgauge::transport
