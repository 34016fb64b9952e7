#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::verbs {

/// A global identifier: a port's address on the fabric. On Ethernet it is an IPv6 address, or an
/// IPv4 address mapped into one. Trivially copyable, network byte order.
using Gid = std::array<std::uint8_t, 16>;

enum class GidType : std::uint8_t { infiniband, roce_v1, roce_v2 };

struct GidEntry {
  int index = 0;  ///< its place in the port's table
  Gid gid{};
  GidType type = GidType::infiniband;
  std::string netdev{};  ///< interface that has this address; empty if not visible here
};

/// An IPv4-mapped GID as a dotted quad, any other as IPv6: "10.1.0.2", "fe80::1".
std::string to_text(const Gid& gid);
std::string_view to_text(GidType type);  ///< "RoCE v2"

bool is_ipv4_mapped(const Gid& gid);
/// fe80::/10, and 169.254/16 if mapped: of one link only, never routed.
bool is_link_local(const Gid& gid);

/// An entry, or the reason why there is none.
struct GidChoice {
  std::optional<GidEntry> entry{};
  std::string reason{};  ///< a clause listing what the port does have; empty if there is an entry
};

/// Chooses a GID by rule, never by a fixed index, because indices depend on the order in which
/// addresses were configured: RoCE v2 only; never fe80::/10; IPv4 before IPv6 before 169.254/16,
/// which directly cabled hosts use; then the lowest index. `index`, if given, is used instead,
/// provided it is a RoCE v2 entry of the table (even a link-local one: whoever names an index knows
/// the link).
GidChoice choose_gid(std::span<const GidEntry> table, std::optional<int> index = {});

/// The valid entries of one port's GID table, by index. Throws std::system_error.
std::vector<GidEntry> read_gid_table(ibv_context& context, int port);

}  // namespace railgauge::verbs
