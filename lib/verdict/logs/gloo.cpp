#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "schedule/collective.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

constexpr double kNanosecondsPerMicrosecond = 1e3;

std::uint64_t bytes_of(const std::string& type) {
  static const std::map<std::string, std::uint64_t> kBytes{
      {"int8", 1}, {"half", 2}, {"float", 4}, {"double", 8}};
  const auto found = kBytes.find(type);
  if (found != kBytes.end()) return found->second;
  throw std::invalid_argument(
      "Gloo's table counts elements and does not say of which type they are: say --type int8, "
      "half, "
      "float or double");
}

/// "new_allreduce_ring" is all_reduce by ring; "allgather_ring", "broadcast_one_to_all".
void read_algorithm(std::string name, Run& run, std::string& algorithm) {
  for (const std::string prefix : {"new_", "cuda_"}) {
    if (name.starts_with(prefix)) name = name.substr(prefix.size());
  }
  for (std::size_t end = name.size(); end != std::string::npos && end > 0;
       end = name.rfind('_', end - 1)) {
    run.collective = collective_called(name.substr(0, end));
    if (run.collective.empty()) continue;
    algorithm = end < name.size() ? name.substr(end + 1) : "";
    return;
  }
}

/// What is measured under a collective's name and is another thing: there and back again, thousands
/// of messages at once, nothing sent at all, parts of different sizes, no data.
bool is_another_thing(const std::string& name) {
  constexpr std::array kOthers{"roundtrip", "stress", "local", "_v", "barrier"};
  return std::ranges::any_of(
      kOthers, [&](const char* part) { return name.find(part) != std::string::npos; });
}

bool is_head(std::string_view line) {
  return after(line, "elements") && after(line, "p50 (");
}

/// "size (B)   elements   min (us)": units are no columns.
std::size_t columns_of(std::string_view head) {
  const auto words = words_of(head);
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [](std::string_view word) { return !word.starts_with('('); }));
}

/// "processes=4, inputs=1": the number behind a name.
std::optional<int> option(std::string_view line, std::string_view name) {
  const auto value = after(line, name);
  return value ? small_number(value->substr(0, value->find_first_of(", "))) : std::nullopt;
}

class GlooReader {
 public:
  explicit GlooReader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view line) {
    const auto words = words_of(line);
    if (const auto name = after(line, "Algorithm:")) {
      begin(std::string(*name));
    } else if (ruled_ && words.size() == 1) {
      begin(lower(words[0]));  // of versions since 2021 the title, in capital letters
    } else if (const auto processes = option(line, "processes=")) {
      gathered_.run().ranks = processes;
      alone_ =
          option(line, "inputs=").value_or(1) == 1 && option(line, "threads=").value_or(1) == 1;
    } else if (is_head(line)) {
      head(number_of_line, line);
    } else if (columns_ > 0 && why_not_.empty() && looks_like_figures(words)) {
      row(number_of_line, words);
    }
    ruled_ = line.starts_with("====");
  }

  LogContent result() { return gathered_.result(); }

 private:
  void begin(const std::string& name) {
    gathered_.begin(Run{.library = "Gloo"});
    read_algorithm(name, gathered_.run(), algorithm_);
    columns_ = 0;
    last_row_.clear();
    why_not_ = is_another_thing(name) ? name + " is no collective as others measure it" : "";
    alone_ = true;
  }

  void head(std::size_t number_of_line, std::string_view line) {
    columns_ = columns_of(line);
    constexpr std::size_t kFewest = 6;  // elements, four times, samples
    if (columns_ < kFewest) why_not_ = "the head lacks columns";
    nanoseconds_ = line.find("p50 (ns)") != std::string_view::npos;
    sized_ = line.find("size (B)") != std::string_view::npos;
    if (why_not_.empty() && !alone_) why_not_ = "several inputs or threads go at the same time";
    if (!why_not_.empty()) gathered_.complain(number_of_line, why_not_);
  }

  /// [size] elements min p50 p99 max [bandwidth] samples
  void row(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    if (std::ranges::equal(words, last_row_)) {
      gathered_.complain(number_of_line, "the row before once more");
      return;
    }
    last_row_.assign(words.begin(), words.end());
    constexpr const char* kOther = "not the figures that the head announces";
    if (words.size() != columns_) return gathered_.complain(number_of_line, kOther);
    const std::size_t first = sized_ ? 1 : 0;
    const auto elements = whole_number(words[first]);
    const auto time = median(words, first + 1);
    const auto size = whole_number(words[0]);
    if (!elements || !time || !size || *elements == 0 || *size % *elements != 0) {
      return gathered_.complain(number_of_line, kOther);
    }
    const Run& run = gathered_.run();
    Point point;
    point.size_bytes = size_of(*elements, size);
    point.type = stated_.type;
    point.algorithm = algorithm_;
    point.time_us = *time / (nanoseconds_ ? kNanosecondsPerMicrosecond : 1);
    const auto collective = schedule::collective(run.collective);
    if (collective) point.op = schedule::reduces(*collective) ? "sum" : "none";
    work_out_bandwidths(point, run);
    gathered_.add(point);
  }

  /// Of min, p50, p99 and max, which have to come in this order.
  static std::optional<double> median(const std::vector<std::string_view>& words, std::size_t at) {
    const std::array times{number(words[at]), number(words[at + 1]), number(words[at + 2]),
                           number(words[at + 3])};
    const bool ordered = std::ranges::is_sorted(times) && times[0].value_or(0) > 0;
    return ordered ? times[1] : std::nullopt;
  }

  /// As nccl-tests counts: all ranks' parts. Gloo's all-to-all has 8 bytes an element, whatever it
  /// prints (benchmark/main.cc, AllToAllBenchmark).
  [[nodiscard]] std::uint64_t size_of(std::uint64_t elements,
                                      std::optional<std::uint64_t> printed) const {
    const Run& run = gathered_.run();
    const auto ranks = static_cast<std::uint64_t>(run.ranks.value_or(1));
    if (run.collective == "alltoall") return elements * sizeof(std::uint64_t) * ranks;
    const std::uint64_t bytes = sized_ ? printed.value_or(0) : elements * bytes_of(stated_.type);
    const bool a_part = run.collective == "all_gather" || run.collective == "scatter";
    return a_part ? bytes * ranks : bytes;
  }

  const Stated& stated_;
  Gathering gathered_;
  std::string algorithm_;
  std::string why_not_;  // the rows that follow are left out
  std::vector<std::string> last_row_;
  std::size_t columns_ = 0;
  bool alone_ = true;  // one input, one thread
  bool ruled_ = false;
  bool nanoseconds_ = false;
  bool sized_ = false;
};

}  // namespace

bool is_gloo(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_head);
}

LogContent read_gloo(std::string_view text, const Stated& stated) {
  return read_lines(GlooReader(stated), text);
}

}  // namespace railgauge::verdict
