#include "pairs/selection.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "pairs/rounds.hpp"
#include "schedule/algorithms.hpp"

namespace railgauge::pairs {
namespace {

constexpr const char* kExpected =
    "expected nics, hosts, ring, random:N or skeleton:ALGORITHM, such as random:64 or "
    "skeleton:tree";

/// NICs by host and plane of a rail.
class Seats {
 public:
  Seats(const std::vector<Nic>& nics, const std::vector<std::size_t>& host_of) {
    std::map<std::pair<int, int>, int> places;
    for (const Nic& nic : nics) places[{nic.rail, nic.plane}] = 0;
    for (auto& [rail, number] : places) number = places_++;
    at_.resize(host_of.empty() ? 0 : host_of.back() + 1);
    for (std::size_t nic = 0; nic < nics.size(); ++nic)
      at_[host_of[nic]][places.at({nics[nic].rail, nics[nic].plane})] = nic;
  }

  [[nodiscard]] std::size_t hosts() const { return at_.size(); }

  [[nodiscard]] std::vector<Pair> all(bool cross_rail) const {
    std::vector<Pair> pairs;
    for (const Round& hosts : round_robin(at_.size())) {
      for (int shift = 0; shift < (cross_rail ? places_ : 1); ++shift) {
        for (const Pair& pair : hosts) add(pair, shift, pairs);
      }
    }
    return pairs;
  }

 private:
  /// While two hosts meet, place i of the one meets place i + shift of the other: with H hosts of R
  /// places that are R (H - 1) rounds for even H, R H for odd H.
  void add(const Pair& hosts, int shift, std::vector<Pair>& pairs) const {
    for (const auto& [place, from] : at_[hosts.first]) {
      const auto to = at_[hosts.second].find((place + shift) % places_);
      if (to != at_[hosts.second].end()) pairs.push_back({from, to->second});
    }
  }

  int places_ = 0;
  std::vector<std::map<int, std::size_t>> at_;  // [host] by place
};

using HostPair = std::pair<std::size_t, std::size_t>;

HostPair hosts_of(const Pair& pair, const std::vector<std::size_t>& host_of) {
  return std::minmax(host_of[pair.first], host_of[pair.second]);
}

/// Of every two hosts one pair: the next two take the next rail.
std::vector<Pair> one_of_hosts(const std::vector<Pair>& all,
                               const std::vector<std::size_t>& host_of) {
  std::map<HostPair, std::vector<Pair>> by_hosts;
  for (const Pair& pair : all) by_hosts[hosts_of(pair, host_of)].push_back(pair);
  std::vector<Pair> pairs;
  pairs.reserve(by_hosts.size());
  for (const auto& [hosts, of_them] : by_hosts)
    pairs.push_back(of_them[(hosts.first + hosts.second) % of_them.size()]);
  return pairs;
}

std::set<HostPair> neighbours(std::size_t hosts) {
  std::set<HostPair> pairs;
  for (std::size_t host = 0; host < hosts; ++host)
    pairs.insert(std::minmax(host, std::size_t{(host + 1) % hosts}));
  return pairs;
}

/// Who sends to whom with one rank a host.
std::set<HostPair> senders_of(const std::string& name, std::size_t hosts) {
  const auto* algorithm = schedule::find_algorithm(schedule::Collective::all_reduce, name);
  if (algorithm == nullptr) throw std::invalid_argument("there is no algorithm " + name);
  const auto ranks = static_cast<schedule::Rank>(hosts);
  const schedule::Schedule schedule = algorithm->make({.ranks = ranks});
  std::set<HostPair> pairs;
  schedule::Ops ops;
  for (schedule::Rank rank = 0; rank < ranks; ++rank) {
    for (schedule::Step step = 0; step < schedule.steps; ++step) {
      ops.clear();
      schedule.rule(rank, step, ops);
      for (const schedule::Op& op : ops) {
        if (op.action == schedule::Action::send && op.peer != rank)
          pairs.insert(std::minmax<std::size_t>(rank, op.peer));
      }
    }
  }
  return pairs;
}

std::vector<Pair> between(const std::set<HostPair>& hosts, std::vector<Pair> all,
                          const std::vector<std::size_t>& host_of) {
  std::erase_if(all, [&](const Pair& pair) { return !hosts.contains(hosts_of(pair, host_of)); });
  return all;
}

std::vector<Pair> some_of(std::vector<Pair> all, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::ranges::shuffle(all, random);
  if (all.size() > count) all.resize(count);
  return all;
}

std::uint64_t parse_count(const std::string& text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0)
    throw std::invalid_argument(kExpected);
  return count;
}

void check_algorithm(const std::string& name) {
  const auto collective = schedule::Collective::all_reduce;
  if (schedule::find_algorithm(collective, name) != nullptr) return;
  throw std::invalid_argument("there is no algorithm '" + name + "' of all-reduce; there are " +
                              schedule::algorithm_names(collective));
}

}  // namespace

Selection parse_selection(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "random" && !rest.empty())
    return {.kind = Selection::Kind::random, .count = parse_count(rest)};
  if (kind == "skeleton" && !rest.empty()) {
    check_algorithm(rest);
    return {.kind = Selection::Kind::schedule, .algorithm = rest};
  }
  if (text == "nics") return {};
  if (text == "hosts") return {.kind = Selection::Kind::hosts};
  if (text == "ring") return {.kind = Selection::Kind::ring};
  throw std::invalid_argument(kExpected);
}

std::string text_of(const Selection& selection) {
  switch (selection.kind) {
    case Selection::Kind::nics: return "nics";
    case Selection::Kind::hosts: return "hosts";
    case Selection::Kind::ring: return "ring";
    case Selection::Kind::random: return "random:" + std::to_string(selection.count);
    case Selection::Kind::schedule: return "skeleton:" + selection.algorithm;
  }
  return "";
}

std::vector<Pair> pairs_of(const std::vector<Nic>& nics, const std::vector<std::size_t>& host_of,
                           const Selection& selection) {
  const Seats seats(nics, host_of);
  std::vector<Pair> all = seats.all(selection.cross_rail);
  switch (selection.kind) {
    case Selection::Kind::nics: return all;
    case Selection::Kind::hosts: return one_of_hosts(all, host_of);
    case Selection::Kind::ring: return between(neighbours(seats.hosts()), std::move(all), host_of);
    case Selection::Kind::random: return some_of(std::move(all), selection.count, selection.seed);
    case Selection::Kind::schedule:
      return between(senders_of(selection.algorithm, seats.hosts()), std::move(all), host_of);
  }
  return all;
}

}  // namespace railgauge::pairs
