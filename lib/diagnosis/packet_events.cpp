#include "diagnosis/packet_events.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "diagnosis/noticed.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::diagnosis {
namespace {

using finding::Cause;
using finding::Evidence;
using telemetry::Counted;

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
  double resent = 0;         // packets that it sent again, where nothing says for how many gaps
  double sent_again = 0;
  double repetitions = 0;
  double corruption = 0;
  double marks = 0;
  double told_of_marks = 0;  // congestion notifications, which go to the sender of what was marked
  double pauses = 0;
  double pause_us = 0;
  double links = 0;
  double oversize = 0;

  /// Of a port, in another row: of marks and wrong checksums the row with most tells.
  Tally& operator+=(const Tally& other) {
    for (double Tally::*const one :
         {&Tally::sent, &Tally::received, &Tally::gaps_received, &Tally::drops, &Tally::gaps_sent,
          &Tally::resent, &Tally::sent_again, &Tally::repetitions, &Tally::pauses, &Tally::pause_us,
          &Tally::links, &Tally::oversize})
      this->*one += other.*one;
    for (double Tally::*const one : {&Tally::corruption, &Tally::marks, &Tally::told_of_marks})
      this->*one = std::max(this->*one, other.*one);
    return *this;
  }
};

/// What a port counted in one row. Counters may tell the same marks or wrong checksums.
void count(Tally& tally, const std::string& name, double by) {
  const auto meaning = telemetry::meaning_of(name);
  if (!meaning || by <= 0) return;
  switch (meaning->counted) {
    case Counted::loss:
      if (meaning->direction == Direction::receive) tally.gaps_received += by;
      if (meaning->direction == Direction::receive && !meaning->gap) tally.drops += by;
      if (meaning->direction == Direction::transmit)
        (meaning->resent ? tally.resent : tally.gaps_sent) += by;
      if (meaning->direction == Direction::both) tally.sent_again += by;
      return;
    case Counted::repetition: tally.repetitions += by; return;
    // port_rcv_errors is the sum of such.
    case Counted::corruption: tally.corruption = std::max(tally.corruption, by); return;
    case Counted::congestion:
      if (meaning->direction == Direction::receive) tally.marks = std::max(tally.marks, by);
      if (meaning->direction == Direction::transmit)
        tally.told_of_marks = std::max(tally.told_of_marks, by);
      return;
    case Counted::pause: (meaning->microseconds ? tally.pause_us : tally.pauses) += by; return;
    case Counted::link: tally.links += by; return;
    case Counted::oversize: tally.oversize += by; return;
    default: return;
  }
}

/// What all ports counted, of one row or of all, and the paths of its data.
struct Row {
  std::vector<Tally> tallies;
  std::set<Path> sent;
};

