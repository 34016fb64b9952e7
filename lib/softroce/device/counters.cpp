#include "softroce/device/counters.hpp"

namespace railgauge::softroce {

std::vector<std::pair<std::string, std::uint64_t>> Counters::named() const {
  return {{"sent_pkts", sent_pkts},
          {"rcvd_pkts", rcvd_pkts},
          {"sent_bytes", sent_bytes},
          {"rcvd_bytes", rcvd_bytes},
          {"duplicate_request", duplicate_request},
          {"out_of_seq_request", out_of_seq_request},
          {"rcvd_rnr_err", rcvd_rnr_err},
          {"send_rnr_err", send_rnr_err},
          {"rcvd_seq_err", rcvd_seq_err},
          {"ack_deferred", ack_deferred},
          {"retry_exceeded_err", retry_exceeded_err},
          {"retry_rnr_exceeded_err", retry_rnr_exceeded_err},
          {"completer_retry_err", completer_retry_err},
          {"send_err", send_err},
          {"link_downed", link_downed},
          {"rdma_sends", rdma_sends},
          {"rdma_recvs", rdma_recvs},
          {"icrc_err", icrc_err},
          {"malformed", malformed},
          {"unexpected", unexpected},
          {"retransmitted_pkts", retransmitted_pkts},
          {"np_ecn_marked_roce_packets", np_ecn_marked_roce_packets},
          {"np_cnp_sent", np_cnp_sent},
          {"rp_cnp_handled", rp_cnp_handled},
          {"shortcut_operations", shortcut_operations},
          {"shortcut_bytes", shortcut_bytes}};
}

}  // namespace railgauge::softroce
