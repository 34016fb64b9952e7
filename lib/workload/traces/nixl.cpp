// Traffic matrices of NIXL's kvbench: a YAML file that lists "traffic_patterns", each with a
// "matrix_file" (next to it) and perhaps "sleep_before_launch_sec" and "sleep_after_launch_sec"; or
// the matrices themselves, in order. A matrix has a line for each rank: the bytes that it sends to
// each, as numbers that blanks separate, with or without K, M or G. Sources: ai-dynamo/nixl,
// benchmark/kvbench (test/traffic_pattern.py, and the documentation of its matrices).
//
// Patterns come one after the other. The ranks that one has traffic for meet in a barrier, sleep,
// and transfer all of it at once: an alltoallv. Of YAML this reads what kvbench writes: a list of
// keys and values, a line each.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "workload/traces/import.hpp"
#include "workload/traces/record.hpp"
#include "workload/traces/trace_input.hpp"

namespace railgauge::workload::traces {
namespace {

class NixlImport {
 public:
  explicit NixlImport(const Files& files) {
    if (files.size() == 1 && (files[0].ends_with(".yaml") || files[0].ends_with(".yml"))) {
      read_patterns(files[0]);
    } else {
      for (const std::string& path : files) patterns_.push_back({.matrix = path, .place = path});
    }
  }

  Record record() {
    for (const Pattern& pattern : patterns_) add(pattern);
    record_.assumptions.assign(assumptions_.begin(), assumptions_.end());
    return std::move(record_);
  }

 private:
  struct Pattern {
    std::string matrix{};
    double before_us = 0;
    double after_us = 0;
    std::string place{};
  };
  using Matrix = std::vector<std::vector<std::uint64_t>>;

