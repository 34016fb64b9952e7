#include "experiments/congestion/flow_group.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "experiments/pairs/pair_tester.hpp"
#include "experiments/pairs/pairs_plan.hpp"
#include "flow/nic.hpp"
#include "flow/test.hpp"
#include "job/exchanged_values.hpp"
#include "json/members.hpp"
#include "measure/cpu_share.hpp"
#include "measure/statistics.hpp"
#include "paths/source_port.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

// Processors play the NICs of software devices, and the hosts' processes share them.
constexpr int kIdlePolls = 1000;
constexpr std::chrono::milliseconds kNap{1};
constexpr double kBitsPerByte = 8;

const verbs::Port& port_of(const pairs::Nic& nic, const std::vector<verbs::Port>& own) {
  return *std::ranges::find_if(own, [&](const verbs::Port& port) {
    return port.device == nic.device && port.number == nic.port;
  });
}

/// What one flow has of the step's plan.
flow::Plan plan_of(flow::Plan plan, const congestion::PlannedFlow& flow) {
  const auto whole = static_cast<double>(plan.time.count());
  plan.time -= std::chrono::milliseconds(static_cast<std::int64_t>(flow.begin * whole));
  plan.iterations = flow.messages;
  if (flow.burst == 0) return plan;
  plan.window = static_cast<int>(flow.burst);
  plan.burst = flow.burst;
  return plan;
}

std::vector<std::uint32_t> labels_of(const std::vector<std::uint16_t>& ports) {
  std::vector<std::uint32_t> labels;
  labels.reserve(ports.size());
  for (const std::uint16_t port : ports) labels.push_back(paths::flow_label_of_port(port));
  return labels;
}

}  // namespace

/// This rank's end of a flow, with a NIC opened for it alone: tests share no completion queue.
struct FlowGroup::End {
  std::size_t flow = 0;
  bool sends = false;
  std::unique_ptr<flow::Nic> nic{};
  std::unique_ptr<flow::Test> test{};
  std::chrono::milliseconds begin{};  // after those that begin at once
  bool peer_connected = false;
  bool begun = false;
  bool going_on = true;
  double stalled_ms = 0;  // time in which this process did not run at all
};

/// What an end says of its flow once that is over.
struct FlowGroup::Told {
  std::size_t flow = 0;
  bool sends = false;
  double stalled_ms = 0;
  results::CongestionFlow figures{};  // without its ends; of a receiver only cpu_share

  RAILGAUGE_FIELDS((flow), (sends), stalled_ms, figures)
};

double payload_rate(const pairs::Nic& nic) {
  // A full packet of the usual MTU, and around it: preamble and gap 20, Ethernet 18, IP 20, UDP 8,
  // BTH 12, ICRC 4 (InfiniBand volume 1, annex A17; IEEE 802.3).
  constexpr double kPayload = 4096;
  constexpr double kAround = 82;
  return nic.link_gigabits_per_second / kBitsPerByte * kPayload / (kPayload + kAround);
}

double offered_rate(const congestion::PlannedFlow& flow, const AllNics& all) {
  return flow.load > 0 ? flow.load * payload_rate(all.nics[flow.to])
                       : payload_rate(all.nics[flow.from]);
}

std::vector<FlowResult> FlowGroup::run(const flow::Plan& plan, const Flows& flows,
                                       const SourcePorts& ports, std::uint8_t other_class) {
  std::vector<End> ends = own_ends(plan, flows, ports, other_class);
  connect(ends);
  const measure::ProcessCpuShare share;
  drive(ends);
  const double cpu_share = share.until_now().value_or(1);
  const auto all = job::all_gather_list(session_.communicator(), told_by(ends, cpu_share));
  ends.clear();  // now all are over
  std::vector<FlowResult> results(flows.size());
  for (const Told& told : all) {
    FlowResult& result = results[told.flow];
    const auto other_share = result.flow.cpu_share;
    if (told.sends) result.flow = told.figures;
    if (other_share && told.figures.cpu_share)
      result.flow.cpu_share = std::min(*other_share, *told.figures.cpu_share);
    if (!told.sends && !other_share) result.flow.cpu_share = told.figures.cpu_share;
    const std::size_t nic = told.sends ? flows[told.flow].from : flows[told.flow].to;
    const double test_ms = static_cast<double>(plan.time.count());
    if (was_descheduled(told.stalled_ms, test_ms, false))
      result.descheduled = descheduled_text(all_.nics[nic].host, told.stalled_ms);
  }
  for (std::size_t at = 0; at < flows.size(); ++at) {
    results::CongestionFlow& flow = results[at].flow;
    flow.from = endpoint_of(all_.nics[flows[at].from]);
    flow.to = endpoint_of(all_.nics[flows[at].to]);
    flow.victim = flows[at].victim;
    flow.offered_gigabytes_per_second = offered_rate(flows[at], all_);
  }
  return results;
}

