#include "softroce/device/profile.hpp"

#include <algorithm>
#include <array>

namespace railgauge::softroce {

namespace {

constexpr std::array kMlx5Counters{
    CounterName{"duplicate_request", "duplicate_request", true},
    CounterName{"out_of_seq_request", "out_of_sequence", true},
    CounterName{"rcvd_seq_err", "packet_seq_err", true},
    CounterName{"rcvd_rnr_err", "rnr_nak_retry_err", true},
    CounterName{"send_rnr_err", "out_of_buffer", true},
    CounterName{"completer_retry_err", "local_ack_timeout_err", true},
    CounterName{"icrc_err", "rx_icrc_encapsulated"},
    CounterName{"np_ecn_marked_roce_packets", "np_ecn_marked_roce_packets"},
    CounterName{"np_cnp_sent", "np_cnp_sent"},
    CounterName{"rp_cnp_handled", "rp_cnp_handled"},
    CounterName{"rp_cnp_ignored", "rp_cnp_ignored"}};
constexpr std::array kIrdmaCounters{CounterName{"rcvd_overflow", "ip4InDiscards"},
                                    CounterName{"malformed", "ip4InTruncatedPkts"},
                                    CounterName{"rcvd_pkts", "ip4InPkts"},
                                    CounterName{"sent_pkts", "ip4OutPkts"},
                                    CounterName{"retransmitted_pkts", "tcpRetransSegs"},
                                    CounterName{"np_ecn_marked_roce_packets", "RxECNMrkd"},
                                    CounterName{"np_cnp_sent", "cnpSent"},
                                    CounterName{"rp_cnp_handled", "cnpHandled"},
                                    CounterName{"rp_cnp_ignored", "cnpIgnored"}};
constexpr std::array kBnxtCounters{CounterName{"rcvd_pkts", "rx_pkts"},
                                   CounterName{"sent_pkts", "tx_pkts"},
                                   CounterName{"rcvd_bytes", "rx_bytes"},
                                   CounterName{"sent_bytes", "tx_bytes"},
                                   CounterName{"completer_retry_err", "to_retransmits"},
                                   CounterName{"rcvd_seq_err", "seq_err_naks_rcvd"},
                                   CounterName{"retry_exceeded_err", "max_retry_exceeded"},
                                   CounterName{"rcvd_rnr_err", "rnr_naks_rcvd"},
                                   CounterName{"duplicate_request", "dup_req"},
                                   CounterName{"out_of_seq_request", "oos_drop_count"},
                                   CounterName{"rcvd_overflow", "rx_roce_discards"},
                                   CounterName{"icrc_err", "rx_roce_errors"},
                                   CounterName{"np_ecn_marked_roce_packets", "rx_ecn_marked_pkts"},
                                   CounterName{"np_cnp_sent", "tx_cnp_pkts"},
                                   CounterName{"rp_cnp_handled", "rx_cnp_pkts"}};
constexpr std::array kIonicCounters{CounterName{"sent_pkts", "tx_rdma_ucast_pkts"},
                                    CounterName{"rcvd_pkts", "rx_rdma_ucast_pkts"},
                                    CounterName{"sent_bytes", "tx_rdma_ucast_bytes"},
                                    CounterName{"rcvd_bytes", "rx_rdma_ucast_bytes"},
                                    CounterName{"retransmitted_pkts", "tx_rdma_retx_pkts"},
                                    CounterName{"completer_retry_err", "tx_rdma_ack_timeout"},
                                    CounterName{"rcvd_seq_err", "req_rx_pkt_seq_err"},
                                    CounterName{"out_of_seq_request", "resp_rx_outouf_seq"},
                                    CounterName{"duplicate_request", "resp_rx_dup_request"},
                                    CounterName{"retry_exceeded_err", "req_tx_retry_excd_err"},
                                    CounterName{"rcvd_rnr_err", "req_rx_rnr_retry_err"},
                                    CounterName{"np_cnp_sent", "tx_rdma_cnp_pkts"},
                                    CounterName{"rp_cnp_handled", "rx_rdma_cnp_pkts"},
                                    CounterName{"np_ecn_marked_roce_packets", "rx_rdma_ecn_pkts"}};
constexpr std::array kEfaCounters{
    CounterName{"sent_pkts", "tx_pkts"}, CounterName{"rcvd_pkts", "rx_pkts"},
    CounterName{"sent_bytes", "tx_bytes"}, CounterName{"rcvd_bytes", "rx_bytes"},
    CounterName{"rcvd_overflow", "rx_drops"}};

// As common devices of each driver have them; not compared with a device. Of ionic the most entries
// of a completion queue are the driver's own limit. A firmware may have less.
constexpr std::array kProfiles{
    Profile{.name = "mlx5",
            .limits = {32768, 4194303, 30, 16, 828},
            .highest_rate = 400e9,
            .rate_otherwise = 40e9,
            .counters = kMlx5Counters},
    Profile{.name = "irdma",
            .limits = {8191, 1048574, 13, 127, 101},
            .highest_rate = 100e9,
            .rate_otherwise = 100e9,
            .counters = kIrdmaCounters},
    Profile{.name = "bnxt",
            .limits = {32767, 65535, 6, 126, 96},
            .highest_rate = 100e9,
            .rate_otherwise = 100e9,
            .counters = kBnxtCounters},
    Profile{.name = "ionic", .limits = {32767, 65435, 8, 16, 32}, .counters = kIonicCounters},
    Profile{.name = "efa",
            .limits = {4096, 32768, 2, 0, 32},
            .has_rc = false,
            .counters = kEfaCounters},
};

}  // namespace

const Profile* profile_called(std::string_view name) {
  const auto* found = std::ranges::find(kProfiles, name, &Profile::name);
  return found == kProfiles.end() ? nullptr : found;
}

std::string profile_names() {
  std::string names;
  for (const Profile& profile : kProfiles) {
    names += (names.empty() ? "" : ", ") + std::string(profile.name);
  }
  return names;
}

Limits smaller(const Limits& one, const Limits& other) {
  return {std::min(one.requests, other.requests), std::min(one.completions, other.completions),
          std::min(one.elements, other.elements), std::min(one.reads, other.reads),
          std::min(one.inline_bytes, other.inline_bytes)};
}

double told_rate(const Profile& profile, double bits_per_second) {
  const bool known = profile.highest_rate == 0 || bits_per_second <= profile.highest_rate;
  return known ? bits_per_second : profile.rate_otherwise;
}

NamedCounters as_driver_names(const Profile& profile, NamedCounters counters) {
  if (profile.counters.empty()) return counters;
  NamedCounters renamed;
  for (const CounterName& name : profile.counters) {
    const auto found = std::ranges::find(counters, name.ours, &NamedCounters::value_type::first);
    if (found == counters.end()) continue;
    // They begin short of their end, so that programs meet it.
    constexpr std::uint64_t kFirst = 0xffffff00, kLast = 0xffffffff;
    const std::uint64_t value =
        name.wraps_at_32_bits ? (kFirst + found->second) & kLast : found->second;
    renamed.emplace_back(name.theirs, value);
  }
  return renamed;
}

}  // namespace railgauge::softroce
