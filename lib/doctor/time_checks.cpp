// Clocks: whether time that is measured means the same on all hosts.

#include "doctor/judging.hpp"
#include "finding/words.hpp"

namespace railgauge::doctor {
namespace {

Answer is_cheap(const Inputs& in) {
  const std::string& source = in.values.front();
  const bool slow = source == "hpet" || source == "acpi_pm" || source == "jiffies";
  return slow ? warned(source, "tsc, or the processor's own", "reading the time takes microseconds")
              : passed(source);
}

Answer is_steady(const Inputs& in) {
  if (in.values[1] != "tsc") return not_applicable("its clock source is " + in.values[1]);
  const std::string& flags = in.values[0];
  const bool steady = flags.find("constant_tsc") != std::string::npos &&
                      flags.find("nonstop_tsc") != std::string::npos;
  return steady ? passed(flags)
                : warned(flags.empty() ? "none" : flags, "constant_tsc nonstop_tsc");
}

Answer is_exact(const Inputs& in) {
  constexpr double kMost = 100000;  // us: beyond it logs of hosts cannot be merged
  const auto error = number_in(in.values.front());
  if (!error) return not_understood(in.values.front());
  const std::string text = finding::number(*error / 1000, "ms");
  return *error <= kMost ? passed(text) : warned(text, "at most 100 ms");
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): rows of data
Checks time_checks() {
  const std::string_view source = "devices/system/clocksource/clocksource0/current_clocksource";
  return {
      {.name = "clock-source",
       .title = "clock source",
       .reads = {source},
       .expects = "no slow one; the same on all hosts",
       .judge = is_cheap,
       .alike = Alike::hosts,
       .remedy = "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource",
       .source = "kernel timers documentation, timekeeping; cpuinfo constant_tsc"},
      {.name = "steady-tsc",
       .title = "flag set of the time stamp counter",
       .reads = {"cpu/tsc", source},
       .expects = "constant_tsc and nonstop_tsc",
       .needs = bare_metal,
       .absent = "this processor has no time stamp counter",
       .judge = is_steady,
       .remedy = "look for tsc=unstable in dmesg",
       .source = "kernel timers documentation, timekeeping; cpuinfo constant_tsc"},
      {.name = "clock-sync",
       .title = "clock",
       .reads = {"clock/state"},
       .expects = "synchronised",
       .judge = [](const Inputs& in) { return is_word(in, "synchronised"); },
       .remedy = "chronyc tracking; systemctl enable --now chrony",
       .source = "adjtimex(2): STA_UNSYNC; sichek: clock offset"},
      {.name = "clock-error",
       .title = "largest error of the clock",
       .reads = {"clock/max-error-us"},
       .expects = "at most 100 ms",
       .judge = is_exact,
       .remedy = "chronyc tracking; chronyc sources",
       .source = "adjtimex(2): maxerror"},
  };
}

}  // namespace railgauge::doctor
