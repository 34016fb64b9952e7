#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/outcome.hpp"
#include "verdict/run.hpp"

namespace railgauge::verdict {

/// What a row is about.
enum class Subject : std::uint8_t {
  run,      ///< the result as a whole
  size,     ///< one size
  plateau,  ///< the bandwidth of large sizes
  latency,  ///< the time of the smallest sizes
  dip,      ///< bandwidth falls, or time shrinks, as size grows
  missing,  ///< sizes, paths or hosts that only the other side has
  tail,     ///< the slowest iterations compared with the median
  rail,     ///< a rail that is slower than the others
  counter,  ///< a port's counter
  path      ///< from one NIC to another
};

/// What came of comparing it.
enum class Answer : std::uint8_t {
  note,  ///< for information
  open,  ///< not compared, or too uncertain: the remark says why
  passed,
  failed
};

/// One figure of ours next to what it is compared with.
struct Row {
  std::string criterion{};  ///< "reference nebius-h100-ib"
  Subject subject = Subject::run;
  std::string setting{};  ///< the sweep point, of a result of ours; the mode, of a pair
  std::string collective{};
  std::string type{};
  std::string op{};
  std::string algorithm{};
  BufferMode buffers = BufferMode::unstated;
  std::optional<int> ranks{};
  std::optional<int> nics_per_node{};
  std::optional<std::uint64_t> size_bytes{};
  std::string_view unit{};  ///< of ours and theirs: "GB/s", "us", "%" or "" for counts
  std::optional<double> ours{};
  std::optional<double> theirs{};
  std::optional<double> ratio{};  ///< 1: as good; more: better
  std::optional<double> ours_line_rate_fraction{};
  std::optional<double> theirs_line_rate_fraction{};
  Answer answer = Answer::open;
  std::string remark{};
  std::string excuse{};       ///< why a row that seems worse is open
  std::uint64_t missing = 0;  ///< sizes or paths that only the other side has, and that count
  bool limits = false;        ///< a note that says what the outcome is worth, and stands beside it
  /// If it fails: the cause of its finding, unless the subject tells, and the place.
  std::optional<finding::Cause> cause{};
  finding::Location where{};
};

using Rows = std::vector<Row>;

/// The remedy of a row that fails where the place is not known: results of ours have it.
constexpr const char* kLocate = "locate it with railgauge diagnose";

void append(Rows& all, const Rows& more);

/// "PASS", "FAIL", "INCONCLUSIVE", "note"; "run", "size", "plateau" ...
[[nodiscard]] std::string_view word(Answer answer);
[[nodiscard]] std::string_view word(Subject subject);

/// Of which curve, setting and place it is, as far as known: {"all_reduce", "float", "in_place"}.
[[nodiscard]] std::vector<std::string> place_words(const Row& row);

/// "slower, but these runs are too noisy to judge finer than 60 %": remark and excuse.
[[nodiscard]] std::string remark_of(const Row& row);

/// What a row that failed, or seems to, says of the fabric: a finding whose check is the criterion.
[[nodiscard]] finding::Finding finding_of(const Row& row);

/// Rows as findings and coverage, by criterion. Failed rows are findings, those of several sizes of
/// a curve one; an excused row is a possible finding, unless it is a single size. Each criterion
/// covers its rows and the sizes that are missing, of which one is enough; but line rate and
/// policies need an answer wherever they ask for a bandwidth, and so does what is missing and open.
[[nodiscard]] finding::Report report_of(const Rows& rows);

/// "bandwidth, latency and 1 of 25 sizes": what was compared. Empty: nothing.
[[nodiscard]] std::string compared_text(const Rows& rows);

/// The same with what was left open and what limits it: "dips compared, tail and counters not
/// compared; the baseline itself is FAIL: 1 finding: host3: lost". Empty: there is nothing to say.
[[nodiscard]] std::string told_of(const Rows& rows);

}  // namespace railgauge::verdict
