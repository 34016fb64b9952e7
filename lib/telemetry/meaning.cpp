#include "telemetry/meaning.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "json/members.hpp"

namespace railgauge::telemetry {
namespace {

using finding::Direction;

/// Names that mean the same, separated by commas. Every number in a name is a #.
struct Group {
  Meaning meaning;
  std::string_view names;
};

constexpr Meaning of(Counted counted, Direction direction = Direction::both) {
  return {.counted = counted, .direction = direction};
}
constexpr Meaning in_microseconds(Direction direction) {
  return {.counted = Counted::pause, .direction = direction, .microseconds = true};
}
/// mlx5's queue counters (Q counters) are 32 bits wide. Other drivers add up what their devices
/// count in fewer bits.
constexpr Meaning narrow(Counted counted, Direction direction = Direction::both) {
  return {.counted = counted, .direction = direction, .wraps_at_32_bits = true};
}
constexpr Meaning gap(Meaning meaning) {
  meaning.gap = true;
  return meaning;
}
constexpr Meaning resent(Meaning meaning) {
  meaning.resent = true;
  return meaning;
}

using enum Counted;
constexpr Direction kSent = Direction::transmit;
constexpr Direction kReceived = Direction::receive;

// A requester that is told of a gap, or waits in vain, learns about what it sent; a responder that
// sees a gap, about what it received. Sums of others here are left out: they would count twice.
// bnxt_re fills its recoverable_errors with broadcasts. Drivers' spelling mistakes are theirs.
constexpr std::array kGroups{
    Group{narrow(loss), "local_ack_timeout_err,roce_adp_retrans_to"},
    Group{gap(narrow(loss, kReceived)), "out_of_sequence"},
    Group{narrow(loss, kReceived), "implied_nak_seq_err"},
    Group{narrow(loss, kSent), "packet_seq_err,roce_adp_retrans,roce_slow_restart"},
    Group{of(loss),
          "RTO,completer_retry_err,requester_timeout,retrans_timeout_events,retransmitted_pkts,"
          "to_retransmits,tx_rdma_ack_timeout,tx_rdma_ccl_cts_ack_timeout,"
          "tx_rdma_ccl_cts_retx_pkts,tx_rdma_retx_pkts"},
    Group{gap(of(loss, kReceived)),
          "Rcvd Out of order packets,oos_drop_count,out_of_seq_request,res_oos_drop_count,"
          "resp_rx_ccl_cts_outouf_seq,resp_rx_outouf_seq,responder_oos"},
    Group{of(loss, kReceived),
          "InDiscards,Nak Sequence Error Implied,excessive_buffer_overrun_errors,"
          "frames_rx_dropped,hw_rx_bps_limit_drop_cnt,hw_rx_disable_drop_cnt,"
          "hw_rx_pps_limit_drop_cnt,ip#InDiscards,missing_resp,port_rcv_switch_relay_errors,"
          "rcvd_overflow,req_rx_impl_nak_seq_err,requester_implicit_nak,"
          "requester_readresp_psn_mismatch,resp_tx_pkt_seq_err,rx_bps_limit_drop_cnt,"
          "rx_disable_drop_cnt,rx_discard_packets_cos#,rx_discards_phy,rx_dropped.nic,rx_drops,"
          "rx_err_pkt,rx_pps_limit_drop_cnt,rx_prio#_buf_discard,rx_prio#_cong_discard,"
          "rx_prio#_discards,rx_roce_discards,rx_roce_errors"},
    Group{of(loss, kSent),
          "Nak Sequence Error,hw_bps_limit_drop_cnt,hw_disable_drop_cnt,"
          "hw_pps_limit_drop_cnt,impaired_remote_conn_events,port_xmit_discards,rcvd_seq_err,"
          "req_rx_pkt_seq_err,requester_oos_nak,send_err,seq_err_naks_rcvd,tx_bps_limit_drop_cnt,"
          "tx_disable_drop_cnt,tx_discards_phy,"
          "tx_dropped_link_down.nic,tx_err_pkt,tx_pps_limit_drop_cnt,tx_roce_discards,"
          "tx_roce_errors"},
    Group{resent(of(loss, kSent)), "RetransSegs,retrans_pkts,tcpRetransSegs"},
    Group{narrow(repetition), "duplicate_request"},
    Group{of(repetition),
          "dup_req,dup_rx_requests,req_rx_dup_response,resp_rx_dup_request,responder_dup_request"},
    Group{narrow(exhausted, kSent), "req_rnr_retries_exceeded,req_transport_retries_exceeded"},
    Group{of(exhausted), "max_retry_exceeded,total_fatal_error,unrecoverable_err"},
    Group{of(exhausted, kSent),
          "req_tx_retry_excd_err,requester_retries_exceeded,requester_rnr_nak_retries_exceeded,"
          "retry_exceeded_err,retry_rnr_exceeded_err,unresponsive_remote_events"},
    Group{of(corruption, kReceived), "CRC errors,icrc_err,malformed,rx_icrc_encapsulated"},
    Group{narrow(not_ready, kReceived), "out_of_buffer"},
    Group{narrow(not_ready, kSent), "rnr_nak_retry_err"},
    Group{of(not_ready, kReceived),
          "RNR sent,resp_rx_outof_buf,resp_tx_rnr_retry_err,responder_rnr_nak,rx_out_of_buffer,"
          "send_rnr_err"},
    Group{of(not_ready, kSent),
          "RNR received,rcvd_rnr_err,req_rx_rnr_retry_err,requester_rnr_nak,rnr_naks_rcvd"},
    Group{of(congestion, kReceived),
          "RxECNMrkd,cc_rx_ce_pkts,cc_tx_cnp_pkts,cnpSent,np_cnp_pkts,np_cnp_sent,"
          "np_ecn_marked_roce_packets,received_ecns,rx_ecn_marked_pkts,rx_prio#_marked,"
          "rx_rdma_ecn_pkts,sent_cnps,tx_cnp_pkt,tx_cnp_pkts,tx_rdma_cnp_pkts"},
    Group{of(congestion, kSent),
          "cc_rx_cnp_pkts,cnpHandled,received_cnps,rp_cnp_handled,rx_cnp_pkt,rx_cnp_pkts,"
          "rx_rdma_cnp_pkts"},
    Group{of(ignored_cnp, kSent), "cnpIgnored,rp_cnp_ignored"},
    Group{of(pause, kReceived),
          "frames_tx_pause,frames_tx_pripause,link_xoff_tx.nic,pfc_requests_prio#,"
          "tx_global_pause,tx_pause_ctrl_phy,tx_pause_frames,tx_pfc_ena_frames_pri#,tx_prio#_pause,"
          "tx_priority_#_xoff.nic"},
    Group{of(pause, kSent),
          "frames_rx_pause,frames_rx_pripause,link_xoff_rx.nic,pfc_indications_prio#,"
          "port_xmit_wait,rx_global_pause,rx_pause_ctrl_phy,rx_pause_frames,rx_pfc_ena_frames_pri#,"
          "rx_prio#_pause,"
          "rx_priority_#_xoff.nic"},
    Group{in_microseconds(kReceived),
          "pfc_pri#_tx_duration_us,tx_global_pause_duration,tx_pause_#us_count,"
          "tx_prio#_pause_duration,tx_pripause_#_#us_count"},
    Group{in_microseconds(kSent),
          "pfc_pri#_rx_duration_us,rx_global_pause_duration,rx_pause_#us_count,"
          "rx_prio#_pause_duration,rx_pripause_#_#us_count"},
    Group{of(link),
          "carrier_down_count,link_down_events,link_down_events_phy,link_downed,"
          "link_error_recovery"},
    Group{of(physical, kReceived),
          "fec_uncorrectable_blocks,frames_rx_bad_fcs,frames_rx_stomped_crc,illegal_bytes.nic,"
          "local_link_integrity_errors,"
          "mac_local_faults.nic,port_rcv_errors,port_rcv_remote_physical_errors,"
          "rx_align_err_frames,rx_crc_errors.nic,rx_crc_errors_phy,rx_fcs_err_frames,"
          "rx_fec_uncorrectable_blocks,rx_jabber.nic,rx_jbr_frames,rx_pcs_symbol_err,"
          "rx_pcs_symbol_err_phy,rx_symbol_err_phy,symbol_error"},
    Group{of(physical, kSent), "mac_remote_faults.nic"},
    Group{of(corrected), "aer_correctable"},
    Group{of(corrected, kReceived),
          "fec_corrected_blocks,rx_corrected_bits,rx_corrected_bits_phy,rx_fec_corrected_blocks"},
    Group{of(host),
          "aer_fatal,aer_nonfatal,outbound_pci_buffer_overflow,outbound_pci_stalled_rd_events,"
          "outbound_pci_stalled_wr_events,res_cq_load_err,res_mem_err,res_rx_pci_err,"
          "res_srq_load_err,res_tx_pci_err,rx_pci_signal_integrity,tx_pause_storm_error_events,"
          "tx_pci_signal_integrity"},
    Group{of(oversize, kReceived),
          "InTruncatedPkts,frames_rx_oversized,frames_rx_too_long,ip#InTruncatedPkts,"
          "rx_mtu_err_frames,rx_out_of_range_len_phy,rx_oversize.nic,rx_oversize_pkts_phy,"
          "rx_ovrsz_frames,rx_rdma_mtu_discard_pkts"},
    Group{narrow(protocol, kReceived),
          "resp_cqe_error,resp_local_length_error,resp_remote_access_errors"},
    Group{narrow(protocol, kSent),
          "req_cqe_error,req_remote_access_errors,req_remote_invalid_request"},
    Group{of(protocol), "nak_access_error,nak_inv_read,nak_inv_req,nak_opp_error"},
    Group{of(protocol, kReceived),
          "InOptErrors,InProtoErrors,bad_resp_err,req_rx_inval_pkts,res_cmp_err,res_exceed_max,"
          "res_exceeds_wqe,res_invalid_dup_rkey,res_irrq_oflow,res_length_mismatch,"
          "res_opcode_err,res_rem_inv_err,res_rx_domain_err,res_rx_invalid_rkey,res_rx_no_perm,"
          "res_rx_range_err,res_srq_err,res_tx_domain_err,res_tx_invalid_rkey,res_tx_no_perm,"
          "res_tx_range_err,res_unaligned_atomic,res_unsup_opcode,res_wqe_format_err,"
          "resp_rx_cqe_err,resp_rx_inval_request,resp_rx_loc_len_err,resp_rx_loc_oper_err,"
          "resp_rx_outof_atomic,resp_rx_s#_table_err,resp_tx_loc_sgl_inv_err,resp_tx_rmt_acc_err,"
          "resp_tx_rmt_inval_req_err,resp_tx_rmt_oper_err,responder_local_len_error,"
          "responder_local_qp_error,responder_malformed_wqe,responder_rem_access_error,"
          "tcpInOptErrors,tcpInProtoErrors,trp_get_irrl_err_pkt,trp_get_mpt_err_pkt,unexpected"},
    Group{of(protocol, kSent),
          "OutNoRoutes,ip#OutNoRoutes,local_protection_err,local_qp_op_err,mem_mgmt_op_err,"
          "rdma_read_wr_err,rdma_write_wr_err,remote_access_err,remote_invalid_req_err,"
          "remote_op_err,req_rx_cqe_err,req_rx_oper_err,req_rx_rmt_acc_err,req_rx_rmt_req_err,"
          "req_tx_loc_acc_err,req_tx_loc_oper_err,req_tx_loc_sgl_inv_err,req_tx_mem_mgmt_err,"
          "requestor_local_prot_error"},
    Group{of(traffic), "ack_deferred,ack_deffered,recoverable_errors"},
    Group{of(traffic, kReceived),
          "RxUDP,hw_rx_packets_cnt,ip#InPkts,port_rcv_data,port_rcv_packets,rcvd_bytes,rcvd_pkts,"
          "rdma_recvs,rdma_rx_packets,rx_bytes,rx_packets,rx_packets_cnt,rx_pkt,rx_pkts,"
          "rx_prio#_bytes,rx_rdma_ucast_pkts,rx_vport_rdma_unicast_packets"},
    Group{of(traffic, kSent),
          "TxUDP,hw_tx_packets_cnt,ip#OutPkts,port_xmit_data,port_xmit_packets,rdma_sends,"
          "rdma_tx_packets,sent_bytes,sent_pkts,shortcut_bytes,shortcut_operations,tx_bytes,"
          "tx_packets,tx_packets_cnt,tx_pkt,tx_pkts,tx_prio#_bytes,tx_rdma_ucast_pkts,"
          "tx_vport_rdma_unicast_packets"},
};

// Of RDMA alone where a driver tells it apart. A port's own come last: they are all it carried.
constexpr std::array<std::string_view, 11> kPacketsSent{
    "sent_pkts",          "tx_vport_rdma_unicast_packets",
    "tx_rdma_ucast_pkts", "tx_pkts",
    "tx_packets",         "ip4OutPkts",
    "ip6OutPkts",         "tx_pkt",
    "tx_packets_cnt",     "hw_tx_packets_cnt",
    "port_xmit_packets"};
constexpr std::array<std::string_view, 11> kPacketsReceived{
    "rcvd_pkts",          "rx_vport_rdma_unicast_packets",
    "rx_rdma_ucast_pkts", "rx_pkts",
    "rx_packets",         "ip4InPkts",
    "ip6InPkts",          "rx_pkt",
    "rx_packets_cnt",     "hw_rx_packets_cnt",
    "port_rcv_packets"};

/// "rx_prio3_pause" as "rx_prio#_pause".
std::string without_numbers(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter < '0' || letter > '9') {
      text += letter;
    } else if (text.empty() || text.back() != '#') {
      text += '#';
    }
  }
  return text;
}

