#include "diagnosis/simulated_run.hpp"

#include <algorithm>
#include <cmath>

namespace railgauge::diagnosis {
namespace {

constexpr int kSamples = 42;
constexpr double kBase_us = 40;
constexpr double kPacketsOfRow = 5000;
constexpr double kMicrosecondsPerByte = 1e-3;  // 1 GB/s

bool is_of(const SimulatedRun::Trouble& trouble, int from, int to, int rail) {
  const auto fits = [](int wanted, int value) { return wanted < 0 || wanted == value; };
  return fits(trouble.from, from) && fits(trouble.to, to) && fits(trouble.rail, rail);
}

}  // namespace

SimulatedRun::SimulatedRun(Shape shape, int ranks, int rails, unsigned seed, int ranks_per_host)
    : shape_(shape), rails_(rails), random_(seed), starved_(static_cast<std::size_t>(ranks)) {
  for (int number = 0; number < ranks; ++number) {
    results::Rank rank;
    rank.rank = number;
    rank.host = "host" + std::to_string(number / ranks_per_host);
    rank.local_rank = number % ranks_per_host;
    for (int rail = 0; rail < rails; ++rail) {
      results::RankRail one;
      one.rail = rail;
      one.device = "soft" + std::to_string(rail);
      one.address = "10." + std::to_string(rail) + ".0." + std::to_string(number);
      one.kind = results::DeviceKind::software;
      rank.rails.push_back(one);
    }
    ranks_.push_back(rank);
  }
}

SimulatedRun& SimulatedRun::plant(const Trouble& trouble) {
  troubles_.push_back(trouble);
  return *this;
}

SimulatedRun& SimulatedRun::starve(int rank, double share) {
  starved_[static_cast<std::size_t>(rank)] = share;
  return *this;
}

SimulatedRun& SimulatedRun::of_several_clocks() {
  one_clock_ = false;
  return *this;
}

std::vector<results::CollectiveRow> SimulatedRun::rows() {
  std::vector<results::CollectiveRow> rows;
  for (const std::uint64_t bytes : {4096U, 16384U, 65536U, 262144U, 1048576U})
    rows.push_back(row(bytes));
  return rows;
}

std::vector<int> SimulatedRun::peers_of(int rank) const {
  const int ranks = static_cast<int>(ranks_.size());
  if (shape_ == Shape::ring) return {(rank + 1) % ranks};
  if (shape_ == Shape::hub && rank > 0) return {0};
  std::vector<int> peers;
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer != rank) peers.push_back(peer);
  }
  return peers;
}

results::CollectiveRow SimulatedRun::row(std::uint64_t bytes) {
  results::CollectiveRow row;
  row.size_bytes = bytes;
  const std::uint64_t chunk = std::min<std::uint64_t>(131072, bytes / ranks_.size());
  // Little data are not split into stripes.
  const int rails = bytes < 32768 ? 1 : rails_;
  for (const results::Rank& rank : ranks_) {
    for (const results::RankRail& rail : rank.rails) {
      row.events.push_back({.host = rank.host,
                            .device = rail.device,
                            .rail = rail.rail,
                            .plane = 0,
                            .address = rail.address,
                            .packets_sent = 0,
                            .packets_received = 0});
    }
    const double waited = starved_[static_cast<std::size_t>(rank.rank)];
    std::uniform_real_distribution<double> usual(0.3, 0.5);
    row.rank_loads.push_back({.rank = rank.rank,
                              .wall_us = 1e6,
                              .ran_us = 1e5,
                              .queued_us = 1e6 * (waited > 0 ? waited : usual(random_)),
                              .slept_us = waited > 0 ? 0 : 4e5});
  }
  for (const results::Rank& rank : ranks_) {
    for (const int peer : peers_of(rank.rank)) {
      for (int rail = 0; rail < rails; ++rail) {
        row.edges.push_back(edge(rank.rank, peer, rail, chunk));
        count(row.events, rank.rank, peer, rail);
      }
    }
  }
  return row;
}

