#include "experiments/congestion/switch_telemetry.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::runner {
namespace {

using congestion::kEveryPriority;
using congestion::LinkSeries;
using Json = nlohmann::json;
using Meaning = TelemetryMeaning;

constexpr double kNanoseconds = 1e9;
/// What an event of the future is by, if it is not the network's delay: own value.
constexpr std::int64_t kMostAhead = 1'000'000'000;
/// Of a switch whose newest event is older by this before the step: its clock is late, or its
/// collector has ended. Own value: more than a sampling interval.
constexpr std::int64_t kMostBehind = 60'000'000'000;

constexpr std::size_t kMostShown = 60;
constexpr const char* kExpected =
    "expected events of gnmic (--format event): {\"name\": ..., \"timestamp\": nanoseconds, "
    "\"tags\": {\"source\": ...}, \"values\": {...}}";

/// Where the value that begins here ends; npos: it is not whole.
std::size_t end_of_value(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char one = text[at];
    if (in_string) {
      if (one == '\\') ++at;
      if (one == '"') in_string = false;
      continue;
    }
    if (one == '"') in_string = true;
    if (one == '{' || one == '[') ++depth;
    if (one == '}' || one == ']') --depth;
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

bool is_space(char one) {
  return std::isspace(static_cast<unsigned char>(one)) != 0;
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Encodings of gNMI have counters as numbers or as text.
std::optional<std::uint64_t> count_of(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  return error == std::errc() && rest == end ? std::optional(count) : std::nullopt;
}

bool is_address(std::string_view name) {
  return std::ranges::all_of(name, [](char one) {
    return std::isxdigit(static_cast<unsigned char>(one)) != 0 || one == '.' || one == ':';
  });
}

/// "Leaf1.example.org" is "leaf1".
std::string short_name(std::string_view name) {
  std::string text(is_address(name) ? name : name.substr(0, name.find('.')));
  std::ranges::transform(text, text.begin(), [](unsigned char one) { return std::tolower(one); });
  return text;
}

/// "leaf1:6030" and "[2001:db8::1]:57400" without their ports.
std::string_view without_port(std::string_view source) {
  if (source.starts_with('[')) return source.substr(1, source.find(']') - 1);
  return std::ranges::count(source, ':') == 1 ? source.substr(0, source.find(':')) : source;
}

std::string seconds_of(std::int64_t ns) {
  return finding::number(static_cast<double>(ns) / kNanoseconds, "s");
}

bool is_event(const Json& event) {
  if (!event.is_object() || !event.contains("timestamp") || !event.contains("tags")) return false;
  const Json& tags = event["tags"];
  return event["timestamp"].is_number_integer() && tags.is_object() && tags.contains("source") &&
         tags["source"].is_string();
}

TelemetryTags tags_of(const Json& event) {
  TelemetryTags tags;
  for (const auto& [key, tag] : event["tags"].items())
    if (tag.is_string()) tags[key] = tag.get<std::string>();
  return tags;
}

LinkSeries::Sample sample_of(Meaning meaning, std::int64_t count) {
  switch (meaning) {
    case Meaning::packets_sent:
    case Meaning::packets_received: return {.packets = count};
    case Meaning::marks: return {.marks = count};
    case Meaning::pauses_received: return {.pauses_received = count};
    case Meaning::pauses_sent: return {.pauses_sent = count};
    default: return {.drops = count};
  }
}

/// Of the direction to the port's other end; else from there.
bool is_of_sending(Meaning meaning) {
  return meaning == Meaning::packets_sent || meaning == Meaning::marks ||
         meaning == Meaning::pauses_received || meaning == Meaning::drops_sending;
}

bool counted_anything(const LinkSeries& series) {
  return std::ranges::any_of(series.samples, [](const LinkSeries::Sample& one) {
    return one.packets + one.marks + one.pauses_received + one.pauses_sent + one.drops != 0;
  });
}

/// Of one switch and priority, in all its lines.
struct OfPriority {
  std::int64_t sent = 0;
  std::int64_t pauses = 0;
};

/// Queues and priorities may have other numbers: a priority that the switch pauses has packets.
/// Where a switch has none in the queue of that number, its marks are in another.
void doubt_other_numbers(std::vector<LinkSeries>& all) {
  std::map<std::pair<std::string, int>, OfPriority> totals;
  for (const LinkSeries& series : all) {
    for (const LinkSeries::Sample& sample : series.samples) {
      totals[{series.from, series.priority}].sent += sample.packets;
      totals[{series.to, series.priority}].pauses += sample.pauses_sent;
    }
  }
  for (LinkSeries& series : all) {
    const OfPriority& total = totals[{series.from, series.priority}];
    if (total.pauses > 0 && total.sent == 0 && series.priority != kEveryPriority)
      series.counts_marks = false;
  }
}

}  // namespace

double TelemetryWindow::on_line(std::int64_t ns) const {
  return begin_s + static_cast<double>(ns - begin_ns) / kNanoseconds;
}

void SwitchTelemetry::begin_again() {
  pending_.clear();
  line_ = 1;
}

void SwitchTelemetry::read(std::string_view appended) {
  pending_ += appended;
  std::string_view rest = pending_;
  const auto skip = [&](std::size_t count) {
    line_ += lines_in(rest.substr(0, count));
    rest.remove_prefix(count);
  };
  while (true) {
    skip(static_cast<std::size_t>(std::ranges::find_if_not(rest, is_space) - rest.begin()));
    if (rest.empty()) break;
    if (rest.front() != '{' && rest.front() != '[')
      refuse(std::string(rest.substr(0, std::min(rest.find('\n'), kMostShown))));
    const std::size_t end = end_of_value(rest);
    if (end == std::string_view::npos) break;
    take(rest.substr(0, end));
    skip(end);
  }
  pending_ = std::string(rest);
}

/// Values that are missing: a deletion, or the end of the first round.
void SwitchTelemetry::take(std::string_view text) {
  const Json whole = Json::parse(text, nullptr, false);
  if (whole.is_discarded()) refuse("no JSON");
  for (const Json& event : whole.is_array() ? whole : Json::array({whole})) {
    if (event.is_object() && event.contains("sync-response")) continue;
    if (!is_event(event)) refuse(event.dump().substr(0, kMostShown));
    const TelemetryTags tags = tags_of(event);
    const std::string source(without_port(tags.at("source")));
    const std::int64_t ns = event["timestamp"];
    const Json values = event.value("values", Json::object());
    for (const auto& [name, value] : values.items()) {
      if (const auto known = telemetry_value(name, tags)) take(source, ns, *known, value);
    }
  }
}

void SwitchTelemetry::refuse(const std::string& found) const {
  throw std::runtime_error("line " + std::to_string(line_) + ": " + kExpected + "; found " + found);
}

void SwitchTelemetry::take(const std::string& source, std::int64_t ns, const TelemetryValue& known,
                           const Json& value) {
  const bool is_name = known.meaning == Meaning::neighbour || known.meaning == Meaning::own_name;
  if (is_name) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) return;
    if (known.meaning == Meaning::own_name) {
      own_names_[source] = value;
    } else {
      neighbours_[{source, known.port}].insert(value.get<std::string>());
    }
  } else if (const auto count = count_of(value)) {
    sources_.insert(source);
    Readings& readings = counters_[{source, known.port, known.queue, known.meaning,
                                    std::string(known.reason), known.rank}];
    readings.priority = known.priority;
    // Events of a subscription may overtake each other.
    if (readings.all.empty() || readings.all.back().ns < ns) readings.all.push_back({ns, *count});
  }
}

