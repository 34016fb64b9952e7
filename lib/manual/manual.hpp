#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// lib/manual describes a program's command line: help, shell completion, and the word that an
// unknown one was perhaps meant to be. It must not know what an option does, nor who parses it. Man
// pages are made of the help (ci/cmake/man_of_help).

namespace railgauge::manual {

struct Option {
  std::string names;      // "-b,--minbytes": at most one short name, then long ones
  std::string value{};    // "SIZE"; empty for a flag
  std::string about{};    // a sentence or two
  std::string initial{};  // the default, as one would write it; empty: none
  std::string group{};    // heading that it stands under; those of one group are adjacent
  std::vector<std::string> words{};  // that a value may be, for completion; empty: anything
  bool is_list = false;              // values separated by commas
};

/// A command line and what it does.
struct Example {
  std::string line;
  std::string about;
};

/// A paragraph under a heading.
struct Section {
  std::string title;
  std::string text;
};

/// All that is told of a program, or of one of its sub-commands.
struct Manual {
  std::string program;      // "all_reduce_perf"; with its parents: "railgauge compare"
  std::string about{};      // a sentence
  std::string arguments{};  // that are not options: "RESULT..."
  std::vector<Option> options{};
  std::vector<Example> examples{};
  std::vector<Section> sections{};
  std::vector<Manual> commands{};  // sub-commands, if it has any
};

/// What --help prints: at most 100 columns, options under their headings, with units and defaults.
[[nodiscard]] std::string help(const Manual& manual);

/// Completion of names, of words that values may be (in lists, too), and of files.
[[nodiscard]] std::string bash_completion(const Manual& manual);
[[nodiscard]] std::string zsh_completion(const Manual& manual);

/// "minbytes" of "-b,--minbytes".
[[nodiscard]] std::string long_name(std::string_view names);
/// "-b" and "--minbytes" of "-b,--minbytes".
[[nodiscard]] std::vector<std::string> split_names(std::string_view names);
/// Whether the value is the name of a file.
[[nodiscard]] bool takes_file(const Option& option);

/// The word that was perhaps meant: the one that the fewest slips (a letter missing, added, wrong,
/// or swapped with the next) turn into `word`, if that is at most a slip for three letters, or the
/// only one that begins with it. Empty if nothing is that near.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& words);

/// "; did you mean --iters?", or nothing: for the end of a message.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& words);

}  // namespace railgauge::manual
