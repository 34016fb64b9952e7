#include "experiments/congestion/telemetry_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace railgauge::runner {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Of a file that is longer when the run begins, the end says enough: neighbours, last counts.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
constexpr milliseconds kPoll{50};
/// As long as gnmic's default interval of 10 s and switches that are late need.
constexpr milliseconds kPatience{30'000};
constexpr milliseconds kLeastPatience{1000};
constexpr milliseconds kMostPatience{180'000};
constexpr int kIntervals = 3;

std::int64_t now_ns() {
  return nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string text_from(const std::string& path, std::uint64_t begin, std::uint64_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (file.bad() || !file.is_open()) throw std::runtime_error(path + ": cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// From the first event that begins here.
std::string_view whole_events(std::string_view text) {
  const std::size_t begin = std::min(text.find("\n{"), text.find("\n["));
  return begin == std::string_view::npos ? "" : text.substr(begin);
}

TelemetryWindow window_of(const TelemetryFile::Span& span) {
  const std::int64_t wall = now_ns();
  const auto steady = TelemetryFile::Clock::now();
  const auto at = [&](TelemetryFile::Clock::time_point moment) {
    return wall - nanoseconds(steady - moment).count();
  };
  return {.begin_ns = at(span.begin),
          .end_ns = at(span.end),
          .begin_s = std::chrono::duration<double>(span.begin - span.origin).count()};
}

}  // namespace

bool is_telemetry_file(const std::string& path) {
  std::error_code error;
  return !std::filesystem::is_socket(path, error);
}

TelemetryFile::TelemetryFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error))
    throw std::runtime_error(path_ + ": No such file or socket");
  if (!std::filesystem::is_regular_file(path_, error))
    throw std::runtime_error(path_ + ": expected a control socket of softswitch, or a file");
  read_more();
  if (!telemetry_.counts())
    throw std::runtime_error(
        path_ + ": line " + std::to_string(telemetry_.line()) +
        " is the last, and no line has a known counter; expected such as "
        "/interfaces/interface/state/counters/out-pkts, of gnmic that is already running");
}

/// A shorter file is another one.
void TelemetryFile::read_more() {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path_, error);
  if (error) throw std::runtime_error(path_ + ": " + error.message());
  const bool is_other = size < read_bytes_;
  if (is_other) telemetry_.begin_again();
  if (is_other) read_bytes_ = 0;
  const bool is_long = size - read_bytes_ > kMostBytes;
  const std::uint64_t begin = is_long ? size - kMostBytes : read_bytes_;
  const std::string text = text_from(path_, begin, size - begin);
  read_bytes_ = begin + text.size();
  try {
    telemetry_.read(is_long ? whole_events(text) : text);
  } catch (const std::runtime_error& wrong) {
    throw std::runtime_error(path_ + ": " + wrong.what());
  }
}

milliseconds TelemetryFile::patience() const {
  const nanoseconds interval(telemetry_.interval_ns());
  if (interval.count() == 0) return kPatience;
  return std::clamp(std::chrono::duration_cast<milliseconds>(kIntervals * interval), kLeastPatience,
                    kMostPatience);
}

void TelemetryFile::wait(const TelemetryWindow& window, milliseconds limit) {
  read_more();
  const auto deadline = Clock::now() + std::min(limit, patience());
  while (!telemetry_.is_complete(window, now_ns()) && Clock::now() < deadline) {
    std::this_thread::sleep_for(kPoll);
    read_more();
  }
}

TelemetryFile::OfStep TelemetryFile::of_step(const Span& span,
                                             const std::vector<std::string>& hosts,
                                             milliseconds limit) {
  const TelemetryWindow window = window_of(span);
  wait(window, limit);
  OfStep step{.links = telemetry_.series(window, hosts, now_ns()),
              .notes = telemetry_.notes(window, now_ns())};
  telemetry_.forget_before(window.end_ns);
  return step;
}

}  // namespace railgauge::runner
