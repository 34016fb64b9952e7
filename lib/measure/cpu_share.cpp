#include "measure/cpu_share.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace railgauge::measure {
namespace {

double ran_s() {
  constexpr double kNanosecond = 1e-9;
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Added up; a thread that ends meanwhile is left out.
std::optional<double> queued_us_of_all_threads() {
  std::optional<double> sum;
  std::error_code error;
  for (std::filesystem::directory_iterator thread("/proc/self/task", error), end;
       !error && thread != end; thread.increment(error)) {
    const auto one = read_queued_us(content_of(thread->path() / "schedstat"));
    if (one) sum = sum.value_or(0) + *one;
  }
  return sum;
}

}  // namespace

CpuShare::CpuShare() : began_(std::chrono::steady_clock::now()), ran_before_s_(ran_s()) {}

double CpuShare::until_now() const {
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began_;
  return all.count() > 0 ? std::clamp((ran_s() - ran_before_s_) / all.count(), 0.0, 1.0) : 1;
}

std::optional<double> read_queued_us(std::string_view schedstat) {
  constexpr double kNano = 1e-3;
  const std::size_t space = schedstat.find(' ');
  if (space == std::string_view::npos) return {};
  std::uint64_t nanoseconds = 0;
  const char* const begin = schedstat.data() + space + 1;
  const auto read = std::from_chars(begin, schedstat.data() + schedstat.size(), nanoseconds);
  if (read.ec != std::errc{}) return {};
  return static_cast<double>(nanoseconds) * kNano;
}

std::optional<double> queued_us_of_this_thread() {
  return read_queued_us(content_of("/proc/thread-self/schedstat"));
}

ProcessCpuShare::ProcessCpuShare()
    : began_(std::chrono::steady_clock::now()), queued_before_us_(queued_us_of_all_threads()) {}

std::optional<double> ProcessCpuShare::until_now() const {
  const std::optional<double> now = queued_us_of_all_threads();
  const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - began_;
  if (!now || !queued_before_us_ || all.count() <= 0) return {};
  return std::clamp(1 - (*now - *queued_before_us_) / all.count(), 0.0, 1.0);
}

bool had_full_share(double cpu_share) {
  constexpr double kAllTheTime = 0.95;
  return cpu_share >= kAllTheTime;
}

double share_beside_stall(double cpu_share, double stalled_ms, double seconds) {
  constexpr double kMillisecondsPerSecond = 1e3;
  if (stalled_ms <= 0 || seconds <= 0) return cpu_share;
  return std::clamp(1 - 2 * stalled_ms / (kMillisecondsPerSecond * seconds), 0.0, cpu_share);
}

double rate_at_full_share(double rate, double cpu_share) {
  constexpr double kLeastShare = 0.01;
  return had_full_share(cpu_share) ? rate : rate / std::max(cpu_share, kLeastShare);
}

std::string cpu_share_text(double cpu_share) {
  constexpr double kPercent = 100;
  return "the endpoint processes had a CPU for about " +
         std::to_string(std::lround(kPercent * cpu_share)) + " % of the time";
}

}  // namespace railgauge::measure