  static std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\"'");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t\r\"'") - begin + 1);
  }

  void read_patterns(const std::string& path) {
    TraceInput input(path);
    std::string line;
    bool is_list = false;
    std::size_t inner = 0;  // indentation of a key's own keys, which are not read
    for (std::size_t number = 1; std::getline(input.stream(), line); ++number) {
      line = line.substr(0, line.find(" #"));
      const std::size_t dash = line.find_first_not_of(' ');
      if (dash == std::string::npos || line[dash] == '#') continue;
      const std::string place = path + " line " + std::to_string(number);
      if (!is_list) {
        is_list = trimmed(line).starts_with("traffic_patterns:");
        continue;
      }
      const bool begins = line[dash] == '-';
      if (begins) patterns_.push_back({.place = place});
      const std::size_t indentation = begins ? line.find_first_not_of(" -", dash) : dash;
      if (inner > 0 && indentation >= inner && !begins) continue;
      inner = 0;
      const std::size_t colon = line.find(':');
      if (patterns_.empty() || indentation == std::string::npos || colon == std::string::npos)
        refuse(path, "line " + std::to_string(number),
               "is '" + trimmed(line) +
                   "': expected a list of patterns with "
                   "KEY: VALUE");
      const std::string key = trimmed(line.substr(indentation, colon - indentation));
      const std::string value = trimmed(line.substr(colon + 1));
      if (value.empty()) inner = indentation + 1;
      read_key(path, number, key, value);
    }
    if (patterns_.empty()) refuse(path, "line 1", "begins no list 'traffic_patterns'");
    for (const Pattern& pattern : patterns_) {
      if (pattern.matrix.empty())
        throw std::invalid_argument(pattern.place +
                                    ": has no matrix_file: its traffic is not known");
    }
  }

  void read_key(const std::string& path, std::size_t number, const std::string& key,
                const std::string& value) {
    static const std::set<std::string> kNotTraffic{"mem_type", "shards", "dtype", "id", "metadata"};
    const std::string place = "line " + std::to_string(number);
    Pattern& pattern = patterns_.back();
    if (key == "matrix_file") {
      pattern.matrix = (std::filesystem::path(path).parent_path() / value).string();
    } else if (key == "sleep_before_launch_sec") {
      pattern.before_us = microseconds(path, place, value);
    } else if (key == "sleep_after_launch_sec" || key == "decode_compute_sec") {
      pattern.after_us = microseconds(path, place, value);
    } else if (key == "xfer_op") {
      if (value != "WRITE")
        assumptions_.insert(
            "A READ is sent by who has the data: bytes and directions are the same.");
    } else if (!kNotTraffic.contains(key)) {
      refuse(path, place, "has '" + key + "', of which the traffic is not known");
    }
  }

  static double microseconds(const std::string& path, const std::string& place,
                             const std::string& text) {
    if (text == "null" || text == "~") return 0;
    constexpr double kSecond = 1e6;
    const double seconds = finding::number_in<double>(text).value_or(-1);
    if (seconds >= 0 && seconds < kSecond) return seconds * kSecond;
    refuse(path, place, "has a time of '" + text + "' seconds");
  }

  std::uint64_t cell(const std::string& path, const std::string& place, const std::string& word) {
    std::string_view digits = word;
    double unit = 1;
    static const std::map<char, double> kUnits{
        {'K', 1024.0}, {'M', 1024.0 * 1024}, {'G', 1024.0 * 1024 * 1024}};
    const auto found = kUnits.find(static_cast<char>(std::toupper(word.back())));
    if (found != kUnits.end()) {
      unit = found->second;
      digits.remove_suffix(1);
      assumptions_.insert("K, M and G are powers of 1,024.");
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 46U;
    const double bytes = finding::number_in<double>(digits).value_or(-1) * unit;
    if (bytes >= 0 && bytes <= double{kMost} &&
        bytes == static_cast<double>(static_cast<std::uint64_t>(bytes)))
      return static_cast<std::uint64_t>(bytes);
    refuse(path, place, "has '" + word + "', which is no number of bytes");
  }

  Matrix matrix_in(const std::string& path) {
    TraceInput input(path);
    Matrix matrix;
    std::vector<std::string> places;
    std::string line;
    for (std::size_t number = 1; std::getline(input.stream(), line); ++number) {
      std::istringstream words(line);
      std::vector<std::uint64_t> row;
      const std::string place = "line " + std::to_string(number);
      for (std::string word; words >> word;) row.push_back(cell(path, place, word));
      if (row.empty()) continue;
      matrix.push_back(std::move(row));
      places.push_back(place);
    }
    for (std::size_t at = 0; at < matrix.size(); ++at) {
      if (matrix[at].size() != matrix.size())
        refuse(path, places[at],
               "has " + finding::counted(matrix[at].size(), "number") + ": expected " +
                   std::to_string(matrix.size()) + ", one for each rank");
    }
    if (record_.ranks.empty()) record_.ranks.resize(matrix.size());
    if (matrix.empty() || matrix.size() != record_.ranks.size())
      refuse(path, "line 1",
             "begins a matrix of " + finding::counted(matrix.size(), "rank") + ": expected " +
                 std::to_string(record_.ranks.size()));
    return matrix;
  }

  /// Ranks that a matrix has traffic for.
  static std::vector<Rank> members(const Matrix& matrix) {
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < matrix.size(); ++rank) {
      const auto has = [&](const auto& row) { return row[rank] > 0; };
      if (std::ranges::any_of(matrix, has) ||
          std::ranges::any_of(matrix[rank], [](std::uint64_t bytes) { return bytes > 0; }))
        ranks.push_back(rank);
    }
    return ranks;
  }

  void add(const Pattern& pattern) {
    const Matrix matrix = matrix_in(pattern.matrix);
    const auto ranks = members(matrix);
    if (ranks.empty()) refuse(pattern.matrix, "line 1", "begins a matrix without traffic");
    std::string key = "all";
    if (ranks.size() != matrix.size()) {
      const auto [known, is_new] =
          keys_.emplace(ranks, "ranks " + std::to_string(keys_.size() + 1));
      key = known->second;
    }
    record_.groups[key] = {key, ranks};
    for (const Rank from : ranks) {
      RankRecord& rank = record_.ranks[from];
      rank.file = pattern.matrix;
      Exchange meets{.group = key, .place = "row " + std::to_string(from)};
      Exchange moves = meets;
      moves.type = schedule::Collective::all_to_all;
      for (const Rank to : ranks) {
        moves.sent.push_back(matrix[from][to]);
        moves.bytes += matrix[from][to];
      }
      do_alone(std::move(meets), rank);
      rank.compute(pattern.before_us);
      do_alone(std::move(moves), rank);
      rank.compute(pattern.after_us);
    }
  }

  static void do_alone(Exchange exchange, RankRecord& rank) {
    rank.exchanges.push_back(std::move(exchange));
    rank.begin(rank.exchanges.size() - 1);
    rank.end(rank.exchanges.size() - 1);
  }

  std::vector<Pattern> patterns_{};
  std::map<std::vector<Rank>, std::string> keys_{};
  Record record_{};
  std::set<std::string> assumptions_{
      "The ranks of a pattern meet in a barrier before it, as in kvbench."};
};

}  // namespace

Trace nixl(const Files& files) {
  const Record record = NixlImport(files).record();
  return {workload_of(record, "import of NIXL traffic"), static_cast<Rank>(record.ranks.size())};
}

}  // namespace railgauge::workload::traces
