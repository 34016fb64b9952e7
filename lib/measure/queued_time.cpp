#include "measure/queued_time.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace railgauge::measure {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

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

/// One that ends meanwhile is left out.
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

QueuedShare::QueuedShare()
    : began_(std::chrono::steady_clock::now()), queued_before_us_(queued_us_of_all_threads()) {}

std::optional<double> QueuedShare::until_now() const {
  const std::optional<double> now = queued_us_of_all_threads();
  const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - began_;
  if (!now || !queued_before_us_ || all.count() <= 0) return {};
  return std::clamp((*now - *queued_before_us_) / all.count(), 0.0, 1.0);
}

}  // namespace railgauge::measure