std::unordered_map<std::string_view, Meaning> all_meanings() {
  std::unordered_map<std::string_view, Meaning> all;
  for (const auto& [meaning, names] : kGroups) {
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t comma = std::min(names.find(',', at), names.size());
      all.emplace(names.substr(at, comma - at), meaning);
      at = comma + 1;
    }
  }
  return all;
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view name) {
  static const auto all = all_meanings();
  auto found = all.find(name);
  if (found == all.end()) found = all.find(without_numbers(name));
  if (found == all.end()) return std::nullopt;
  return found->second;
}

std::string_view word(Counted counted) {
  return json::word_of<Counted::protocol>(
      counted,
      {"traffic", "loss", "exhausted", "corruption", "repetition", "congestion", "ignored_cnp",
       "pause", "link", "physical", "corrected", "host", "not_ready", "oversize", "protocol"});
}

std::optional<Counted> counted_of(std::string_view name) {
  for (std::size_t i = 0; i < kCountedClasses; ++i) {
    const auto counted = static_cast<Counted>(i);
    if (word(counted) == name) return counted;
  }
  return std::nullopt;
}

bool is_of_busy_machine(const Meaning& meaning) {
  return meaning.counted == Counted::repetition ||
         (meaning.counted == Counted::loss && meaning.direction == Direction::both);
}