void add(Row& row, const RowEvents& counted, const Ports& ports) {
  row.tallies.resize(ports.size());
  row.sent.insert(counted.sent.begin(), counted.sent.end());
  for (const results::PortEvents& events : counted.events) {
    const auto port = ports.that_counted(events);
    if (!port) continue;
    Tally own{.sent = static_cast<double>(events.packets_sent.value_or(0)),
              .received = static_cast<double>(events.packets_received.value_or(0))};
    for (const auto& [name, by] : events.moved) count(own, name, static_cast<double>(by));
    row.tallies[*port] += own;
  }
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
  Search(Row all, std::vector<Row> rows, const Ports& ports)
      : all_(std::move(all)), rows_(std::move(rows)), ports_(ports) {}

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
    for (std::size_t port = 0; port < all_.tallies.size(); ++port) {
      if (count(all_.tallies[port])) flags.insert(port);
    }
    return flags;
  }

  [[nodiscard]] std::vector<double> each(double Tally::*what) const {
    std::vector<double> all;
    all.reserve(all_.tallies.size());
    for (const Tally& tally : all_.tallies) all.push_back(tally.*what);
    return all;
  }

  [[nodiscard]] double sum(const Flags& over, double Tally::*what) const {
    double all = 0;
    for (const std::size_t port : over) all += all_.tallies[port].*what;
    return all;
  }

  [[nodiscard]] double sum_of_rows(const Flags& over, double Tally::*what) const {
    double all = 0;
    for (const Row& row : rows_) {
      for (const std::size_t port : over) all += row.tallies[port].*what;
    }
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
          {counted("link transitions to down", all_.tallies[port].links)});
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
    const std::set<Path> paths = both_ways(all_.sent);
    Flags told = told_of_gaps();
    std::erase_if(told, [&](std::size_t port) { return !has_path_to(seen, port, paths); });
    for (const Place& place :
         explain({seen, told, paths, all_.sent, each(&Tally::corruption)}, ports_)) {
      const Flags to = ends_of(place, paths, ports_, &Path::to);
      const Flags from = ends_of(place, paths, ports_, &Path::from);
      const double bad = sum_of_rows(to, &Tally::corruption);
      corrupted_.insert(to.begin(), to.end());
      corrupted_.insert(from.begin(), from.end());
      add(place, Cause::corruption, bad / std::max(1.0, packets_between(from, to)),
          {counted("packets with a wrong ICRC", bad)});
    }
  }

  /// Ports that were told of gaps. Where only resends are counted, a busy machine's time-outs make
  /// a few of them everywhere.
  [[nodiscard]] Flags told_of_gaps() const {
    constexpr double kPart = 0.2;
    double most = kFewest / kPart;
    for (const double resent : each(&Tally::resent)) most = std::max(most, resent);
    return those([&](const Tally& tally) {
      return tally.gaps_sent >= kFewest || tally.resent >= kPart * most;
    });
  }

  /// What is sent to others alone, on another rail, may be lost and not corrupted.
  [[nodiscard]] static bool has_path_to(const Flags& ports, std::size_t from,
                                        const std::set<Path>& paths) {
    return std::ranges::any_of(
        paths, [&](const Path& path) { return path.from == from && ports.count(path.to) > 0; });
  }

  void gaps() {
    const auto known = [&](std::size_t port) {
      return corrupted_.count(port) > 0 || is_beside_a_flap(port);
    };
    Flags receivers = those([](const Tally& tally) { return tally.gaps_received >= kFewest; });
    Flags senders = told_of_gaps();
    std::erase_if(receivers, known);
    std::erase_if(senders, known);
    const auto places =
        explain({receivers, senders, all_.sent, all_.sent, each(&Tally::gaps_received)}, ports_);
    for (const Place& place : places) {
      const Flags to = ends_of(place, all_.sent, ports_, &Path::to);
      const Flags from = ends_of(place, all_.sent, ports_, &Path::from);
      lost(place, from, to, places.size() == 1);
    }
  }

  /// What is lost while a link is down is noticed at both of its ends.
  [[nodiscard]] bool is_beside_a_flap(std::size_t port) const {
    return down_.count(port) > 0 || std::ranges::any_of(all_.sent, [&](const Path& path) {
             return (path.from == port && down_.count(path.to) > 0) ||
                    (path.to == port && down_.count(path.from) > 0);
           });
  }

  /// Whether nobody had to send again what receivers missed. Ports that count packets know better.
  [[nodiscard]] bool only_overtaken(const Flags& from, const Flags& to) const {
    return sum(to, &Tally::drops) + sum(from, &Tally::gaps_sent) + sum(from, &Tally::resent) +
               sum(from, &Tally::sent_again) ==
           0;
  }

  /// Packets that went from some ports to others, `lost` of them on their way: no more than the
  /// former sent, nor than should have come to the latter. A port of hardware that saw nothing but
  /// traffic is not listed.
  [[nodiscard]] double packets_between(const Flags& from, const Flags& to, double lost = 0) const {
    const double sent = sum(from, &Tally::sent);
    const double came = sum(to, &Tally::received) + lost;
    return std::min(sent, came) > 0 ? std::min(sent, came) : std::max(sent, came);
  }

  /// Of the gaps on these ports' rails, the part that is between them.
  [[nodiscard]] double part_of_gaps(const Flags& from, const Flags& to) const {
    const bool told = sum(from, &Tally::gaps_sent) > 0;
    const auto gaps = told ? &Tally::gaps_sent : &Tally::gaps_received;
    const Flags& own = told ? from : to;
    const Flags all = those([&](const Tally& tally) {
      const auto& of = ports_[static_cast<std::size_t>(&tally - all_.tallies.data())];
      return std::ranges::any_of(own, [&](std::size_t one) { return same_rail(ports_[one], of); });
    });
    return sum(own, gaps) / std::max(1.0, sum(all, gaps));
  }

  /// A gap may be of many packets, and cause any number to be sent again. How many of a rail are
  /// missing is known; whose they are, by the gaps.
  void lost(const Place& place, const Flags& from, const Flags& to, bool only) {
    const double told = sum(from, &Tally::gaps_sent);
    const double gaps = told > 0 ? told : sum(to, &Tally::gaps_received);
    const double events = gaps > 0 ? gaps : sum(from, &Tally::resent);
    const std::optional<double> missing = missing_on_rails_of(to);
    const bool overtaken = missing ? *missing < (gaps > 0 ? kMissingOfReordering * gaps : kFewest)
                                   : only_overtaken(from, to);
    std::vector<Evidence> evidence{counted(gaps > 0 ? "PSN gaps" : "packets sent again", events)};
    if (overtaken) {
      evidence.push_back({.text = "all packets that were sent arrived"});
    }
    const double lost = only ? missing.value_or(0) : missing.value_or(0) * part_of_gaps(from, to);
    if (!overtaken && missing) evidence.push_back(counted("packets lost", lost));
    explained_.insert(to.begin(), to.end());
    const double packets = packets_between(from, to, lost);
    // Nobody saw a gap, and all arrived: time-outs of a busy machine.
    if (overtaken && (gaps == 0 || events < kUsualOvertaken * packets)) return;
    const double share = (overtaken ? gaps : std::max(lost, gaps)) / std::max(1.0, packets);
    add(place, overtaken ? Cause::reordering : Cause::packet_loss,
        share > 0 && packets > 0 ? std::optional(share) : std::nullopt, std::move(evidence));
  }

  /// Packets that all ports of these ports' rails sent, less those that they received: negative if
  /// some came twice. Empty where ports may talk to others than each other.
  [[nodiscard]] std::optional<double> missing_on_rails_of(const Flags& ports) const {
    double missing = 0;
    for (std::size_t port = 0; port < all_.tallies.size(); ++port) {
      const bool concerned = std::ranges::any_of(
          ports, [&](std::size_t one) { return same_rail(ports_[one], ports_[port]); });
      if (!concerned) continue;
      if (!ports_[port].software) return std::nullopt;
      missing += all_.tallies[port].sent - all_.tallies[port].received;
    }
    return missing;
  }

  using Share = std::function<double(const Row&, std::size_t port)>;  // of what a port received

  /// Ports that noticed more than is usual, and with one of them those that noticed a part of it:
  /// they received less by the place.
  [[nodiscard]] Flags above(double usual, double part, const Share& share) const {
    double most = 0;
    for (std::size_t port = 0; port < ports_.size(); ++port)
      most = std::max(most, share(all_, port));
    Flags flags;
    for (std::size_t port = 0; most > usual && port < ports_.size(); ++port) {
      if (share(all_, port) > std::min(usual, part * most)) flags.insert(port);
    }
    return flags;
  }

  /// The paths that may have brought receivers what they noticed: those of rows in which they did.
  [[nodiscard]] std::set<Path> paths_to(const Flags& receivers, const Share& share,
                                        bool acknowledgements) const {
    std::set<Path> all;
    for (const Row& row : rows_) {
      for (const Path& path : acknowledgements ? both_ways(row.sent) : row.sent) {
        if (receivers.count(path.to) == 0 || share(row, path.to) > share(all_, path.to) / 2)
          all.insert(path);
      }
    }
    return all;
  }

  /// What nobody has sent again came twice.
  void repetitions() {
    constexpr double kPart = 0.2;
    const Share share = [](const Row& row, std::size_t port) {
      const double again = unasked(row, port);
      return again < kFewest ? 0 : again / std::max(1.0, row.tallies[port].received);
    };
    Flags seen = above(kUsualRepetitions, kPart, share);
    std::erase_if(seen, [&](std::size_t port) {
      const double again = unasked(all_, port);
      return explained_.count(port) > 0 ||
             -missing_on_rails_of({port}).value_or(-again) <= again / 2;
    });
    const std::set<Path> paths = paths_to(seen, share, false);
    for (const Place& place :
         explain({seen, {}, paths, all_.sent, each(&Tally::repetitions)}, ports_)) {
      const Flags to = ends_of(place, paths, ports_, &Path::to);
      double again = 0;
      for (const std::size_t port : to) again += std::max(0.0, unasked(all_, port));
      const Flags from = ends_of(place, paths, ports_, &Path::from);
      add(place, Cause::duplication, again / std::max(1.0, packets_between(from, to)),
          {counted("packets received twice and sent once", again)});
    }
  }

  [[nodiscard]] static double unasked(const Row& row, std::size_t port) {
    double sent_again = 0;
    for (const Path& path : row.sent) {
      if (path.to != port) continue;
      const auto peers = std::ranges::count(row.sent, path.from, &Path::from);
      sent_again += row.tallies[path.from].sent_again / static_cast<double>(peers);
    }
    return row.tallies[port].repetitions - sent_again;
  }

  void marks() {
    constexpr double kPart = 0.05;
    const Share share = [](const Row& row, std::size_t port) {
      const Tally& tally = row.tallies[port];
      return tally.marks < kFewest ? 0 : tally.marks / std::max(1.0, tally.received);
    };
    const Flags seen = above(kUsualMarks, kPart, share);
    if (seen.empty()) return;
    const std::set<Path> paths = paths_to(seen, share, true);
    const std::vector<double> told = each(&Tally::told_of_marks);
    const double least = std::max(kFewest, kPart * std::ranges::max(told));
    const Flags senders = those([&](const Tally& tally) { return tally.told_of_marks >= least; });
    for (const Place& place :
         explain({seen, senders, paths, both_ways(all_.sent), each(&Tally::marks)}, ports_)) {
      const Flags to = ends_of(place, paths, ports_, &Path::to);
      const double marked = sum_of_rows(to, &Tally::marks);
      const Flags from = ends_of(place, paths, ports_, &Path::from);
      add(place, Cause::congestion, marked / std::max(1.0, packets_between(from, to)),
          {counted("packets marked CE (ECN)", marked)});
    }
  }

  Row all_;
  std::vector<Row> rows_;
  const Ports& ports_;
  std::vector<PacketFault> faults_;
  Flags down_;       // ports whose link was
  Flags corrupted_;  // ports between which packets were
  Flags explained_;  // ports whose repetitions are
};

}  // namespace

std::vector<PacketFault> find_packet_faults(const std::vector<RowEvents>& rows,
                                            const Ports& ports) {
  Row all{.tallies = std::vector<Tally>(ports.size()), .sent = {}};
  std::vector<Row> each(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(all, rows[i], ports);
    add(each[i], rows[i], ports);
  }
  return Search(std::move(all), std::move(each), ports).faults();
}

}  // namespace railgauge::diagnosis
