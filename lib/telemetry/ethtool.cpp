#include "telemetry/ethtool.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "telemetry/meaning.hpp"

namespace railgauge::telemetry {
namespace {

/// A request with room for an answer behind its fixed part.
template <class Request>
class Question {
 public:
  Question(std::uint32_t command, std::size_t room)
      : words_((sizeof(Request) + room + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)) {
    fixed().cmd = command;
  }
  // Requests are structs of the kernel's that end with an array of any length.
  Request& fixed() { return *reinterpret_cast<Request*>(words_.data()); }
  const std::byte* answer() const {
    return reinterpret_cast<const std::byte*>(words_.data()) + sizeof(Request);
  }

 private:
  std::vector<std::uint64_t> words_;
};

std::uint32_t how_many(const std::string& netdev, const AskEthtool& ask) {
  Question<ethtool_sset_info> question(ETHTOOL_GSSET_INFO, sizeof(std::uint32_t));
  question.fixed().sset_mask = 1ULL << ETH_SS_STATS;
  if (!ask(netdev, &question.fixed()) || question.fixed().sset_mask == 0) return 0;
  std::uint32_t count = 0;
  std::memcpy(&count, question.answer(), sizeof count);
  return count;
}

std::vector<std::string> names_of(const std::string& netdev, const AskEthtool& ask,
                                  std::uint32_t count) {
  Question<ethtool_gstrings> question(ETHTOOL_GSTRINGS, std::size_t{count} * ETH_GSTRING_LEN);
  question.fixed().string_set = ETH_SS_STATS;
  question.fixed().len = count;
  if (!ask(netdev, &question.fixed())) return {};
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < std::min(count, question.fixed().len); ++i) {
    const auto* text =
        reinterpret_cast<const char*>(question.answer()) + std::size_t{i} * ETH_GSTRING_LEN;
    names.emplace_back(text, ::strnlen(text, ETH_GSTRING_LEN));
  }
  return names;
}

std::vector<std::uint64_t> values_of(const std::string& netdev, const AskEthtool& ask,
                                     std::uint32_t count) {
  Question<ethtool_stats> question(ETHTOOL_GSTATS, count * sizeof(std::uint64_t));
  question.fixed().n_stats = count;
  if (!ask(netdev, &question.fixed())) return {};
  std::vector<std::uint64_t> values(std::min(count, question.fixed().n_stats));
  std::memcpy(values.data(), question.answer(), values.size() * sizeof(std::uint64_t));
  return values;
}

/// Names of a network device's own packets and buffers may be a port's in another driver.
bool belongs_here(std::string_view name) {
  const auto meaning = meaning_of(name);
  if (!meaning || meaning->counted == Counted::not_ready) return false;
  return meaning->counted != Counted::traffic || name.find("rdma") != std::string_view::npos;
}

/// All packets' of a port, which are told by priority as well.
void leave_out_sums(Counters& counters) {
  for (const std::string way : {"rx", "tx"}) {
    if (counters.contains(way + "_prio0_discards")) counters.erase(way + "_discards_phy");
  }
}

}  // namespace

bool ask_kernel(const std::string& netdev, void* request) {
  ifreq wanted{};
  if (netdev.empty() || netdev.size() >= sizeof wanted.ifr_name) return false;
  std::ranges::copy(netdev, wanted.ifr_name);
  wanted.ifr_data = static_cast<char*>(request);
  const int any_socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any_socket < 0) return false;
  const bool answered = ::ioctl(any_socket, SIOCETHTOOL, &wanted) == 0;
  ::close(any_socket);
  return answered;
}

Counters read_ethtool_statistics(const std::string& netdev, const IsWanted& is_wanted,
                                 const AskEthtool& ask) {
  Counters counters;
  const std::uint32_t count = how_many(netdev, ask);
  if (count == 0) return counters;
  const auto names = names_of(netdev, ask, count);
  const auto values = values_of(netdev, ask, count);
  for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
    if (is_wanted(names[i])) counters.emplace(names[i], values[i]);
  }
  return counters;
}

Counters read_ethtool_counters(const std::string& netdev, const AskEthtool& ask) {
  Counters counters = read_ethtool_statistics(netdev, belongs_here, ask);
  leave_out_sums(counters);
  return counters;
}

std::chrono::milliseconds ethtool_refresh_time(const std::string& netdev, const AskEthtool& ask) {
  constexpr std::chrono::milliseconds kMost{1000};  // an operator may set 16 seconds
  ethtool_coalesce settings{};
  settings.cmd = ETHTOOL_GCOALESCE;
  if (!ask(netdev, &settings)) return std::chrono::milliseconds(0);
  const std::chrono::microseconds interval(settings.stats_block_coalesce_usecs);
  return std::min(std::chrono::ceil<std::chrono::milliseconds>(interval), kMost);
}

}  // namespace railgauge::telemetry
