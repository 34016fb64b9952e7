#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "schedule/collective.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kMegabytesPerGigabyte = 1e3;

/// "# OSU MPI-CUDA Allreduce Latency Test v7.4"
struct Title {
  std::string api{};  // "MPI", "MPI_Put"
  std::string
      subject{};  // "allreduce": what stands between the API and the quantity, in lower case
  std::string quantity{};  // "latency", "bandwidth" or ""
};

std::optional<Title> title_of(std::string_view line) {
  const auto behind = after(line, "# OSU ");
  if (!behind) return std::nullopt;
  Title title;
  for (const std::string_view word : words_of(*behind)) {
    const std::string name = lower(word);
    if (name == "test") break;
    if (title.api.empty()) {
      title.api = word.substr(0, word.find('-'));
    } else if (name == "latency" || name == "bandwidth") {
      title.quantity = name;
    } else {
      title.subject += (title.subject.empty() ? "" : " ") + name;
    }
  }
  return title;
}

/// "osu_bw", "osu_put_bibw": the program of a test of two ranks; empty if it is none.
std::string pair_program(const Title& title) {
  const bool both = title.subject == "bi-directional";
  if (!both && !title.subject.empty()) return "";
  const std::string what = title.quantity == "latency" ? "latency" : both ? "bibw" : "bw";
  if (title.quantity.empty() || (both && what == "latency")) return "";
  if (title.api == "MPI") return "osu_" + what;
  if (!title.api.starts_with("MPI_")) return "";
  return "osu_" + lower(title.api.substr(4)) + "_" + what;
}

std::string program_of(const Title& title) {
  std::string pair = pair_program(title);
  if (!pair.empty()) return pair;
  if (title.api != "MPI" || title.quantity != "latency") return "";
  if (title.subject == "all-to-all personalized exchange") return "alltoall";
  if (title.subject == "all-to-allv personalized exchange") return "alltoallv";
  return collective_called(title.subject);
}

std::string type_of_mpi(std::string_view mpi) {
  static const std::map<std::string_view, std::string> kTypesOfMpi{
      {"MPI_CHAR", "int8"}, {"MPI_INT", "int32"}, {"MPI_FLOAT", "float"}};
  const auto found = kTypesOfMpi.find(mpi.substr(0, mpi.find('.')));
  return found == kTypesOfMpi.end() ? "" : found->second;
}

bool is_per_rank(const std::string& collective) {
  constexpr std::array kOnes{"all_gather", "alltoall", "alltoallv", "gather", "scatter"};
  return std::ranges::find(kOnes, collective) != kOnes.end();
}

bool is_pair(const std::string& program) {
  return program.starts_with("osu_");
}

/// The names of columns, which two blanks or more separate: "Size", "Avg Latency(us)".
std::vector<std::string> columns_in(std::string_view head) {
  std::vector<std::string> columns;
  std::size_t blanks = 2;
  for (const char c : head.substr(1)) {
    if (c == ' ' || c == '\t') {
      blanks += c == '\t' ? 2 : 1;
      continue;
    }
    if (blanks > 1) {
      columns.emplace_back();
    } else if (blanks == 1) {
      columns.back() += ' ';
    }
    blanks = 0;
    columns.back() += c;
  }
  return columns;
}

/// Which column is which; 0 where a table has none.
struct OsuColumns {
  std::size_t count = 0;
  bool sized = false;
  bool bandwidth = false;
  bool over_ranks = false;  // a collective's mean
  std::size_t value = 0;
  std::optional<std::size_t> least{}, most{}, repeated{};
};

/// Empty if a line is no head of columns, or of others than these: a non-blocking collective's
/// "Overall(us)" is no latency.
std::optional<OsuColumns> osu_columns(std::string_view line) {
  const std::vector<std::string> names = columns_in(line);
  OsuColumns columns;
  columns.count = names.size();
  columns.sized = !names.empty() && names[0] == "Size";
  std::optional<std::size_t> value;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const std::string name = plain(names[at]);
    if (name == "avglatencyus" || name == "latencyus" || name == "bandwidthmbs") value = at;
    if (name == "minlatencyus") columns.least = at;
    if (name == "maxlatencyus") columns.most = at;
    if (name == "iterations") columns.repeated = at;
    columns.bandwidth = columns.bandwidth || name == "bandwidthmbs";
    columns.over_ranks = columns.over_ranks || name == "avglatencyus";
  }
  if (!value) return std::nullopt;
  columns.value = *value;
  return columns;
}

bool is_osu_head(std::string_view line) {
  const std::vector<std::string> names = columns_in(line);
  if (names.empty()) return false;
  return names[0] == "Size" || plain(names[0]) == "avglatencyus" || plain(names[0]) == "overallus";
}

