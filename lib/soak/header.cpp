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

std::string swapped(const std::vector<results::Rank>& recorded, const std::string& was,
                    const std::string& is) {
  std::string text = is;
  text.append(" has taken the place of ").append(was).append(", which had rank ");
  return text.append(ranks_of(recorded, was)).append(": a record is of one fabric");
}

std::string moved(std::size_t rank, const std::string& was, const std::string& is) {
  std::string text = "rank " + std::to_string(rank) + " is on ";
  text.append(is).append(", and in the record on ").append(was);
  return text.append(": give mpirun the hosts in the record's order");
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
      return swapped(recorded, was, is);
    }
    return moved(i, was, is);
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
    if (before == after) continue;
    std::string text = who;
    return text.append(after).append(" is new: the record has ").append(before);
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
  std::string found = difference_of_hosts(recorded, now);
  for (std::size_t i = 0; i < now.size() && found.empty(); ++i) {
    found = difference_of_rails(recorded[i], now[i]);
  }
  return found;
}

}  // namespace

std::string difference(const Header& recorded, const Header& now) {
  if (recorded.window_s != now.window_s) {
    return differs("--window", number(recorded.window_s) + " s", number(now.window_s) + " s");
  }
  if (recorded.load_percent != now.load_percent) {
    return differs("--load", number(recorded.load_percent) + " %", number(now.load_percent) + " %");
  }
  std::string found = difference_of_fabrics(recorded.ranks, now.ranks);
  if (found.empty()) found = difference_of_plans(recorded.plan, now.plan);
  if (found.empty()) found = difference_of_options(recorded.options, now.options);
  return found;
}

}  // namespace railgauge::soak