bool is_fault(Counted counted) {
  switch (counted) {
    case loss:
    case exhausted:
    case corruption:
    case ignored_cnp:
    case link:
    case physical:
    case host:
    case not_ready:
    case oversize:
    case protocol: return true;
    case traffic:
    case repetition:
    case congestion:
    case pause:
    case corrected: return false;
  }
  return false;
}

std::optional<std::int64_t> packets(const std::map<std::string, std::int64_t>& moved,
                                    Direction direction) {
  for (const std::string_view name : direction == kSent ? kPacketsSent : kPacketsReceived) {
    const auto found = moved.find(std::string(name));
    if (found != moved.end()) return found->second;
  }
  return std::nullopt;
}

bool counts_packets(std::string_view name) {
  return std::ranges::count(kPacketsSent, name) + std::ranges::count(kPacketsReceived, name) > 0;
}

std::optional<std::int64_t> lost_packets(const std::map<std::string, std::uint64_t>& before,
                                         const std::map<std::string, std::int64_t>& moved,
                                         Direction direction) {
  std::optional<std::int64_t> lost;
  for (const auto& [name, value] : before) {
    const auto meaning = meaning_of(name);
    if (!meaning || meaning->direction != direction) continue;
    if (meaning->counted != loss && meaning->counted != corruption) continue;
    const auto found = moved.find(name);
    lost = std::max(lost.value_or(0), found == moved.end() ? 0 : found->second);
  }
  return lost;
}

bool only_overtaken(const std::map<std::string, std::int64_t>& sender,
                    const std::map<std::string, std::int64_t>& receiver) {
  const auto none = [](const std::map<std::string, std::int64_t>& moved, bool of_sender) {
    return std::ranges::none_of(moved, [&](const auto& entry) {
      const auto meaning = meaning_of(entry.first);
      if (!meaning || entry.second <= 0 || (meaning->gap && !of_sender)) return false;
      return meaning->counted == loss || meaning->counted == corruption;
    });
  };
  return none(sender, true) && none(receiver, false);
}

std::int64_t advance(std::string_view name, std::uint64_t before, std::uint64_t after) {
  constexpr std::uint64_t kWrap = std::uint64_t{1} << 32U;
  const auto difference = static_cast<std::int64_t>(after - before);
  if (difference >= 0 || before >= kWrap) return difference;
  const auto meaning = meaning_of(name);
  // From the upper half to the lower: a reset, to zero, is likelier to come from below.
  const bool wrapped = meaning && meaning->wraps_at_32_bits && before >= kWrap / 2;
  return wrapped ? difference + static_cast<std::int64_t>(kWrap) : difference;
}

}  // namespace railgauge::telemetry
