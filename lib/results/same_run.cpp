#include "results/same_run.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "finding/words.hpp"
#include "results/document_codec.hpp"

namespace railgauge::results {
namespace {

constexpr std::array<std::string_view, 15> kFree = {
    "T",        "timeout", "J",      "output_file", "jsonl",   "csv",    "force", "table",
    "progress", "record",  "resume", "duration",    "metrics", "config", "steps"};

using Ranks = std::vector<Rank>;

bool has_host(const Ranks& ranks, const std::string& host) {
  return std::ranges::find(ranks, host, &Rank::host) != ranks.end();
}

/// Where a rank is on another host: that host is new, or it is a known one in another place.
std::string difference_of_hosts(const Ranks& recorded, const Ranks& now, std::size_t rank) {
  const std::string& was = recorded[rank].host;
  const std::string& is = now[rank].host;
  if (was == is) return "";
  if (has_host(recorded, is) || has_host(now, was)) {
    return "rank " + std::to_string(rank) + " is on " + is + ", and in the record on " + was +
           ": give mpirun the hosts in the record's order";
  }
  std::vector<std::string> ranks;
  for (const Rank& one : recorded) {
    if (one.host == was) ranks.push_back(std::to_string(one.rank));
  }
  return is + " has taken the place of " + was + ", which had rank " + finding::joined(ranks) +
         ": a record is of one fabric";
}

/// Software devices take the first address that is free.
std::string in_words(const RankRail& rail) {
  constexpr int kDigits = 6;
  const bool fixed = rail.kind == DeviceKind::hardware;
  return "rail " + std::to_string(rail.rail) + " plane " + std::to_string(rail.plane) + " " +
         rail.device + " port " + std::to_string(rail.port) +
         (fixed ? " " + rail.address : std::string()) + " of " +
         finding::number(rail.link_gigabits_per_second, kDigits) + " Gb/s";
}

std::string difference_of_rails(const Rank& recorded, const Rank& now) {
  const std::string who = "of rank " + std::to_string(now.rank) + " (" + now.host + ")";
  for (std::size_t i = 0; i < std::min(recorded.rails.size(), now.rails.size()); ++i) {
    const std::string before = in_words(recorded.rails[i]);
    const std::string after = in_words(now.rails[i]);
    if (before != after)
      return std::string(who).append(" ").append(after).append(" is new: the record has ") + before;
  }
  return differs("the number of rails " + who, std::to_string(recorded.rails.size()),
                 std::to_string(now.rails.size()));
}

}  // namespace

std::string differs(const std::string& what, const std::string& recorded, const std::string& now) {
  return recorded == now ? "" : what + " is " + now + ", and the record's is " + recorded;
}

std::string difference_of_options(const std::map<std::string, Option>& recorded,
                                  const std::map<std::string, Option>& now) {
  for (const auto& [name, option] : now) {
    if (std::ranges::count(kFree, name) > 0) continue;
    const auto before = recorded.find(name);
    const std::string was =
        before == recorded.end() ? "not there" : encode(before->second.value).dump();
    std::string found = differs("--" + name, was, encode(option.value).dump());
    if (!found.empty()) return found;
  }
  return "";
}

std::string difference_of_fabrics(const Ranks& recorded, const Ranks& now) {
  std::string found =
      differs("the number of ranks", std::to_string(recorded.size()), std::to_string(now.size()));
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i)
    found = difference_of_hosts(recorded, now, i);
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i)
    found = difference_of_rails(recorded[i], now[i]);
  return found;
}

}  // namespace railgauge::results
