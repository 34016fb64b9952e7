#include "runner/soak/process_usage.hpp"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>

namespace railgauge::runner {
namespace {

namespace fs = std::filesystem;

/// The second number of statm, in pages.
std::uint64_t resident_bytes_of(const fs::path& statm) {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream(statm) >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t entries_of(const fs::path& folder) {
  std::error_code missing;
  const auto all = fs::directory_iterator(folder, missing);
  return static_cast<std::uint64_t>(std::distance(fs::begin(all), fs::end(all)));
}

}  // namespace

ProcessUsage usage_of_this_process(const fs::path& proc) {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return {.resident_bytes = resident_bytes_of(proc / "self/statm"),
          .descriptors = entries_of(proc / "self/fd"),
          .processor = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

}  // namespace railgauge::runner
