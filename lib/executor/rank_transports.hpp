#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "transport/transport.hpp"

namespace railgauge::executor {

/// The transports of a rank, one a progress thread. The first owns the memory that all of them have
/// registered, and into which peers may write as long as one is connected: so it goes last.
class RankTransports {
 public:
  RankTransports() = default;
  RankTransports(RankTransports&&) = default;
  RankTransports& operator=(RankTransports&&) = delete;
  RankTransports(const RankTransports&) = delete;
  RankTransports& operator=(const RankTransports&) = delete;
  ~RankTransports() {
    while (!transports_.empty()) transports_.pop_back();
  }

  void add(std::unique_ptr<transport::Transport> transport) {
    transports_.push_back(std::move(transport));
  }
  [[nodiscard]] std::size_t size() const { return transports_.size(); }
  [[nodiscard]] std::vector<transport::Transport*> views() const {
    std::vector<transport::Transport*> views;
    views.reserve(transports_.size());
    for (const auto& transport : transports_) views.push_back(transport.get());
    return views;
  }

 private:
  std::vector<std::unique_ptr<transport::Transport>> transports_;
};

}  // namespace railgauge::executor
