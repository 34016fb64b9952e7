#include "verdict/logs/table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "schedule/collective.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kMebibyte = (1 << 20) / 1e9;
constexpr double kGigabit = 1.0 / 8;

struct ColumnName {
  std::string_view name;
  Column column = Column::other;
  std::string_view format{};
  double scale = 1;
  std::array<Column, 2> more{};  // that the same name announces
  std::size_t count = 1;
};

constexpr std::array kNames{
    ColumnName{"Size", Column::size, "osu"},
    ColumnName{"Avg Latency(us)", Column::mean, "osu"},
    ColumnName{"Avg Lat(us)", Column::mean, "osu"},
    ColumnName{"Latency (us)", Column::typical, "osu"},
    ColumnName{"Min Latency(us)", Column::least, "osu"},
    ColumnName{"Max Latency(us)", Column::most, "osu"},
    ColumnName{"Bandwidth (MB/s)", Column::algbw, "osu", 1e-3},
    ColumnName{"MB/s", Column::algbw, "osu", 1e-3},
    ColumnName{"Messages/s", Column::messages, "osu", 1e-6},
    ColumnName{"Iterations", Column::repetitions, "osu"},
    ColumnName{"Validation", Column::check, "osu"},
    ColumnName{"#bytes", Column::size, "imb"},
    ColumnName{"#repetitions", Column::repetitions, "imb"},
    ColumnName{"t_min[usec]", Column::least, "imb"},
    ColumnName{"t_max[usec]", Column::most, "imb"},
    ColumnName{"t_avg[usec]", Column::mean, "imb"},
    ColumnName{"t[usec]", Column::mean, "imb"},
    ColumnName{"Mbytes/sec", Column::megabytes, "imb"},
    ColumnName{"defects", Column::wrong, "imb"},
    ColumnName{"#iterations", Column::repetitions, "perftest"},
    ColumnName{"t_typical[usec]", Column::typical, "perftest"},
    ColumnName{"BW average[Gb/sec]", Column::algbw, "perftest", kGigabit},
    ColumnName{"BW_average[Gb/sec]", Column::algbw, "perftest", kGigabit},
    ColumnName{"BW average[MB/sec]", Column::algbw, "perftest", kMebibyte},
    ColumnName{"BW_average[MB/sec]", Column::algbw, "perftest", kMebibyte},
    ColumnName{"BW average[MiB/sec]", Column::algbw, "perftest", kMebibyte},
    ColumnName{"MsgRate[Mpps]", Column::messages, "perftest"},
    ColumnName{"BW peak[Gb/sec]", Column::other, "perftest"},
    ColumnName{"BW peak[MB/sec]", Column::other, "perftest"},
    ColumnName{"BW peak[MiB/sec]", Column::other, "perftest"},
    ColumnName{"99% percentile[usec]", Column::other, "perftest"},
    ColumnName{"99.9% percentile[usec]", Column::other, "perftest"},
    ColumnName{"tps average", Column::other, "perftest"},
    ColumnName{"Count", Column::count, "ucc"},
    ColumnName{"Time, us", Column::mean, "ucc", 1, {Column::least, Column::most}, 3},
    ColumnName{"Bandwidth, GB/s", Column::busbw, "ucc", 1, {}, 3},
    ColumnName{"size (B)", Column::size, "gloo"},
    ColumnName{"elements", Column::count, "gloo"},
    ColumnName{"min (us)", Column::least, "gloo"},
    ColumnName{"p50 (us)", Column::typical, "gloo"},
    ColumnName{"p99 (us)", Column::upper, "gloo"},
    ColumnName{"max (us)", Column::most, "gloo"},
    ColumnName{"min (ns)", Column::least, "gloo", 1e-3},
    ColumnName{"p50 (ns)", Column::typical, "gloo", 1e-3},
    ColumnName{"p99 (ns)", Column::upper, "gloo", 1e-3},
    ColumnName{"max (ns)", Column::most, "gloo", 1e-3},
    ColumnName{"size", Column::size, "mscclpp"},
    ColumnName{"count", Column::count, "mscclpp"},
    ColumnName{"time", Column::mean, "mscclpp"},
    ColumnName{"algbw", Column::algbw, "mscclpp"},
    ColumnName{"busbw", Column::busbw, "mscclpp"},
    ColumnName{"#wrong", Column::wrong, "mscclpp"},
    ColumnName{"size(B)", Column::size, "nccom-test"},
    ColumnName{"count(elems)", Column::count, "nccom-test"},
    ColumnName{"type", Column::type, "nccom-test"},
    ColumnName{"time(us)", Column::mean, "nccom-test"},
    ColumnName{"time:avg(us)", Column::mean, "nccom-test"},
    ColumnName{"algbw(GB/s)", Column::algbw, "nccom-test"},
    ColumnName{"busbw(GB/s)", Column::busbw, "nccom-test"},
    ColumnName{"data_size(Bytes):", Column::size, "hccl"},
    ColumnName{"aveg_time(us):", Column::mean, "hccl"},
    ColumnName{"avg_time(us):", Column::mean, "hccl"},
    ColumnName{"alg_bandwidth(GB/s):", Column::algbw, "hccl"},
    ColumnName{"check_result:", Column::check, "hccl"},
    ColumnName{"COMMS-RES", Column::other, "param"},
    ColumnName{"num-elements", Column::count, "param"},
    ColumnName{"nElementsPerRank", Column::count, "param"},
    ColumnName{"Latency(us):p50", Column::typical, "param"},
    ColumnName{"p95", Column::upper, "param"},
    ColumnName{"min", Column::least, "param"},
    ColumnName{"max", Column::most, "param"},
    ColumnName{"Min", Column::least, "param"},
    ColumnName{"Max", Column::most, "param"},
    ColumnName{"algBW(GB/s)", Column::algbw, "param"},
    ColumnName{"busBW(GB/s)", Column::busbw, "param"},
    ColumnName{"AlgBW(GB/s)", Column::algbw, "param"},
    ColumnName{"BusBW(GB/s)", Column::busbw, "param"}};

