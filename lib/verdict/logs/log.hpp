#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/reference.hpp"

namespace railgauge::verdict {

/// What a log may leave out and its owner says of it. A log's own word must not contradict it.
struct Stated {
  std::string collective{};
  std::string type{};
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  std::optional<int> nics_per_node{};
  std::optional<double> line_rate_gigabits_per_second{};
};

/// Something in a log that was not understood, and is not in what was read.
struct Complaint {
  std::size_t line = 0;  // counted from 1
  std::string text{};
};

/// What a reader makes of a log: its runs, and what it could not read.
struct LogContent {
  std::vector<Run> runs{};
  std::vector<Complaint> complaints{};
};

/// The lines of a text, without their line feeds and carriage returns.
std::vector<std::string_view> lines_of(std::string_view text);

/// A line without what launchers put before it: "[1,0]<stdout>:" (Open MPI), "0: " (srun -l),
/// "[0] " (MPICH).
std::string_view without_prefix(std::string_view line);

/// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line);

/// A word that is wholly a number; empty if it is not.
std::optional<double> number(std::string_view word);
std::optional<std::uint64_t> whole_number(std::string_view word);

std::optional<int> small_number(std::string_view word);  // of ranks, of hosts

/// The first word of a text; empty if there is none.
std::string first_word(std::string_view text);

/// What follows `label` in `line`; empty if the label is not there.
std::optional<std::string_view> after(std::string_view line, std::string_view label);

std::string lower(std::string_view text);

/// The letters of a name, in lower case: what is left where writers differ in everything else.
std::string plain(std::string_view name);

/// nccl-tests' name of a collective that another program calls "AllReduce", "allreduce" or
/// "all_reduce"; empty if it is none.
std::string collective_called(std::string_view name);

/// Sets algbw and busbw of a point by their definition, as far as size, time and ranks are known.
void work_out_bandwidths(Point& point, const Run& run);

}  // namespace railgauge::verdict
