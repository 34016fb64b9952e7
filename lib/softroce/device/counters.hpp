#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace railgauge::softroce {

/// What a device counts, under the names of rdma_rxe (drivers/infiniband/sw/rxe/rxe_hw_counters.c)
/// and, for congestion, of mlx5 (np_cnp_sent and so on): whoever reads those reads these.
struct Counters {
  std::uint64_t sent_pkts = 0;
  std::uint64_t rcvd_pkts = 0;
  std::uint64_t sent_bytes = 0;  ///< UDP payload
  std::uint64_t rcvd_bytes = 0;
  std::uint64_t duplicate_request = 0;
  std::uint64_t out_of_seq_request = 0;
  std::uint64_t rcvd_rnr_err = 0;
  std::uint64_t send_rnr_err = 0;
  std::uint64_t rcvd_seq_err = 0;
  std::uint64_t ack_deferred = 0;
  std::uint64_t retry_exceeded_err = 0;
  std::uint64_t retry_rnr_exceeded_err = 0;
  std::uint64_t completer_retry_err = 0;  ///< times that a requester went back by its timer
  std::uint64_t send_err = 0;             ///< datagrams that the kernel refused
  std::uint64_t link_downed = 0;
  std::uint64_t rdma_sends = 0;
  std::uint64_t rdma_recvs = 0;
  std::uint64_t icrc_err = 0;
  std::uint64_t malformed = 0;
  std::uint64_t unexpected = 0;  ///< for no queue pair here, or one that is not ready
  std::uint64_t retransmitted_pkts = 0;
  std::uint64_t np_ecn_marked_roce_packets = 0;
  std::uint64_t np_cnp_sent = 0;
  std::uint64_t rp_cnp_handled = 0;
  std::uint64_t shortcut_operations = 0;  ///< WRITEs and READs without packets
  std::uint64_t shortcut_bytes = 0;

  std::vector<std::pair<std::string, std::uint64_t>> named() const;
};

}  // namespace railgauge::softroce