bool is_blank(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\t';
}

/// The longest name that a text begins with; null if there is none.
const ColumnName* name_at(std::string_view text) {
  const ColumnName* best = nullptr;
  for (const ColumnName& one : kNames) {
    if (!text.starts_with(one.name) || !is_blank(text, one.name.size())) continue;
    if (best == nullptr || one.name.size() > best->name.size()) best = &one;
  }
  return best;
}

/// A name that is not known ends with its unit, or before two blanks or a tab.
std::size_t end_of_name(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != '\t' && !(is_blank(text, at) && is_blank(text, at + 1))) {
    if (text[at++] == ']') break;
  }
  return at;
}

void add_columns(const ColumnName& name, TableHead& head) {
  head.push_back({name.column, name.scale, name.format});
  for (std::size_t more = 1; more < name.count; ++more) {
    head.push_back({name.more[more - 1], name.scale, name.format});
  }
}

/// Reads one row.
class RowReader {
 public:
  RowReader(const TableHead& head, const std::vector<std::string_view>& words)
      : head_(head), words_(words) {}

  TableRow read(std::size_t short_of) {
    const bool fits = words_.size() <= head_.size() && words_.size() + short_of >= head_.size();
    row_.why_not = fits ? why_not() : "not the columns that the head announces";
    return row_;
  }

 private:
  using Word = std::optional<std::string_view>;

  [[nodiscard]] std::optional<std::size_t> place(Column column) const {
    for (std::size_t at = 0; at < std::min(head_.size(), words_.size()); ++at) {
      if (head_[at].column == column) return at;
    }
    return std::nullopt;
  }

  [[nodiscard]] Word word(Column column) const {
    const auto at = place(column);
    return at ? Word(words_[*at]) : std::nullopt;
  }

  /// Decimals are a sign that no word was lost, unless time and bandwidth confirm each other.
  [[nodiscard]] std::optional<Decimal> figure(Column column) const {
    const auto at = place(column);
    if (!at) return std::nullopt;
    const bool confirmed = (time_column() && place(Column::algbw)) || head_[*at].format == "gloo";
    if (!confirmed && words_[*at].find('.') == std::string_view::npos) return std::nullopt;
    auto value = decimal(words_[*at]);
    if (value) *value = {value->value * head_[*at].scale, value->last_digit * head_[*at].scale};
    return value;
  }

  [[nodiscard]] std::optional<Column> time_column() const {
    if (place(Column::typical)) return Column::typical;
    return place(Column::mean) ? std::optional(Column::mean) : std::nullopt;
  }

