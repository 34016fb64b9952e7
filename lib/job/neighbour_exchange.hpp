#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "transport/exchange.hpp"

namespace railgauge::job {

/// One exchange with neighbours: sends each what it is to have, how many bytes and then the bytes,
/// if there are any, and receives as much from each. Of two ranks the k-th messages are those of
/// the k-th exchange between them, because MPI keeps the order of messages with the same tag: a
/// neighbour may be ahead by an exchange, and its messages wait. MPI uses the memory of this object
/// until all is done.
class NeighbourExchange {
 public:
  NeighbourExchange(std::span<const transport::Rank> peers, std::span<const transport::Bytes> own);
  NeighbourExchange(const NeighbourExchange&) = delete;
  NeighbourExchange& operator=(const NeighbourExchange&) = delete;
  ~NeighbourExchange() = default;

  /// First: sends all, and begins to receive how many bytes there are.
  void begin();
  /// Whether that is known of all.
  [[nodiscard]] bool sizes_came();
  /// Then: begins to receive the bytes.
  void receive_bytes();
  /// Whether everything has come, and has been sent.
  [[nodiscard]] bool is_done();
  [[nodiscard]] std::vector<transport::Bytes> take() { return std::move(theirs_); }

  /// Those with whom it is not done.
  [[nodiscard]] std::vector<transport::Rank> unanswered() const;

 private:
  using Requests = std::vector<MPI_Request>;

  static bool are_done(Requests& requests);
  [[nodiscard]] int peer(std::size_t i) const { return static_cast<int>(peers_[i]); }

  // By peer.
  std::vector<transport::Rank> peers_;
  std::vector<transport::Bytes> own_;
  std::vector<int> own_sizes_;
  std::vector<int> sizes_;
  std::vector<transport::Bytes> theirs_;
  Requests sent_sizes_;
  Requests sent_;
  Requests received_;  // sizes, then bytes
};

}  // namespace railgauge::job
