#include "soak/header.hpp"

#include <algorithm>
#include <array>

#include "finding/words.hpp"
#include "results/document_codec.hpp"
#include "soak/plan.hpp"

namespace railgauge::soak {
namespace {

/// What may change from one run of a soak to the next: where output goes, how long it lasts, how
/// the other ranks are waited for.
constexpr std::array kFree = {"T",      "timeout",  "J",       "output_file", "jsonl",
                              "csv",    "force",    "table",   "progress",    "record",
                              "resume", "duration", "metrics", "config"};

std::string number(double value) {
  return finding::number(value, 6);  // digits
}

/// Empty if both are the same.
std::string differs(const std::string& what, const std::string& recorded, const std::string& now) {
  return recorded == now ? "" : what + " is " + now + ", and the record's is " + recorded;
}

std::string difference_of_plans(const std::vector<Phase>& recorded, const std::vector<Phase>& now) {
  std::string found =
      differs("the number of phases", std::to_string(recorded.size()), std::to_string(now.size()));
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i) {
    found = differs("phase " + std::to_string(i + 1) + " of the plan", in_words(recorded[i]),
                    in_words(now[i]));
  }
  return found;
}

std::string difference_of_options(const std::map<std::string, results::Option>& recorded,
                                  const std::map<std::string, results::Option>& now) {
  for (const auto& [name, option] : now) {
    if (std::ranges::count(kFree, name) > 0) continue;
    const auto before = recorded.find(name);
    const std::string was =
        before == recorded.end() ? "not there" : results::encode(before->second.value).dump();
    std::string found = differs("--" + name, was, results::encode(option.value).dump());
    if (!found.empty()) return found;
  }
  return "";
}

using Ranks = std::vector<results::Rank>;

bool has_host(const Ranks& ranks, const std::string& host) {
  return std::ranges::find(ranks, host, &results::Rank::host) != ranks.end();
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
  for (const results::Rank& one : recorded) {
    if (one.host == was) ranks.push_back(std::to_string(one.rank));
  }
  return is + " has taken the place of " + was + ", which had rank " + finding::joined(ranks) +
         ": a record is of one fabric";
}

/// Software devices take the first address that is free.
std::string in_words(const results::RankRail& rail) {
  const bool fixed = rail.kind == results::DeviceKind::hardware;
  return "rail " + std::to_string(rail.rail) + " plane " + std::to_string(rail.plane) + " " +
         rail.device + " port " + std::to_string(rail.port) +
         (fixed ? " " + rail.address : std::string()) + " of " +
         number(rail.link_gigabits_per_second) + " Gb/s";
}

std::string difference_of_rails(const results::Rank& recorded, const results::Rank& now) {
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

std::string difference_of_fabrics(const Ranks& recorded, const Ranks& now) {
  std::string found =
      differs("the number of ranks", std::to_string(recorded.size()), std::to_string(now.size()));
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i)
    found = difference_of_hosts(recorded, now, i);
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i)
    found = difference_of_rails(recorded[i], now[i]);
  return found;
}

}  // namespace

std::string difference(const Header& recorded, const Header& now) {
  std::string found =
      differs("--window", number(recorded.window_s) + " s", number(now.window_s) + " s");
  if (found.empty()) {
    found =
        differs("--load", number(recorded.load_percent) + " %", number(now.load_percent) + " %");
  }
  if (found.empty()) found = difference_of_fabrics(recorded.ranks, now.ranks);
  if (found.empty()) found = difference_of_plans(recorded.plan, now.plan);
  if (found.empty()) found = difference_of_options(recorded.options, now.options);
  return found;
}

}  // namespace railgauge::soak