  std::string why_not() {
    std::string why = read_size();
    if (why.empty()) why = read_wrong();
    if (why.empty()) why = read_impossible();
    if (why.empty()) why = read_times();
    if (why.empty()) why = read_bandwidths();
    if (const auto type = word(Column::type)) row_.point.type = *type;
    return why;
  }

  std::string read_size() {
    if (const auto size = word(Column::size)) {
      row_.point.size_bytes = whole_number(*size);
      if (!row_.point.size_bytes) return "size is no whole number";
    }
    if (const auto count = word(Column::count)) {
      row_.count = whole_number(*count);
      if (row_.count.value_or(0) == 0) return "the count of elements is no whole number above 0";
      if (row_.point.size_bytes.value_or(0) % *row_.count != 0)
        return "size is no multiple of count elements";
    }
    const auto repeated = word(Column::repetitions);
    if (!repeated) return "";
    const auto repetitions = whole_number(*repeated);
    if (!repetitions) return "the number of repetitions is no whole number";
    // Sizes are powers of two nearly always, repetitions hardly ever.
    const std::uint64_t size = row_.point.size_bytes.value_or(0);
    const bool exchanged = size > 0 && !std::has_single_bit(size) &&
                           std::has_single_bit(*repetitions) && !place(Column::messages);
    return exchanged ? "size and repetitions look exchanged" : "";
  }

  std::string read_wrong() {
    const auto wrong = word(Column::wrong);
    const auto check = word(Column::check);
    row_.wrong_data = (wrong && number(*wrong).value_or(1) > 0 && *wrong != "N/A") ||
                      (check && lower(*check).starts_with("fail"));
    return !row_.wrong_data ? ""
           : wrong          ? std::string(*wrong) + " elements are wrong"
                            : "the data were wrong";
  }

  /// A size that is none was not measured, and its bandwidth may be anything.
  std::string read_impossible() {
    if (row_.point.size_bytes == 0U) return "";
    for (std::size_t at = 0; at < words_.size(); ++at) {
      const char* const quantity = quantity_of(head_[at].column);
      if (quantity == nullptr || !is_impossible(words_[at])) continue;
      row_.wrong_data = true;
      return std::string(quantity) + " is " + std::string(words_[at]);
    }
    return "";
  }

  /// Null of a column that is no measurement.
  static const char* quantity_of(Column column) {
    if (column >= Column::least && column <= Column::most) return "the time";
    if (column == Column::messages) return "the rate of messages";
    const bool bandwidth =
        column == Column::algbw || column == Column::busbw || column == Column::megabytes;
    return bandwidth ? "the bandwidth" : nullptr;
  }

  /// Of a column whose figure was not read.
  [[nodiscard]] std::string why_no_figure(Column column) const {
    const std::string_view found = words_[*place(column)];
    const std::string what = quantity_of(column);
    if (!number(found) || found.find('.') != std::string_view::npos) return what + " is no number";
    return what + " is " + std::string(found) + ", without the decimals that its benchmark prints";
  }

  std::string read_times() {
    if (!time_column()) return "";
    const auto time = figure(*time_column());
    if (!time) return why_no_figure(*time_column());
    if (time->value <= 0) return "the time is not above zero";
    row_.point.time_us = time->value;
    double before = 0;
    for (const Column column : {Column::least, *time_column(), Column::upper, Column::most}) {
      if (!place(column)) continue;
      const auto bound = figure(column);
      if (!bound || bound->value + kRounding < before)
        return "the time is not between the least and the most";
      before = bound->value;
    }
    return is_their_bandwidth() ? "" : "Mbytes/sec is not size over time";
  }

  std::string read_bandwidths() {
    row_.algbw = figure(Column::algbw);
    row_.busbw = figure(Column::busbw);
    if (place(Column::algbw) && !row_.algbw) return why_no_figure(Column::algbw);
    if (place(Column::busbw) && !row_.busbw) return why_no_figure(Column::busbw);
    if (!row_.algbw) return "";
    const double size = static_cast<double>(row_.point.size_bytes.value_or(0));
    if (const auto messages = figure(Column::messages)) {
      const double computed = size * messages->value / 1e3;
      if (!is_about(*row_.algbw, computed, size * messages->last_digit / 1e3))
        return "the bandwidth is not size times messages a second";
    }
    if (!row_.point.time_us) return row_.algbw->value > 0 ? "" : "the bandwidth is not above zero";
    return is_rate(size) ? "" : "algbw is not size over time";
  }

