#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "congestion/observation.hpp"

namespace railgauge::congestion {

/// What acted when more was sent than a link carries.
enum class Verdict : std::uint8_t {
  unknown,        ///< void: it cannot be told, and the reason says why
  no_congestion,  ///< void: neither marks nor pauses nor drops
  not_tested,     ///< no step was to overload a receiver
  ecn_only,       ///< marks, and neither pauses nor drops
  ecn_first,      ///< marks, then pauses
  pfc_first,      ///< pauses, then marks
  pfc_only,       ///< pauses without marks
  dropping,       ///< packets were dropped
};
/// "UNKNOWN", "NO_CONGESTION", "NOT_TESTED", "ECN_ONLY", "ECN_FIRST", "PFC_FIRST", "PFC_ONLY",
/// "DROPPING".
[[nodiscard]] std::string_view word(Verdict verdict);

/// When something was counted first: after `begin_s`, and not after `end_s`.
struct Moment {
  double begin_s = 0;
  double end_s = 0;
  Observer observer = Observer::nic;
  std::string place{};  ///< the port that counted it
};

/// One kind of event, on the whole time line, by one observer: the switches if all were asked, else
/// the NICs. Switches of which some may be missing say what NICs do not see.
struct Events {
  bool counted = false;  ///< whether anybody counts it at all
  /// A port that should count it and does not: then an absence says nothing. Empty: there is none.
  std::string uncounted_at{};
  std::int64_t count = 0;
  std::optional<Moment> first{};
};

/// What happened in some steps.
struct Seen {
  Events marks{};
  Events pauses{};  ///< of senders, by the fabric; not those that a host sent
  Events losses{};
  std::int64_t host_pauses = 0;  ///< that hosts sent: they are slower than their links
  /// Some switches told what they counted, but not all, or not all of it.
  bool by_some_switches = false;
};

/// Of steps in their order. A NIC counts a mark when the packet arrives, which may be as long after
/// the switch has set it as a message took: `begin_s` of a first mark allows for that.
[[nodiscard]] Seen seen_in(std::span<const Step* const> steps);

struct Judged {
  Verdict verdict = Verdict::unknown;
  std::string reason{};  ///< of a void one: why; else what was counted and when, a sentence
};

/// By what was seen.
[[nodiscard]] Judged judge(const Seen& seen);
/// Why a step says nothing about the fabric: its own reason, losses that may be those of busy
/// hosts, or a flow that failed although nothing was lost. Empty: it does.
[[nodiscard]] std::string void_because(const Step& step);
/// Of one step, unless it is void.
[[nodiscard]] Judged judge(const Step& step);
/// Of all steps in which the receiver was offered more than its link carries, and that are not
/// void, on one time line.
[[nodiscard]] Judged judge(std::span<const Step> steps);

/// Steps that are not void, of that scenario or of all.
[[nodiscard]] std::vector<const Step*> valid(std::span<const Step> steps,
                                             std::optional<Scenario> scenario = {});
/// Those in which the receiver was offered more than its link carries.
[[nodiscard]] std::vector<const Step*> congested(std::span<const Step> steps);

}  // namespace railgauge::congestion
