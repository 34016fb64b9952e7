#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// lib/manual is how a program's command line is told: help, man page, shell completion, and what
// was perhaps meant by a word that it does not know. It must not know what an option does, nor who
// parses it.

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

/// A page of section 1, in man(7)'s macros, sub-commands included. `version`: "0.1.0".
[[nodiscard]] std::string man_page(const Manual& manual, const std::string& version);

/// Completion of names, of words that values may be (in lists, too), and of files.
[[nodiscard]] std::string bash_completion(const Manual& manual);
[[nodiscard]] std::string zsh_completion(const Manual& manual);

/// "minbytes" of "-b,--minbytes".
[[nodiscard]] std::string long_name(std::string_view names);
/// "-b" and "--minbytes" of "-b,--minbytes".
[[nodiscard]] std::vector<std::string> split_names(std::string_view names);
/// Whether the value is the name of a file.
[[nodiscard]] bool takes_file(const Option& option);

}  // namespace railgauge::manual
