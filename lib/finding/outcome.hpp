#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.hpp"
#include "json/members.hpp"

namespace railgauge::finding {

/// How much of its plan a check tested. Without coverage nothing passes.
struct Coverage {
  std::string check{};  ///< "pairs", "rows"
  std::uint64_t planned = 0;
  std::uint64_t tested = 0;
  std::vector<std::string> skipped{};  ///< why the rest was not, a reason each
  std::optional<std::uint64_t>
      enough{};  ///< tests that suffice for this check; empty: most of them

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT(check, planned, tested, skipped);
    visit.if_any("enough", self.enough);
  }
};

/// All that a test says.
struct Report {
  std::vector<Finding> findings{};
  std::vector<Coverage> coverage{};
};

/// Puts `newer` in place of what `report` has of the same checks.
void replace_checks(Report& report, Report newer);

enum class Outcome : std::uint8_t { pass, fail, inconclusive };

/// "PASS", "FAIL", "INCONCLUSIVE". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Outcome outcome);

/// Accepts findings that a site knows of. They stay in every output, with the reason.
struct Waiver {
  std::string finding{};  ///< an id, a check or the word of a cause
  std::string reason{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.strict();
    visit.said("finding", self.finding, "name a finding, check or cause");
    visit.said("reason", self.reason, "give a reason");
  }
};

/// From where on a finding decides. A policy file has these fields next to its limits; whoever
/// takes a policy reads it with verdict::Library::policy() and takes its `decides`.
struct Policy {
  Severity fail_at = Severity::error;
  Certainty sure_at = Certainty::likely;
  /// Share of its plan that each check has to test; empty: what the check says is enough, else
  /// 0.99.
  std::optional<double> min_coverage{};
  bool enough_too = false;   ///< next to `min_coverage`: what the check says has to be met as well
  std::set<Cause> errors{};  ///< a warning of these causes is an error at this site
  std::vector<Waiver> waivers{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    RAILGAUGE_VISIT(fail_at, sure_at);
    visit.within("min_coverage", self.min_coverage, 0, 1);
    visit("waivers", self.waivers);
  }
};

/// Both at once: the stricter limits, and the waivers of both.
[[nodiscard]] Policy strictest(Policy one, const Policy& other);

/// Why a finding does not decide; empty: it may.
[[nodiscard]] std::string waiver_of(const Finding& finding, const Policy& policy);

/// The report with the reason in every finding that the policy waives.
[[nodiscard]] Report with_waivers(Report report, const Policy& policy);

/// THE rule, for exit status, headline, JSON, JUnit, page and drain reason:
/// - FAIL: a finding of `fail_at` or worse that is at least as sure as `sure_at` and not waived;
/// - else INCONCLUSIVE: such a finding that is possible; or a check that tested too little of its
///   plan; or no check that tested anything;
/// - else PASS.
[[nodiscard]] Outcome outcome(const Report& report, const Policy& policy = {});

/// What decides it: the findings that fail; else those that are possible. They point into the
/// report.
[[nodiscard]] std::vector<const Finding*> deciding(const Report& report, const Policy& policy = {});

/// Why the outcome is not PASS, a sentence each; empty if it is.
[[nodiscard]] std::vector<std::string> reasons(const Report& report, const Policy& policy = {});

/// "2 findings: host3 mlx5_1 (rail 1): packet loss": how many decide it and the first, or what was
/// not tested; empty if it passes.
[[nodiscard]] std::string in_short(const Report& report, const Policy& policy = {});

/// For a scheduler that shows one line: "railgauge: packet loss on host2 mlx5_1 (rail 1), +3 more".
/// Of more than `most` bytes the place is cut, and the count stays. Empty unless it fails.
[[nodiscard]] std::string drain_reason(const Report& report, const Policy& policy = {},
                                       std::size_t most = 80);

}  // namespace railgauge::finding
