#include "predict/published.hpp"

#include <array>
#include <cmath>

#include "fabric/sizing.hpp"
#include "finding/words.hpp"
#include "predict/collisions.hpp"
#include "predict/prediction.hpp"

namespace railgauge::predict {
namespace {

using fabric::Count;
using fabric::number;

constexpr const char* kMeta = "Gangidi et al., SIGCOMM 2024";
constexpr const char* kPackets = "htsim, packets with PFC, mean of 20 seeds";
constexpr const char* kClosed = "closed form";
constexpr const char* kDeepEp = "DeepEP, low latency";

/// Every rank sends all it has to the one `by` ranks further on.
schedule::Schedule shift(Count ranks, Count by) {
  schedule::Schedule made;
  made.collective = schedule::Collective::sendrecv;
  made.ranks = static_cast<schedule::Rank>(ranks);
  made.steps = 1;
  made.cost = {.rounds = 1, .messages = 1, .depth = 1};
  made.rule = [=](schedule::Rank rank, schedule::Step /*step*/, schedule::Ops& ops) {
    ops.push_back(
        {schedule::Action::send, static_cast<schedule::Rank>((rank + by) % ranks), {0, 1}});
  };
  return made;
}

/// Leaves of as many NICs as uplinks: `by` apart, or in a ring of scattered ranks.
Profile shifted(Count nics, Count per_leaf, Count by, const Routing& routing) {
  const auto fabric = fabric::sized({.hosts = nics,
                                     .nics = 1,
                                     .leaf = {2 * per_leaf, 400},
                                     .spine = {nics / per_leaf, 400},
                                     .spines = per_leaf,
                                     .hosts_per_leaf = per_leaf})
                          .fabric;
  const Ranks ranks{.hosts = nics, .per_host = 1, .order = by == 1 ? Order::random : Order::pod};
  return profile_of(shift(nics, by), fabric, ranks, routing);
}

void add_meta(std::vector<PublishedPoint>& points) {
  points.push_back({.what = "most flows over mean, 1,000 flows on 16 links",
                    .source = kMeta,
                    .published = 1.2,
                    .ours = expected_most(1000, 16, 16) / (1000.0 / 16),
                    .at_least = true});
  for (const auto& [pairs, worst] : {std::pair{32U, 52.0}, std::pair{4U, 20.0}}) {
    const Profile profile = shifted(3072, 16, 1, {.queue_pairs = pairs});
    points.push_back(
        {.what = "worst step of a zone of 3,072 NICs, " + std::to_string(pairs) + " QPs",
         .source = kMeta,
         .unit = "%",
         .published = worst,
         .ours = 100 * profile.ideal_us_per_byte / profile.worst_us_per_byte});
  }
}

void add_closed_forms(std::vector<PublishedPoint>& points) {
  constexpr Count kNics = 8192;
  constexpr Count kLeaf = 64;
  const auto add = [&](const std::string& what, double published, double ours) {
    points.push_back({.what = what + ", 8,192 NICs",
                      .source = kClosed,
                      .unit = "%",
                      .published = published,
                      .ours = 100 * ours,
                      .tolerance = 0.05});
  };
  add("ECMP at start", 100 * (1 - std::exp(-1)), shifted(kNics, kLeaf, kLeaf, {}).aggregate);
  for (const std::uint32_t pairs : {1U, 4U, 16U, 64U}) {
    add("ECMP step by E[max], " + std::to_string(pairs) + " QPs",
        100 * pairs / expected_most(fabric::real(kLeaf * pairs), kLeaf, kNics),
        shifted(kNics, kLeaf, kLeaf, {.queue_pairs = pairs}).step_efficiency());
  }
  const auto without = [&](Balance balance) {
    return shifted(kNics, kLeaf, kLeaf, {.balance = balance, .dead_spines = 1}).step_efficiency();
  };
  add("63 of 64 spines, spray", 100 * 63.0 / 64, without(Balance::spray));
  add("63 of 64 spines, pinned", 50, without(Balance::pinned));
}

void add_packets(std::vector<PublishedPoint>& points) {
  const auto add = [&](const std::string& what, double published, Count by,
                       const Routing& routing) {
    points.push_back({.what = "256 NICs, time over ideal: " + what,
                      .source = kPackets,
                      .published = published,
                      .ours = shifted(256, 16, by, routing).us_per_byte * 50'000});
  };
  add("shift by a leaf", 4.81, 16, {});
  add("scattered ring", 5.22, 1, {});
  add("scattered ring, 4 QPs", 3.16, 1, {.queue_pairs = 4});
  add("shift by a leaf, round robin", 1.084, 16, {.balance = Balance::spray});
}

/// 128 tokens, top-8, 7,168 bytes and scales each, over 400G and 160 GB/s of NVLink. What it takes
/// besides moving bytes is that of its 8 ranks of one host.
void add_expert_parallelism(std::vector<PublishedPoint>& points) {
  const auto dispatch_us = [](Count hosts) {
    Scenario scenario;
    scenario.fabric = fabric::sized({.hosts = hosts}).fabric;
    scenario.collective = schedule::Collective::all_to_all;
    scenario.algorithms = {"pairwise"};
    scenario.sizes = {std::uint64_t{128} * 8 * (7168 + 224)};
    scenario.ranks = {.hosts = hosts};
    scenario.routing = {.balance = Balance::spray, .nvlink_bytes_per_us = 160'000};
    scenario.latencies = {0, 0, 0};
    return predicted(scenario).rows.at(0).time_us;
  };
  const double other_us = 77 - dispatch_us(1);
  constexpr std::array kTimes{118.0, 155.0, 173.0, 192.0, 194.0};
  Count hosts = 1;
  for (const double time_us : kTimes) {
    hosts *= 2;
    points.push_back({.what = "dispatch of " + std::to_string(8 * hosts) + " ranks",
                      .source = kDeepEp,
                      .unit = "us",
                      .published = time_us,
                      .ours = other_us + dispatch_us(hosts)});
  }
}

void add_rates(std::vector<PublishedPoint>& points) {
  const auto add = [&](const std::string& what, const char* source, const char* unit,
                       double published, double ours) {
    points.push_back({.what = what,
                      .source = source,
                      .unit = unit,
                      .published = published,
                      .ours = ours,
                      .tolerance = 0.05});
  };
  const double of_400 = 50 * fabric::payload_fraction();
  add("a NIC of 400G, 4,096 B packets", "perftest in nccl#2409", "Gb/s", 392, 8 * of_400);
  add("ring of 5 x 8 H100 by 4 x 400G, at most", "nccl#1368", "GB/s", 190, 4 * of_400);
  add("ring of DGX A100 by 8 x 200G, at most", "nccl#1576", "GB/s", 192, 8 * of_400 / 2);
  Scenario scenario;
  scenario.fabric = fabric::sized({.hosts = 2}).fabric;
  scenario.ranks = {.hosts = 2};
  bool nvlink = false;
  add("all-reduce of 2 x 8 H100, at most", "OCI, oci-hpc", "GB/s", 471.2,
      bound_of(scenario, nvlink));
}

void add_unpredicted(std::vector<PublishedPoint>& points) {
  const auto add = [&](const char* what, const char* source, const char* unit, double published,
                       const char* why) {
    points.push_back(
        {.what = what, .source = source, .unit = unit, .published = published, .why_none = why});
  };
  add("4 QPs, time over roofline, mean", kMeta, "", 1.4, "its message sizes are not published");
  add("ring of 64 H20, ECMP", "Tolly 225112", "GB/s", 212.6, "its placement is not published");
  add("static ECMP", "NVIDIA, Spectrum-X", "%", 60, "its metric is not defined");
  add("5-tuple ECMP, 2 x 8 GPUs", "Asterfusion", "%", 84.5, "its placement is not published");
  add("training gain of HPN", "Alibaba, SIGCOMM 2024", "%", 14.9, "it is of a job");
  add("all-to-all overhead, rail-only", "Wang et al., HOTI 2024", "%", 8.2, "it is of a job");
}

std::string answer_of(const PublishedPoint& point) {
  if (!point.ours) return "not predicted: " + point.why_none;
  const std::string off = number(100 * (*point.ours / point.published - 1), 3) + " %";
  if (point.at_least) return point.met() ? "above it" : "MISSED: " + off;
  return (point.met() ? "" : "MISSED: ") + off;
}

}  // namespace

bool PublishedPoint::met() const {
  if (!ours) return false;
  return at_least ? *ours >= published : std::abs(*ours / published - 1) <= tolerance;
}

std::vector<PublishedPoint> published_points() {
  std::vector<PublishedPoint> points;
  add_meta(points);
  add_closed_forms(points);
  add_packets(points);
  add_expert_parallelism(points);
  add_rates(points);
  add_unpredicted(points);
  return points;
}

std::string as_text(const std::vector<PublishedPoint>& points) {
  const auto put = [](const std::string& what, const std::string& source, const std::string& their,
                      const std::string& our, const std::string& unit, const std::string& answer) {
    return finding::printed("%-55s %-42s %9s %9s %-4s  %s\n", what.c_str(), source.c_str(),
                            their.c_str(), our.c_str(), unit.c_str(), answer.c_str());
  };
  std::string text = put("figure", "source", "published", "predicted", "", "difference");
  std::size_t met = 0;
  std::size_t missed = 0;
  for (const PublishedPoint& point : points) {
    text += put(point.what, point.source, number(point.published),
                point.ours ? number(*point.ours) : "-", point.unit, answer_of(point));
    met += point.met() ? 1 : 0;
    missed += point.ours && !point.met() ? 1 : 0;
  }
  return text + std::to_string(met) + " of " + std::to_string(points.size()) +
         " within their tolerance (15 %; of closed forms and rates 5 %), " +
         std::to_string(missed) + " missed, " + std::to_string(points.size() - met - missed) +
         " not predicted.\n";
}

}  // namespace railgauge::predict
