#pragma once

#include <string>
#include <vector>

#include "verdict/finding.hpp"

namespace railgauge::verdict {

/// What findings of one criterion come to, in a few words each: "bandwidth fine", "latency slow by
/// 12 %", "64K-1M slow by 20 %" (at the worst of them), a failed counter, why there is no answer.
/// What failed comes first, then what has no answer; "fine" is said of what was judged. Every thing
/// once, however many curves say it.
std::vector<std::string> reading_of(const Findings& findings, const std::string& criterion);

/// "bandwidth fine; 64K-1M slow by 20 %".
std::string reading_in_words(const Findings& findings, const std::string& criterion);

/// The same of all criteria that decide: those whose verdict is that of all.
std::string reading_in_words(const Judgement& judgement);

}  // namespace railgauge::verdict
