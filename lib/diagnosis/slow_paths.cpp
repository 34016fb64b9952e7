#include "diagnosis/slow_paths.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "diagnosis/acknowledgements.hpp"
#include "measure/statistics.hpp"

namespace railgauge::diagnosis {
namespace {

/// A path is slow if it is in this part of the rows from the smallest in which it shows, and in two
/// at least.
constexpr double kLeastRows = 0.6;
/// And longer by so much of what the middle chunk of the middle path takes: less is how ranks
/// differ that share processors. On a loaded machine that is much, and a smaller part of it will do
/// if ...
constexpr double kLeastOfMedian = 0.5;
constexpr double kSlowerAlone = 4.4;   // on average over rows
constexpr double kSlowerInOneRow = 6;  // that nothing confirms
constexpr double kLeastOfLoad = 0.2;
/// ... it is so many times slower on average over rows.
constexpr double kSlowerOnAverage = 8;
/// What only the middle chunks show has to show all along.
constexpr std::size_t kFewestOfMedians = 3;
constexpr double kMostRows = 0.75;
/// What is apart from the spread of a row is by so many times the floor on average; in a run of one
/// row or two by more.
constexpr double kApart = 1.5;
constexpr double kApartInFewRows = 3;
constexpr std::size_t kMostPlaces = 3;

bool lasts(std::size_t slow, std::size_t rows) {
  return slow > 0 && static_cast<double>(slow) >= kLeastRows * static_cast<double>(rows);
}

/// By that part of the median.
bool exceeds_load(const Mark& mark, double part) {
  return mark.min_slow && mark.time.min_us - mark.usual.floors.usual > part * mark.usual.median_us;
}

/// Geometric.
double slower_on_average(std::span<const Mark> marks) {
  double sum = 0;
  for (const Mark& mark : marks)
    sum += std::log(std::max(1.0, mark.time.min_us) / std::max(1.0, mark.usual.floors.usual));
  return std::exp(sum / static_cast<double>(marks.size()));
}

/// `marks`: from the smallest chunks to the largest. Those from the size on from which it shows: in
/// rows with smaller ones a rate cannot be seen. None if it does not last from there on.
template <class Shows>
std::span<const Mark> lasting(std::span<const Mark> marks, const Shows& shows) {
  const auto first = std::ranges::find_if(marks, shows);
  if (first == marks.end()) return {};
  const std::span<const Mark> rows(first, marks.end());
  const auto slow = static_cast<std::size_t>(std::ranges::count_if(rows, shows));
  const bool lasts_on = lasts(slow, rows.size()) && (slow >= 2 || marks.size() == 1);
  return lasts_on ? rows : std::span<const Mark>{};
}

template <class Shows>
bool floor_is_slow(std::span<const Mark> marks, const Shows& shows, double times) {
  const std::span<const Mark> rows = lasting(marks, shows);
  return !rows.empty() && slower_on_average(rows) > times;
}

/// Whatever the load of the row explains less than.
bool is_beyond_load(std::span<const Mark> by_size) {
  const auto slow = [&](double part, double times) {
    const auto shows = [&](const Mark& mark) { return exceeds_load(mark, part); };
    return floor_is_slow(by_size, shows,
                         by_size.size() == 1 ? std::max(times, kSlowerInOneRow) : times);
  };
  return slow(kLeastOfMedian, kSlowerAlone) || slow(kLeastOfLoad, kSlowerOnAverage);
}

/// What one row shows may be chance.
bool is_apart(std::span<const Mark> by_size) {
  constexpr std::ptrdiff_t kFewRows = 3;
  const auto rows = std::ranges::count_if(by_size, &Mark::apart);
  const bool few = std::ssize(by_size) < kFewRows;
  return (few || rows >= kFewRows) &&
         floor_is_slow(
             by_size, [](const Mark& mark) { return mark.apart; }, few ? kApartInFewRows : kApart);
}

/// In a run of one row all paths of a port confirm each other.
bool is_beyond(bool Mark::*others, std::span<const Mark> by_size) {
  return !lasting(by_size, [&](const Mark& mark) { return mark.*others; }).empty();
}

std::vector<Mark> by_size(std::vector<Mark> marks) {
  std::ranges::stable_sort(marks, {}, [](const Mark& mark) { return mark.time.bytes; });
  return marks;
}

bool is_slow_among_paths(const std::vector<Mark>& marks) {
  const auto slow = static_cast<std::size_t>(std::ranges::count_if(marks, &Mark::median_slow));
  const bool all_along = slow >= kFewestOfMedians &&
                         static_cast<double>(slow) >= kMostRows * static_cast<double>(marks.size());
  const std::vector<Mark> sorted = by_size(marks);
  return all_along || is_beyond_load(sorted) || is_apart(sorted) ||
         is_beyond(&Mark::beyond_twins, sorted);
}

struct Slow {
  std::set<Path> paths;  // that data take
  std::set<Path> acks;   // that only acknowledgements may show
  std::set<Path> all;
};

Slow slow_of(const Marks& marks) {
  Slow found;
  for (const auto& [path, of_path] : marks.data) {
    found.all.insert(path);
    if (is_slow(of_path)) found.paths.insert(path);
  }
  for (const auto& [path, counts] : marks.ack_delays) {
    if (lasts(counts.first, counts.second)) found.acks.insert(path);
  }
  return found;
}

double score_of(const Place& place, const Slow& slow, const Ports& ports) {
  constexpr double kOfAcknowledgements = 0.5;
  double score = 0;
  for (const Path& path : slow.all) {
    const bool is_slow = slow.paths.count(path) > 0;
    const bool inside = holds(place, path, ports);
    if (inside) score += is_slow ? 1 : -1;
    if (!inside && is_slow) score -= 1;
  }
  for (const Path& path : slow.acks)
    score += holds(place, path, ports) ? kOfAcknowledgements : -kOfAcknowledgements;
  return score + static_cast<double>(slow.paths.size());
}

using Values = std::vector<double>;

/// The marks of the place's paths in rows where they are slow, or in all.
std::vector<Mark> marks_at(const Place& place, const Marks& marks, const Ports& ports, bool slow) {
  std::vector<Mark> found;
  for (const auto& [path, of_path] : marks.data) {
    if (!holds(place, path, ports)) continue;
    for (const Mark& mark : of_path) {
      if (!slow || mark.slow()) found.push_back(mark);
    }
  }
  return found;
}

double excess_us(const Mark& mark) {
  return mark.min_slow || mark.apart || mark.beyond_hosts
             ? mark.time.min_us - mark.usual.floors.usual
             : mark.time.median_us - mark.usual.median_us;
}

template <class Value>
double median_over(const std::vector<Mark>& marks, const Value& value) {
  Values values;
  for (const Mark& mark : marks) values.push_back(value(mark));
  return values.empty() ? 0 : measure::median(values);
}

double fastest_slower(const Mark& mark) {
  return mark.time.min_us / std::max(1.0, mark.usual.floors.usual);
}

double min_excess(const Mark& mark) {
  return mark.time.min_us - mark.usual.floors.usual;
}

double median_excess(const Mark& mark) {
  return mark.time.median_us - mark.usual.median_us;
}

double bytes_of(const Mark& mark) {
  return static_cast<double>(mark.time.bytes);
}

/// Those with the smallest chunks, or the largest.
std::vector<Mark> of_size(const std::vector<Mark>& marks, bool largest) {
  const auto [least, most] = std::ranges::minmax(marks, {}, bytes_of);
  std::vector<Mark> found;
  for (const Mark& mark : marks) {
    if (largest ? 2 * bytes_of(mark) >= bytes_of(most) : bytes_of(mark) <= 2 * bytes_of(least))
      found.push_back(mark);
  }
  return found;
}

/// Whether chunks of one size take times that differ by more than is usual, and most are slower
/// than the fastest. Where the load makes more difference than that, it cannot be told.
bool spreads(const std::vector<Mark>& marks) {
  constexpr double kMostly = 0.6;
  const auto spread = [](const Mark& mark) { return mark.time.median_us - mark.time.min_us; };
  const auto usual_spread = [](const Mark& mark) {
    return std::max(kLeastExcess, mark.usual.median_us - mark.usual.floors.usual);
  };
  const double load_us = median_over(marks, [](const Mark& mark) { return mark.usual.median_us; });
  return median_over(marks, min_excess) < kMostly * median_over(marks, median_excess) &&
         load_us < median_over(marks, median_excess) / 2 &&
         median_over(marks, spread) > kSlower * median_over(marks, usual_spread);
}

/// In rows of one size: what acknowledgements that pass the place tell of it.
Slowness kind_by(Acknowledgements acknowledgements) {
  switch (acknowledgements) {
    case Acknowledgements::prompt:
    case Acknowledgements::queued: return Slowness::rate;
    case Acknowledgements::scattered: return Slowness::jitter;
    case Acknowledgements::late: return Slowness::delay;
    case Acknowledgements::unmeasured: break;
  }
  return Slowness::unknown;
}

/// How the excess grows from the smallest chunks to the largest. A delay slows long chunks more,
/// too, where they wait for acknowledgements in between: but by a few delays, and not in proportion
/// to their size. In rows of about one size, acknowledgements tell.
void tell_kind(SlowPlace& slow, const std::vector<Mark>& all, Slowness by_acknowledgements) {
  constexpr double kLittle = 0.25;
  constexpr double kFewSizes = 4;
  constexpr double kBytesPerMicrosecondOfGigabyte = 1e3;
  const std::vector<Mark> small = of_size(all, false);
  const std::vector<Mark> large = of_size(all, true);
  const double larger = median_over(large, bytes_of) / std::max(1.0, median_over(small, bytes_of));
  const double of_small = std::max(0.0, median_over(small, min_excess));
  const double of_large = median_over(large, min_excess);
  const bool floors = of_large > kLittle * median_over(large, median_excess) ||
                      of_small > kLittle * median_over(small, median_excess);
  const bool told = larger < kFewSizes && by_acknowledgements != Slowness::unknown;
  const bool varies = !floors || (of_large < std::sqrt(larger) * of_small && spreads(small));
  if (told ? by_acknowledgements == Slowness::jitter : varies) {
    slow.kind = Slowness::jitter;
    slow.excess_us = median_over(all, median_excess);
  } else if (larger < kFewSizes) {
    slow.kind = by_acknowledgements;
    const double time_us =
        std::max(1.0, median_over(all, [](const Mark& mark) { return mark.time.min_us; }));
    if (slow.kind == Slowness::rate)
      slow.gigabytes_per_second =
          median_over(all, bytes_of) / time_us / kBytesPerMicrosecondOfGigabyte;
  } else if (of_small > kLeastExcess && of_large < std::sqrt(larger) * of_small) {
    slow.kind = Slowness::delay;
    slow.excess_us = of_small;
  } else {
    // Of whole times: an excess is what the rate adds to that of the others.
    const auto fastest_us = [](const Mark& mark) { return mark.time.min_us; };
    const double time_us =
        std::max(1.0, median_over(large, fastest_us) - median_over(small, fastest_us));
    const double bytes = median_over(large, bytes_of) - median_over(small, bytes_of);
    slow.kind = Slowness::rate;
    slow.gigabytes_per_second = bytes / time_us / kBytesPerMicrosecondOfGigabyte;
  }
}

/// Where no acknowledgements take a slow path, as along a ring, they pass its ends: what they tell
/// is the end's, unless it is a queue, which a slow path makes there, too.
Slowness kind_by_ends(Place& place, double floor_us, const Marks& marks, const Ports& ports) {
  const Place sender{
      .scope = Scope::port, .direction = Direction::transmit, .port = place.path.from};
  const Place receiver{
      .scope = Scope::port, .direction = Direction::receive, .port = place.path.to};
  const Acknowledgements sent = acknowledgements_at(sender, floor_us, marks, ports);
  const Acknowledgements received = acknowledgements_at(receiver, floor_us, marks, ports);
  const bool of_sender = sent > Acknowledgements::prompt;
  if (of_sender == (received > Acknowledgements::prompt)) return Slowness::unknown;
  const Acknowledgements tell = of_sender ? sent : received;
  if (tell != Acknowledgements::queued) place = of_sender ? sender : receiver;
  return kind_by(tell);
}

/// The place itself as the sender of its paths, and the one host that receives them; or the other
/// way round. Empty: several do.
std::optional<std::pair<Place, Place>> hosts_at_ends(const Place& place, const Slow& slow,
                                                     const Ports& ports) {
  if (place.scope != Scope::host || place.direction == Direction::both) return std::nullopt;
  for (const Path& path : slow.all) {
    if (!holds(place, path, ports)) continue;
    const Place sender{.scope = Scope::host, .direction = Direction::transmit, .port = path.from};
    const Place receiver{.scope = Scope::host, .direction = Direction::receive, .port = path.to};
    const bool alike = std::ranges::all_of(slow.all, [&](const Path& other) {
      return holds(sender, other, ports) == holds(receiver, other, ports);
    });
    return alike ? std::optional(std::pair{sender, receiver}) : std::nullopt;
  }
  return std::nullopt;
}

/// By how much the fastest acknowledgements that pass the place are later than those of others.
double acks_late_us(const Place& place, const Marks& marks, const Ports& ports) {
  Values here;
  Values elsewhere;
  for (const auto& [path, of_path] : marks.data) {
    const bool passes = holds(place, {path.to, path.from}, ports);
    for (const Mark& mark : of_path) {
      if (mark.time.ack_delay_us) (passes ? here : elsewhere).push_back(*mark.time.ack_delay_us);
    }
  }
  if (here.empty() || elsewhere.empty()) return 0;
  return measure::median(here) - measure::median(elsewhere);
}

/// Along a ring a host sends to one other only, so data do not tell which of the two is slow.
void tell_ends_apart(SlowPlace& found, const Slow& slow, const Marks& marks, const Ports& ports) {
  constexpr double kMostly = 0.5;
  const auto ends = hosts_at_ends(found.place, slow, ports);
  if (!ends) return;
  const auto& [sender, receiver] = *ends;
  const double late_us =
      kMostly * median_over(marks_at(found.place, marks, ports, false), min_excess);
  const bool of_sender = acks_late_us(sender, marks, ports) > late_us;
  const bool of_receiver = acks_late_us(receiver, marks, ports) > late_us;
  found.place = of_receiver && !of_sender ? receiver : sender;
  if (of_sender == of_receiver) found.alternatives = {receiver};
}

Slowness kind_by_acknowledgements(Place& place, const std::vector<Mark>& all, const Marks& marks,
                                  const Ports& ports) {
  const double floor_us = median_over(all, min_excess);
  const Acknowledgements passing = acknowledgements_at(place, floor_us, marks, ports);
  if (passing == Acknowledgements::unmeasured && place.scope == Scope::path)
    return kind_by_ends(place, floor_us, marks, ports);
  return kind_by(passing);
}

SlowPlace describe(const Place& place, const Marks& marks, const Ports& ports) {
  const std::vector<Mark> slow_marks = marks_at(place, marks, ports, true);
  const std::vector<Mark> all_marks = marks_at(place, marks, ports, false);
  SlowPlace slow{.place = place};
  std::set<std::size_t> rows;
  std::set<std::size_t> of_rows;
  for (const Mark& mark : slow_marks) rows.insert(mark.row);
  for (const Mark& mark : all_marks) of_rows.insert(mark.row);
  slow.rows = rows.size();
  slow.of_rows = of_rows.size();
  slow.beyond_twins = std::ranges::any_of(slow_marks, &Mark::beyond_twins);
  slow.only_beyond_hosts = std::ranges::none_of(marks.data, [&](const auto& of_path) {
    return holds(place, of_path.first, ports) && is_slow_among_paths(of_path.second);
  });
  slow.fastest_slower = median_over(slow_marks, fastest_slower);
  slow.slower = median_over(slow_marks, [](const Mark& mark) {
    return std::max(fastest_slower(mark),
                    mark.time.median_us / std::max(1.0, mark.usual.median_us));
  });
  slow.excess_us = median_over(slow_marks, excess_us);
  if (!all_marks.empty())
    tell_kind(slow, all_marks, kind_by_acknowledgements(slow.place, all_marks, marks, ports));
  return slow;
}

void forget(Slow& slow, const Place& place, const Ports& ports) {
  const auto explained = [&](const Path& path) { return holds(place, path, ports); };
  std::erase_if(slow.paths, explained);
  std::erase_if(slow.acks, explained);
  std::erase_if(slow.all, explained);
}

/// Of two ports that have nobody else to talk to, each is as suspect as the other: then it is their
/// rail that is named.
Place unless_alike(const Place& place, const std::vector<Place>& places, const Slow& slow,
                   const Ports& ports) {
  if (place.scope != Scope::port || place.direction != Direction::both) return place;
  const auto alike = [&](const Place& other) {
    return other.scope == Scope::rail && std::ranges::all_of(slow.all, [&](const Path& path) {
             return holds(place, path, ports) == holds(other, path, ports);
           });
  };
  const auto rail = std::ranges::find_if(places, alike);
  return rail == places.end() ? place : *rail;
}

/// Places that explain the slow paths, one after the other.
std::vector<Place> explain(Slow slow, const Ports& ports) {
  std::vector<Place> found;
  const std::vector<Place> places = places_of(slow.all, ports);
  while (found.size() < kMostPlaces && !slow.paths.empty()) {
    const auto best = std::ranges::max_element(
        places, {}, [&](const Place& place) { return score_of(place, slow, ports); });
    const Place chosen = unless_alike(*best, places, slow, ports);
    const std::size_t before = slow.paths.size();
    forget(slow, chosen, ports);
    if (slow.paths.size() == before) break;
    found.push_back(chosen);
  }
  return found;
}

/// Long chunks wait for acknowledgements on their way, so what is slow one way seems to be both
/// ways. Where chunks are smallest it does least.
void correct_direction(Place& place, const Marks& marks, const Ports& ports) {
  constexpr double kLittle = 0.3;
  if (place.direction != Direction::both || place.scope == Scope::path ||
      place.scope == Scope::rail) {
    return;
  }
  const auto excess = [&](Direction direction) {
    Place one = place;
    one.direction = direction;
    const std::vector<Mark> found = marks_at(one, marks, ports, false);
    return found.empty() ? 0 : median_over(of_size(found, false), min_excess);
  };
  const double sends_us = excess(Direction::transmit);
  const double receives_us = excess(Direction::receive);
  if (sends_us > kLeastExcess && receives_us < kLittle * sends_us)
    place.direction = Direction::transmit;
  if (receives_us > kLeastExcess && sends_us < kLittle * receives_us)
    place.direction = Direction::receive;
}

/// What a slow port makes of a path that begins or ends there: chunks wait for acknowledgements,
/// too.
bool is_effect(const SlowPlace& path, const SlowPlace& port) {
  constexpr double kLittle = 0.3;
  if (path.place.scope != Scope::path || port.place.scope != Scope::port) return false;
  const bool there =
      path.place.path.from == port.place.port || path.place.path.to == port.place.port;
  return there && path.excess_us < kLittle * port.excess_us;
}

/// The host that this is a part of, if it is of one port.
Place host_of(const Place& place) {
  const bool path = place.scope == Scope::path;
  return {.scope = Scope::host,
          .direction = path ? Direction::transmit : place.direction,
          .port = path ? place.path.from : place.port};
}

bool is_port_of(const Place& place, const Place& host, const Ports& ports) {
  if (place.scope != Scope::path && place.scope != Scope::port) return false;
  const Place other = host_of(place);
  return other.direction == host.direction && ports.together(other.port, host.port);
}

/// All ports of a host, each found by itself, are the host.
void join_ports(std::vector<SlowPlace>& found, const Ports& ports) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Place whole = host_of(found[i].place);
    const auto is_part = [&](const SlowPlace& other) {
      return is_port_of(other.place, whole, ports);
    };
    std::size_t all = 0;
    for (std::size_t port = 0; port < ports.size(); ++port)
      all += ports.together(port, whole.port) ? 1 : 0;
    if (all < 2 || static_cast<std::size_t>(std::ranges::count_if(found, is_part)) < all) continue;
    SlowPlace joined = found[i];
    joined.place = whole;
    std::erase_if(found, is_part);
    found.insert(found.begin(), joined);
  }
}

}  // namespace

bool is_slow(const std::vector<Mark>& marks) {
  return is_slow_among_paths(marks) || is_beyond(&Mark::beyond_hosts, by_size(marks));
}

std::vector<SlowPlace> find_slow_places(std::span<const std::vector<PathTime>> rows,
                                        const Ports& ports) {
  const Marks all = marks_of(rows, ports);
  const Slow slow = slow_of(all);
  std::vector<SlowPlace> found;
  for (Place place : explain(slow, ports)) {
    correct_direction(place, all, ports);
    found.push_back(describe(place, all, ports));
    tell_ends_apart(found.back(), slow, all, ports);
  }
  std::erase_if(found, [places = found](const SlowPlace& one) {
    return std::ranges::any_of(places,
                               [&](const SlowPlace& other) { return is_effect(one, other); });
  });
  join_ports(found, ports);
  return found;
}

}  // namespace railgauge::diagnosis
