#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/outcome.hpp"
#include "report/report.hpp"
#include "validation/files.hpp"
#include "validation/journal.hpp"

namespace railgauge::validation {

/// Whether a stage counts.
enum class Standing : std::uint8_t {
  assessed,    ///< it ended, and its document was read, as far as there is one
  skipped,     ///< it has to be run for a PASS, and was not
  not_needed,  ///< nothing asked for it
};
[[nodiscard]] std::string_view word(Standing standing);

/// What one stage showed.
struct Assessment {
  Standing standing = Standing::skipped;
  std::string why{};  ///< it was skipped, was not needed, or did not end well; a clause
  finding::Outcome outcome = finding::Outcome::inconclusive;
  bool software = false;     ///< on software devices: it says nothing about hardware
  std::string measured{};    ///< the figures that a reader wants first
  std::string headline{};    ///< why it is not PASS, in short
  finding::Report report{};  ///< with what the policies waive; places as same_place() has them
  finding::Policy policy{};
  std::optional<report::Result> result{};  ///< for its page; doctor has none
};

/// What the document of an ended stage says, and how its program ended. Reads files, throws
/// nothing: what cannot be read is INCONCLUSIVE. `accepted`: waivers of the site, for findings at
/// places as same_place() has them; wrong data and a time-out of the run fail all the same.
[[nodiscard]] Assessment assessment_of(const Plan& plan, std::size_t stage, const Site& site,
                                       const StageState& state,
                                       const std::vector<finding::Waiver>& accepted = {});

/// Of a stage that was not run.
[[nodiscard]] Assessment not_run(Standing standing, const std::string& why);

/// Findings of several runs meet only if a place has one name in all of them. Ranks of one host
/// that have devices of their own (soft devices) are hosts, "node1 rank 2"; their addresses, which
/// change from run to run, are left out.
[[nodiscard]] finding::Location same_place(finding::Location where,
                                           const std::vector<results::Rank>& ranks);

/// Whether an error is a symptom of traffic (finding::Nature), so that a search for the
/// component is due.
[[nodiscard]] bool is_suspect(const Assessment& assessment);

/// Whether its ranks were on one host, with no network between them.
[[nodiscard]] bool was_on_one_host(const Assessment& assessment);

}  // namespace railgauge::validation