class OsuReader {
 public:
  explicit OsuReader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view text) {
    const auto words = words_of(text);
    if (words.empty()) return;
    const std::string_view line =
        text.substr(static_cast<std::size_t>(words[0].data() - text.data()));
    if (const auto title = title_of(line)) {
      begin(number_of_line, *title, line);
    } else if (const auto type = after(line, "# Datatype:")) {
      type_ = type_of_mpi(*type);
    } else if (line.starts_with('#')) {
      if (is_osu_head(line)) head(number_of_line, line);
    } else if (looks_like_figures(words)) {
      row(number_of_line, words);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void begin(std::size_t number_of_line, const Title& title, std::string_view line) {
    const std::string program = program_of(title);
    const auto ranks = is_pair(program) ? std::optional<int>(2) : stated_.ranks;
    gathered_.begin(Run{.collective = program, .ranks = ranks});
    columns_.reset();
    type_.clear();
    last_row_.clear();
    why_not_ = "";
    if (program.empty()) {
      why_not_ = "of a test that is not read";
      gathered_.complain(number_of_line, "no test that is read: " + std::string(line));
    } else if (is_per_rank(program) && !ranks) {
      throw std::invalid_argument("OSU's sizes of " + program +
                                  " are one rank's part, and it does not say how many ranks there "
                                  "were: say --ranks");
    }
  }

  void head(std::size_t number_of_line, std::string_view line) {
    const bool second = columns_.has_value();
    columns_ = osu_columns(line);
    if (!why_not_.empty()) return;
    if (second || gathered_.run().collective.empty()) {
      why_not_ = "of a table without a title";
    } else if (!columns_) {
      why_not_ = "of a table with other columns";
    } else if (!fits_title()) {
      why_not_ = "of a table whose columns are not those of its title";
    }
    if (!why_not_.empty()) gathered_.complain(number_of_line, "a head " + why_not_);
  }

  /// A collective's figures are means over ranks; a barrier has no sizes.
  [[nodiscard]] bool fits_title() const {
    const std::string& program = gathered_.run().collective;
    return columns_->over_ranks != is_pair(program) && columns_->sized != (program == "barrier");
  }

  void row(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    if (!why_not_.empty()) return;  // said of the whole table
    const std::string why = columns_ ? add(words) : "before the head of its table";
    if (!why.empty()) gathered_.complain(number_of_line, "a row " + why);
  }

  /// Why the row was not added.
  std::string add(const std::vector<std::string_view>& words) {
    if (words.size() != columns_->count) return "without the columns that its head announces";
    if (words == last_words()) return "like the one before";
    last_row_.assign(words.begin(), words.end());
    const auto size = whole_number(words[0]);  // or, of a barrier, its time
    const auto value = figure(words, columns_->value);
    if (columns_->sized && !size) return "whose size is no whole number";
    if (!value || *value <= 0) return "whose figure is no number above zero";
    if (!in_order(words, *value)) return "whose mean is not between its least and its most";
    if (columns_->repeated && columns_->sized) {
      const auto repetitions = whole_number(words[*columns_->repeated]);
      if (!repetitions) return "whose iterations are no whole number";
      if (look_exchanged(*size, *repetitions)) return "whose size and iterations look exchanged";
    }
    if (words.back() == "Fail") return "whose data were wrong";
    add(size.value_or(0), *value);
    return "";
  }

  [[nodiscard]] std::vector<std::string_view> last_words() const {
    return {last_row_.begin(), last_row_.end()};
  }

  /// All of OSU's figures have decimals.
  static std::optional<double> figure(const std::vector<std::string_view>& words, std::size_t at) {
    return words[at].find('.') == std::string_view::npos ? std::nullopt : number(words[at]);
  }

  [[nodiscard]] bool in_order(const std::vector<std::string_view>& words, double value) const {
    const auto least = columns_->least ? figure(words, *columns_->least) : value;
    const auto most = columns_->most ? figure(words, *columns_->most) : value;
    return least && most && *least <= value && value <= *most;
  }

  void add(std::uint64_t size, double value) {
    const Run& run = gathered_.run();
    const bool per_rank = is_per_rank(run.collective);
    const auto parts = per_rank ? static_cast<std::uint64_t>(*run.ranks) : 1U;
    const auto collective = schedule::collective(run.collective);
    Point point;
    if (columns_->sized) point.size_bytes = size * parts;
    point.type = type_;
    point.op = collective && schedule::reduces(*collective) ? "sum" : "none";
    if (columns_->bandwidth) {
      point.algbw_gigabytes_per_second = value / kMegabytesPerGigabyte;
      point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
    } else {
      point.time_us = value;
      work_out_bandwidths(point, run);
    }
    gathered_.add(point);
  }

  const Stated& stated_;
  Gathering gathered_;
  std::string type_;
  std::optional<OsuColumns> columns_;
  std::string why_not_;  // rows are not read
  std::vector<std::string> last_row_;
};

}  // namespace

bool is_osu(std::string_view text) {
  return std::ranges::any_of(lines_of(text),
                             [](std::string_view line) { return title_of(line).has_value(); });
}

LogContent read_osu(std::string_view text, const Stated& stated) {
  return read_lines(OsuReader(stated), text);
}

}  // namespace railgauge::verdict
