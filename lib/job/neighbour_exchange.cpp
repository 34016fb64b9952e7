#include "job/neighbour_exchange.hpp"

#include <algorithm>
#include <array>

namespace railgauge::job {
namespace {

using transport::Bytes;
using transport::Rank;

// All else that ranks send each other over this communicator is collective.
constexpr int kSizeTag = 1;
constexpr int kBytesTag = 2;

bool is_open(MPI_Request request) {
  int done = 0;
  MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  return done == 0;
}

}  // namespace

NeighbourExchange::NeighbourExchange(std::span<const Rank> peers, std::span<const Bytes> own)
    : peers_(peers.begin(), peers.end()),
      own_(own.begin(), own.end()),
      own_sizes_(peers.size()),
      sizes_(peers.size()),
      theirs_(peers.size()),
      sent_sizes_(peers.size(), MPI_REQUEST_NULL),
      sent_(peers.size(), MPI_REQUEST_NULL),
      received_(peers.size(), MPI_REQUEST_NULL) {}

void NeighbourExchange::begin() {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    own_sizes_[i] = static_cast<int>(own_[i].size());
    MPI_Irecv(&sizes_[i], 1, MPI_INT, peer(i), kSizeTag, MPI_COMM_WORLD, &received_[i]);
    MPI_Isend(&own_sizes_[i], 1, MPI_INT, peer(i), kSizeTag, MPI_COMM_WORLD, &sent_sizes_[i]);
    if (own_[i].empty()) continue;
    MPI_Isend(own_[i].data(), own_sizes_[i], MPI_BYTE, peer(i), kBytesTag, MPI_COMM_WORLD,
              &sent_[i]);
  }
}

bool NeighbourExchange::sizes_came() {
  return are_done(received_);
}

void NeighbourExchange::receive_bytes() {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (sizes_[i] == 0) continue;
    theirs_[i].resize(static_cast<std::size_t>(sizes_[i]));
    MPI_Irecv(theirs_[i].data(), sizes_[i], MPI_BYTE, peer(i), kBytesTag, MPI_COMM_WORLD,
              &received_[i]);
  }
}

bool NeighbourExchange::is_done() {
  return are_done(received_) && are_done(sent_sizes_) && are_done(sent_);
}

std::vector<Rank> NeighbourExchange::unanswered() const {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    const std::array requests{received_[i], sent_sizes_[i], sent_[i]};
    if (std::ranges::any_of(requests, is_open)) ranks.push_back(peers_[i]);
  }
  return ranks;
}

bool NeighbourExchange::are_done(Requests& requests) {
  int done = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

}  // namespace railgauge::job
