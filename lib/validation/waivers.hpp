#pragma once

#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "json/members.hpp"

namespace railgauge::validation {

/// A finding that a site knows of and accepts until a day.
struct Waiver {
  std::string finding{};  ///< an id of report.json, a check or the word of a cause
  std::string reason{};
  std::string until{};  ///< last day in UTC on which it holds: "2026-12-31"

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.said("finding", self.finding, "name the id of a finding, a check or a cause");
    visit.said("reason", self.reason, "give a reason");
    visit.said("until", self.until, "give the last day, such as 2026-12-31");
  }
};

/// What results-schema/railgauge-waivers-1.schema.json describes.
struct Waivers {
  std::vector<Waiver> waivers{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.schema("railgauge/waivers/1");
    RAILGAUGE_VISIT((waivers));
  }
};

/// Throws std::invalid_argument, with file, line, field and what is wrong: an unknown field, one
/// that is empty, a day that no calendar has.
[[nodiscard]] Waivers waivers_in(const std::string& text, const std::string& file);

/// "2026-11-27", in UTC. Such days are in order as text is.
[[nodiscard]] std::string today();

[[nodiscard]] bool has_expired(const Waiver& waiver, const std::string& today);

/// As the one rule of outcomes takes it; its reason has the day.
[[nodiscard]] finding::Waiver in_force(const Waiver& waiver);

/// Those that have not expired.
[[nodiscard]] std::vector<finding::Waiver> in_force(const Waivers& waivers,
                                                    const std::string& today);

}  // namespace railgauge::validation
