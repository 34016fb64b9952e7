#include "experiments/pairs/pair_tester.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "flow/test.hpp"
#include "job/exchanged_values.hpp"
#include "json/members.hpp"
#include "measure/cpu_share.hpp"
#include "measure/statistics.hpp"
#include "runner/session.hpp"
#include "telemetry/meaning.hpp"
#include "telemetry/priority_traffic.hpp"

namespace railgauge::runner {
namespace {

using Part = flow::Test::Part;

// Then the processor is perhaps what the others wait for.
constexpr int kIdlePolls = 1000;
constexpr std::chrono::milliseconds kNap{1};
/// Drivers read their counters every 10 ms.
constexpr std::chrono::milliseconds kCountersAge{15};
constexpr unsigned kQuantileStep = 50;  // per mille
constexpr unsigned kPerMille = 1000;

std::vector<double> quantiles_of(const measure::Histogram& times) {
  std::vector<double> quantiles;
  for (unsigned at = kQuantileStep; at < kPerMille; at += kQuantileStep)
    quantiles.push_back(times.quantile_us(at));
  return quantiles;
}

/// Of the slower of the two links; empty if one does not say.
std::optional<double> line_rate_percent(const pairs::Nic& from, const pairs::Nic& to,
                                        double gigabytes_per_second) {
  constexpr double kBitsPerByte = 8;
  constexpr double kPercent = 100;
  const double link = std::min(from.link_gigabits_per_second, to.link_gigabits_per_second);
  std::optional<double> percent;
  if (link > 0) percent = kPercent * kBitsPerByte * gigabytes_per_second / link;
  return percent;
}

const verbs::Port& port_of(const pairs::Nic& nic, const std::vector<verbs::Port>& own) {
  return *std::ranges::find_if(own, [&](const verbs::Port& port) {
    return port.device == nic.device && port.number == nic.port;
  });
}

/// Ranks of a host may be named apart in pairs::Nic: `host` is that of the rank.
using PortKey = std::tuple<std::string_view, std::string_view, int, std::string_view>;

template <class Port>
PortKey key_of(std::string_view host, const Port& port) {
  return {host, port.device, port.port, port.address};
}

using finding::Direction;
using Moved = std::map<std::string, std::int64_t>;

/// What is not about the other direction.
Moved without(Moved moved, Direction other) {
  std::erase_if(moved, [&](const auto& entry) {
    const auto meaning = telemetry::meaning_of(entry.first);
    return meaning && meaning->direction == other;
  });
  return moved;
}

std::int64_t lost(const Moved& moved) {
  std::int64_t sum = 0;
  for (const auto& [name, by] : moved) {
    const auto meaning = telemetry::meaning_of(name);
    if (meaning && meaning->counted == telemetry::Counted::loss) sum += by;
  }
  return sum;
}

}  // namespace

/// This rank's end of a test.
struct PairTester::End {
  std::size_t test = 0;  // its place in the round
  std::size_t own = 0;   // NIC
  std::size_t peer = 0;
  std::unique_ptr<flow::Test> end{};
  bool going_on = true;
  double stalled_ms = 0;  // time in which this process did not run at all
};

/// What an end says of its test once that is over.
struct PairTester::Told {
  std::size_t test = 0;
  std::size_t own = 0;
  std::size_t peer = 0;
  double stalled_ms = 0;
  double cpu_share = 1;                           // while it listened, or of the whole test
  std::optional<results::PairFigures> figures{};  // of what it sent
  bool ports_were_set = false;
  std::optional<int> arrived_class{};  // of what the peer sent
  std::optional<bool> hears_peer{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT((test), (own), (peer), (stalled_ms));
    visit.required("own_cpu_share", self.cpu_share);
    RAILGAUGE_VISIT(figures, ports_were_set, arrived_class, hears_peer);
  }
};

/// What a NIC of this rank has carried, by priority.
struct PairTester::Carried {
  std::size_t nic = 0;
  telemetry::PriorityTraffic sent{};
  telemetry::PriorityTraffic received{};
};

/// In which priority a NIC's tests of a round were sent and arrived.
struct PairTester::Priorities {
  std::size_t nic = 0;
  std::optional<int> sent{};
  std::optional<int> received{};

