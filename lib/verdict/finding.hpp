#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/run.hpp"

namespace railgauge::verdict {

enum class Verdict {
  note,          // said, but not judged
  inconclusive,  // of a search or a soak that judges itself, and could not
  no_reference,  // an unanswered question, which is not a pass
  pass,
  fail
};

/// What a finding is about.
enum class Subject {
  run,      // whether it ended, with right data
  size,     // one size
  plateau,  // the bandwidth of large sizes
  latency,  // the time of the smallest sizes
  dip,      // bandwidth falls, or time shrinks, as size grows
  missing,  // sizes that the other side has
  tail,     // the slowest iterations compared with the median
  rail,     // a rail that is slower than the others
  counter,  // a port's counter
  path      // from one NIC to another
};

/// One question that was asked of a result, and its answer.
struct Finding {
  std::string criterion{};  // "reference nebius-h100-ib"
  Subject subject = Subject::run;
  std::string setting{};  // the name of the run, of a result of ours; or the path
  std::string collective{};
  std::string type{};
  std::string op{};
  std::string algorithm{};
  BufferMode buffers = BufferMode::unstated;
  std::optional<int> ranks{};
  std::optional<int> nics_per_node{};
  std::optional<std::uint64_t> size_bytes{};
  std::string_view unit{};  // of ours and theirs: "GB/s", "us", "%" or "" for counts
  std::optional<double> ours{};
  std::optional<double> theirs{};
  std::optional<double> ratio{};  // 1: as good; more: better
  std::optional<double> ours_line_rate_fraction{};
  std::optional<double> theirs_line_rate_fraction{};
  Verdict verdict = Verdict::no_reference;
  std::string remark{};
};

using Findings = std::vector<Finding>;

void append(Findings& all, const Findings& more);

/// Of a criterion that has nothing to say of this kind of result.
[[nodiscard]] Finding no_answer(const std::string& criterion, const std::string& why);

/// A result and all that was found.
struct Judgement {
  std::string result{};  // its file
  Findings findings{};
  bool software = false;  // it ran on software devices: no verdict says anything of hardware
};

/// "PASS", or of software devices "PASS (SOFTWARE)": a verdict as people see it, everywhere.
std::string in_words(Verdict verdict, bool software);

/// "PASS", "FAIL", "INCONCLUSIVE", "NO-REFERENCE", "note"; "run", "size", "plateau" …
std::string_view word(Verdict verdict);
std::string_view word(Subject subject);

/// Of all findings of one criterion: fail if one of them is, else pass if one of them is; but where
/// line rate or a policy demands a bandwidth of something and there is no answer, it does not pass
/// by the others.
Verdict verdict_of(const Findings& findings, std::string_view criterion);

/// Of all criteria that judge: the worst, as worse() has it.
Verdict verdict_of(const Findings& findings);

/// Of two questions: fail, then inconclusive, no_reference and pass; a note counts for nothing.
Verdict worse(Verdict one, Verdict other);

/// Whether there is no answer, for whichever reason.
bool is_open(Verdict verdict);

/// The criteria of findings, in their order.
std::vector<std::string> criteria_of(const Findings& findings);

}  // namespace railgauge::verdict