std::vector<FlowGroup::End> FlowGroup::own_ends(const flow::Plan& plan, const Flows& flows,
                                                const SourcePorts& ports,
                                                std::uint8_t other_class) const {
  std::vector<End> ends;
  for (std::size_t at = 0; at < flows.size(); ++at) {
    flow::Plan own = plan_of(plan, flows[at]);
    const std::chrono::milliseconds begin = plan.time - own.time;
    if (flows[at].load > 0) own.gigabytes_per_second = offered_rate(flows[at], all_);
    if (at < ports.size()) own.flow_labels = labels_of(ports[at]);
    if (flows[at].other_class) own.traffic_class = other_class;
    const auto add = [&](std::size_t nic, bool sends) {
      if (all_.rank_of[nic] != session_.rank()) return;
      const verbs::Port& port = port_of(all_.nics[nic], session_.rails());
      auto opened = std::make_unique<flow::Nic>(port, own.message_bytes);
      const auto part = sends ? flow::Test::Part::first : flow::Test::Part::second;
      auto test = std::make_unique<flow::Test>(*opened, part, own);
      ends.push_back({at, sends, std::move(opened), std::move(test), begin});
    };
    add(flows[at].from, true);
    add(flows[at].to, false);
  }
  return ends;
}

void FlowGroup::connect(std::vector<End>& ends) {
  struct Offered {
    std::size_t flow = 0;
    bool sends = false;
    flow::Offer offer{};
  };
  using Key = std::pair<std::size_t, bool>;
  std::vector<Offered> offers;
  offers.reserve(ends.size());
  for (const End& end : ends) offers.push_back({end.flow, end.sends, end.test->offer()});
  std::map<Key, flow::Offer> all_offers;
  for (const auto& list : transport::all_gather(session_.communicator(), offers)) {
    for (const Offered& told : list) all_offers[{told.flow, told.sends}] = told.offer;
  }
  std::vector<Key> connected;
  for (const End& end : ends) {
    if (end.test->connect(all_offers[{end.flow, !end.sends}]))
      connected.emplace_back(end.flow, end.sends);
  }
  struct Connected {
    std::size_t flow = 0;
    bool sends = false;
  };
  std::vector<Connected> own;
  own.reserve(connected.size());
  for (const auto& [flow, sends] : connected) own.push_back({flow, sends});
  std::map<Key, bool> is_connected;
  for (const auto& list : transport::all_gather(session_.communicator(), own)) {
    for (const Connected& one : list) is_connected[{one.flow, one.sends}] = true;
  }
  for (End& end : ends) end.peer_connected = is_connected[{end.flow, !end.sends}];
}

void FlowGroup::drive(std::vector<End>& ends) {
  PollGaps gaps;
  const auto began = std::chrono::steady_clock::now();
  const bool naps = session_.on_software();
  bool going_on = true;
  for (int polls = 1; going_on; ++polls) {
    going_on = false;
    const double stalled_ms = gaps.next_ms();
    for (End& end : ends) {
      if (!end.going_on) continue;
      if (!end.begun && std::chrono::steady_clock::now() - began < end.begin) {
        going_on = true;
        continue;
      }
      if (!end.begun) end.test->start(end.peer_connected);
      end.begun = true;
      end.stalled_ms += stalled_ms;
      end.going_on = end.test->advance();
      going_on = going_on || end.going_on;
    }
    if (naps && going_on) std::this_thread::sleep_for(kNap);
    if (!naps && polls % kIdlePolls != 0) continue;
    session_.communicator().abort_channel().check();
  }
}

std::vector<FlowGroup::Told> FlowGroup::told_by(const std::vector<End>& ends,
                                                double cpu_share) const {
  std::vector<Told> all;
  all.reserve(ends.size());
  for (const End& end : ends) {
    Told& told = all.emplace_back();
    told = {.flow = end.flow, .sends = end.sends, .stalled_ms = end.stalled_ms};
    if (session_.on_software()) told.figures.cpu_share = cpu_share;
    const auto figures = end.test->figures();
    if (!end.sends || !figures) continue;
    told.figures.gigabytes_per_second = figures->gigabytes_per_second();
    told.figures.reason = figures->reason;
    if (figures->times.count() > 0) told.figures.time = measure::summarize(figures->times);
  }
  return all;
}

}  // namespace railgauge::runner
