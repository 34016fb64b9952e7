#include "verdict/logs/gloo.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "schedule/collective.hpp"

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

bool is_head(std::string_view line) {
  return after(line, "elements") && after(line, "p50 (") && after(line, "samples");
}

class Reader {
 public:
  explicit Reader(const Stated& stated) : stated_(stated) {}

  void line(std::size_t number_of_line, std::string_view text) {
    const std::string_view line = without_prefix(text);
    const auto words = words_of(line);
    if (const auto name = after(line, "Algorithm:")) {
      begin(std::string(*name));
    } else if (const auto processes = after(line, "processes=")) {
      const auto ranks = small_number(processes->substr(0, processes->find_first_of(", ")));
      run_.ranks = ranks;
    } else if (is_head(line)) {
      nanoseconds_ = line.find("p50 (ns)") != std::string_view::npos;
      sized_ = line.find("size (B)") != std::string_view::npos;
    } else if (!words.empty() && whole_number(words[0])) {
      row(number_of_line, words);
    }
  }

  LogContent result() {
    begin("");
    return std::move(content_);
  }

 private:
  void begin(const std::string& algorithm) {
    if (!run_.points.empty()) {
      run_.name = std::to_string(content_.runs.size() + 1);
      content_.runs.push_back(run_);
    }
    run_ = Run{};
    run_.library = "Gloo";
    read_algorithm(algorithm, run_, algorithm_);
  }

  /// [size] elements min p50 p99 max bandwidth samples
  void row(std::size_t number_of_line, const std::vector<std::string_view>& words) {
    const std::size_t first = sized_ ? 1 : 0;
    const auto elements = words.size() == 7 + first ? whole_number(words[first]) : std::nullopt;
    const auto time = elements ? number(words[first + 2]) : std::nullopt;
    const auto size = whole_number(words[0]);
    if (!time || !size) {
      content_.complaints.push_back({number_of_line, "not the figures that the head announces"});
      return;
    }
    Point point;
    point.size_bytes = sized_ ? *size : *elements * bytes_of(stated_.type);
    point.type = stated_.type;
    point.algorithm = algorithm_;
    point.time_us = *time / (nanoseconds_ ? kNanosecondsPerMicrosecond : 1);
    const auto collective = schedule::collective(run_.collective);
    if (collective) point.op = schedule::reduces(*collective) ? "sum" : "none";
    work_out_bandwidths(point, run_);
    run_.points.push_back(point);
  }

  const Stated& stated_;
  LogContent content_;
  Run run_;
  std::string algorithm_;
  bool nanoseconds_ = false;
  bool sized_ = false;
};

}  // namespace

bool is_gloo(std::string_view text) {
  return std::ranges::any_of(lines_of(text), is_head);
}

LogContent read_gloo(std::string_view text, const Stated& stated) {
  Reader reader(stated);
  std::size_t number_of_line = 0;
  for (const std::string_view line : lines_of(text)) reader.line(++number_of_line, line);
  return reader.result();
}

}  // namespace railgauge::verdict