std::int64_t SwitchTelemetry::interval_ns() const {
  std::int64_t longest = 0;
  for (const auto& [counter, readings] : counters_) {
    std::int64_t shortest = 0;
    for (std::size_t at = 1; at < readings.all.size(); ++at) {
      const std::int64_t gap = readings.all[at].ns - readings.all[at - 1].ns;
      if (shortest == 0 || gap < shortest) shortest = gap;
    }
    longest = std::max(longest, shortest);
  }
  return longest;
}

std::map<std::string, std::int64_t> SwitchTelemetry::newest() const {
  std::map<std::string, std::int64_t> all;
  for (const auto& [counter, readings] : counters_) {
    std::int64_t& newest = all[counter.source];
    newest = std::max(newest, readings.all.back().ns);
  }
  return all;
}

std::set<std::string> SwitchTelemetry::with_clock(std::int64_t begin_ns,
                                                  std::int64_t now_ns) const {
  std::set<std::string> sources;
  for (const auto& [source, ns] : newest()) {
    if (ns <= now_ns + kMostAhead && ns >= begin_ns - kMostBehind) sources.insert(source);
  }
  return sources;
}

bool SwitchTelemetry::is_complete(const TelemetryWindow& window, std::int64_t now_ns) const {
  const std::set<std::string> sources = with_clock(window.begin_ns, now_ns);
  return std::ranges::all_of(counters_, [&](const auto& one) {
    return !sources.contains(one.first.source) || one.second.all.back().ns >= window.end_ns;
  });
}

