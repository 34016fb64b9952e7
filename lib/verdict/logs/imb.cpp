#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr std::string_view kTitle = "# Benchmarking ";

/// Of IMB-MPI1; two ranks' tests keep names of their own. Left out: what moves other amounts than
/// it prints (Exchange), non-blocking and one-sided ones.
std::string imb_program(std::string_view title) {
  static const std::map<std::string_view, std::string> kPairs{
      {"PingPong", "imb_pingpong"}, {"PingPing", "imb_pingping"}, {"Sendrecv", "imb_sendrecv"}};
  const auto pair = kPairs.find(title);
  if (pair != kPairs.end()) return pair->second;
  if (title == "Reduce_scatter_block") return "reduce_scatter";
  return collective_called(title);
}

bool is_one_ranks_part(const std::string& collective) {
  constexpr std::array kParts{"all_gather", "alltoall", "gather", "scatter"};
  return std::ranges::find(kParts, collective) != kParts.end();
}

struct ImbColumns {
  std::vector<std::string> names{};

  [[nodiscard]] std::optional<std::size_t> place(std::string_view name) const {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
  }
};

bool is_imb_head(std::string_view line) {
  return after(line, "#repetitions") && (after(line, "t_avg[usec]") || after(line, "t[usec]"));
}

class ImbReader {
 public:
  void line(std::size_t number_of_line, std::string_view line) {
    const auto words = words_of(line);
    if (const auto title = after(line, kTitle)) {
      begin(number_of_line, first_word(*title));
    } else if (const auto ranks = after(line, "# #processes = ")) {
      gathered_.run().ranks = small_number(first_word(*ranks));
    } else if (const auto type = after(line, "# MPI_Datatype for reductions")) {
      reduced_type_ = type->find("MPI_FLOAT") != std::string_view::npos ? "float" : "";
    } else if (is_imb_head(line)) {
      head(number_of_line, words);
    } else if (!words.empty() && !words[0].starts_with('#') && looks_like_figures(words)) {
      row(number_of_line, words);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void begin(std::size_t number_of_line, const std::string& title) {
    gathered_.begin(Run{.collective = imb_program(title)});
    columns_ = {};
    last_row_.clear();
    read_ = !gathered_.run().collective.empty();
    if (!read_) gathered_.complain(number_of_line, "no benchmark that is read: " + title);
  }

  void head(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    const bool second = !columns_.names.empty();
    columns_.names.assign(words.begin(), words.end());
    if (second && read_) {
      gathered_.complain(number_of_line, "a head without a title");
      read_ = false;
    }
  }

  void row(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    if (!read_) return;  // said of the whole table
    const std::string why =
        columns_.names.empty() ? "a row before the head of its table" : add(words);
    if (!why.empty()) gathered_.complain(number_of_line, why);
  }

  /// Why the row was not added.
  std::string add(const std::vector<std::string_view>& words) {
    if (words.size() != columns_.names.size()) return "not the columns that the head announces";
    if (std::ranges::equal(words, last_row_)) return "the row before once more";
    last_row_.assign(words.begin(), words.end());
    const auto sized = columns_.place("#bytes");
    const auto size = sized ? whole_number(words[*sized]) : std::optional<std::uint64_t>(0);
    const auto time = time_of(words);
    if (!size || !whole_number(words[sized ? 1 : 0])) return "size or count is no whole number";
    if (sized && look_exchanged(*size, *whole_number(words[1])) && *size != 0) {
      return "size and repetitions look exchanged";
    }
    if (!time) return "the time is no number above zero between the least and the most";
    if (sized && *size == 0) return "";  // no bytes are no measurement
    return add(sized ? size : std::nullopt, *time, words);
  }

  std::string add(const std::optional<std::uint64_t>& size, double time,
                  const std::vector<std::string_view>& words) {
    const Run& run = gathered_.run();
    if (is_one_ranks_part(run.collective) && !run.ranks) {
      return "the line that says how many processes there were is missing";
    }
    const auto collective = schedule::collective(run.collective);
    const bool reduces = collective && schedule::reduces(*collective);
    const bool part = is_one_ranks_part(run.collective);
    Point point;
    if (size) point.size_bytes = *size * (part ? static_cast<std::uint64_t>(*run.ranks) : 1U);
    point.type = reduces ? reduced_type_ : "int8";
    point.op = reduces ? "sum" : "none";
    point.time_us = time;
    work_out_bandwidths(point, run);
    if (!is_their_bandwidth(words, point)) return "Mbytes/sec is not size over time";
    if (run.collective.starts_with("imb_")) {
      point.busbw_gigabytes_per_second = point.algbw_gigabytes_per_second;
    }
    gathered_.add(point);
    return "";
  }

  [[nodiscard]] std::optional<double> figure(const std::vector<std::string_view>& words,
                                             std::string_view name) const {
    const auto at = columns_.place(name);
    if (!at || words[*at].find('.') == std::string_view::npos) return std::nullopt;
    return number(words[*at]);
  }

  [[nodiscard]] std::optional<double> time_of(const std::vector<std::string_view>& words) const {
    const bool one = columns_.place("t[usec]").has_value();
    const auto time = figure(words, one ? "t[usec]" : "t_avg[usec]");
    if (!time || *time <= 0) return std::nullopt;
    const auto least = one ? time : figure(words, "t_min[usec]");
    const auto most = one ? time : figure(words, "t_max[usec]");
    constexpr double kRounding = 0.01;
    const bool ordered = least && most && *least <= *time + kRounding && *time <= *most + kRounding;
    return ordered ? time : std::nullopt;
  }

  /// Of one direction or both, in megabytes of 1e6 (since 2019) or 2^20: of the slowest rank.
  [[nodiscard]] bool is_their_bandwidth(const std::vector<std::string_view>& words,
                                        const Point& point) const {
    const auto at = columns_.place("Mbytes/sec");
    if (!at) return true;
    const auto printed = decimal(words[*at]);
    const auto slowest =
        columns_.place("t_max[usec]") ? figure(words, "t_max[usec]") : point.time_us;
    if (!printed || !slowest) return false;
    const double bytes = static_cast<double>(point.size_bytes.value_or(0));
    return std::ranges::any_of(std::array{1.0, 2.0}, [&](double directions) {
      return std::ranges::any_of(std::array{1e6, 1048576.0}, [&](double megabyte) {
        const double computed = directions * bytes / *slowest * 1e6 / megabyte;
        const double rounding = 0.006 / *slowest + 0.001;  // of the time, which has two decimals
        return std::abs(printed->value - computed) <= printed->last_digit + rounding * computed;
      });
    });
  }

  Gathering gathered_;
  ImbColumns columns_;
  std::string reduced_type_;
  std::vector<std::string> last_row_;
  bool read_ = false;
};

}  // namespace

bool is_imb(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_imb_head);
}

LogContent read_imb(std::string_view text) {
  return read_lines(ImbReader(), text);
}

}  // namespace railgauge::verdict
