#pragma once

#include <set>
#include <string>
#include <vector>

#include "finding/outcome.hpp"
#include "isolation/evidence.hpp"
#include "isolation/verdict.hpp"

namespace railgauge::isolation {

/// The switches on paths of tests of this run, or of earlier ones.
[[nodiscard]] std::set<std::string> switches_of(const Evidence& evidence, bool earlier);

/// The verdict as findings and coverage. Its outcome is FAIL if a suspect is confirmed, PASS if the
/// fabric is healthy, else INCONCLUSIVE. Rows in evidence are indices of tests.
/// - confirmed: is_confirmed();
/// - possible: any other suspect; the excuses say why it is no more;
/// - cleared: withdrawn, unless its path is not known, since a retest may have taken another.
/// A switch that earlier tests passed and none of this run does is possibly down; so are those of
/// `described`, which a description has and no path does.
[[nodiscard]] finding::Report report_of(const Verdict& verdict, const Evidence& evidence,
                                        const std::vector<std::string>& described = {});

}  // namespace railgauge::isolation