std::vector<std::string> SwitchTelemetry::notes(const TelemetryWindow& window,
                                                std::int64_t now_ns) const {
  std::vector<std::string> all;
  for (const auto& [source, ns] : newest()) {
    if (ns > now_ns + kMostAhead)
      all.push_back(name_of(source) + ": its newest event is " + seconds_of(ns - now_ns) +
                    " ahead of this host's clock, and is not used; synchronize clocks (NTP, PTP)");
    if (ns < window.begin_ns - kMostBehind)
      all.push_back(name_of(source) + ": its newest event is " + seconds_of(window.begin_ns - ns) +
                    " older than the step, and is not used; check its clock and the collector");
  }
  if (neighbours_.empty())
    all.emplace_back("no switch tells its LLDP neighbours: hosts are not recognized");
  std::ranges::move(missing_notes(window, now_ns), std::back_inserter(all));
  return all;
}

/// Where not one counter of a kind came: others may not have changed.
std::vector<std::string> SwitchTelemetry::missing_notes(const TelemetryWindow& window,
                                                        std::int64_t now_ns) const {
  std::map<std::pair<std::string, Meaning>, bool> came;
  for (const auto& [counter, readings] : counters_) {
    bool& any = came[{counter.source, counter.meaning}];
    any = any || readings.all.back().ns >= window.end_ns;
  }
  std::vector<std::string> all;
  const std::set<std::string> sources = with_clock(window.begin_ns, now_ns);
  for (const auto& [kind, any] : came) {
    if (any || !sources.contains(kind.first)) continue;
    all.push_back(name_of(kind.first) + " did not deliver " + std::string(word(kind.second)) +
                  " after the step: what it counts of them is not known");
  }
  return all;
}

std::string SwitchTelemetry::name_of(const std::string& source) const {
  const auto own = own_names_.find(source);
  return short_name(own == own_names_.end() ? source : own->second);
}

bool SwitchTelemetry::is_switch(const std::string& name) const {
  return std::ranges::any_of(sources_,
                             [&](const std::string& source) { return name_of(source) == name; });
}

/// A host of the run before another switch before any other name: a port may have several.
SwitchTelemetry::OtherEnd SwitchTelemetry::other_end(const Port& port,
                                                     const std::vector<std::string>& hosts) const {
  OtherEnd end{.name = name_of(port.first) + ":" + port.second};
  const auto names = neighbours_.find(port);
  if (names == neighbours_.end()) return end;
  for (const std::string& name : names->second) {
    const auto host = std::ranges::find(hosts, short_name(name), short_name);
    if (host != hosts.end()) return {.name = *host, .is_host = true};
    if (end.is_switch) continue;
    end = {.name = short_name(name), .is_switch = is_switch(short_name(name))};
  }
  return end;
}

/// One counter of each kind: those of queues rather than of their port, and of names that mean the
/// same the first.
SwitchTelemetry::Counters SwitchTelemetry::chosen() const {
  using Kind = std::tuple<std::string, std::string, Meaning>;
  const auto kind_of = [](const Counter& counter) {
    return Kind(counter.source, counter.port, counter.meaning);
  };
  std::set<Kind> by_queue;
  for (const auto& [counter, readings] : counters_)
    if (!counter.queue.empty()) by_queue.insert(kind_of(counter));
  Counters all;
  std::optional<Counter> last;
  for (const auto& [counter, readings] : counters_) {
    const bool is_of_port = counter.queue.empty() && by_queue.contains(kind_of(counter));
    Counter same = counter;
    if (last) same.rank = last->rank;
    if (!is_of_port && (!last || same != *last)) all[counter] = readings;
    last = counter;
  }
  return all;
}

std::set<std::string> SwitchTelemetry::have_marked() const {
  std::set<std::string> sources;
  for (const auto& [counter, readings] : counters_) {
    if (counter.meaning == Meaning::marks && readings.all.back().value > 0)
      sources.insert(counter.source);
  }
  return sources;
}

