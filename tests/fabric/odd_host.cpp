// Preloaded on all hosts of a fabric, which share clock and environment: on the host $ODD_HOST the
// time of day is $ODD_MS milliseconds later than it is, and soft devices have the faults
// $ODD_FAULTS.

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

/// Its value on that host; nullptr elsewhere.
const char* odd(const char* name) {
  const char* const host = std::getenv("ODD_HOST");
  std::array<char, 256> own{};
  gethostname(own.data(), own.size() - 1);
  return host != nullptr && std::string(host) == own.data() ? std::getenv(name) : nullptr;
}

long shift_ms() {
  const char* const milliseconds = odd("ODD_MS");
  return milliseconds == nullptr ? 0 : std::strtol(milliseconds, nullptr, 10);
}

/// Before softroce reads it.
__attribute__((constructor)) void set_faults() {
  const char* const faults = odd("ODD_FAULTS");
  if (faults != nullptr) setenv("SOFTROCE_FAULTS", faults, 0);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* into) noexcept {
  constexpr long kPerSecond = 1'000'000'000;
  constexpr long kPerMillisecond = 1'000'000;
  static const long kShift = shift_ms() * kPerMillisecond;
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, into));
  if (clock != CLOCK_REALTIME) return result;
  into->tv_nsec += kShift;
  into->tv_sec += into->tv_nsec / kPerSecond;
  into->tv_nsec %= kPerSecond;
  return result;
}
