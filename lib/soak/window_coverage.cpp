#include "soak/window_coverage.hpp"

#include <algorithm>
#include <cmath>

#include "finding/words.hpp"

namespace railgauge::soak {
namespace {

using finding::Cause;
using finding::counted;
using finding::Coverage;

constexpr std::size_t kMostWindows = 1000;
constexpr std::uint64_t kBitsPerByte = 8;

bool is_of_bits(Cause cause) {
  return cause == Cause::packet_loss || cause == Cause::retransmission ||
         cause == Cause::corruption || cause == Cause::wrong_data;
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
  for (const PhaseSample& phase : window.phases) bytes += phase.bytes();
  return kBitsPerByte * bytes;
}

void keep(std::set<std::uint64_t>& windows, std::uint64_t number) {
  if (windows.size() < kMostWindows) windows.insert(number);
}

}  // namespace

void WindowCoverage::take(const Window& window) {
  ++windows_;
  measured_s_ += window.length_s;
  complete_ = false;  // it goes on after its end
  const bool counters = !lacks_counters(window);
  const bool time = !lacks_time(window, window_s_);
  without_counters_ += counters ? 0 : 1;
  without_time_ += time ? 0 : 1;
  if (!counters || !time) {
    ++untested_;
    keep(untested_windows_, window.number);
  }
  if (counters) bits_ += bits_of(window);
  for (const PhaseSample& phase : window.phases) {
    if (phase.iterations == 0) continue;
    ran_.insert(phase.phase);
    if (phase.verified > 0) verified_.insert(phase.phase);
  }
}

void WindowCoverage::take(const finding::Finding& finding) {
  errors_ = errors_ || is_of_bits(finding.cause);
  if (finding.when && finding.when->window && finding.severity == finding::Severity::error)
    keep(failed_windows_, *finding.when->window);
}

/// The last window may be shorter, and times are rounded.
std::uint64_t WindowCoverage::missing() const {
  const double left_s = duration_s_ - measured_s_;
  if (!complete_ || left_s <= 0 || window_s_ <= 0) return 0;
  return static_cast<std::uint64_t>(std::lround(left_s / window_s_));
}

Coverage WindowCoverage::of_windows() const {
  Coverage windows{.check = "windows",
                   .planned = std::max<std::uint64_t>(1, windows_ + lost_ + missing())};
  windows.tested = windows_ - untested_;
  const auto skip = [&](std::uint64_t number, const std::string& why) {
    if (number > 0) windows.skipped.push_back(why + counted(number, "window"));
  };
  if (windows_ + lost_ == 0) windows.skipped = {"no window is complete"};
  skip(without_counters_, "counters could not be read in ");
  skip(without_time_, "too short, too long or idle: ");
  skip(lost_, "gaps lost ");
  skip(missing(), "the record lacks ");
  return windows;
}

Coverage WindowCoverage::of_phases() const {
  Coverage phases{.check = "verification",
                  .planned = std::max<std::uint64_t>({1, phases_, ran_.size()}),
                  .tested = verified_.size()};
  if (ran_.size() < phases_)
    phases.skipped.push_back(counted(phases_ - ran_.size(), "phase") +
                             " of the plan had no iteration");
  if (verified_.size() < ran_.size())
    phases.skipped.emplace_back("phases that ran without a verified iteration");
  return phases;
}

std::vector<Coverage> WindowCoverage::coverage() const {
  std::vector<Coverage> all{of_windows()};
  if (windows_ == 0) return all;
  all.push_back(of_phases());
  if (unrecorded_ == 0) return all;
  all.push_back({.check = "record",
                 .planned = windows_,
                 .tested = windows_ - std::min(unrecorded_, windows_),
                 .skipped = {"the record could not be written after " +
                             counted(windows_ - std::min(unrecorded_, windows_), "window")},
                 .enough = windows_});
  return all;
}

Figures WindowCoverage::figures() const {
  Figures figures{
      .windows = windows_, .windows_without_counters = without_counters_, .bits = bits_};
  if (!errors_ && bits_ > 0) figures.bit_error_rate_bound = 3 / static_cast<double>(bits_);
  const bool tested = outcome(finding::Report{.coverage = coverage()}) == finding::Outcome::pass;
  const auto& decide = failed_windows_.empty() && !tested ? untested_windows_ : failed_windows_;
  figures.deciding_windows.assign(decide.begin(), decide.end());
  return figures;
}

}  // namespace railgauge::soak