  /// A gigabyte has 1e9 bytes or 2^30. Of PARAM it may be that of one rank's time.
  [[nodiscard]] bool is_rate(double size) const {
    const auto time = figure(*time_column());
    if (const auto at = place(Column::typical); at && head_[*at].format == "param") {
      const auto [least, most] = std::pair(figure(Column::least), figure(Column::most));
      const double of_rank = size / row_.algbw->value / 1e3;
      if (least && most && of_rank > least->value && of_rank < most->value) return true;
    }
    return std::ranges::any_of(std::array{1e3, 1e3 * (1 << 30) / 1e9}, [&](double per) {
      const double computed = size / time->value / per;
      return is_about(*row_.algbw, computed, computed * time->last_digit / time->value);
    });
  }

  static bool is_about(const Decimal& printed, double computed, double doubt) {
    constexpr double kRounded = 0.002;
    return std::abs(printed.value - computed) <=
           printed.last_digit + doubt + kRounded * printed.value;
  }

  /// Of one direction or both, in megabytes of 1e6 (since 2019) or 2^20: of the slowest rank.
  [[nodiscard]] bool is_their_bandwidth() const {
    if (!place(Column::megabytes)) return true;
    const auto printed = figure(Column::megabytes);
    const auto slowest = figure(place(Column::most) ? Column::most : *time_column());
    if (!printed || !slowest) return false;
    const double rate = static_cast<double>(row_.point.size_bytes.value_or(0)) / slowest->value;
    return std::ranges::any_of(std::array{1.0, 2.0, 1 / 1.048576, 2 / 1.048576}, [&](double unit) {
      return is_about(*printed, rate * unit, rate * unit * 0.006 / slowest->value);
    });
  }

  static constexpr double kRounding = 0.011;  // of times with two decimals

  const TableHead& head_;
  const std::vector<std::string_view>& words_;
  TableRow row_{};
};

/// "processes: 4", "Iterations = 100": a name before a number, as above tables.
bool is_setting(const std::vector<std::string_view>& words) {
  const auto first =
      std::ranges::find_if(words, [](auto word) { return number(word).has_value(); });
  return first != words.begin() && (first[-1].ends_with(':') || first[-1].ends_with('='));
}

/// A non-blocking collective's "Overall(us)" is no latency.
bool has_figures(const TableHead& head) {
  return has_column(head, Column::mean) || has_column(head, Column::typical) ||
         has_column(head, Column::algbw);
}

/// The size of which these ranks and this time make the printed bus bandwidth.
bool fit_size(TableRow& row, const Run& run) {
  for (const int parts : {1, *run.ranks}) {
    Point scaled = row.point;
    scaled.size_bytes = *row.point.size_bytes * static_cast<std::uint64_t>(parts);
    work_out_bandwidths(scaled, run);
    const double busbw = scaled.busbw_gigabytes_per_second.value_or(0);
    const double rounding = 0.006 / *row.point.time_us + 0.001;  // of times with two decimals
    if (std::abs(busbw - row.busbw->value) > row.busbw->last_digit + rounding * busbw) continue;
    row.point = scaled;
    return true;
  }
  return false;
}

}  // namespace

TableHead table_head(std::string_view line) {
  constexpr std::size_t kLongest = 2048;  // of heads; of lines there is none
  if (line.size() > kLongest) return {};
  if (line.starts_with("# ")) line.remove_prefix(2);
  TableHead head;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line, at) || line[at] == '|') {
      ++at;
    } else if (const ColumnName* const name = name_at(line.substr(at))) {
      add_columns(*name, head);
      at += name->name.size();
    } else {
      head.push_back({});
      at += end_of_name(line.substr(at));
    }
  }
  const bool sized = has_column(head, Column::size) || has_column(head, Column::count) ||
                     has_column(head, Column::repetitions) || head.size() == 1;
  const bool of_osu = head.size() > 2 && head[0].format == "osu";  // which has others, too
  return (sized && has_figures(head)) || of_osu ? head : TableHead{};
}

