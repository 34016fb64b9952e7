#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/cause.hpp"
#include "finding/location.hpp"
#include "json/members.hpp"

namespace railgauge::finding {

/// How sure it is.
enum class Certainty : std::uint8_t {
  cleared,    ///< suspected first; a retest spoke against it
  possible,   ///< a suspicion: `excuses` say why it is no more
  likely,     ///< the evidence singles it out
  confirmed,  ///< counted, verified, or measured again
};

/// "cleared", "possible", "likely", "confirmed". Empty: the number is none of them.
[[nodiscard]] std::string_view word(Certainty certainty);

/// One observation. What is not known is empty, and never guessed.
struct Evidence {
  std::string metric{};  ///< "bandwidth", "p99 latency", "lost packets"
  std::string unit{};    ///< of observed and expected: "GB/s", "us", "packets"
  std::optional<double> observed{};
  std::optional<double> expected{};
  std::string expected_from{};            ///< "median of 14 fast pairs over 3 switches"
  std::uint64_t against = 0;              ///< tests, rows or windows that speak for the finding,
  std::uint64_t of = 0;                   ///< of so many that passed the place; 0: not counted
  std::string counted{};                  ///< what these are: "tests", "rows", "windows"
  std::vector<std::uint64_t> rows_for{};  ///< some of them, by their number in the document
  std::vector<std::uint64_t> rows_against{};       ///< and some that passed the place and were good
  std::map<std::string, std::int64_t> counters{};  ///< by how much they moved
  std::string text{};                              ///< what these fields cannot say

  RAILGAUGE_FIELDS(metric, unit, observed, expected, expected_from, against, of, counted, rows_for,
                   rows_against, counters, text)
};

/// When it was seen.
struct TimeWindow {
  std::chrono::system_clock::time_point begin{};
  std::chrono::system_clock::time_point end{};
  std::optional<std::uint64_t> window{};  ///< of a soak: the first
  std::uint64_t count = 1;                ///< windows in which it was seen

  RAILGAUGE_FIELDS(begin, end, window, count)
};

/// What is wrong, where, how sure that is, what speaks for it and what to do.
struct Finding {
  std::string check{};  ///< which test says so: "topology", "pairs", "diagnosis", "soak"
  Cause cause = Cause::other;
  Severity severity = Severity::error;
  Certainty certainty = Certainty::likely;
  Location where{};
  std::vector<Location> alternatives{};  ///< other places that no test tells from it
  std::optional<Location> next{};        ///< the next in likelihood
  std::optional<double> log10_odds{};    ///< that it is bad, against nothing being bad
  std::optional<double> log10_odds_to_next{};
  std::string detail{};  ///< what was seen, without place and remedy; empty: as the evidence says
  std::vector<Evidence> evidence{};
  std::string remedy{};  ///< what to do, in the imperative; empty: as the cause says
  std::optional<TimeWindow> when{};
  std::vector<std::string> excuses{};  ///< why it is only possible
  std::string explained_by{};          ///< id of the finding that causes it; set by ranked()
  std::string waived{};                ///< why a policy lets it not decide; empty: it does

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit);
};

/// Finding with the cause's severity.
[[nodiscard]] Finding found(std::string check, Cause cause, Location where);

/// Stable from run to run: "pairs.bandwidth:host3 mlx5_1 (rail 1) TX".
[[nodiscard]] std::string id_of(const Finding& finding);

/// Place and what is wrong there: "host3 mlx5_1 (rail 1) TX: packet loss of 0.8 %".
[[nodiscard]] std::string headline(const Finding& finding);

/// The headline, of a soak the window, what was observed and expected, excuses, remedy.
[[nodiscard]] std::string sentence(const Finding& finding);

/// "bandwidth 4.1 GB/s, expected 12.3 GB/s (median of 14 fast pairs)", "lost packets 3
/// (out_of_sequence 3)"
[[nodiscard]] std::string in_words(const Evidence& evidence);

/// What to do about it; empty if nothing is known.
[[nodiscard]] std::string remedy_of(const Finding& finding);

template <class Self, class Visit>
void Finding::fields(Self& self, Visit& visit) {
  visit.computed("id", id_of(self));
  RAILGAUGE_VISIT(check, cause, severity, certainty, where, alternatives, next, log10_odds,
                  log10_odds_to_next, detail, evidence, remedy, when, excuses, explained_by);
  visit.if_any("waived", self.waived);
  visit.computed("text", sentence(self));
}

}  // namespace railgauge::finding
