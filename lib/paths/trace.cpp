#include "paths/trace.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "paths/source_port.hpp"

namespace railgauge::paths {
namespace {

using topology::IpAddress;
using Hop = std::optional<IpAddress>;

constexpr int kTries = 3;
/// Where some of the probes with a TTL were answered, those that were not are lost, or a switch is
/// silent beside others that are not.
constexpr int kMoreTries = 6;
/// Three tiers are five switches; a route between sites has more.
constexpr int kFarthest = 16;
/// First and last TTL of what is asked at once, until the peer answers: five switches, of three
/// tiers, and the peer, which answers a few probes a second only.
constexpr std::array kNear{std::pair{1, 3}, std::pair{4, 4}, std::pair{5, 5}, std::pair{6, 6}};
/// The distance is asked from ports of their own, so that each TTL can be asked at once; each time
/// from others, as one path may lose all packets.
constexpr int kDistancePorts = 0xf000;
constexpr std::uint32_t kSomeQueuePair = 0x11;
/// The control experiments: so many source ports, so often. Where the choice is by something else
/// and there are only two paths, that fewer than two ports show it is less likely than 1 to 10^7.
constexpr std::size_t kControlPorts = 8;
constexpr int kRepeats = 5;
constexpr int kRepeatsOfOne = 12;  // of one port alone
constexpr std::size_t kMany = 16;

class Tracer {
 public:
  Tracer(Prober& prober, const TraceRequest& request) : prober_(prober), request_(request) {
    for (const std::uint16_t port : request.source_ports) {
      if (prober.can_use(port)) {
        result_.paths.push_back({port, {}});
      } else {
        result_.busy_ports.push_back(port);
      }
    }
  }

  [[nodiscard]] Trace run() {
    measure_distance();
    for (int ttl = 1; ttl <= result_.heard; ++ttl) ask_all(ttl);
    forget_late_answers();
    for (PortPath& path : result_.paths) path.switches.resize(places());
    result_.balance = balance();
    return std::move(result_);
  }

 private:
  /// On the way, as far as they are known.
  [[nodiscard]] std::size_t places() const {
    return static_cast<std::size_t>(result_.switches.value_or(result_.heard));
  }

  /// To a port where nobody listens, which no NIC takes for RDMA.
  void measure_distance() {
    for (const auto& [first, last] : kNear) {
      if (first == 1 || (!result_.switches && result_.heard > 0)) ask_distance(first, last);
    }
    for (int tried = 1; tried < kTries && !result_.switches; ++tried) ask_distance(1, kFarthest);
    if (!result_.switches && result_.heard > 0) ask_beyond_heard();
    for (int tried = 0; tried < kMoreTries && last_is_unheard(result_); ++tried)
      ask_distance(1, *result_.switches);
    if (result_.switches) result_.heard = std::min(result_.heard, *result_.switches);
  }

  /// The peer may have answered others until now, or us. One probe at a time, behind what is known.
  void ask_beyond_heard() {
    prober_.rest();
    for (int heard = 0; heard < result_.heard && !result_.switches;) {
      heard = result_.heard;
      ask_distance(heard + 1, heard + 1);
    }
  }

  void ask_distance(int nearest, int farthest) {
    std::vector<Probe> probes;
    for (int ttl = nearest; ttl <= farthest; ++ttl) {
      const auto port = static_cast<std::uint16_t>(kDistancePorts + distance_asked_ + ttl);
      if (prober_.can_use(port)) probes.push_back({port, ttl, std::nullopt});
    }
    distance_asked_ += kFarthest;
    const auto answers = prober_.ask(probes);
    for (std::size_t at = 0; at < probes.size(); ++at) {
      if (answers[at]) take_distance(probes[at].ttl, *answers[at]);
    }
  }

  /// Where a TTL has expired, another probe with it will expire, too.
  void take_distance(int ttl, const Answer& answer) {
    switch (answer.kind) {
      case Answer::Kind::expired: result_.heard = std::max(result_.heard, ttl); break;
      case Answer::Kind::arrived:
        result_.switches = std::min(result_.switches.value_or(ttl), ttl - 1);
        break;
      case Answer::Kind::refused: result_.refused_by = answer.from; break;
    }
  }

  [[nodiscard]] std::uint32_t queue_pair() const {
    return request_.queue_pair.value_or(kSomeQueuePair);
  }

  void ask_all(int ttl) {
    for (PortPath& path : result_.paths) path.switches.emplace_back();
    int tries = kTries;
    for (int tried = 0; tried < tries; ++tried) {
      std::vector<PortPath*> open;
      for (PortPath& path : result_.paths) {
        if (!path.switches.back()) open.push_back(&path);
      }
      if (open.empty()) return;
      if (open.size() < result_.paths.size()) tries = kMoreTries;
      ask(open, ttl);
    }
  }

  void ask(const std::vector<PortPath*>& open, int ttl) {
    std::vector<Probe> probes;
    probes.reserve(open.size());
    for (const PortPath* path : open) probes.push_back({path->source_port, ttl, queue_pair()});
    const auto answers = prober_.ask(probes);
    for (std::size_t at = 0; at < open.size(); ++at) take(answers[at], open[at]->switches.back());
  }

