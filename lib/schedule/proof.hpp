#pragma once

#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace railgauge::schedule {

/// Runs the schedule symbolically for all ranks at once: nothing but which inputs each block is
/// made of, as a sum of random numbers that stand for them. Nothing if it is right; else the first
/// flaw in words, with its step and rank:
/// - a send that nobody takes, or an arrival that nobody sends, or one of another range;
/// - a step in which one op of a rank writes what another of its ops reads or writes;
/// - a block sent, or combined into, that the rank does not have;
/// - an output block that misses an input, holds one twice, or holds another block's, or is never
///   written (so that it would be right only in place).
///
/// A schedule without a flaw cannot deadlock either, as long as each pair of ranks keeps its
/// messages in order: an op waits only for ops of earlier steps.
///
/// Memory: 16 bytes for every block of every rank: 1,024 ranks of a ring take 17 MB.
[[nodiscard]] std::optional<std::string> disproof(const Schedule& schedule);

}  // namespace railgauge::schedule
