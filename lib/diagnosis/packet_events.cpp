#include "diagnosis/packet_events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

#include "diagnosis/noticed.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::diagnosis {
namespace {

using finding::Cause;
using finding::Evidence;
using telemetry::Counted;
using telemetry::Way;

/// Fewer are not worth a finding: a queue pair that starts may count one or two.
constexpr double kFewest = 3;
/// So many marks of all packets are how congestion control works.
constexpr double kUsualMarks = 0.005;
/// So many repetitions too many of all packets are no chance.
constexpr double kUsualRepetitions = 0.01;
/// So few of all packets that were overtaken are not worth a finding: sprayed fabrics do more, and
/// beside a fault a few come late.
constexpr double kUsualOvertaken = 0.005;
/// A packet that is only overtaken comes all the same: of as many as were noticed no more are
/// missing.
constexpr double kMissingOfReordering = 0.25;

/// What one port counted.
struct Tally {
  double sent = 0;  // packets
  double received = 0;
  double gaps_received = 0;  // it saw a packet missing
  double drops = 0;          // of these, what did not come later
  double gaps_sent = 0;      // it was told so by a peer
  double sent_again = 0;
  double repetitions = 0;
  double corruption = 0;
  double marks = 0;
  double pauses = 0;
  double pause_us = 0;
  double links = 0;
  double oversize = 0;
};

void count(Tally& tally, const std::string& name, double by) {
  const auto meaning = telemetry::meaning_of(name);
  if (!meaning || by <= 0) return;
  switch (meaning->counted) {
    case Counted::loss:
      if (meaning->way == Way::received) tally.gaps_received += by;
      if (meaning->way == Way::received && !meaning->gap) tally.drops += by;
      if (meaning->way == Way::sent) tally.gaps_sent += by;
      if (meaning->way == Way::either) tally.sent_again += by;
      return;
    case Counted::repetition: tally.repetitions += by; return;
    // port_rcv_errors is the sum of such.
    case Counted::corruption: tally.corruption = std::max(tally.corruption, by); return;
    case Counted::congestion:
      if (meaning->way == Way::received) tally.marks = std::max(tally.marks, by);
      return;
    case Counted::pause: (meaning->microseconds ? tally.pause_us : tally.pauses) += by; return;
    case Counted::link: tally.links += by; return;
    case Counted::oversize: tally.oversize += by; return;
    default: return;
  }
}

std::vector<Tally> tallies_of(std::span<const results::PortEvents> all, const Ports& ports) {
  std::vector<Tally> tallies(ports.size());
  for (const results::PortEvents& events : all) {
    const auto port = ports.that_counted(events);
    if (!port) continue;
    Tally& tally = tallies[*port];
    tally.sent += static_cast<double>(events.packets_sent.value_or(0));
    tally.received += static_cast<double>(events.packets_received.value_or(0));
    for (const auto& [name, by] : events.moved) count(tally, name, static_cast<double>(by));
  }
  return tallies;
}

std::set<Path> both_ways(const std::set<Path>& paths) {
  std::set<Path> all = paths;
  for (const Path& path : paths) all.insert({path.to, path.from});
  return all;
}

/// A counter moved by so much, where it should not have.
Evidence counted(const std::string& metric, double count, const std::string& text = "") {
  return {.metric = metric, .observed = std::floor(count), .text = text};
}

class Search {
 public:
  Search(std::vector<Tally> tallies, const std::set<Path>& sent, const Ports& ports)
      : tallies_(std::move(tallies)), sent_(sent), ports_(ports) {}

  std::vector<PacketFault> faults() {
    links();
    pauses();
    corruption();
    gaps();
    repetitions();
    marks();
    return std::move(faults_);
  }

 private:
  [[nodiscard]] Flags those(const std::function<bool(const Tally&)>& count) const {
    Flags flags;
    for (std::size_t port = 0; port < tallies_.size(); ++port) {
      if (count(tallies_[port])) flags.insert(port);
    }
    return flags;
  }

  [[nodiscard]] std::vector<double> each(double Tally::*what) const {
    std::vector<double> all;
    all.reserve(tallies_.size());
    for (const Tally& tally : tallies_) all.push_back(tally.*what);
    return all;
  }

