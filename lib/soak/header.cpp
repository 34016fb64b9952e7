#include "soak/header.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "results/document_codec.hpp"
#include "soak/plan.hpp"

namespace railgauge::soak {
namespace {

/// What may change from one run of a soak to the next: where output goes, how long it lasts, how
/// the other ranks are waited for.
constexpr std::array kFree = {"T",      "timeout",  "J",       "output_file",   "jsonl",
                              "csv",    "force",    "table",   "progress",      "record",
                              "resume", "duration", "metrics", "metrics-style", "config"};

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string differs(const std::string& what, const std::string& recorded, const std::string& now) {
  return what + " is " + now + ", and the record's is " + recorded;
}

std::string difference_of_plans(const std::vector<Phase>& recorded, const std::vector<Phase>& now) {
  if (recorded.size() != now.size()) {
    return "the plan has " + std::to_string(now.size()) + " phases, and the record's has " +
           std::to_string(recorded.size());
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (recorded[i] == now[i]) continue;
    return differs("phase " + std::to_string(i + 1) + " of the plan", in_words(recorded[i]),
                   in_words(now[i]));
  }
  return "";
}

std::string value_of(const std::map<std::string, results::Option>& options,
                     const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "not there" : results::encode(found->second.value).dump();
}

std::string difference_of_options(const std::map<std::string, results::Option>& recorded,
                                  const std::map<std::string, results::Option>& now) {
  for (const auto& [name, option] : now) {
    if (std::ranges::count(kFree, name) > 0) continue;
    const std::string before = value_of(recorded, name);
    const std::string after = value_of(now, name);
    if (before != after) return differs("--" + name, before, after);
  }
  return "";
}

std::string ranks_of(const std::vector<results::Rank>& ranks, const std::string& host) {
  std::string text;
  for (const results::Rank& rank : ranks) {
    if (rank.host != host) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(rank.rank);
  }
  return text;
}

std::set<std::string> hosts_of(const std::vector<results::Rank>& ranks) {
  std::set<std::string> hosts;
  for (const results::Rank& rank : ranks) hosts.insert(rank.host);
  return hosts;
}

/// Where a rank is on another host: that host is new, or it is a known one in another place.
std::string difference_of_hosts(const std::vector<results::Rank>& recorded,
                                const std::vector<results::Rank>& now) {
  const std::set<std::string> before = hosts_of(recorded);
  const std::set<std::string> after = hosts_of(now);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string& was = recorded[i].host;
    const std::string& is = now[i].host;
    if (was == is) continue;
    if (!before.contains(is) && !after.contains(was)) {
      return is + " has taken the place of " + was + ", which had rank " + ranks_of(recorded, was) +
             ": a record is of one fabric";
    }
    return "rank " + std::to_string(i) + " is on " + is + ", and in the record on " + was +
           ": give mpirun the hosts in the record's order";
  }
  return "";
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
  const std::size_t both = std::min(recorded.rails.size(), now.rails.size());
  const std::string who = "of rank " + std::to_string(now.rank) + " (" + now.host + ") ";
  for (std::size_t i = 0; i < both; ++i) {
    const std::string before = in_words(recorded.rails[i]);
    const std::string after = in_words(now.rails[i]);
    if (before != after) return who + after + " is new: the record has " + before;
  }
  if (recorded.rails.size() == now.rails.size()) return "";
  return who + std::to_string(now.rails.size()) + " ports are rails, and in the record " +
         std::to_string(recorded.rails.size());
}

std::string difference_of_fabrics(const std::vector<results::Rank>& recorded,
                                  const std::vector<results::Rank>& now) {
  if (recorded.size() != now.size()) {
    return differs("the number of ranks", std::to_string(recorded.size()),
                   std::to_string(now.size()));
  }
  const std::string hosts = difference_of_hosts(recorded, now);
  if (!hosts.empty()) return hosts;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string rails = difference_of_rails(recorded[i], now[i]);
    if (!rails.empty()) return rails;
  }
  return "";
}

}  // namespace

std::string difference(const Header& recorded, const Header& now) {
  if (recorded.window_s != now.window_s) {
    return differs("--window", number(recorded.window_s) + " s", number(now.window_s) + " s");
  }
  if (recorded.load_percent != now.load_percent) {
    return differs("--load", number(recorded.load_percent) + " %", number(now.load_percent) + " %");
  }
  const std::string fabric = difference_of_fabrics(recorded.ranks, now.ranks);
  if (!fabric.empty()) return fabric;
  const std::string plan = difference_of_plans(recorded.plan, now.plan);
  return plan.empty() ? difference_of_options(recorded.options, now.options) : plan;
}

}  // namespace railgauge::soak
