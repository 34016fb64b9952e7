#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
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
  std::optional<std::vector<std::string>> beside_nics{};  // as Run has it
};

/// Something in a log that was not understood, and is not in what was read.
struct Complaint {
  std::size_t line = 0;  // counted from 1
  std::string text{};
};

using Complaints = std::vector<Complaint>;

/// What a reader makes of a log: its runs, what it could not read, and what it says of its end,
/// each reason with its line.
struct LogContent {
  std::vector<Run> runs{};
  Complaints complaints{};
  Ended ended = Ended::unknown;
  Complaints because{};
};

/// Adds what a line says of the end; the worst counts.
void tell_end(LogContent& content, Ended how, std::size_t line, const std::string& why);

/// What the lines of a text say of the end of its benchmark, whatever its format: that it failed,
/// or the last words of the format, where the first are there.
void read_end(std::string_view text, std::string_view format, LogContent& content);

/// The lines of a text, without their line feeds and carriage returns.
std::vector<std::string_view> lines_of(std::string_view text);

/// Without the blanks at its beginning.
std::string_view unindented(std::string_view text);

/// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line);

/// A word that is wholly a number; empty if it is not.
std::optional<double> number(std::string_view word);
std::optional<std::uint64_t> whole_number(std::string_view word);

std::optional<int> small_number(std::string_view word);  // of ranks, of hosts

/// A number as it was printed, and what one in its last digit is worth.
struct Decimal {
  double value = 0;
  double last_digit = 1;
};

/// Empty if the word is no number.
std::optional<Decimal> decimal(std::string_view word);

/// Whether a word is a figure that no time and no bandwidth can have: not a number, infinite or
/// below zero. A row with one holds wrong data, whatever its format.
bool is_impossible(std::string_view word);

/// Whether at least half of some words are numbers, or stand for one ("nan"): a line that may be a
/// row of a table, or be left of one, and has to be reported if it is not read.
bool looks_like_figures(const std::vector<std::string_view>& words);

/// The first word of a text; empty if there is none.
std::string first_word(std::string_view text);

/// Whether a text has a line of a kind.
template <bool (*is_one)(std::string_view line)>
bool has_line(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_one);
}

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

/// What a reader has found so far: one run after another, numbered from 1, and complaints.
class Gathering {
 public:
  /// What is added from here on belongs to such a run; one that nothing was added to is forgotten.
  void begin(const Run& run);

  /// The run that is gathered. What is set here also holds for what was added to it before.
  [[nodiscard]] Run& run() { return run_; }
  [[nodiscard]] const Run& run() const { return run_; }

  /// A point that the run has already opens the next one, of the same ranks: a cycle of -N. One of
  /// no bytes is no measurement, and is forgotten.
  void add(const Point& point);

  void complain(std::size_t line, const std::string& text);

  void end(Ended how, std::size_t line, const std::string& why) {
    tell_end(content_, how, line, why);
  }

  /// All of it; nothing is left.
  [[nodiscard]] LogContent result();

 private:
  LogContent content_;
  Run run_;
  std::set<PointKey> known_;  // of the run's points
};

}  // namespace railgauge::verdict
