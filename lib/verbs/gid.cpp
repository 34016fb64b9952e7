#include "verbs/gid.hpp"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "verbs/error.hpp"

namespace railgauge::verbs {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

std::string list(std::span<const GidEntry> entries) {
  std::string text;
  for (const GidEntry& entry : entries) {
    if (!text.empty()) text += ", ";
    text += std::to_string(entry.index) + ": " + to_text(entry.gid);
    text.append(" (").append(to_text(entry.type)).append(")");
  }
  return text;
}

/// Compares usable entries only: best_of() has dropped the others.
bool better(const GidEntry& left, const GidEntry& right) {
  const auto rank = [](const GidEntry& entry) {
    if (is_link_local(entry.gid)) return 2;
    return is_ipv4_mapped(entry.gid) ? 0 : 1;
  };
  return std::pair(rank(left), left.index) < std::pair(rank(right), right.index);
}

GidChoice best_of(std::span<const GidEntry> table) {
  std::vector<GidEntry> usable;
  std::copy_if(table.begin(), table.end(), std::back_inserter(usable), [](const GidEntry& entry) {
    return entry.type == GidType::roce_v2 &&
           (is_ipv4_mapped(entry.gid) || !is_link_local(entry.gid));
  });
  const auto best = std::min_element(usable.begin(), usable.end(), better);
  if (best != usable.end()) return {*best, {}};
  const std::string what =
      table.empty() ? "it has no GID" : "it has no routable RoCE v2 GID, only " + list(table);
  return {{}, what + "; give its network interface an IP address"};
}

GidChoice at_index(std::span<const GidEntry> table, int index) {
  const auto entry = std::find_if(table.begin(), table.end(), [&](const GidEntry& candidate) {
    return candidate.index == index;
  });
  if (entry != table.end() && entry->type == GidType::roce_v2) return {*entry, {}};
  std::string reason = "GID index " + std::to_string(index);
  reason += entry == table.end() ? " is empty"
                                 : " is " + std::string(to_text(entry->type)) + ", not RoCE v2";
  reason += "; it has " + (table.empty() ? "no GID" : list(table));
  return {{}, reason};
}

GidType type_of(const ibv_gid_entry& entry) {
  if (entry.gid_type == IBV_GID_TYPE_ROCE_V2) return GidType::roce_v2;
  return entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? GidType::roce_v1 : GidType::infiniband;
}

GidEntry read(const ibv_gid_entry& raw) {
  GidEntry entry{.index = static_cast<int>(raw.gid_index), .type = type_of(raw)};
  std::copy_n(std::begin(raw.gid.raw), entry.gid.size(), entry.gid.begin());
  std::array<char, IF_NAMESIZE> netdev{};
  // Fails for an interface of another network namespace, which then stays nameless.
  if (if_indextoname(raw.ndev_ifindex, netdev.data()) != nullptr) entry.netdev = netdev.data();
  return entry;
}

/// Room for the tables of all ports: ibv_query_gid_table() reads the whole device at once.
std::size_t table_size(ibv_context& context) {
  const ibv_device_attr device = limits_of(context);
  std::size_t entries = 0;
  for (int port = 1; port <= device.phys_port_cnt; ++port) {
    ibv_port_attr attributes{};
    succeeded(ibv_query_port(&context, static_cast<std::uint8_t>(port), &attributes),
              "ibv_query_port", context.device->name);
    entries += static_cast<std::size_t>(std::max(attributes.gid_tbl_len, 0));
  }
  return entries;
}

}  // namespace

std::string to_text(const Gid& gid) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool mapped = is_ipv4_mapped(gid);
  inet_ntop(mapped ? AF_INET : AF_INET6, gid.data() + (mapped ? kMappedPrefix.size() : 0),
            text.data(), text.size());
  return text.data();
}

std::string_view to_text(GidType type) {
  switch (type) {
    case GidType::infiniband: return "InfiniBand";
    case GidType::roce_v1: return "RoCE v1";
    case GidType::roce_v2: return "RoCE v2";
  }
  return "unknown";
}

bool is_ipv4_mapped(const Gid& gid) {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), gid.begin());
}

bool is_link_local(const Gid& gid) {
  if (is_ipv4_mapped(gid)) return gid[12] == 169 && gid[13] == 254;
  return gid[0] == 0xfe && (gid[1] & 0xc0U) == 0x80;
}

GidChoice choose_gid(std::span<const GidEntry> table, std::optional<int> index) {
  return index ? at_index(table, *index) : best_of(table);
}

std::vector<GidEntry> read_gid_table(ibv_context& context, int port) {
  std::vector<ibv_gid_entry> raw(table_size(context));
  if (raw.empty()) return {};
  const ssize_t count = ibv_query_gid_table(&context, raw.data(), raw.size(), 0);
  // This call alone returns the negative errno value.
  if (count < 0) fail(static_cast<int>(-count), "ibv_query_gid_table", context.device->name);
  raw.resize(static_cast<std::size_t>(count));
  std::vector<GidEntry> entries;
  for (const ibv_gid_entry& entry : raw) {
    if (entry.port_num == static_cast<std::uint32_t>(port)) entries.push_back(read(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const GidEntry& left, const GidEntry& right) { return left.index < right.index; });
  return entries;
}

}  // namespace railgauge::verbs
