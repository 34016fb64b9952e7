#include "verdict/logs/formats.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "json/fields.hpp"
#include "verdict/logs/json_records.hpp"

namespace railgauge::verdict {
namespace {

using json::Json;

/// A record of the file: values by the names of their columns, in lower-case letters only, as
/// versions and forms differ in everything else ("algBw", "algbw", " \"busBw\"", "#wrong").
using Record = std::map<std::string, std::string>;

struct Numbered {
  std::size_t line;
  Record record;
};

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else if (c != ' ' && c != '"') {
      cells.back() += c;
    }
  }
  return cells;
}

Record record_of(const Json& object) {
  Record record;
  for (const auto& [name, value] : object.items()) {
    record[plain(name)] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return record;
}

/// With MPI, versions of 2025-07 to 2026-05 wrote a head without the column "nodes" above records
/// that have it (github.com/ROCm/rocm-systems, pull request 6004).
std::vector<std::string> head_of(const std::vector<std::string_view>& lines) {
  std::vector<std::string> head = cells_of(lines.empty() ? "" : lines[0]);
  const auto ranks = std::ranges::find(head, "ranks");
  const bool longer = lines.size() > 1 && cells_of(lines[1]).size() == head.size() + 1;
  if (ranks != head.end() && longer && std::ranges::find(head, "nodes") == head.end()) {
    head.insert(ranks, "nodes");
  }
  return head;
}

std::vector<Numbered> records_in_csv(const std::vector<std::string_view>& lines,
                                     Complaints& complaints) {
  const std::vector<std::string> head = head_of(lines);
  std::vector<Numbered> records;
  for (std::size_t at = 1; at < lines.size(); ++at) {
    const std::vector<std::string> cells = cells_of(lines[at]);
    if (lines[at].empty() || lines[at] == lines[0]) continue;  // a run that was appended
    if (cells.size() != head.size()) {
      complaints.push_back({at + 1, "a record of " + std::to_string(cells.size()) +
                                        " columns; the head has " + std::to_string(head.size())});
      continue;
    }
    records.push_back({at + 1, {}});
    for (std::size_t i = 0; i < cells.size(); ++i) records.back().record[plain(head[i])] = cells[i];
  }
  return records;
}

std::vector<Numbered> records_in(std::string_view text, Complaints& complaints) {
  const bool json = text.starts_with('{') || text.starts_with('[');
  if (!json) return records_in_csv(lines_of(text), complaints);
  std::vector<Numbered> records;
  for (const JsonRecord& one : json_records(text, complaints)) {
    records.push_back({one.line, record_of(one.json)});
  }
  return records;
}

/// Whether algbw is size over time; both were rounded.
bool is_rate(const Point& point) {
  constexpr double kLastDigit = 0.0101;
  constexpr double kTolerance = 0.01;
  const double algbw = point.algbw_gigabytes_per_second.value_or(-1);
  const double rate = static_cast<double>(*point.size_bytes) / *point.time_us / 1e3;
  return std::abs(algbw - rate) <= kLastDigit + kTolerance * rate;
}

std::string either(const Record& record, const char* name, const char* other) {
  const auto found = record.find(name);
  if (found != record.end()) return found->second;
  const auto second = record.find(other);
  return second == record.end() ? "" : second->second;
}

Run run_of(const Record& record) {
  Run run;
  run.collective = collective_called(either(record, "name", "collective"));
  run.ranks = small_number(either(record, "ranks", "gpus"));  // with MPI: processes
  const auto each = small_number(either(record, "gpusperrank", ""));
  if (run.ranks && each) run.ranks = *run.ranks * *each;
  run.nodes = small_number(either(record, "nodes", ""));
  run.library = "RCCL";
  run.name = either(record, "numcycle", "");
  return run;
}

/// What of a record is wrong data; empty if nothing is.
std::string wrong_data_in(const Record& record) {
  const std::string wrong = either(record, "wrong", "");
  if (number(wrong).value_or(0) >= 1) return wrong + " elements are wrong";
  for (const char* const name : {"time", "algbw", "busbw", "wrong"}) {
    const std::string value = either(record, name, "");
    if (is_impossible(value)) return std::string(name) + " is " + value;
  }
  return "";
}

/// The point of a record; or why it has none.
std::string read_point(const Record& record, Point& point) {
  const std::string in_place = either(record, "inplace", "");
  if (in_place != "0" && in_place != "1") return "inplace is neither 0 nor 1";
  point.buffers = in_place == "1" ? BufferMode::in_place : BufferMode::out_of_place;
  point.size_bytes = whole_number(either(record, "size", ""));
  point.type = either(record, "type", "");
  point.op = either(record, "redop", "");
  point.time_us = number(either(record, "time", ""));
  point.algbw_gigabytes_per_second = number(either(record, "algbw", ""));
  point.busbw_gigabytes_per_second = number(either(record, "busbw", ""));
  if (!point.size_bytes || !point.time_us || !point.busbw_gigabytes_per_second) {
    return "size, time or busbw is no number";
  }
  if (*point.time_us <= 0) return "time is not above zero";
  return is_rate(point) ? "" : "algbw is not size over time";
}

void add(const Record& record, const Point& point, std::vector<Run>& runs) {
  const Run run = run_of(record);
  const auto same = [&](const Run& other) {
    return other.collective == run.collective && other.ranks == run.ranks && other.name == run.name;
  };
  auto found = std::find_if(runs.rbegin(), runs.rend(), same);
  if (found == runs.rend()) {
    runs.push_back(run);
    found = runs.rbegin();
  }
  found->points.push_back(point);
}

bool is_rccl(std::string_view text) {
  const std::string first = plain(text.substr(0, 4096));
  return first.find("inplace") != std::string::npos && first.find("busbw") != std::string::npos &&
         (text.starts_with('{') || text.starts_with('[') ||
          text.substr(0, text.find('\n')).find(',') != std::string_view::npos);
}

LogContent read_rccl(std::string_view text, const Stated& /*stated*/) {
  LogContent content;
  for (const auto& [line, record] : records_in(text, content.complaints)) {
    Point point;
    const std::string wrong = wrong_data_in(record);
    if (!wrong.empty()) tell_end(content, Ended::wrong_data, line, wrong);
    const std::string why = wrong.empty() ? read_point(record, point) : wrong;
    if (why.empty()) {
      add(record, point, content.runs);
    } else {
      content.complaints.push_back({line, why});
    }
  }
  for (std::size_t at = 0; at < content.runs.size(); ++at) {
    content.runs[at].name = std::to_string(at + 1);
  }
  return content;
}

}  // namespace

const Format kRccl{"rccl", is_rccl, read_rccl};

}  // namespace railgauge::verdict