  [[nodiscard]] double sum(const Flags& over, double Tally::*what) const {
    double all = 0;
    for (const std::size_t port : over) all += tallies_[port].*what;
    return all;
  }

  void add(const Place& place, Cause cause, std::optional<double> share,
           std::vector<Evidence> evidence) {
    faults_.push_back({place, cause, share, std::move(evidence)});
  }

  void links() {
    for (const std::size_t port : those([](const Tally& tally) { return tally.links > 0; })) {
      down_.insert(port);
      add({.scope = Scope::port, .port = port}, Cause::link_down, {},
          {counted("link transitions to down", tallies_[port].links)});
    }
  }

  void pauses() {
    Flags paused = those([](const Tally& tally) { return tally.pauses >= kFewest; });
    const auto say = [&](const Place& place, const Flags& at) {
      add(place, Cause::pause, {},
          {counted("pause frames", sum(at, &Tally::pauses)),
           {.metric = "paused time", .unit = "us", .observed = sum(at, &Tally::pause_us)}});
    };
    for (const Place& rail : whole_rails(paused, std::vector<double>(ports_.size(), 1), ports_)) {
      const std::vector<std::size_t> ports = ports_of_rail(rail.port, ports_);
      say(rail, Flags(ports.begin(), ports.end()));
      for (const std::size_t port : ports) paused.erase(port);
    }
    for (const std::size_t port : paused)
      say({.scope = Scope::port, .direction = Direction::transmit, .port = port}, {port});
  }

  /// Acknowledgements are corrupted as data are.
  void corruption() {
    const Flags seen = those([](const Tally& tally) { return tally.corruption >= kFewest; });
    if (seen.empty()) return;
    const Flags told = those([](const Tally& tally) { return tally.gaps_sent >= kFewest; });
    for (const Place& place :
         explain({seen, told, both_ways(sent_), sent_, each(&Tally::corruption)}, ports_)) {
      const Flags to = ends_of(place, both_ways(sent_), ports_, &Path::to);
      const Flags from = ends_of(place, both_ways(sent_), ports_, &Path::from);
      const double bad = sum(to, &Tally::corruption);
      corrupted_.insert(to.begin(), to.end());
      corrupted_.insert(from.begin(), from.end());
      add(place, Cause::corruption, bad / std::max(1.0, sum(to, &Tally::received)),
          {counted("packets with a wrong ICRC", bad)});
    }
  }

  void gaps() {
    const auto known = [&](std::size_t port) {
      return corrupted_.count(port) > 0 || is_beside_a_flap(port);
    };
    Flags receivers = those([](const Tally& tally) { return tally.gaps_received >= kFewest; });
    Flags senders = those([](const Tally& tally) { return tally.gaps_sent >= kFewest; });
    std::erase_if(receivers, known);
    std::erase_if(senders, known);
    const auto places =
        explain({receivers, senders, sent_, sent_, each(&Tally::gaps_received)}, ports_);
    for (const Place& place : places) {
      const Flags to = ends_of(place, sent_, ports_, &Path::to);
      const Flags from = ends_of(place, sent_, ports_, &Path::from);
      lost(place, from, to, places.size() == 1);
    }
  }

  /// What is lost while a link is down is noticed at both of its ends.
  [[nodiscard]] bool is_beside_a_flap(std::size_t port) const {
    return down_.count(port) > 0 || std::ranges::any_of(sent_, [&](const Path& path) {
             return (path.from == port && down_.count(path.to) > 0) ||
                    (path.to == port && down_.count(path.from) > 0);
           });
  }

  /// Whether nobody had to send again what receivers missed. Ports that count packets know better.
  [[nodiscard]] bool only_overtaken(const Flags& from, const Flags& to) const {
    return sum(to, &Tally::drops) + sum(from, &Tally::gaps_sent) + sum(from, &Tally::sent_again) ==
           0;
  }