  static void take(const std::optional<Answer>& answer, Hop& hop) {
    if (answer && answer->kind == Answer::Kind::expired) hop = answer->from;
  }

  /// A switch is passed once: the second time it was an answer to the probe before.
  void forget_late_answers() {
    for (PortPath& path : result_.paths) {
      std::set<IpAddress> seen;
      for (Hop& hop : path.switches) {
        if (hop && !seen.insert(*hop).second) hop.reset();
      }
    }
  }

  [[nodiscard]] Balance balance() {
    std::vector<const PortPath*> answered;
    for (const PortPath& path : result_.paths) {
      if (std::ranges::any_of(path.switches, [](const Hop& hop) { return hop.has_value(); }))
        answered.push_back(&path);
    }
    if (answered.empty()) return Balance::unknown;
    // Of one switch there is nothing to choose.
    const bool controls = request_.with_controls && result_.switches != 1;
    if (controls && varies(answered, [&](int) { return queue_pair(); })) return Balance::sprayed;
    if (controls &&
        varies(answered, [&](int turn) { return queue_pair() + static_cast<std::uint32_t>(turn); }))
      return Balance::by_queue_pair;
    const auto same = [&](const PortPath* path) { return agree(*path, *answered.front()); };
    return std::ranges::all_of(answered, same) ? Balance::single : Balance::by_port;
  }

  /// Places where source ports have come to different switches. Where many of them pass the same
  /// one, nothing is chosen; of a few that may be chance.
  [[nodiscard]] std::vector<int> choices() const {
    std::vector<int> found;
    for (int ttl = 1; ttl <= result_.heard; ++ttl) {
      std::set<IpAddress> seen;
      for (const PortPath& path : result_.paths) {
        const Hop& hop = path.switches[static_cast<std::size_t>(ttl - 1)];
        if (hop) seen.insert(*hop);
      }
      if (seen.size() > 1 || result_.paths.size() < kMany) found.push_back(ttl);
    }
    return found;
  }

  /// Whether two paths may be the same, as far as switches have answered.
  static bool agree(const PortPath& one, const PortPath& other) {
    for (std::size_t at = 0; at < one.switches.size(); ++at) {
      const Hop& here = one.switches[at];
      const Hop& there = other.switches[at];
      if (here && there && *here != *there) return false;
    }
    return true;
  }

  /// What repeats have shown.
  struct Changes {
    std::set<std::uint16_t> ports{};
    std::map<int, std::set<int>> turns{};  // of each place
  };

  /// Whether a few source ports take another way if they are asked again. At one port that may be
  /// an answer that came late; two are no chance. What changes once only is a route, or a hash.
  template <class QueuePair>
  [[nodiscard]] bool varies(const std::vector<const PortPath*>& paths, QueuePair queue_pair) {
    const std::size_t count = std::min(paths.size(), kControlPorts);
    std::vector<PortPath> before;  // what they answered last
    before.reserve(count);
    for (std::size_t at = 0; at < count; ++at) before.push_back(*paths[at]);
    Changes changes;
    for (int turn = 1; turn <= (count > 1 ? kRepeats : kRepeatsOfOne); ++turn) {
      for (const int ttl : choices()) ask_again(before, ttl, turn, queue_pair(turn), changes);
    }
    return std::ranges::any_of(changes.turns, goes_on) &&
           changes.ports.size() >= std::min<std::size_t>(2, count);
  }

  /// What changes once may do so in the middle of a turn, and shows in the next one then.
  static bool goes_on(const std::pair<const int, std::set<int>>& of_place) {
    const std::set<int>& turns = of_place.second;
    return *turns.rbegin() - *turns.begin() > 1;
  }

  void ask_again(std::vector<PortPath>& before, int ttl, int turn, std::uint32_t queue_pair,
                 Changes& changes) {
    std::vector<Probe> probes;
    probes.reserve(before.size());
    for (const PortPath& path : before) probes.push_back({path.source_port, ttl, queue_pair});
    const auto answers = prober_.ask(probes);
    for (std::size_t at = 0; at < before.size(); ++at) {
      if (!differs(answers[at], before[at], ttl)) continue;
      before[at].switches[static_cast<std::size_t>(ttl - 1)] = answers[at]->from;
      changes.ports.insert(before[at].source_port);
      changes.turns[ttl].insert(turn);
    }
  }

  static bool differs(const std::optional<Answer>& answer, const PortPath& path, int ttl) {
    const Hop& before = path.switches[static_cast<std::size_t>(ttl - 1)];
    if (!answer || answer->kind != Answer::Kind::expired || !before) return false;
    // What another switch of the same path says is a late answer.
    return answer->from != *before && std::ranges::count(path.switches, Hop(answer->from)) == 0;
  }

  Prober& prober_;
  const TraceRequest& request_;
  Trace result_;
  int distance_asked_ = 0;  // so many ports were taken for it
};

}  // namespace

Trace trace(Prober& prober, const TraceRequest& request) {
  return Tracer(prober, request).run();
}

std::string_view word(Balance balance) {
  switch (balance) {
    case Balance::unknown: return "unknown";
    case Balance::single: return "single";
    case Balance::by_port: return "by-port";
    case Balance::by_queue_pair: return "by-queue-pair";
    case Balance::sprayed: return "sprayed";
  }
  return "";
}

}  // namespace railgauge::paths
