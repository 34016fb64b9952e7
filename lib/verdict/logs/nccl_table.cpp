#include "verdict/logs/nccl_table.hpp"

#include <algorithm>
#include <cctype>

#include "verdict/logs/nccl_devices.hpp"
#include "verdict/logs/nccl_row.hpp"

namespace railgauge::verdict {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_letters(const std::string& text) {
  return !text.empty() && plain(text).size() == text.size();
}

bool same_row(const Point& one, const Point& other) {
  return one.size_bytes == other.size_bytes && one.type == other.type && one.op == other.op &&
         one.algorithm == other.algorithm && one.placement == other.placement;
}

/// A line of the head of a table. Old versions have the last one only.
bool is_beginning(std::string_view line) {
  return after(line, "# railgauge version ") || after(line, "Collective test starting:") ||
         after(line, "# nThread ");
}

class Reader {
 public:
  void line(std::size_t number, std::string_view text) {
    const std::string_view line = without_prefix(text);
    if (is_beginning(line) && !run_.points.empty()) begin();
    if (const auto program = after(line, "Collective test starting:")) {
      const std::string name = first_word(*program);
      run_.collective = collective_called(name.substr(0, name.rfind("_perf")));
    } else if (!devices_.read(line) && !remark(line)) {
      if (const auto row = nccl_row(line)) add(number, *row);
    }
  }

  LogContent result() {
    finish();
    return std::move(content_);
  }

 private:
  void begin() {
    finish();
    run_ = Run{.library = run_.library};
    devices_ = NcclDevices();
    algorithm_.clear();
  }

  void finish() {
    if (run_.points.empty()) return;
    devices_.tell(run_);
    run_.name = std::to_string(content_.runs.size() + 1);
    content_.runs.push_back(run_);
    run_.points.clear();
  }

  /// Lines that say something of the run without being rows.
  bool remark(std::string_view line) {
    if (const auto version = after(line, "# railgauge version ")) {
      run_.library = "railgauge " + first_word(*version);
      run_.beside_nics.emplace();
    } else if (after(line, "# SAME-HOST MEMORY")) {
      run_.beside_nics = {"memory"};
    } else if (const auto algorithm = after(line, "# Algorithm: ")) {
      algorithm_ = *algorithm;
    } else if (const auto forced = after(line, "NCCL_ALGO set by environment to ")) {
      const std::string word = lower(first_word(*forced));
      if (is_letters(word)) algorithm_ = word;
    } else if (const auto nccl = after(line, "NCCL version "); nccl && !first_word(*nccl).empty()) {
      run_.library = "NCCL " + first_word(*nccl);
    } else {
      return team(line);
    }
    return true;
  }

  /// "comm 0x... rank 0 nRanks 2 nNodes 2 ..." of NCCL_DEBUG=INFO.
  bool team(std::string_view line) {
    const auto ranks = after(line, " nRanks ");
    const auto nodes = after(line, " nNodes ");
    if (!ranks || !nodes) return false;
    run_.ranks = small_number(first_word(*ranks));
    run_.nodes = small_number(first_word(*nodes));
    return true;
  }

  void add(std::size_t number, const NcclRow& row) {
    for (const std::string& text : row.complaints) content_.complaints.push_back({number, text});
    for (Point point : row.points) {
      point.algorithm = algorithm_;
      const auto again = [&](const Point& other) { return same_row(point, other); };
      if (std::ranges::any_of(run_.points, again)) repeat();
      run_.points.push_back(point);
    }
  }

  /// The next cycle of -N: the same ranks again.
  void repeat() {
    Run next = run_;
    next.points.clear();
    finish();
    run_ = next;
  }

  LogContent content_;
  Run run_{};
  NcclDevices devices_;
  std::string algorithm_;
};

}  // namespace

bool is_nccl_table(std::string_view text) {
  return std::ranges::any_of(lines_of(text), [](std::string_view line) {
    if (after(line, "Collective test starting:")) return true;
    const auto row = nccl_row(without_prefix(line));
    return row && !row->points.empty();
  });
}

LogContent read_nccl_table(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) reader.line(++number, line);
  return reader.result();
}

}  // namespace railgauge::verdict