  /// A gap may be of many packets. How many of a rail are missing is known, and whose they are if
  /// the place is the only one.
  void lost(const Place& place, const Flags& from, const Flags& to, bool only) {
    const double told = sum(from, &Tally::gaps_sent);
    const double events = told > 0 ? told : sum(to, &Tally::gaps_received);
    const std::optional<double> missing = missing_on_rails_of(to);
    const bool overtaken =
        missing ? *missing < kMissingOfReordering * events : only_overtaken(from, to);
    std::vector<Evidence> evidence{counted("PSN gaps", events)};
    if (overtaken) {
      evidence.push_back({.text = "all packets that were sent arrived"});
    } else if (missing) {
      evidence.push_back(counted("packets lost", *missing));
    }
    explained_.insert(to.begin(), to.end());
    // A port of hardware that saw nothing but traffic is not listed.
    const double packets = std::max(sum(from, &Tally::sent), sum(to, &Tally::received));
    if (overtaken && events < kUsualOvertaken * packets) return;
    const bool counted_all = only && !overtaken && missing && *missing > events;
    add(place, overtaken ? Cause::reordering : Cause::packet_loss,
        packets > 0 ? std::optional((counted_all ? *missing : events) / packets) : std::nullopt,
        std::move(evidence));
  }

  /// Packets that all ports of these ports' rails sent, less those that they received: negative if
  /// some came twice. Empty where ports may talk to others than each other.
  [[nodiscard]] std::optional<double> missing_on_rails_of(const Flags& ports) const {
    double missing = 0;
    for (std::size_t port = 0; port < tallies_.size(); ++port) {
      const bool concerned = std::ranges::any_of(ports, [&](std::size_t one) {
        return ports_[one].rail == ports_[port].rail && ports_[one].plane == ports_[port].plane;
      });
      if (!concerned) continue;
      if (!ports_[port].software) return std::nullopt;
      missing += tallies_[port].sent - tallies_[port].received;
    }
    return missing;
  }

  /// What nobody has sent again came twice.
  void repetitions() {
    Flags seen;
    for (std::size_t port = 0; port < tallies_.size(); ++port) {
      if (explained_.count(port) > 0) continue;
      const double again = unasked(port);
      const double missing = missing_on_rails_of({port}).value_or(-again);
      if (again >= kFewest && again > kUsualRepetitions * tallies_[port].received &&
          -missing > again / 2)
        seen.insert(port);
    }
    for (const Place& place :
         explain({seen, {}, sent_, sent_, each(&Tally::repetitions)}, ports_)) {
      const Flags to = ends_of(place, sent_, ports_, &Path::to);
      double again = 0;
      for (const std::size_t port : to) again += std::max(0.0, unasked(port));
      add(place, Cause::duplication, again / std::max(1.0, sum(to, &Tally::received)),
          {counted("packets received twice and sent once", again)});
    }
  }

  [[nodiscard]] double unasked(std::size_t port) const {
    double sent_again = 0;
    for (const Path& path : sent_) {
      if (path.to != port) continue;
      const auto peers = std::ranges::count(sent_, path.from, &Path::from);
      sent_again += tallies_[path.from].sent_again / static_cast<double>(peers);
    }
    return tallies_[port].repetitions - sent_again;
  }

  void marks() {
    const Flags seen = those([](const Tally& tally) {
      return tally.marks >= kFewest && tally.marks > kUsualMarks * tally.received;
    });
    for (const Place& place :
         explain({seen, {}, both_ways(sent_), sent_, each(&Tally::marks)}, ports_)) {
      const Flags to = ends_of(place, both_ways(sent_), ports_, &Path::to);
      const double marked = sum(to, &Tally::marks);
      add(place, Cause::congestion, marked / std::max(1.0, sum(to, &Tally::received)),
          {counted("packets marked CE (ECN)", marked)});
    }
  }

  std::vector<Tally> tallies_;
  const std::set<Path>& sent_;
  const Ports& ports_;
  std::vector<PacketFault> faults_;
  Flags down_;       // ports whose link was
  Flags corrupted_;  // ports between which packets were
  Flags explained_;  // ports whose repetitions are
};

}  // namespace

std::vector<PacketFault> find_packet_faults(std::span<const results::PortEvents> events,
                                            const std::set<Path>& sent, const Ports& ports) {
  return Search(tallies_of(events, ports), sent, ports).faults();
}

}  // namespace railgauge::diagnosis
