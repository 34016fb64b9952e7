#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// lib/validation runs the tests of a plan one after the other, each in processes of its own, and
// turns their documents into one verdict with causes before symptoms. It must not know how anything
// is measured, and it never talks to a device or to MPI.

namespace railgauge::validation {

/// What a stage of a plan does.
enum class Kind : std::uint8_t {
  doctor,
  reachability,
  bandwidth,
  latency,
  collective,
  congestion,
  isolate,
  job,
  soak,
};

/// What is known of a kind, whatever the plan.
struct KindFacts {
  std::string_view word;      ///< in plans: "bandwidth"
  std::string_view title;     ///< for people: "bandwidth of pairs"
  std::string_view program;   ///< empty: `collective` of the stage names it
  std::string_view required;  ///< what it has to show, if the plan does not say
  bool one_rank_per_host = false;
  bool is_step = true;  ///< of a validation; a plan without it says so
};

[[nodiscard]] const KindFacts& facts_of(Kind kind);

/// "doctor"; empty: the number is none of them.
[[nodiscard]] std::string_view word(Kind kind);

}  // namespace railgauge::validation