double SimulatedRun::time_us(int from, int to, int rail, double bytes, int before) {
  std::exponential_distribution<double> waits(1 / (2 * kBase_us));
  double time = kBase_us + waits(random_) + bytes * kMicrosecondsPerByte;
  const auto host = [&](int rank) { return ranks_[static_cast<std::size_t>(rank)].host; };
  if (host(from) == host(to)) time /= 8;  // through no switch
  for (const Trouble& trouble : troubles_) {
    if (!is_of(trouble, from, to, rail)) continue;
    time += trouble.delay_us;
    if (trouble.megabytes_per_second > 0)
      time += (1 + trouble.backlog * before) * bytes / trouble.megabytes_per_second;
    time += std::uniform_real_distribution<double>(0, trouble.jitter_us)(random_);
  }
  return time;
}

results::EdgeTimes SimulatedRun::edge(int from, int to, int rail, std::uint64_t bytes) {
  std::vector<double> there;
  std::vector<double> back;
  std::vector<double> round;
  for (int i = 0; i < kSamples; ++i) {
    there.push_back(time_us(from, to, rail, static_cast<double>(bytes), i));
    back.push_back(time_us(to, from, rail, 64) / 4);
    for (const Trouble& trouble : troubles_) {
      if (is_of(trouble, to, from, rail)) back.back() += trouble.delay_us * 3 / 4;
    }
    round.push_back(there.back() + back.back());
  }
  results::EdgeTimes edge{.from = from,
                          .to = to,
                          .rail = rail,
                          .to_rail = rail,
                          .samples = kSamples,
                          .bytes = bytes,
                          .most_bytes = bytes};
  edge.round = *results::quantiles_of(round);
  if (one_clock_) edge.there = results::quantiles_of(there);
  if (one_clock_) edge.back = results::quantiles_of(back);
  return edge;
}

void SimulatedRun::count(std::vector<results::PortEvents>& events, int from, int to, int rail) {
  count_way(events, from, to, rail, kPacketsOfRow, true);
  count_way(events, to, from, rail, kPacketsOfRow / 4, false);
}

/// As softroce counts.
void SimulatedRun::count_way(std::vector<results::PortEvents>& events, int from, int to, int rail,
                             double packets, bool data) {
  const auto at = [&](int rank) -> results::PortEvents& {
    return events[static_cast<std::size_t>(rank * rails_ + rail)];
  };
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::lround(value)); };
  const auto add = [](results::PortEvents& port, const char* name, std::int64_t by) {
    if (by > 0) port.moved[name] += by;
  };
  // A few time-outs of a busy machine, after which what had arrived is sent again.
  const std::int64_t late = std::uniform_int_distribution<std::int64_t>(0, data ? 40 : 0)(random_);
  add(at(from), "completer_retry_err", late / 8);
  add(at(from), "retransmitted_pkts", late);
  add(at(to), "duplicate_request", late);
  std::int64_t sent = whole(packets) + late;
  std::int64_t received = sent;
  for (const Trouble& trouble : troubles_) {
    if (!is_of(trouble, from, to, rail)) continue;
    const std::int64_t lost = whole(packets * (trouble.loss + trouble.corruption));
    const std::int64_t late_ones = whole(packets * trouble.reordering);
    if (data) {
      add(at(to), "out_of_seq_request", 6 * (lost + late_ones));
      add(at(from), "rcvd_seq_err", lost + late_ones);
      add(at(from), "retransmitted_pkts", 7 * (lost + late_ones));
      add(at(to), "duplicate_request", late_ones);
      add(at(to), "duplicate_request", whole(packets * trouble.duplication));
    }
    add(at(to), "icrc_err", whole(packets * trouble.corruption));
    add(at(to), "np_ecn_marked_roce_packets", whole(packets * trouble.marks));
    add(at(from), "rp_cnp_handled", whole(packets * trouble.notifications));
    sent += 7 * (lost + late_ones);
    received += 7 * (lost + late_ones) - whole(packets * trouble.loss) +
                whole(packets * trouble.duplication);
  }
  *at(from).packets_sent += sent;
  *at(to).packets_received += received;
}

}  // namespace railgauge::diagnosis
