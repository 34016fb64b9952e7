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
///   written (so that it would be right only in place);
/// - an op that writes the input where that is not allowed, or names blocks of two buffers.
///
/// A schedule without a flaw cannot deadlock either, with any number of credits from 1 on, as long
/// as each channel keeps its messages in order. Of two ops on a channel call the earlier the one of
/// the earlier step, or of the same step and listed first. An op then waits for three kinds of ops
/// only: earlier ones of its channel, which have to free its credit; ops of earlier steps at its
/// own rank, whose blocks it touches; and its counterpart of the same step, which waits for the
/// same kinds. So every chain of waits leads to ever earlier ops, and ends.
///
/// Memory: 16 bytes for every block of every rank: 1,024 ranks of a ring take 17 MB.
[[nodiscard]] std::optional<std::string> disproof(const Schedule& schedule);

}  // namespace railgauge::schedule
