#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "results/rank.hpp"
#include "transport/transport.hpp"
#include "verbs/udp_source_port.hpp"

namespace railgauge::runner {

/// How many ports of the same rail and plane have a smaller address, or the same and a rank of a
/// smaller number. Hosts below one leaf mostly have neighbouring addresses, whatever the order of
/// ranks, and so begin with different paths.
[[nodiscard]] std::size_t turn_of(const std::vector<results::Rank>& ranks, transport::Rank own,
                                  const results::RankRail& port);

/// Which flow labels lead a rank's queue pairs over different paths of the fabric: --spread-paths.
class PathSpread {
 public:
  /// `ranks`, which have to outlive it, are all; `own` is this one.
  PathSpread(const std::vector<results::Rank>& ranks, transport::Rank own)
      : ranks_(ranks), own_(own) {}

  /// Of the `number`-th queue pair to a peer, between ports of one rail and plane. Senders begin
  /// with different paths, so that one queue pair each takes turns over them as well. 0 if there is
  /// nothing to choose, or nobody tells; to a peer on this rank's host, too. The first time a pair
  /// of ports is asked about, paths are traced, which takes some seconds.
  [[nodiscard]] std::uint32_t label(transport::Rank peer, const results::RankRail& port,
                                    std::uint8_t traffic_class, unsigned number);

  /// A queue pair was connected: whether it sends from the port of its label.
  void connected(verbs::SourcePort port);

  /// Why labels are 0 where there was something to choose, and whether source ports are those of
  /// their labels: sentences, once each.
  [[nodiscard]] std::vector<std::string> take_notes();

 private:
  using Labels = std::vector<std::uint32_t>;  // one per path, that of the first queue pair first

  [[nodiscard]] const std::string* address_of(transport::Rank peer,
                                              const results::RankRail& port) const;
  [[nodiscard]] Labels trace(const std::string& from, const std::string& to,
                             std::uint8_t traffic_class);

  const std::vector<results::Rank>& ranks_;
  transport::Rank own_;
  std::map<std::tuple<std::string, std::string, unsigned>, Labels> known_;
  std::vector<std::string> notes_;
  bool assumed_ = false;  // what was said of source ports
  bool set_ = false;
};

}  // namespace railgauge::runner
