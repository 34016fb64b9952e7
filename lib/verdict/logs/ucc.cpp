#include <algorithm>
#include <array>
#include <cmath>

#include "schedule/collective.hpp"
#include "verdict/logs/formats.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

/// "Collective:             Allreduce"
std::optional<std::string> label(std::string_view line, std::string_view name) {
  const auto value = after(line, name);
  return value ? std::optional(first_word(*value)) : std::nullopt;
}

/// "float32" and "DT_FLOAT32" are "float", as nccl-tests says.
std::string type_of_ucc(std::string name) {
  name = lower(name);
  if (name.starts_with("dt_")) name = name.substr(3);
  if (name == "float32") return "float";
  if (name == "float64") return "double";
  return name == "float16" ? "half" : name;
}

class UccReader {
 public:
  explicit UccReader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view line) {
    const auto words = words_of(line);
    if (const auto name = label(line, "Collective:")) {
      begin(number_of_line, *name);
    } else if (const auto type = label(line, "Datatype:")) {
      type_ = type_of_ucc(*type);
    } else if (const auto op = label(line, "Reduction:")) {
      op_ = *op == "N/A" ? "none" : lower(*op);
    } else if (const auto inplace = label(line, "Inplace:")) {
      buffers_ = *inplace == "1"   ? BufferMode::in_place
                 : *inplace == "0" ? BufferMode::out_of_place
                                   : BufferMode::unstated;
    } else if (after(line, "Time, us") && after(line, "Size")) {
      columns_ = after(line, "Bandwidth, GB/s") ? 8 : 5;
    } else if (columns_ > 0 && read_ && looks_like_figures(words)) {
      const std::string why = add(words);
      if (!why.empty()) gathered_.complain(number_of_line, why);
    }
  }

  LogContent result() { return gathered_.result(); }

 private:
  void begin(std::size_t number_of_line, const std::string& name) {
    gathered_.begin(
        Run{.collective = collective_called(name), .ranks = stated_.ranks, .library = "UCC"});
    columns_ = 0;
    last_row_.clear();
    read_ = !gathered_.run().collective.empty();
    if (!read_) gathered_.complain(number_of_line, "no collective that is read: " + name);
  }

  /// count size avg min max [bandwidth: avg max min]; why the row was not added.
  std::string add(const std::vector<std::string_view>& words) {
    if (words.size() != columns_) return "not the columns that the head announces";
    if (std::ranges::equal(words, last_row_)) return "the row before once more";
    last_row_.assign(words.begin(), words.end());
    const auto count = whole_number(words[0]);
    const auto size = whole_number(words[1]);
    const std::array times{figure(words[3]), figure(words[2]), figure(words[4])};  // in order
    const bool ordered = std::ranges::is_sorted(times) && times[0].value_or(0) > 0;
    if (!count || !size || *count == 0 || *size % *count != 0) {
      return "size is no multiple of count elements";
    }
    if (!ordered) return "the mean time is not between the least and the most";
    Point point{.size_bytes = size, .type = type_, .op = op_, .buffers = buffers_};
    point.time_us = times[1];
    std::string why = scale(words, point);
    if (why.empty()) gathered_.add(point);
    return why;
  }

  static std::optional<double> figure(std::string_view word) {
    return word.find('.') == std::string_view::npos ? std::nullopt : number(word);
  }

  /// Sizes of some collectives are one rank's part in some versions: the bandwidth, where it is
  /// printed, says so, and without it and ranks such rows are not read.
  std::string scale(const std::vector<std::string_view>& words, Point& point) {
    constexpr std::array kWhole{"all_reduce", "broadcast", "reduce"};
    const Run& run = gathered_.run();
    const bool whole = std::ranges::find(kWhole, run.collective) != kWhole.end();
    const auto printed = columns_ == 8 ? decimal(words[5]) : std::nullopt;
    if (!printed || !run.ranks) {
      if (!whole) {
        return "whether its size is one rank's part is not known: print bandwidths "
               "(ucc_perftest -F) and say --ranks";
      }
      work_out_bandwidths(point, run);
      return "";
    }
    for (const int parts : {1, *run.ranks}) {
      Point scaled = point;
      scaled.size_bytes = *point.size_bytes * static_cast<std::uint64_t>(parts);
      work_out_bandwidths(scaled, run);
      const double busbw = scaled.busbw_gigabytes_per_second.value_or(0);
      const double rounding =
          0.006 / *point.time_us + 0.001;  // of the time, which has two decimals
      if (std::abs(busbw - printed->value) > printed->last_digit + rounding * busbw) continue;
      point = scaled;
      return "";
    }
    return "the bandwidth is not what size, time and --ranks make";
  }

  const Stated& stated_;
  Gathering gathered_;
  std::string type_;
  std::string op_;
  BufferMode buffers_ = BufferMode::unstated;
  std::size_t columns_ = 0;
  std::vector<std::string> last_row_;
  bool read_ = false;
};

}  // namespace

bool is_ucc(std::string_view text) {
  const auto lines = lines_of(text);
  return std::ranges::any_of(lines,
                             [](auto line) { return after(line, "Collective:").has_value(); }) &&
         std::ranges::any_of(lines, [](auto line) { return after(line, "Time, us").has_value(); });
}

LogContent read_ucc(std::string_view text, const Stated& stated) {
  return read_lines(UccReader(stated), text);
}

}  // namespace railgauge::verdict
