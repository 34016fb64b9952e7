#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/pairs/all_nics.hpp"
#include "paths/trace.hpp"
#include "paths/udp_prober.hpp"
#include "transport/exchange.hpp"

namespace railgauge::runner {

struct TraceSettings {
  std::uint8_t traffic_class = 0;             ///< that of the data
  std::vector<std::uint16_t> source_ports{};  ///< to trace between each two NICs
  int probes_per_second = 100;                ///< of a host
  /// A NIC of which so many peers, one after the other, did not answer asks no more: each costs
  /// seconds. 0: it goes on.
  int most_silent = 0;
};

/// From one NIC to another, by their places in AllNics::nics.
using PathEnds = std::pair<std::size_t, std::size_t>;

/// The switches that a source port's packets pass, in order; "" for one that did not answer.
struct PortSwitches {
  std::uint16_t source_port = 0;
  std::vector<std::string> switches{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("port", self.source_port);
    visit.required("switches", self.switches);
  }
};

/// What the sender's host was told of the paths from one NIC to another.
struct TracedPath {
  PathEnds ends{};
  bool asked = true;  ///< whether probes could be sent
  /// On the path; empty: the peer did not answer, or the last place before it was not heard of.
  std::optional<int> switches{};
  paths::Balance balance = paths::Balance::unknown;
  /// Of each source port, but for those that another socket has; without switches where none
  /// answered.
  std::vector<PortSwitches> ports{};
  std::string note{};  ///< why they are not told, a sentence; empty if they are

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.required("from", self.ends.first);
    visit.required("to", self.ends.second);
    visit.required("asked", self.asked);
    visit("switches", self.switches);
    visit("balance", self.balance);
    visit.required("ports", self.ports);
    visit.required("note", self.note);
  }
};

/// Whether a source port has a path of its own, where switches choose like that.
[[nodiscard]] inline bool tells_path(paths::Balance balance) {
  return balance != paths::Balance::sprayed && balance != paths::Balance::by_queue_pair;
}

/// The switches of a source port, as far as they are known: "" for one that is not. A peer that did
/// not answer is behind one switch more, at least. Where switches choose by more than the source
/// port, the first and the last are all that is known. Empty if none is.
[[nodiscard]] std::vector<std::string> known_switches(const TracedPath& path,
                                                      const PortSwitches& port,
                                                      paths::Balance balance);

/// Traces the paths of one host's NICs.
class HostTracer {
 public:
  using MakeProber =
      std::function<std::unique_ptr<paths::Prober>(const paths::ProberSettings& settings)>;

  explicit HostTracer(TraceSettings settings);
  /// With another to ask than UDP sockets.
  HostTracer(TraceSettings settings, MakeProber make_prober);

  /// Does not throw: what goes wrong is a note. The first path over several switches is traced with
  /// controls: whether switches choose by the source port alone.
  [[nodiscard]] TracedPath traced(const PathEnds& ends, const std::string& from,
                                  const std::string& to);

 private:
  [[nodiscard]] paths::Trace ask(const std::string& from, const std::string& to);
  [[nodiscard]] bool gave_up(std::size_t nic) const;
  void fill(TracedPath& path, const paths::Trace& trace) const;

  TraceSettings settings_;
  MakeProber make_prober_;
  bool controlled_ = false;
  std::map<std::size_t, int> silent_;  // of each NIC: peers in a row
};

/// Which path each source port takes between NICs, as each sender's host is told by the switches.
/// The same on all ranks.
class PathTracer {
 public:
  /// `exchange` and `all` have to outlive it.
  PathTracer(transport::Exchange& exchange, const AllNics& all, HostTracer own);

  /// Collective: traces these, each sender its own.
  void trace(const std::vector<PathEnds>& paths);

  /// Of all calls so far.
  [[nodiscard]] const std::vector<TracedPath>& told() const { return told_; }
  /// One of them, until the next call of trace(); null if it was not asked for.
  [[nodiscard]] const TracedPath* find(const PathEnds& ends) const;
  /// If switches were found to choose by more than the source port, how; else unknown. It is about
  /// all paths, also those that were traced before.
  [[nodiscard]] paths::Balance balance() const { return balance_; }
  /// What is not known, and why: sentences, once each, and of how many paths, if not of all.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Noted {
    std::string text{};
    std::size_t paths = 0;
    PathEnds first{};
  };

  void take_balance(paths::Balance balance);
  void note(const TracedPath& path);

  transport::Exchange& exchange_;
  const AllNics& all_;
  HostTracer own_;
  paths::Balance balance_ = paths::Balance::unknown;
  std::vector<TracedPath> told_;
  std::map<PathEnds, std::size_t> places_;  // among those
  std::vector<std::string> notes_of_all_;
  std::vector<Noted> notes_of_paths_;
};

}  // namespace railgauge::runner
