#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/host_map.hpp"
#include "topology/rail.hpp"

namespace railgauge::topology {

/// Ports by name, written as for NCCL's NCCL_IB_HCA: "mlx5" is all devices whose names begin so,
/// "mlx5_0:1,mlx5_1:1" two ports, "=mlx5_1" that device and not mlx5_10, "^mlx5_3" and "^=mlx5_3"
/// all but those. ^ and = precede the whole list.
class PortPattern {
 public:
  /// Throws std::invalid_argument for an empty name, or a port that is not a number above 0.
  explicit PortPattern(std::string_view text);

  [[nodiscard]] bool matches(const std::string& device, int port) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Name {
    std::string device;
    std::optional<int> port;
  };

  std::string text_;
  bool negated_ = false;
  bool exact_ = false;
  std::vector<Name> names_;
};

/// Which rail a port is on because the user says so: "mlx5_0" (its first port) or "mlx5_0:2".
using RailMap = std::map<std::string, int>;

/// Reads "mlx5_0=0,mlx5_1=1"; line ends and blanks separate as commas do, and # begins a comment
/// to the end of its line. Throws std::invalid_argument unless every entry is of this form, and
/// the rails are 0, 1, 2 and so on, each once.
RailMap parse_rail_map(const std::string& text);

/// From a command line: the map itself if it contains a =, else the file that holds it. Throws
/// std::invalid_argument.
RailMap load_rail_map(const std::string& text_or_file);

/// The rail that a map names for a port; empty if it names none.
std::optional<int> mapped_rail(const RailMap& map, const std::string& device, int port);

/// What the user says about which ports are rails.
struct NicWishes {
  std::optional<PortPattern> include{};  // only these
  std::optional<PortPattern> exclude{};  // not these
  RailMap rail_map{};                    // if not empty: only these
  std::string fabric{};                  // only those of this fabric (fabrics.hpp); "": the rails'

  /// Whether the user has named ports, and so said which fabric they are of.
  [[nodiscard]] bool names_ports() const { return include.has_value() || !rail_map.empty(); }
};

/// The ports of a host that could be rails, in rail order (rail.hpp), and the others. Left out,
/// with the reason, are:
/// - what the user excludes, does not include, or leaves out of the rail map;
/// - what cannot be used: a port that is not active, not Ethernet, or without a RoCE v2 GID with an
///   address of this network namespace; a member of a bond;
/// - unless the user selects it, a virtual function (SR-IOV) whose physical one could be a rail:
///   they share a wire.
/// Which of them are for storage or management takes all hosts to tell: fabrics.hpp.
Host choose_nics(const HostMap& host, const NicWishes& wishes = {});

/// Completes what is known of a NIC, by its device, port, netdev and address, from the map of its
/// host: PCI, model, firmware, GUID, NUMA node, bond, other addresses, default route.
void describe(Nic& nic, const HostMap& host);

/// "its PCI link from … to … is x8 32 GT/s, and both ends support x16 32 GT/s"; "" if no link above
/// the function is degraded.
std::string degraded_clause(const PciFunction& pci);

/// Why the user does not want a port, as a clause; "" if it is wanted, or not mentioned.
std::string why_unwanted(const std::string& device, int port, const NicWishes& wishes);

}  // namespace railgauge::topology
