#include "telemetry/meaning.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace railgauge::telemetry {
namespace {

struct Entry {
  std::string_view name;  // every number in it is a #
  Meaning meaning;
};

constexpr Meaning of(Counted counted, Way way = Way::either) {
  return {.counted = counted, .way = way};
}
constexpr Meaning in_microseconds(Way way) {
  return {.counted = Counted::pause, .way = way, .microseconds = true};
}
/// mlx5's queue counters (Q counters) are 32 bits wide.
constexpr Meaning narrow(Counted counted, Way way = Way::either) {
  return {.counted = counted, .way = way, .wraps_at_32_bits = true};
}

using enum Counted;
constexpr Way kSent = Way::sent;
constexpr Way kReceived = Way::received;

// Sorted by name. A requester that is told of a gap, or waits in vain, learns about what it sent; a
// responder that sees a gap, about what it received.
constexpr std::array kEntries{
    Entry{"CRC errors", of(corruption, kReceived)},
    Entry{"InDiscards", of(loss, kReceived)},
    Entry{"InTruncatedPkts", of(oversize, kReceived)},
    Entry{"Nak Sequence Error", of(loss, kSent)},
    Entry{"Nak Sequence Error Implied", of(loss, kReceived)},
    Entry{"OutNoRoutes", of(protocol, kSent)},
    Entry{"RNR received", of(not_ready, kSent)},
    Entry{"RNR sent", of(not_ready, kReceived)},
    Entry{"RTO", of(loss)},
    Entry{"Rcvd Out of order packets", of(loss, kReceived)},
    Entry{"RetransSegs", of(loss, kSent)},
    Entry{"RxECNMrkd", of(congestion, kReceived)},
    Entry{"RxUDP", of(traffic, kReceived)},
    Entry{"TxUDP", of(traffic, kSent)},
    Entry{"ack_deferred", of(traffic)},
    Entry{"ack_deffered", of(traffic)},
    Entry{"aer_correctable", of(corrected)},
    Entry{"aer_fatal", of(host)},
    Entry{"aer_nonfatal", of(host)},
    Entry{"bad_resp_err", of(protocol, kReceived)},
    Entry{"carrier_down_count", of(link)},
    Entry{"cc_rx_ce_pkts", of(congestion, kReceived)},
    Entry{"cc_rx_cnp_pkts", of(congestion, kSent)},
    Entry{"cc_tx_cnp_pkts", of(congestion, kReceived)},
    Entry{"cnpHandled", of(congestion, kSent)},
    Entry{"cnpIgnored", of(ignored_cnp, kSent)},
    Entry{"cnpSent", of(congestion, kReceived)},
    Entry{"completer_retry_err", of(loss)},
    Entry{"dup_req", of(repetition)},
    Entry{"dup_rx_requests", of(repetition)},
    Entry{"duplicate_request", narrow(repetition)},
    Entry{"excessive_buffer_overrun_errors", of(loss, kReceived)},
    Entry{"icrc_err", of(corruption, kReceived)},
    Entry{"impaired_remote_conn_events", of(loss, kSent)},
    Entry{"implied_nak_seq_err", narrow(loss, kReceived)},
    Entry{"link_down_events_phy", of(link)},
    Entry{"link_downed", of(link)},
    Entry{"link_error_recovery", of(link)},
    Entry{"local_ack_timeout_err", narrow(loss)},
    Entry{"local_link_integrity_errors", of(physical, kReceived)},
    Entry{"malformed", of(corruption, kReceived)},
    Entry{"max_retry_exceeded", of(exhausted)},
    Entry{"missing_resp", of(loss, kReceived)},
    Entry{"np_cnp_pkts", of(congestion, kReceived)},
    Entry{"np_cnp_sent", of(congestion, kReceived)},
    Entry{"np_ecn_marked_roce_packets", of(congestion, kReceived)},
    Entry{"oos_drop_count", of(loss, kReceived)},
    Entry{"out_of_buffer", narrow(not_ready, kReceived)},
    Entry{"out_of_seq_request", of(loss, kReceived)},
    Entry{"out_of_sequence", narrow(loss, kReceived)},
    Entry{"outbound_pci_buffer_overflow", of(host)},
    Entry{"outbound_pci_stalled_rd_events", of(host)},
    Entry{"outbound_pci_stalled_wr_events", of(host)},
    Entry{"packet_seq_err", narrow(loss, kSent)},
    Entry{"pfc_pri#_rx_duration_us", in_microseconds(kSent)},
    Entry{"pfc_pri#_tx_duration_us", in_microseconds(kReceived)},
    Entry{"port_rcv_data", of(traffic, kReceived)},
    Entry{"port_rcv_errors", of(physical, kReceived)},
    Entry{"port_rcv_packets", of(traffic, kReceived)},
    Entry{"port_rcv_remote_physical_errors", of(physical, kReceived)},
    Entry{"port_rcv_switch_relay_errors", of(loss, kReceived)},
    Entry{"port_xmit_data", of(traffic, kSent)},
    Entry{"port_xmit_discards", of(loss, kSent)},
    Entry{"port_xmit_packets", of(traffic, kSent)},
    Entry{"port_xmit_wait", of(pause, kSent)},
    Entry{"rcvd_bytes", of(traffic, kReceived)},
    Entry{"rcvd_overflow", of(loss, kReceived)},
    Entry{"rcvd_pkts", of(traffic, kReceived)},
    Entry{"rcvd_rnr_err", of(not_ready, kSent)},
    Entry{"rcvd_seq_err", of(loss, kSent)},
    Entry{"rdma_recvs", of(traffic, kReceived)},
    Entry{"rdma_sends", of(traffic, kSent)},
    Entry{"received_cnps", of(congestion, kSent)},
    Entry{"received_ecns", of(congestion, kReceived)},
    Entry{"recoverable_errors", of(host)},
    Entry{"remote_access_err", of(protocol, kSent)},
    Entry{"remote_invalid_req_err", of(protocol, kSent)},
    Entry{"req_cqe_error", narrow(protocol, kSent)},
    Entry{"req_remote_access_errors", narrow(protocol, kSent)},
    Entry{"req_remote_invalid_request", narrow(protocol, kSent)},
    Entry{"req_rnr_retries_exceeded", narrow(exhausted, kSent)},
    Entry{"req_rx_pkt_seq_err", of(loss, kSent)},
    Entry{"req_rx_rnr_retry_err", of(not_ready, kSent)},
    Entry{"req_transport_retries_exceeded", narrow(exhausted, kSent)},
    Entry{"req_tx_retry_excd_err", of(exhausted, kSent)},
    Entry{"requester_implicit_nak", of(loss, kReceived)},
    Entry{"requester_oos_nak", of(loss, kSent)},
    Entry{"requester_retries_exceeded", of(exhausted, kSent)},
    Entry{"requester_rnr_nak", of(not_ready, kSent)},
    Entry{"requester_rnr_nak_retries_exceeded", of(exhausted, kSent)},
    Entry{"requester_timeout", of(loss)},
    Entry{"res_mem_err", of(host)},
    Entry{"res_oos_drop_count", of(loss, kReceived)},
    Entry{"res_rx_pci_err", of(host)},
    Entry{"res_tx_pci_err", of(host)},
    Entry{"resp_cqe_error", narrow(protocol, kReceived)},
    Entry{"resp_local_length_error", narrow(protocol, kReceived)},
    Entry{"resp_remote_access_errors", narrow(protocol, kReceived)},
    Entry{"resp_rx_dup_request", of(repetition)},
    Entry{"resp_rx_outof_buf", of(not_ready, kReceived)},
    Entry{"resp_rx_outouf_seq", of(loss, kReceived)},  // the driver's spelling
    Entry{"resp_tx_pkt_seq_err", of(loss, kReceived)},
    Entry{"resp_tx_rnr_retry_err", of(not_ready, kReceived)},
    Entry{"responder_dup_request", of(repetition)},
    Entry{"responder_oos", of(loss, kReceived)},
    Entry{"responder_rnr_nak", of(not_ready, kReceived)},
    Entry{"retrans_pkts", of(loss, kSent)},
    Entry{"retrans_timeout_events", of(loss)},
    Entry{"retransmitted_pkts", of(loss)},
    Entry{"retry_exceeded_err", of(exhausted, kSent)},
    Entry{"retry_rnr_exceeded_err", of(exhausted, kSent)},
    Entry{"rnr_nak_retry_err", narrow(not_ready, kSent)},
    Entry{"rnr_naks_rcvd", of(not_ready, kSent)},
    Entry{"roce_adp_retrans", of(loss, kSent)},
    Entry{"roce_adp_retrans_to", of(loss)},
    Entry{"roce_slow_restart", of(loss, kSent)},
    Entry{"rp_cnp_handled", of(congestion, kSent)},
    Entry{"rp_cnp_ignored", of(ignored_cnp, kSent)},
    Entry{"rx_bytes", of(traffic, kReceived)},
    Entry{"rx_cnp_pkts", of(congestion, kSent)},
    Entry{"rx_corrected_bits_phy", of(corrected, kReceived)},
    Entry{"rx_crc_errors_phy", of(physical, kReceived)},
    Entry{"rx_discards_phy", of(loss, kReceived)},
    Entry{"rx_drops", of(loss, kReceived)},
    Entry{"rx_ecn_marked_pkts", of(congestion, kReceived)},
    Entry{"rx_err_pkt", of(loss, kReceived)},
    Entry{"rx_global_pause", of(pause, kSent)},
    Entry{"rx_global_pause_duration", in_microseconds(kSent)},
    Entry{"rx_icrc_encapsulated", narrow(corruption, kReceived)},
    Entry{"rx_out_of_buffer", of(not_ready, kReceived)},
    Entry{"rx_out_of_range_len_phy", of(oversize, kReceived)},
    Entry{"rx_oversize_pkts_phy", of(oversize, kReceived)},
    Entry{"rx_pause_ctrl_phy", of(pause, kSent)},
    Entry{"rx_pause_frames", of(pause, kSent)},
    Entry{"rx_pci_signal_integrity", of(host)},
    Entry{"rx_pcs_symbol_err_phy", of(physical, kReceived)},
    Entry{"rx_pfc_ena_frames_pri#", of(pause, kSent)},
    Entry{"rx_pkts", of(traffic, kReceived)},
    Entry{"rx_prio#_buf_discard", of(loss, kReceived)},
    Entry{"rx_prio#_cong_discard", of(loss, kReceived)},
    Entry{"rx_prio#_discards", of(loss, kReceived)},
    Entry{"rx_prio#_marked", of(congestion, kReceived)},
    Entry{"rx_prio#_pause", of(pause, kSent)},
    Entry{"rx_prio#_pause_duration", in_microseconds(kSent)},
    Entry{"rx_priority_#_xoff.nic", of(pause, kSent)},
    Entry{"rx_rdma_cnp_pkts", of(congestion, kSent)},
    Entry{"rx_rdma_ecn_pkts", of(congestion, kReceived)},
    Entry{"rx_rdma_mtu_discard_pkts", of(oversize, kReceived)},
    Entry{"rx_rdma_ucast_pkts", of(traffic, kReceived)},
    Entry{"rx_roce_discards", of(loss, kReceived)},
    Entry{"rx_roce_errors", of(loss, kReceived)},
    Entry{"rx_symbol_err_phy", of(physical, kReceived)},
    Entry{"rx_vport_rdma_unicast_packets", of(traffic, kReceived)},
    Entry{"send_err", of(loss, kSent)},
    Entry{"send_rnr_err", of(not_ready, kReceived)},
    Entry{"sent_bytes", of(traffic, kSent)},
    Entry{"sent_cnps", of(congestion, kReceived)},
    Entry{"sent_pkts", of(traffic, kSent)},
    Entry{"seq_err_naks_rcvd", of(loss, kSent)},
    Entry{"shortcut_bytes", of(traffic, kSent)},
    Entry{"shortcut_operations", of(traffic, kSent)},
    Entry{"symbol_error", of(physical, kReceived)},
    Entry{"to_retransmits", of(loss)},
    Entry{"total_fatal_error", of(exhausted)},
    Entry{"tx_bytes", of(traffic, kSent)},
    Entry{"tx_cnp_pkts", of(congestion, kReceived)},
    Entry{"tx_discards_phy", of(loss, kSent)},
    Entry{"tx_err_pkt", of(loss, kSent)},
    Entry{"tx_global_pause", of(pause, kReceived)},
    Entry{"tx_global_pause_duration", in_microseconds(kReceived)},
    Entry{"tx_pause_ctrl_phy", of(pause, kReceived)},
    Entry{"tx_pause_frames", of(pause, kReceived)},
    Entry{"tx_pause_storm_error_events", of(host)},
    Entry{"tx_pci_signal_integrity", of(host)},
    Entry{"tx_pfc_ena_frames_pri#", of(pause, kReceived)},
    Entry{"tx_pkts", of(traffic, kSent)},
    Entry{"tx_prio#_pause", of(pause, kReceived)},
    Entry{"tx_prio#_pause_duration", in_microseconds(kReceived)},
    Entry{"tx_priority_#_xoff.nic", of(pause, kReceived)},
    Entry{"tx_rdma_ack_timeout", of(loss)},
    Entry{"tx_rdma_cnp_pkts", of(congestion, kReceived)},
    Entry{"tx_rdma_retx_pkts", of(loss)},
    Entry{"tx_rdma_ucast_pkts", of(traffic, kSent)},
    Entry{"tx_roce_discards", of(loss, kSent)},
    Entry{"tx_roce_errors", of(loss, kSent)},
    Entry{"tx_vport_rdma_unicast_packets", of(traffic, kSent)},
    Entry{"unexpected", of(protocol, kReceived)},
    Entry{"unrecoverable_err", of(exhausted)},
    Entry{"unresponsive_remote_events", of(exhausted, kSent)},
};
static_assert(std::ranges::is_sorted(kEntries, {}, &Entry::name));

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

const Meaning* entry_for(std::string_view name) {
  const auto found = std::ranges::lower_bound(kEntries, name, {}, &Entry::name);
  return found != kEntries.end() && found->name == name ? &found->meaning : nullptr;
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view name) {
  const Meaning* meaning = entry_for(name);
  if (meaning == nullptr) meaning = entry_for(without_numbers(name));
  if (meaning == nullptr) return std::nullopt;
  return *meaning;
}

std::string_view word(Counted counted) {
  switch (counted) {
    case traffic: return "traffic";
    case loss: return "loss";
    case exhausted: return "exhausted";
    case corruption: return "corruption";
    case repetition: return "repetition";
    case congestion: return "congestion";
    case ignored_cnp: return "ignored_cnp";
    case pause: return "pause";
    case link: return "link";
    case physical: return "physical";
    case corrected: return "corrected";
    case host: return "host";
    case not_ready: return "not_ready";
    case oversize: return "oversize";
    case protocol: return "protocol";
  }
  return "";
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
         (meaning.counted == Counted::loss && meaning.way == Way::either);
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

std::optional<std::int64_t> packets(const std::map<std::string, std::int64_t>& moved, Way way) {
  // Of RDMA alone where a driver tells it apart. A port's own come last: they are all it carried.
  constexpr std::array kSentBy{"sent_pkts", "tx_vport_rdma_unicast_packets", "tx_rdma_ucast_pkts",
                               "tx_pkts", "port_xmit_packets"};
  constexpr std::array kReceivedBy{"rcvd_pkts", "rx_vport_rdma_unicast_packets",
                                   "rx_rdma_ucast_pkts", "rx_pkts", "port_rcv_packets"};
  for (const char* name : way == Way::sent ? kSentBy : kReceivedBy) {
    const auto found = moved.find(name);
    if (found != moved.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<std::int64_t> lost_packets(const std::map<std::string, std::uint64_t>& before,
                                         const std::map<std::string, std::int64_t>& moved,
                                         Way way) {
  std::optional<std::int64_t> lost;
  for (const auto& [name, value] : before) {
    const auto meaning = meaning_of(name);
    if (!meaning || meaning->way != way) continue;
    if (meaning->counted != loss && meaning->counted != corruption) continue;
    const auto found = moved.find(name);
    lost = std::max(lost.value_or(0), found == moved.end() ? 0 : found->second);
  }
  return lost;
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
