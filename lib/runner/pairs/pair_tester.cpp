#include "runner/pairs/pair_tester.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "flow/test.hpp"
#include "measure/statistics.hpp"
#include "results/codec.hpp"
#include "runner/pairs/way_counters.hpp"
#include "runner/poll_gaps.hpp"
#include "runner/session.hpp"

namespace railgauge::runner {
namespace {

using Part = flow::Test::Part;

// Then the processor is perhaps what the others wait for.
constexpr int kIdlePolls = 1000;
constexpr unsigned kQuantileStep = 50;  // per mille
constexpr unsigned kPerMille = 1000;

std::vector<double> quantiles_of(const measure::Histogram& times) {
  std::vector<double> quantiles;
  for (unsigned at = kQuantileStep; at < kPerMille; at += kQuantileStep)
    quantiles.push_back(times.quantile_us(at));
  return quantiles;
}

/// Of the slower of the two links; empty if one does not say.
std::optional<double> line_rate_percent(const reachability::Nic& from, const reachability::Nic& to,
                                        double gigabytes_per_second) {
  constexpr double kBitsPerByte = 8;
  constexpr double kPercent = 100;
  const double link = std::min(from.link_gigabits_per_second, to.link_gigabits_per_second);
  std::optional<double> percent;
  if (link > 0) percent = kPercent * kBitsPerByte * gigabytes_per_second / link;
  return percent;
}

const verbs::Port& port_of(const reachability::Nic& nic, const std::vector<verbs::Port>& own) {
  return *std::ranges::find_if(own, [&](const verbs::Port& port) {
    return port.device == nic.device && port.number == nic.port;
  });
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

PairTester::PairTester(Session& session, const AllNics& all, std::uint32_t most_bytes)
    : session_(session), all_(all) {
  for (const auto& [place, nic] : all.at[session.rank()]) {
    nics_.emplace(nic,
                  std::make_unique<flow::Nic>(port_of(all.nics[nic], session.rails()), most_bytes));
  }
}

PairTester::~PairTester() = default;

std::vector<WayFigures> PairTester::run(const flow::Plan& plan, std::span<const PairTest> tests) {
  session_.watch_ports();
  std::vector<End> ends = own_ends(plan, tests);
  connect(ends);
  drive(ends);
  std::vector<WayFigures> ways = shared(ends, plan.mode);  // now all are over
  add_stalls(shared_stalls(ends), ways);
  set_ran_shares(ends, tests.size() == 1, ways);
  ends.clear();
  add_counters(ways);
  return ways;
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
  struct Told {
    std::size_t nic = 0;
    flow::Offer offer{};
  };
  std::vector<Told> offers;
  offers.reserve(ends.size());
  for (const End& end : ends) offers.push_back({end.own, end.end->offer()});
  std::map<std::size_t, flow::Offer> all_offers;
  for (const auto& list : transport::all_gather(session_.communicator(), offers)) {
    for (const Told& told : list) all_offers[told.nic] = told.offer;
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

void PairTester::drive(std::vector<End>& ends) {
  PollGaps gaps;
  bool going_on = true;
  for (int polls = 1; going_on; ++polls) {
    going_on = false;
    const double stalled_ms = gaps.next_ms();
    for (End& end : ends) {
      if (!end.going_on) continue;
      end.stalled_ms += stalled_ms;
      end.going_on = end.end->advance();
      going_on = going_on || end.going_on;
    }
    if (polls % kIdlePolls == 0) {
      session_.communicator().abort_channel().check();
      std::this_thread::yield();
    }
  }
}

results::PairFigures PairTester::figures_of(const End& end, flow::Mode mode) const {
  const flow::Figures measured = *end.end->figures();
  results::PairFigures figures{.reason = measured.reason,
                               .ran_share = measured.ran_share,
                               .messages = measured.messages,
                               .bytes = measured.bytes,
                               .seconds = measured.seconds};
  if (measured.messages == 0) return figures;
  figures.time = measure::summarize(measured.times);
  figures.quantiles_us = quantiles_of(measured.times);
  if (mode != flow::Mode::bandwidth || !measured.reason.empty()) return figures;
  figures.gigabytes_per_second = measured.gigabytes_per_second();
  figures.line_rate_percent =
      line_rate_percent(all_.nics[end.own], all_.nics[end.peer], *figures.gigabytes_per_second);
  return figures;
}

std::vector<WayFigures> PairTester::shared(const std::vector<End>& ends, flow::Mode mode) {
  nlohmann::json own = nlohmann::json::array();
  for (const End& end : ends) {
    if (!end.end->figures()) continue;
    own.push_back({end.test, end.own, end.peer, results::encode(figures_of(end, mode)),
                   end.end->source_ports() == verbs::SourcePort::set});
  }
  struct Placed {
    std::size_t test = 0;
    WayFigures way{};
  };
  std::vector<Placed> all;
  const std::vector<std::uint8_t> packed = nlohmann::json::to_cbor(own);
  for (const auto& bytes : session_.communicator().all_gather(std::as_bytes(std::span(packed)))) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
    for (const auto& told : nlohmann::json::from_cbor(begin, begin + bytes.size())) {
      all.push_back({told[0], {told[1], told[2], {}, told[4]}});
      results::decode(results::Json(told[3]), all.back().way.figures);
    }
  }
  std::vector<WayFigures> ways;
  std::ranges::stable_sort(all, {}, &Placed::test);
  ways.reserve(all.size());
  for (Placed& one : all) ways.push_back(std::move(one.way));
  return ways;
}

/// Of NICs that have any, by place in AllNics. No NIC is in two tests.
std::map<std::size_t, double> PairTester::shared_stalls(const std::vector<End>& ends) {
  struct Stall {
    std::size_t nic = 0;
    double ms = 0;
  };
  std::vector<Stall> own;
  for (const End& end : ends) {
    if (end.stalled_ms > 0) own.push_back({end.own, end.stalled_ms});
  }
  std::map<std::size_t, double> stalled_ms;
  for (const auto& list : transport::all_gather(session_.communicator(), own)) {
    for (const Stall& stall : list) stalled_ms[stall.nic] = stall.ms;
  }
  return stalled_ms;
}

/// Either end may have held a way up. Which of the two ways of a test it was is not known.
void PairTester::add_stalls(const std::map<std::size_t, double>& stalled_ms,
                            std::vector<WayFigures>& ways) {
  constexpr double kMillisecondsPerSecond = 1e3;
  for (WayFigures& way : ways) {
    results::PairFigures& figures = way.figures;
    double longest_ms = 0;
    for (const std::size_t nic : {way.from, way.to}) {
      const auto found = stalled_ms.find(nic);
      if (found == stalled_ms.end() || found->second <= longest_ms) continue;
      longest_ms = found->second;
      if (was_held_up(longest_ms, kMillisecondsPerSecond * figures.seconds,
                      !figures.reason.empty())) {
        figures.held_up = held_up_text(all_.nics[nic].host, longest_ms);
      }
    }
  }
}

/// Of tests that run at the same time ranks of one host wait for each other, by design. Software
/// receives by this end's processor, too; of when each ran nothing is known but the share.
void PairTester::set_ran_shares(const std::vector<End>& ends, bool alone,
                                std::vector<WayFigures>& ways) {
  struct Told {
    std::size_t nic = 0;
    double share = 1;
  };
  std::vector<Told> own;
  own.reserve(ends.size());
  for (const End& end : ends) own.push_back({end.own, end.end->ran_listening()});
  std::map<std::size_t, double> listening;
  for (const auto& list : transport::all_gather(session_.communicator(), own)) {
    for (const Told& told : list) listening[told.nic] = told.share;
  }
  for (WayFigures& way : ways) {
    double& share = way.figures.ran_share;
    if (all_.nics[way.to].software) share *= listening[way.to];
    if (!alone) share = 1;
  }
}

void PairTester::add_counters(std::vector<WayFigures>& ways) {
  const WayCounters counters(session_.document(), all_, session_.port_events());
  for (WayFigures& way : ways) counters.add_to(way);
}

}  // namespace railgauge::runner