LinkSeries SwitchTelemetry::series_of(const Line& line, const OtherEnd& end) const {
  const auto& [port, is_sending, priority] = line;
  const std::string own = name_of(port.first);
  return {.from = is_sending ? own : end.name,
          .to = is_sending ? end.name : own,
          .priority = priority,
          .from_host = !is_sending && end.is_host,
          .to_host = is_sending && end.is_host,
          .counts_marks = false};
}

std::vector<LinkSeries> SwitchTelemetry::series(const TelemetryWindow& window,
                                                const std::vector<std::string>& hosts,
                                                std::int64_t now_ns) const {
  std::map<Line, LinkSeries> lines;
  std::map<Line, bool> counts_marks;
  const std::set<std::string> sources = with_clock(window.begin_ns, now_ns);
  for (const auto& [counter, readings] : chosen()) {
    const Port port{counter.source, counter.port};
    const OtherEnd end = other_end(port, hosts);
    if (!sources.contains(counter.source) || !is_of_use(counter, end)) continue;
    const Line line{port, is_of_sending(counter.meaning), readings.priority};
    if (!lines.contains(line)) lines[line] = series_of(line, end);
    const bool is_whole = add_samples(lines[line], counter, readings, window);
    if (counter.meaning != Meaning::marks) continue;
    bool& counts = counts_marks.try_emplace(line, true).first->second;
    counts = counts && is_whole;
  }
  for (const auto& [line, counts] : counts_marks) lines[line].counts_marks = counts;
  const std::set<std::string> marked = have_marked();
  for (auto& [line, one] : lines)
    one.has_marked = !std::get<bool>(line) || marked.contains(std::get<Port>(line).first);
  return of_busy_ports(lines);
}

/// A switch says itself what it sends. Of ports that lead neither to a host of the run nor to a
/// switch (management, bonds, hosts without LLDP) it is not known whose the pauses are that come
/// in, nor whose packets they count all together.
bool SwitchTelemetry::is_of_use(const Counter& counter, const OtherEnd& end) {
  if (counter.meaning == Meaning::packets_received) return end.is_host;
  if (end.is_host || end.is_switch) return true;
  return counter.meaning != Meaning::pauses_received && !counter.queue.empty();
}

/// False: what it counted in a part of the window is not known.
bool SwitchTelemetry::add_samples(LinkSeries& series, const Counter& counter,
                                  const Readings& readings, const TelemetryWindow& window) {
  const std::vector<Reading>& all = readings.all;
  bool is_whole = all.front().ns <= window.begin_ns && all.back().ns >= window.end_ns;
  for (std::size_t at = 1; at < all.size(); ++at) {
    const Reading& before = all[at - 1];
    const Reading& after = all[at];
    if (after.ns <= window.begin_ns || before.ns >= window.end_ns) continue;
    if (after.value < before.value) is_whole = false;  // it began again
    if (after.value < before.value) continue;
    const auto count = static_cast<std::int64_t>(after.value - before.value);
    LinkSeries::Sample sample = sample_of(counter.meaning, count);
    sample.begin_s = window.on_line(before.ns);
    sample.end_s = window.on_line(after.ns);
    if (sample.drops > 0) series.drops[counter.reason] += sample.drops;
    series.samples.push_back(sample);
  }
  return is_whole;
}

std::vector<LinkSeries> SwitchTelemetry::of_busy_ports(std::map<Line, LinkSeries>& lines) {
  std::set<Port> busy;
  for (const auto& [line, one] : lines)
    if (counted_anything(one)) busy.insert(std::get<Port>(line));
  std::vector<LinkSeries> all;
  for (auto& [line, one] : lines) {
    if (!busy.contains(std::get<Port>(line))) continue;
    std::ranges::sort(one.samples, {}, &LinkSeries::Sample::begin_s);
    all.push_back(std::move(one));
  }
  doubt_other_numbers(all);
  return all;
}

/// All but the last one before it, and one more, which tells the interval.
void SwitchTelemetry::forget_before(std::int64_t moment_ns) {
  for (auto& [counter, readings] : counters_) {
    const auto later = std::ranges::upper_bound(readings.all, moment_ns, {}, &Reading::ns);
    const std::ptrdiff_t before = later - readings.all.begin();
    if (before > 2) readings.all.erase(readings.all.begin(), later - 2);
  }
}

}  // namespace railgauge::runner