bool has_column(const TableHead& head, Column column) {
  return std::ranges::find(head, column, &HeadColumn::column) != head.end();
}

TableRow table_row(const TableHead& head, const std::vector<std::string_view>& words,
                   std::size_t short_of) {
  return RowReader(head, words).read(short_of);
}

Sizes sizes_of_mpi(const std::string& collective) {
  constexpr std::array kParts{"all_gather", "alltoall", "alltoallv", "gather", "scatter"};
  return std::ranges::find(kParts, collective) != kParts.end() ? Sizes::one_rank : Sizes::whole;
}

LogContent TableReader::read(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    ++line_;
    take(line);
  }
  return gathered_.result();
}

void TableReader::take(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return;
  const std::string_view line = text.substr(first);
  if (statement(line)) return;
  if (const TableHead head = table_head(line); !head.empty()) return take_head(head);
  std::vector<std::string_view> words = words_of(line);
  std::erase(words, "|");
  if (line.starts_with('#') || !looks_like_figures(words)) return;
  if (!head_.empty() || !is_setting(words)) take_row(words);
}

void TableReader::begin(const Run& run, const std::string& why_not) {
  gathered_.begin(run);
  head_.clear();
  last_row_.clear();
  sizes_ = Sizes::whole;
  why_not_ = why_not;
  if (!why_not.empty()) complain(why_not);
}

void TableReader::take_head(const TableHead& head) {
  const bool second = !last_row_.empty();
  if (second && untitled_) {
    Run next = run();
    next.points.clear();
    begin(next);
  }
  head_ = head;
  if (!why_not_.empty()) return;
  if (run().collective.empty() && !untitled_) {
    why_not_ = "a head without a title";
  } else if (second && !untitled_) {
    why_not_ = "a second head of one table";
  } else if (!has_figures(head)) {
    why_not_ = "a head of other columns";
  } else {
    why_not_ = why_other_head();
  }
  if (!why_not_.empty()) complain(why_not_);
}

void TableReader::take_row(const std::vector<std::string_view>& words) {
  if (!why_not_.empty()) return;  // said of the whole table
  const std::string why =
      head_.empty() ? "a row before the head of its table" : why_not_read(words);
  if (!why.empty()) complain(why);
}

std::string TableReader::why_not_read(const std::vector<std::string_view>& words) {
  if (std::ranges::equal(words, last_row_)) return "the row before once more";
  last_row_.assign(words.begin(), words.end());
  TableRow row = table_row(head_, words, short_of_);
  if (row.wrong_data) gathered_.end(Ended::wrong_data, line_, row.why_not);
  if (!row.why_not.empty()) return row.why_not;
  if (row.point.size_bytes == 0U) return "";  // no bytes are no measurement
  const auto collective = schedule::collective(run().collective);
  row.point.algorithm = common_.algorithm;
  row.point.buffers = common_.buffers;
  if (row.point.type.empty()) row.point.type = common_.type;
  row.point.op = !common_.op.empty() || !collective ? common_.op
                 : schedule::reduces(*collective)   ? "sum"
                                                    : "none";
  std::string why = complete(row);
  if (why.empty()) gathered_.add(row.point);
  return why;
}

std::string TableReader::complete(TableRow& row) {
  Point& point = row.point;
  if (!point.time_us) {
    point.algbw_gigabytes_per_second = point.busbw_gigabytes_per_second = row.algbw->value;
    return "";
  }
  if (sizes_ == Sizes::one_rank) {
    if (!run().ranks) return "its sizes are one rank's part, of unknown ranks: give --ranks";
    *point.size_bytes *= static_cast<std::uint64_t>(*run().ranks);
  } else if (row.busbw && run().ranks && point.size_bytes && !row.algbw) {
    return fit_size(row, run()) ? "" : "the bandwidth is not what size, time and --ranks make";
  } else if (sizes_ == Sizes::unknown) {
    return "whether its size is one rank's part is not known: print bandwidths and give --ranks";
  }
  work_out_bandwidths(point, run());
  if (row.busbw && row.algbw && row.algbw->value > 0 && !point.busbw_gigabytes_per_second)
    point.busbw_gigabytes_per_second =
        *point.algbw_gigabytes_per_second * row.busbw->value / row.algbw->value;
  return "";
}

}  // namespace railgauge::verdict
