#include "soak/judge.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "results/utc.hpp"

namespace railgauge::soak {
namespace {

constexpr std::size_t kMostWindows = 1000;
constexpr std::uint64_t kBitsPerByte = 8;

bool is_of_bits(EventKind kind) {
  return kind == EventKind::loss || kind == EventKind::retransmission ||
         kind == EventKind::corruption || kind == EventKind::wrong_data;
}

bool lacks_counters(const Window& window) {
  return std::ranges::any_of(window.ports, [](const PortSample& port) {
    return !port.counters_read || !port.unread.empty();
  });
}

/// The last iteration of a window may take it over its time, on a busy machine by seconds.
bool lacks_time(const Window& window, double wanted_s) {
  constexpr double kOverTime = 2;
  const bool ran =
      std::ranges::any_of(window.phases, [](const PhaseSample& one) { return one.iterations > 0; });
  return !ran || 2 * window.length_s < wanted_s || window.length_s > 2 * wanted_s + kOverTime;
}

std::uint64_t bits_of(const Window& window) {
  std::uint64_t bytes = 0;
  for (const PhaseSample& phase : window.phases) {
    for (const RailSample& rail : phase.rails) bytes += rail.bytes;
  }
  return kBitsPerByte * bytes;
}

void keep(std::set<std::uint64_t>& windows, std::uint64_t number) {
  if (windows.size() < kMostWindows) windows.insert(number);
}

std::string times(std::uint64_t number) {
  return number == 1 ? "once" : std::to_string(number) + " times";
}

std::string windows_text(std::uint64_t number) {
  return std::to_string(number) + " window" + (number == 1 ? "" : "s");
}

std::string percent(double share) {
  constexpr double kPercent = 100;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", kPercent * share);
  return text.data();
}

/// "host2 mlx5_1 rail 1", as far as it is known.
std::string place_of(const Event& event) {
  std::string text = event.host;
  const auto add = [&](const std::string& word) {
    text += (text.empty() || word.empty() ? "" : " ") + word;
  };
  add(event.device);
  if (event.rail) add("rail " + std::to_string(*event.rail));
  return text;
}

/// "12:00:31Z" of "2026-01-31T12:00:31Z".
std::string time_of_day(const Event& event) {
  return results::utc(event.when).substr(std::string("2026-01-31T").size());
}

}  // namespace

Judge::Judge(const Header& header, Terms terms)
    : terms_(std::move(terms)), window_s_(header.window_s) {}

void Judge::take(const Window& window) {
  ++windows_;
  const bool counters = !lacks_counters(window);
  const bool time = !lacks_time(window, window_s_);
  without_counters_ += counters ? 0 : 1;
  without_time_ += time ? 0 : 1;
  if (!counters || !time) {
    ++unknown_;
    keep(unknown_windows_, window.number);
  }
  if (counters) bits_ += bits_of(window);
  for (const PhaseSample& phase : window.phases) verified_ += phase.verified;
}

void Judge::take(const Event& event) {
  ++events_[event.kind];
  first_.try_emplace(event.kind, event);
  errors_ = errors_ || is_of_bits(event.kind);
  if (terms_.fail.contains(event.kind)) keep(failed_windows_, event.window);
}

void Judge::take(const Gap& gap) {
  lost_ += gap.lost_windows;
}

double Judge::unknown_share() const {
  const auto all = static_cast<double>(windows_ + lost_);
  return all > 0 ? static_cast<double>(unknown_ + lost_) / all : 1;
}

/// Of every kind that fails, how often, and the first.
std::vector<std::string> Judge::failures() const {
  std::vector<std::string> all;
  for (const auto& [kind, first] : first_) {
    if (!terms_.fail.contains(kind)) continue;
    const std::uint64_t number = events_.at(kind);
    all.push_back(std::string(word(kind)) + " " + times(number) + ", " +
                  (number > 1 ? "first " : "") + "in window " + std::to_string(first.window) +
                  " (" + results::utc(first.when) + "): " + first.text);
  }
  return all;
}

std::vector<std::string> Judge::doubts() const {
  std::vector<std::string> all;
  if (windows_ == 0) all.emplace_back("no window is over yet");
  if (windows_ > 0 && verified_ == 0) all.emplace_back("nothing was verified");
  if (windows_ > 0 && unknown_share() > terms_.most_unknown) {
    all.push_back(
        percent(unknown_share()) + " of windows say nothing: counters could not be read in " +
        windows_text(without_counters_) + ", time is lacking in " + windows_text(without_time_) +
        ", and gaps have " + windows_text(lost_) + "; " + percent(terms_.most_unknown) + " may");
  }
  return all;
}

/// What happened and decides nothing.
std::string Judge::notes() const {
  std::string text;
  for (const auto& [kind, number] : events_) {
    if (terms_.fail.contains(kind)) continue;
    text += (text.empty() ? "events that decide nothing: " : ", ") + std::string(word(kind)) + " " +
            times(number);
  }
  return text;
}

std::vector<std::string> Judge::reasons(Verdict verdict) const {
  std::vector<std::string> all = failures();
  for (std::string& doubt : doubts()) all.push_back(std::move(doubt));
  if (verdict == Verdict::pass) {
    all.push_back("no loss, no wrong data and no link that went down in " + windows_text(windows_));
  }
  if (std::string text = notes(); !text.empty()) all.push_back(std::move(text));
  return all;
}

/// "railgauge soak: loss on host2 mlx5_1 rail 1, 12:00:31Z; flap, +3 more": cut off where a
/// scheduler would cut it off.
std::string Judge::drain_reason() const {
  constexpr std::size_t kMost = 80;
  std::string text = "railgauge soak:";
  bool is_first = true;
  for (const auto& [kind, first] : first_) {
    if (!terms_.fail.contains(kind)) continue;
    const std::string where = is_first ? place_of(first) : "";
    text += (is_first ? " " : ", ") + std::string(word(kind)) +
            (where.empty() ? "" : " on " + where) + (is_first ? " " + time_of_day(first) : "");
    is_first = false;
  }
  if (text.size() <= kMost) return text;
  return text.substr(0, kMost - 3) + "...";
}

Judgement Judge::judgement() const {
  Judgement found;
  found.verdict = !failed_windows_.empty() ? Verdict::fail
                  : doubts().empty()       ? Verdict::pass
                                           : Verdict::inconclusive;
  found.reasons = reasons(found.verdict);
  const auto& decide = found.verdict == Verdict::fail ? failed_windows_ : unknown_windows_;
  if (found.verdict != Verdict::pass) {
    found.deciding_windows.assign(decide.begin(), decide.end());
  }
  if (found.verdict == Verdict::fail) found.drain_reason = drain_reason();
  found.windows = windows_;
  found.windows_without_counters = without_counters_;
  found.bits = bits_;
  if (!errors_ && bits_ > 0) found.bit_error_rate_bound = 3 / static_cast<double>(bits_);
  return found;
}

}  // namespace railgauge::soak
