// Settings of RoCE: trust, priorities, PFC, pause, buffers, ECN and the class of packets.

#include <algorithm>

#include "doctor/judging.hpp"

namespace railgauge::doctor {
namespace {

std::string in_words(const std::vector<int>& priorities) {
  std::string text;
  for (const int one : priorities) text += (text.empty() ? "" : " ") + std::to_string(one);
  return text.empty() ? "none" : text;
}

/// Without an entry the switch of priorities is by VLAN tag, which does not survive a router.
Answer trusts_dscp(const Inputs& in) {
  if (in.values.front() != "none") return passed("dscp");
  return warned("pcp", "dscp", "packets without a VLAN tag are of priority 0");
}

/// The priority that carries RoCE: the policy's, or the only one with PFC.
std::optional<int> roce_priority(const std::string& pfc, const Expectations& wanted) {
  if (wanted.priority) return wanted.priority;
  const auto with_pfc = priorities_in(pfc);
  return with_pfc.size() == 1 ? std::optional(with_pfc.front()) : std::nullopt;
}

/// inputs: the map of DSCPs, and priorities with PFC
Answer maps_dscp(const Inputs& in) {
  const std::string& map = in.values[0];
  const auto priority = roce_priority(in.values[1], in.wanted);
  if (map == "none") return not_applicable("it trusts no DSCP: see trust");
  if (in.wanted.dscp) {
    const int found = mapped(map, *in.wanted.dscp).value_or(0);
    const std::string text =
        "DSCP " + std::to_string(*in.wanted.dscp) + " to priority " + std::to_string(found);
    const auto right = priority ? std::vector{*priority} : priorities_in(in.values[1]);
    const bool any = in.wanted.pfc == false && !in.wanted.priority;  // may carry it
    if (any || std::ranges::count(right, found) > 0) return passed(text);
    return failed(text, priority ? std::to_string(*priority) : "one with PFC");
  }
  if (!priority) return not_applicable("no priority, or several, have PFC: see pfc");
  const std::string wanted = ":" + std::to_string(*priority);
  if ((map + " ").find(wanted + " ") != std::string::npos) return passed(map);
  return failed(map, "a DSCP of priority " + std::to_string(*priority));
}

Answer has_pfc(const Inputs& in) {
  const auto found = priorities_in(in.values.front());
  const std::string text = in_words(found);
  if (in.wanted.pfc == false)
    return found.empty() ? passed(text) : failed(text, "none", "the policy says so");
  if (in.wanted.priority) {
    const bool right = found == std::vector{*in.wanted.priority};
    return right ? passed(text) : failed(text, std::to_string(*in.wanted.priority));
  }
  if (found.size() == 1) return passed(text);
  if (found.empty()) {
    return in.wanted.pfc ? failed(text, "one", "the policy says so")
                         : warned(text, "one", "packets are dropped where a queue is full");
  }
  return warned(text, "one", "a paused priority may hold up another");
}

/// inputs: pause frames, and priorities with PFC
Answer pauses_by_priority(const Inputs& in) {
  const std::string& pause = in.values[0];
  const bool none = pause == "rx off tx off";
  if (none || priorities_in(in.values[1]).empty()) return passed(pause);
  return failed(pause, "rx off tx off", "PFC is on, and the two exclude each other");
}

/// inputs: priorities of the switch, and of the host
Answer agrees_with_switch(const Inputs& in) {
  if (in.values[0] == in.values[1]) return passed(in.values[0]);
  return failed("switch " + in.values[0], in.values[1], "the switch sends what PFC it has (LLDP)");
}

/// inputs: the buffer of each priority, the size of each buffer, priorities with PFC
Answer has_buffer(const Inputs& in) {
  const auto priority = roce_priority(in.values[2], in.wanted);
  if (!priority) return not_applicable("no priority, or several, have PFC: see pfc");
  const auto buffer = mapped(in.values[0], *priority);
  if (!buffer) return not_understood(in.values[0]);
  const std::string text = "buffer " + std::to_string(*buffer);
  const auto size = mapped(in.values[1], *buffer);
  if (size.value_or(0) == 0) return failed(text + " of 0 bytes", "a buffer with a size");
  constexpr int kAll = 8;  // priorities
  for (int other = 0; other < kAll; ++other) {
    if (other != *priority && mapped(in.values[0], other) == buffer)
      return warned(text, "one of its own", "other priorities share it");
  }
  return passed(text);
}

/// inputs: whether it is on for the priority that carries RoCE
template <bool of_sender>
Answer reacts_to_ecn(const Inputs& in) {
  const auto priority = roce_priority(in.values.back(), in.wanted);
  if (!priority) return not_applicable("no priority, or several, have PFC: see pfc");
  const auto on = mapped(in.values.front(), *priority);
  if (!on) return not_understood(in.values.front());
  const bool wanted = in.wanted.ecn.value_or(true);
  const std::string text =
      (*on != 0 ? "on" : "off") + (" for priority " + std::to_string(*priority));
  if ((*on != 0) == wanted) return passed(text);
  Answer answer = warned(text, wanted ? "on" : "off",
                         of_sender ? "senders do not slow down" : "receivers send no CNPs");
  if (in.wanted.ecn) answer.verdict = Verdict::fail;
  return answer;
}

/// inputs: the DSCP of CNPs
Answer marks_cnps(const Inputs& in) {
  const auto dscp = whole_in(in.values.front());
  if (!dscp) return not_understood(in.values.front());
  const auto& wanted = in.wanted.cnp_dscp;
  if (wanted && *dscp != *wanted) return failed(in.values.front(), std::to_string(*wanted));
  if (in.wanted.dscp == *dscp)
    return warned(in.values.front(), "another than the data", "CNPs wait behind what they slow");
  return passed(in.values.front());
}

/// inputs: "Global tclass=106" or a type of service
Answer classifies(const Inputs& in) {
  const std::string& text = in.values.front();
  const auto tos = whole_in(text.substr(text.find('=') + 1));
  if (!tos) return not_understood(text);
  const int dscp = *tos / 4;
  const std::string observed = std::to_string(*tos) + " (DSCP " + std::to_string(dscp) + ")";
  if (in.wanted.dscp && dscp != *in.wanted.dscp)
    return failed(observed, "DSCP " + std::to_string(*in.wanted.dscp), "the policy says so");
  if (dscp == 0) return warned(observed, "a DSCP of the lossless priority");
  return passed(observed);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks roce_checks() {
  const std::string_view pfc = "dcb/{netdev}/pfc";
  const std::string_view no_dcb = "its driver has no DCB";
  return {
      {.name = "trust",
       .title = "trust mode",
       .reads = {"dcb/{netdev}/dscp-to-priority"},
       .expects = "dscp; the same on all devices of one model",
       .absent = no_dcb,
       .judge = trusts_dscp,
       .alike = Alike::models,
       .remedy = "dcb app add dev {netdev} dscp-prio 26:3; or mlnx_qos -i {netdev} --trust dscp",
       .source = "Microsoft, SIGCOMM'16: DSCP-based PFC; mlnx_qos"},
      {.name = "dscp-map",
       .title = "map from DSCP to priority",
       .reads = {"dcb/{netdev}/dscp-to-priority", pfc},
       .expects = "the policy's, or a DSCP of the priority with PFC; the same for one model",
       .absent = no_dcb,
       .judge = maps_dscp,
       .alike = Alike::models,
       .remedy = "dcb app show dev {netdev}; dcb app add dev {netdev} dscp-prio DSCP:PRIORITY",
       .source = "dcb-app(8); NVIDIA doRoCE: 26 to 3"},
      {.name = "pfc",
       .title = "set of priorities with PFC",
       .reads = {pfc},
       .expects = "the policy's, or one; the same on all devices of one model",
       .absent = no_dcb,
       .judge = has_pfc,
       .alike = Alike::models,
       .if_odd = Verdict::fail,
       .remedy = "dcb pfc set dev {netdev} prio-pfc all:off 3:on, and the same on the switch",
       .source = "dcb-pfc(8); NVIDIA NIC configuration operator: 0,0,0,1,0,0,0,0"},
      {.name = "pause",
       .title = "global pause",
       .reads = {"ethtool/{netdev}/pause", pfc},
       .expects = "off, where PFC is on; the same on all devices of one model",
       .absent = "its driver has no pause frames, or no DCB",
       .judge = pauses_by_priority,
       .alike = Alike::models,
       .remedy = "ethtool -A {netdev} rx off tx off",
       .source = "Intel 635330; NVIDIA doRoCE"},
      {.name = "switch-pfc",
       .title = "set of priorities with PFC of the switch port",
       .reads = {"dcb/{netdev}/peer-pfc", pfc},
       .expects = "those of the host",
       .absent = "the switch does not report it (LLDP)",
       .judge = agrees_with_switch,
       .remedy = "set PFC alike on the host and on the switch port of {netdev}",
       .source = "linux/dcbnl.h: DCB_ATTR_IEEE_PEER_PFC"},
      {.name = "dcb-owner",
       .title = "owner of DCB settings",
       .reads = {"dcb/{netdev}/owner"},
       .expects = "the same on all devices of one model",
       .absent = no_dcb,
       .alike = Alike::models,
       .remedy = "ethtool --set-priv-flags {netdev} fw-lldp-agent off, where it has that flag",
       .source = "Intel 635330: one owner"},
      {.name = "buffer",
       .title = "receive buffer of the RoCE priority",
       .reads = {"dcb/{netdev}/priority-to-buffer", "dcb/{netdev}/buffer-size", pfc},
       .expects = "one of its own, with a size",
       .absent = "its driver does not report buffers",
       .judge = has_buffer,
       .remedy = "dcb buffer set dev {netdev} prio-buffer 3:1 buffer-size 1:BYTES",
       .source = "dcb-buffer(8)"},
      {.name = "ecn-receiver",
       .title = "sending of CNPs for ECN marks",
       .reads = {"ecn/{netdev}/roce_np", pfc},
       .expects = "on, or the policy's",
       .needs = mlx5,
       .absent = "this driver shows it in debugfs only: see counters np_cnp_sent of a run",
       .judge = reacts_to_ecn<false>,
       .remedy = "echo 1 > /sys/class/net/{netdev}/ecn/roce_np/enable/PRIORITY",
       .source = "NVIDIA MLNX_OFED, ECN: roce_np"},
      {.name = "ecn-sender",
       .title = "reaction to CNPs",
       .reads = {"ecn/{netdev}/roce_rp", pfc},
       .expects = "on, or the policy's",
       .needs = mlx5,
       .absent = "this driver shows it in debugfs only: see counters rp_cnp_handled of a run",
       .judge = reacts_to_ecn<true>,
       .remedy = "echo 1 > /sys/class/net/{netdev}/ecn/roce_rp/enable/PRIORITY",
       .source = "NVIDIA MLNX_OFED, ECN: roce_rp"},
      {.name = "cnp-dscp",
       .title = "DSCP of CNPs",
       .reads = {"class/net/{netdev}/ecn/roce_np/cnp_dscp"},
       .expects = "the policy's, and not that of data",
       .needs = mlx5,
       .absent = "this driver shows it in debugfs only",
       .judge = marks_cnps,
       .alike = Alike::models,
       .remedy = "echo 48 > /sys/class/net/{netdev}/ecn/roce_np/cnp_dscp",
       .source = "Juniper JVD, Thor2: 48; NVIDIA operator: 4"},
      {.name = "traffic-class",
       .title = "default traffic class",
       .reads = {"class/infiniband/{device}/tc/{port}/traffic_class"},
       .expects = "the policy's DSCP; the same on all devices of one model",
       .absent = "no default is set: each program chooses (--traffic-class)",
       .judge = classifies,
       .alike = Alike::models,
       .remedy = "echo 106 > /sys/class/infiniband/{device}/tc/{port}/traffic_class",
       .source = "NVIDIA doRoCE: 106"},
      {.name = "default-tos",
       .title = "default type of service of RDMA CM",
       .reads = {"kernel/config/rdma_cm/{device}/ports/{port}/default_roce_tos"},
       .expects = "the policy's DSCP; the same on all devices of one model",
       .absent = "no default is set: each program chooses (--traffic-class)",
       .judge = classifies,
       .alike = Alike::models,
       .remedy = "cma_roce_tos -d {device} -t 106",
       .source = "mlnx-tools cma_roce_tos"},
  };
}

}  // namespace railgauge::doctor
