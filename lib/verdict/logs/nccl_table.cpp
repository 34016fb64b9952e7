#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "finding/words.hpp"
#include "verdict/logs/log.hpp"
#include "verdict/logs/nccl_row.hpp"

namespace railgauge::verdict {
namespace {

constexpr int kMostRanks = 1'000'000;

/// 0 to 3 and 8 of "0-3,8"; empty if it is no such list.
std::vector<int> numbers_of(const std::string& ranges) {
  std::vector<int> numbers;
  for (const std::string& range : finding::split(ranges)) {
    const std::size_t dash = range.find('-');
    const auto first = small_number(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : small_number(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last > kMostRanks) return {};
    for (int number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

/// What the lines under "Using devices" of a table say of its ranks.
class NcclDevices {
 public:
  /// "#  Rank  0 Group  0 Pid 42 on host device  0 [...] ...", which old versions begin with "#
  /// Rank" and without a group, or any other line. Whether it was one.
  bool read(std::string_view line) {
    if (read_folded(line)) return true;
    const auto words = words_of(line);
    const auto mark = std::ranges::find(words, "#");
    const bool device = words.end() - mark > 2 && mark[1] == "Rank";
    const auto rank = device ? after(line, "Rank ") : std::nullopt;
    const auto host = after(line, " on ");
    if (!rank || !host || !after(line, " Pid ")) return false;
    const auto number_of_rank = small_number(first_word(*rank));
    if (!number_of_rank || *number_of_rank < 0 || *number_of_rank > kMostRanks) return false;
    // Another process may have written into the line: then its host is not known.
    const std::string word = first_word(*host);
    const bool whole = after(*host, " device ") && word.find(':') == std::string::npos;
    const std::string name = whole ? word : "";
    host_of_rank_[*number_of_rank] = name;
    if (const auto address = after(line, " address ")) nics_[name].insert(first_word(*address));
    if (const auto link = after(line, " link ")) {
      line_rates_.insert(number(first_word(*link)).value_or(0));
    }
    return true;
  }

  /// Sets ranks: they are numbered from 0. Sets nodes if all ranks are listed; NICs and line rate,
  /// which railgauge's own table has, if they are the same on all hosts.
  void tell(Run& run) const {
    if (host_of_rank_.empty()) return;
    const int ranks = host_of_rank_.rbegin()->first + 1;
    run.ranks = ranks;
    if (static_cast<int>(host_of_rank_.size()) < ranks) return;  // some lines are missing
    std::set<std::string> hosts;
    for (const auto& [rank, host] : host_of_rank_) hosts.insert(host);
    if (hosts.contains("")) return;
    run.nodes = static_cast<int>(hosts.size());
    std::set<std::size_t> nics;
    for (const auto& [host, addresses] : nics_) nics.insert(addresses.size());
    if (nics.size() == 1 && nics_.size() == hosts.size()) {
      run.nics_per_node = static_cast<int>(*nics.begin());
    }
    if (line_rates_.size() == 1) run.line_rate_gigabits_per_second = *line_rates_.begin();
  }

 private:
  /// The same of "#  Ranks 0-7 on host ...": one rail of a host, in a railgauge table of many
  /// ranks.
  bool read_folded(std::string_view line) {
    const auto ranks = after(line, "#  Ranks ");
    const auto host = after(line, " on ");
    const auto device = after(line, " device ");
    if (!ranks || !host || !device) return false;
    const std::string name = first_word(*host);
    for (const int rank : numbers_of(first_word(*ranks))) host_of_rank_[rank] = name;
    nics_[name].insert(first_word(*device));
    if (const auto link = after(line, " link ")) {
      line_rates_.insert(number(first_word(*link)).value_or(0));
    }
    return true;
  }

  std::map<int, std::string> host_of_rank_;
  std::map<std::string, std::set<std::string>> nics_;  // their addresses, by host
  std::set<double> line_rates_;
};

bool is_letters(const std::string& text) {
  return !text.empty() && plain(text).size() == text.size();
}

/// A line of the head of a table. Old versions have the last one only.
bool is_beginning(std::string_view line) {
  return after(line, "# railgauge version ") || after(line, "Collective test starting:") ||
         after(line, "# nThread ");
}

/// The line above the columns.
bool is_columns(std::string_view line) {
  return after(line, "size") && after(line, "algbw") && after(line, "busbw");
}

/// Below the table.
bool is_summary(std::string_view line) {
  return after(line, "Out of bounds values") || after(line, "Avg bus bandwidth");
}

/// Whether a table has its rows in two placements.
bool says_both_placements(std::string_view line) {
  if (after(line, "out-of-place") && after(line, "in-place")) return true;
  const auto row = nccl_row(line);
  return row && !row->points.empty() && row->points[0].buffers != BufferMode::unstated;
}

/// Lines of NCCL_DEBUG, which are full of numbers.
bool is_debug(std::string_view line) {
  return after(line, " NCCL INFO ") || after(line, " NCCL WARN ") || after(line, " NCCL TRACE ");
}

class NcclTableReader {
 public:
  /// `two`: rows have two placements, and one with a single one has lost the other.
  explicit NcclTableReader(bool two) : two_(two) {}

  LogContent read(std::string_view text) {
    std::size_t number = 0;
    for (const std::string_view one : lines_of(text)) line(++number, one);
    devices_.tell(gathered_.run());
    return gathered_.result();
  }

 private:
  void line(std::size_t number, std::string_view line) {
    if (is_beginning(line) && !gathered_.run().points.empty()) begin();
    if (const auto program = after(line, "Collective test starting:")) {
      const std::string name = first_word(*program);
      gathered_.run().collective = collective_called(name.substr(0, name.rfind("_perf")));
    } else if (is_columns(line)) {
      agree_ = {};
    } else if (line.find("FAILED") != std::string_view::npos && is_summary(line)) {
      const bool wrong = after(line, "Out of bounds values").has_value();
      gathered_.end(wrong ? Ended::wrong_data : Ended::failed, number, std::string(line));
    } else if (!devices_.read(line) && !remark(line)) {
      read_row(number, line);
    }
  }

  void begin() {
    devices_.tell(gathered_.run());
    gathered_.begin(Run{.library = gathered_.run().library});
    devices_ = NcclDevices();
    algorithm_.clear();
    agree_ = {};
    told_ = false;
  }

  void read_row(std::size_t number, std::string_view line) {
    const auto row = nccl_row(line);
    if (!row) return;
    if (row->points.empty() && is_debug(line)) return;
    for (const std::string& text : row->complaints) {
      gathered_.complain(number, text);
      if (row->wrong_data) gathered_.end(Ended::wrong_data, number, text);
    }
    if (row->points.empty()) return;
    const std::string why = why_not(*row, line);
    last_row_ = line;
    if (why.empty()) {
      add(*row);
    } else {
      gathered_.complain(number, why);
    }
  }

  /// Why a row is not believed that would be by itself.
  std::string why_not(const NcclRow& row, std::string_view line) {
    const std::uint64_t size = row.points[0].size_bytes.value_or(0);
    if (line == last_row_) return "the row before once more";
    if (two_ && row.points[0].buffers == BufferMode::unstated) return "half of a row";
    if (size < last_size_) agree_ = {};  // the next cycle, or another table without a head
    last_size_ = size;
    return agree_.check(row);
  }

  void add(const NcclRow& row) {
    if (!told_) devices_.tell(gathered_.run());
    told_ = true;
    for (Point point : row.points) {
      point.algorithm = algorithm_;
      gathered_.add(point);
    }
  }

  /// Lines that say something of the run without being rows.
  bool remark(std::string_view line) {
    Run& run = gathered_.run();
    if (const auto version = after(line, "# railgauge version ")) {
      run.library = "railgauge " + first_word(*version);
      run.beside_nics.emplace();
    } else if (after(line, "# SOFTWARE DEVICE")) {
      run.not_a_target = kOfSoftware;
    } else if (after(line, "# UNVERIFIED")) {
      run.not_a_target = kOfUnreduced;
    } else if (const auto rule = after(line, "# Split: ")) {
      run.split = *rule;
      run.not_a_target = kOfGroups;
    } else if (after(line, "# SAME-HOST MEMORY")) {
      run.beside_nics = {"memory"};
    } else if (const auto algorithm = after(line, "# Algorithm: ")) {
      algorithm_ = first_word(*algorithm);  // behind it may stand what it was asked for as
    } else if (const auto forced = after(line, "NCCL_ALGO set by environment to ")) {
      const std::string word = lower(first_word(*forced));
      if (is_letters(word)) algorithm_ = word;
    } else if (after(line, "Connected NVLS tree")) {
      add_way("NVLS");
    } else if (after(lower(line), "connected collnet")) {
      add_way("SHARP");
    } else if (const auto nccl = after(line, "NCCL version "); nccl && !first_word(*nccl).empty()) {
      run.library = "NCCL " + first_word(*nccl);
    } else {
      return team(line);
    }
    return true;
  }

  /// What carries data besides the NICs.
  void add_way(const char* name) {
    auto& ways = gathered_.run().beside_nics;
    if (!ways) ways.emplace();
    if (std::ranges::find(*ways, name) == ways->end()) ways->emplace_back(name);
  }

  /// "comm 0x... rank 0 nRanks 2 nNodes 2 ..." of NCCL_DEBUG=INFO.
  bool team(std::string_view line) {
    const auto ranks = after(line, " nRanks ");
    const auto nodes = after(line, " nNodes ");
    if (!ranks || !nodes) return false;
    gathered_.run().ranks = small_number(first_word(*ranks));
    gathered_.run().nodes = small_number(first_word(*nodes));
    return true;
  }

  Gathering gathered_;
  NcclDevices devices_;
  NcclRowsAgree agree_;
  std::string algorithm_;
  std::string last_row_;
  std::uint64_t last_size_ = 0;
  bool two_;
  bool told_ = false;  // ranks and hosts, which stand above the rows
};

bool is_nccl_table(std::string_view text) {
  if (kVendor.recognises(text)) return false;  // some have rows that begin like these
  return std::ranges::any_of(lines_of(text), [](std::string_view line) {
    if (after(line, "Collective test starting:")) return true;
    const auto row = nccl_row(line);
    return row && (!row->points.empty() || row->ranks_parts != 0);
  });
}

LogContent read_nccl_table(std::string_view text, const Stated& /*stated*/) {
  const bool two = std::ranges::any_of(lines_of(text), says_both_placements);
  return NcclTableReader(two).read(text);
}

}  // namespace

const Format kNcclTable{"nccl-table", is_nccl_table, read_nccl_table};

}  // namespace railgauge::verdict