  RAILGAUGE_FIELDS((nic), sent, received)
};

PairTester::PairTester(Session& session, const AllNics& all, std::uint32_t most_bytes,
                       results::MemoryKind memory)
    : session_(session), all_(all), memory_(memory) {
  if (memory == results::MemoryKind::gpu) use_gpus(session, own_ports());
  for (std::size_t nic = 0; nic < all.nics.size(); ++nic) {
    if (all.rank_of[nic] == session.rank()) nics_.emplace(nic, open(nic, most_bytes));
  }
}

std::vector<std::size_t> PairTester::own_ports() const {
  std::vector<std::size_t> ports;
  for (std::size_t nic = 0; nic < all_.nics.size(); ++nic) {
    if (all_.rank_of[nic] != session_.rank()) continue;
    const verbs::Port& port = port_of(all_.nics[nic], session_.rails());
    ports.push_back(static_cast<std::size_t>(&port - session_.rails().data()));
  }
  return ports;
}

std::unique_ptr<flow::Nic> PairTester::open(std::size_t nic, std::uint32_t most_bytes) {
  const verbs::Port& port = port_of(all_.nics[nic], session_.rails());
  if (memory_ == results::MemoryKind::host) return std::make_unique<flow::Nic>(port, most_bytes);
  const std::size_t bytes = std::max(most_bytes, flow::Nic::kLargestPacket);
  const gpu::Memory& payload = payloads_.emplace_back(session_.gpus().nearest(port.device), bytes);
  const gpu::DmaBuf shown = payload.dma_buf();
  return std::make_unique<flow::Nic>(
      port, most_bytes, verbs::DeviceSlice{payload.bytes(), shown.file.number(), shown.offset});
}

PairTester::~PairTester() = default;

std::vector<DirectionFigures> PairTester::run(const flow::Plan& plan,
                                              std::span<const PairTest> tests) {
  session_.watch_ports();
  std::vector<Carried> before;
  for (const PairTest& test : tests) {
    for (const std::size_t nic : {test.first, test.second})
      if (nics_.contains(nic)) before.push_back(carried(nic));
  }
  std::vector<End> ends = own_ends(plan, tests);
  connect(ends);
  const bool unanswered = plan.mode == flow::Mode::unanswered;
  std::optional<measure::ProcessCpuShare> share;
  if (unanswered && session_.on_software()) share.emplace();
  drive(ends, unanswered);
  const std::vector<Told> told = shared(told_by(ends, plan.mode, share));  // now all are over
  ends.clear();
  std::vector<DirectionFigures> directions = directions_of(told, unanswered);
  // Of tests that run at the same time ranks of one host wait for each other, by design.
  for (DirectionFigures& direction : directions) {
    if (!unanswered && tests.size() > 1) direction.figures.cpu_share = 1;
  }
  add_counters(directions);
  add_priorities(before, directions);
  return directions;
}

std::vector<PairTester::End> PairTester::own_ends(const flow::Plan& plan,
                                                  std::span<const PairTest> tests) {
  std::vector<End> ends;
  for (std::size_t test = 0; test < tests.size(); ++test) {
    flow::Plan own = plan;
    if (!tests[test].flow_labels.empty()) own.flow_labels = tests[test].flow_labels;
    const auto add = [&](std::size_t nic, std::size_t peer, Part part) {
      const auto found = nics_.find(nic);
      if (found == nics_.end()) return;
      ends.push_back({test, nic, peer, std::make_unique<flow::Test>(*found->second, part, own)});
    };
    add(tests[test].first, tests[test].second, Part::first);
    add(tests[test].second, tests[test].first, Part::second);
  }
  return ends;
}

void PairTester::connect(std::vector<End>& ends) {
  struct Offered {
    std::size_t nic = 0;
    flow::Offer offer{};
  };
  std::vector<Offered> offers;
  offers.reserve(ends.size());
  for (const End& end : ends) offers.push_back({end.own, end.end->offer()});
  std::map<std::size_t, flow::Offer> all_offers;
  for (const auto& list : transport::all_gather(session_.communicator(), offers)) {
    for (const Offered& told : list) all_offers[told.nic] = told.offer;
  }
  std::vector<std::size_t> connected;
  for (const End& end : ends) {
    if (end.end->connect(all_offers[end.peer])) connected.push_back(end.own);
  }
  std::map<std::size_t, bool> is_connected;
  for (const auto& list : transport::all_gather(session_.communicator(), connected)) {
    for (const std::size_t nic : list) is_connected[nic] = true;
  }
  for (const End& end : ends) end.end->start(is_connected[end.peer]);
}

/// Unanswered tests leave processors to the software devices that they play, except while these
/// time single messages.
void PairTester::drive(std::vector<End>& ends, bool naps) {
  PollGaps gaps;
  bool going_on = true;
  for (int polls = 1; going_on; ++polls) {
    going_on = false;
    bool timing = !session_.on_software();
    const double stalled_ms = gaps.next_ms();
    for (End& end : ends) {
      if (!end.going_on) continue;
      end.stalled_ms += stalled_ms;
      end.going_on = end.end->advance();
      going_on = going_on || end.going_on;
      timing = timing || end.end->is_timing();
    }
    const bool nap = naps && going_on && !timing;
    if (nap) std::this_thread::sleep_for(kNap);
    if (!nap && polls % kIdlePolls != 0) continue;
    session_.communicator().abort_channel().check();
    std::this_thread::yield();
  }
}

results::PairFigures PairTester::figures_of(const End& end, flow::Mode mode) const {
  const flow::Figures measured = *end.end->figures();
  results::PairFigures figures{.reason = measured.reason,
                               .cpu_share = measured.cpu_share,
                               .messages = measured.messages,
                               .bytes = measured.bytes,
                               .seconds = measured.seconds};
  if (measured.lost_packet_bytes > 0) {
    figures.passed_packet_bytes = measured.passed_packet_bytes;
    figures.lost_packet_bytes = measured.lost_packet_bytes;
  }
  if (measured.times.count() > 0) {
    figures.time = measure::summarize(measured.times);
    figures.quantiles_us = quantiles_of(measured.times);
  }
  if (!flow::is_of_data(mode) || measured.messages == 0 || !measured.reason.empty()) return figures;
  figures.gigabytes_per_second = measured.gigabytes_per_second();
  figures.line_rate_percent =
      line_rate_percent(all_.nics[end.own], all_.nics[end.peer], *figures.gigabytes_per_second);
  return figures;
}

/// What a process's threads wait for processors counts for all its ends.
std::vector<PairTester::Told> PairTester::told_by(
    const std::vector<End>& ends, flow::Mode mode,
    const std::optional<measure::ProcessCpuShare>& share) const {
  std::vector<Told> told;
  told.reserve(ends.size());
  for (const End& end : ends) {
    Told& one = told.emplace_back();
    one = {.test = end.test, .own = end.own, .peer = end.peer, .stalled_ms = end.stalled_ms};
    if (all_.nics[end.own].software)
      one.cpu_share = share ? share->until_now().value_or(1) : end.end->ran_listening();
    one.ports_were_set = end.end->source_ports() == verbs::SourcePort::set;
    one.arrived_class = end.end->arrived_class();
    one.hears_peer = end.end->hears_peer();
    if (!end.end->figures()) continue;
    one.figures = figures_of(end, mode);
    if (share) one.figures->cpu_share = one.cpu_share;
  }
  return told;
}

/// Of all ranks, by test.
std::vector<PairTester::Told> PairTester::shared(const std::vector<Told>& own) {
  std::vector<Told> all = job::all_gather_list(session_.communicator(), own);
  std::ranges::stable_sort(all, {}, &Told::test);
  return all;
}

/// Either end may have delayed it. Which of the two directions of a test it was is not known.
/// Software receives by the receiver's processor, too; of when each thread ran nothing is known but
/// the share. What processes wait is mostly at the same time.
std::vector<DirectionFigures> PairTester::directions_of(const std::vector<Told>& all,
                                                        bool unanswered) const {
  constexpr double kMillisecondsPerSecond = 1e3;
  std::map<std::size_t, const Told*> by_nic;
  for (const Told& one : all) by_nic[one.own] = &one;
  std::vector<DirectionFigures> directions;
  for (const Told& sender : all) {
    if (!sender.figures) continue;
    const Told& receiver = *by_nic.at(sender.peer);
    directions.push_back({sender.own, sender.peer, *sender.figures, sender.ports_were_set});
    results::PairFigures& figures = directions.back().figures;
    figures.cpu_share = unanswered ? std::min(figures.cpu_share, receiver.cpu_share)
                                   : figures.cpu_share * receiver.cpu_share;
    figures.arrived_traffic_class = receiver.arrived_class;
    if (!figures.reason.empty() && sender.hears_peer && receiver.hears_peer &&
        *sender.hears_peer != *receiver.hears_peer)
      figures.arrives = receiver.hears_peer;
    const Told& stalled = receiver.stalled_ms > sender.stalled_ms ? receiver : sender;
    if (was_descheduled(stalled.stalled_ms, kMillisecondsPerSecond * figures.seconds,
                        !figures.reason.empty())) {
      figures.descheduled = descheduled_text(all_.nics[stalled.own].host, stalled.stalled_ms);
      figures.descheduled_ms = stalled.stalled_ms;
    }
  }
  return directions;
}

PairTester::Carried PairTester::carried(std::size_t nic) const {
  const pairs::Nic& one = all_.nics[nic];
  const auto counters = telemetry::read_priority_counters(one.device, one.port, one.netdev);
  return {nic, telemetry::priority_traffic_in(counters, "tx"),
          telemetry::priority_traffic_in(counters, "rx")};
}

void PairTester::add_priorities(const std::vector<Carried>& before,
                                std::vector<DirectionFigures>& directions) const {
  const auto bytes_of = [&](std::size_t DirectionFigures::*end, std::size_t nic) {
    const auto found = std::ranges::find(directions, nic, end);
    return found == directions.end() ? 0 : found->figures.bytes;
  };
  std::chrono::milliseconds age{0};
  for (const Carried& one : before) age = std::max(age, one.received.age);
  std::this_thread::sleep_for(age);
  std::vector<Priorities> own;
  for (const auto& [nic, sent, received] : before) {
    const Carried now = carried(nic);
    own.push_back(
        {nic, telemetry::priority_of(sent, now.sent, bytes_of(&DirectionFigures::from, nic)),
         telemetry::priority_of(received, now.received, bytes_of(&DirectionFigures::to, nic))});
  }
  std::map<std::size_t, Priorities> all;
  for (const Priorities& one : job::all_gather_list(session_.communicator(), own))
    all[one.nic] = one;
  for (DirectionFigures& one : directions) {
    one.figures.sent_priority = all[one.from].sent;
    one.figures.arrived_priority = all[one.to].received;
  }
}

void PairTester::add_counters(std::vector<DirectionFigures>& directions) {
  if (!session_.on_software()) std::this_thread::sleep_for(kCountersAge);
  events_ = session_.port_events();
  const DirectionCounters counters(session_.document(), all_, events_);
  for (DirectionFigures& direction : directions) counters.add_to(direction);
}

double PollGaps::next_ms() {
  // What is under way bridges less.
  constexpr double kLateMs = 20;
  const auto now = Clock::now();
  const double gap_ms = std::chrono::duration<double, std::milli>(now - last_).count();
  last_ = now;
  return gap_ms > kLateMs ? gap_ms : 0;
}

bool was_descheduled(double stalled_ms, double test_ms, bool failed) {
  constexpr double kShare = 0.2;
  constexpr double kToFailMs = 500;
  return stalled_ms > (failed ? kToFailMs : kShare * test_ms);
}

std::string descheduled_text(const std::string& host, double stalled_ms) {
  return "the process on " + host + " was descheduled for " +
         std::to_string(static_cast<int>(stalled_ms)) + " ms";
}

DirectionCounters::DirectionCounters(const results::Document& document, const AllNics& all,
                                     const std::vector<results::PortEvents>& events)
    : nics_(all.nics.size()) {
  std::map<PortKey, OfNic*> by_port;
  for (std::size_t nic = 0; nic < nics_.size(); ++nic)
    by_port[key_of(document.ranks[all.rank_of[nic]].host, all.nics[nic])] = &nics_[nic];
  for (const results::PortCounters& port : document.counters) {
    const auto found = by_port.find(key_of(port.host, port));
    if (found != by_port.end()) found->second->counts |= !port.before.empty();
  }
  for (const results::PortEvents& port : events) {
    const auto found = by_port.find(key_of(port.host, port));
    if (found != by_port.end()) found->second->moved = port.moved;
  }
}

void DirectionCounters::add_to(DirectionFigures& direction) const {
  results::PairFigures& figures = direction.figures;
  const OfNic& sender = nics_[direction.from];
  const OfNic& receiver = nics_[direction.to];
  figures.sender_events = without(sender.moved, Direction::receive);
  figures.receiver_events = without(receiver.moved, Direction::transmit);
  if (!sender.counts || !receiver.counts) return;
  const bool overtaken = telemetry::only_overtaken(figures.sender_events, figures.receiver_events);
  figures.retransmissions =
      overtaken ? 0 : std::max(lost(figures.sender_events), lost(figures.receiver_events));
}

}  // namespace railgauge::runner
