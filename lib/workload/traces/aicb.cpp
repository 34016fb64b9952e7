// Workloads of Alibaba's AICB as CSV. Line 1 says whose it is: "[rank0 ~ rank127]", or the ranks of
// a pipeline stage; each stage has a file. Line 2 names columns, of which comm_type, comm_group,
// comm_group_size, msg_size (bytes of the whole collective), additional (send_next, recv_prev, ...)
// and _elapsed_time count. A group is a name and a size; its ranks are Megatron-LM's: tp next to
// each other, then cp, then dp (of which ep is the inner part), then pp. Elements have two bytes,
// and sizes are filled up to whole elements for each rank, as AICB does when it runs them. Sources:
// aliyun/aicb, utils/utils.py, workload_applyer.py, workload/physical.
//
// A rank does one line after the other. Sends and receives that follow each other are under way
// together. All lines are one step, initialization among them.

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "workload/traces/import.hpp"
#include "workload/traces/record.hpp"
#include "workload/traces/script.hpp"
#include "workload/traces/trace_input.hpp"

namespace railgauge::workload::traces {
namespace {

using schedule::Collective;

/// Cells of a line; one that has commas is in quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// "tp_group" of "CommGroup.tp_group".
std::string after_dot(const std::string& word) {
  return word.substr(word.rfind('.') + 1);
}

class AicbImport {
 public:
  explicit AicbImport(const Files& files) {
    for (const std::string& path : files) read(path);
    std::ranges::sort(stages_, {}, &Stage::first);
    for (const Stage& stage : stages_) {
      if (stage.first != ranks_)
        throw std::invalid_argument(stage.file + ": begins with rank " +
                                    std::to_string(stage.first) + ", and the ranks before it end " +
                                    "before rank " + std::to_string(ranks_) +
                                    ": give each stage once");
      ranks_ = stage.last + 1;
    }
  }

  Trace trace() {
    Workload& made = made_.workload;
    made.name = "import of AICB";
    made.description = "Lines of AICB's CSV as one step, initialization among them.";
    std::map<std::string, std::string> sums;
    for (Stage& stage : stages_) {
      Script script = script_of(stage);
      const std::string ranks = std::to_string(stage.last - stage.first + 1);
      for (const auto& [of, counted] : script.counted()) {
        std::string& sum = sums[of];
        sum += (sum.empty() ? "" : " + ") + sum_of(counted, ranks);
      }
      made.classes.push_back(
          {.name = "ranks " + std::to_string(stage.first) + " to " + std::to_string(stage.last),
           .when = {"rank <= " + std::to_string(stage.last)},
           .streams = script.streams()});
    }
    for (const auto& [of, sum] : sums) made.closed_forms.push_back({of, {sum}});
    made.assumptions.assign(assumptions_.begin(), assumptions_.end());
    made_.ranks = static_cast<Rank>(ranks_);
    return std::move(made_);
  }

 private:
  struct Row {
    std::string place{};
    std::map<std::string, std::string> cells{};  // by column
  };
  struct Stage {
    std::string file{};
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::vector<Row> rows{};
  };

  void read(const std::string& path) {
    TraceInput input(path);
    Stage stage{.file = path};
    std::string line;
    std::getline(input.stream(), line);
    read_ranks(line, stage);
    std::getline(input.stream(), line);
    const auto columns = cells_of(line);
    for (const char* const wanted : {"comm_type", "comm_group", "comm_group_size", "msg_size"}) {
      if (std::ranges::count(columns, wanted) == 0)
        refuse(path, "line 2", std::string("has no column ") + wanted);
    }
    for (std::size_t number = 3; std::getline(input.stream(), line); ++number) {
      const auto cells = cells_of(line);
      if (cells.size() == 1 && cells[0].empty()) continue;
      Row row{.place = "line " + std::to_string(number)};
      if (cells.size() != columns.size())
        refuse(path, row.place,
               "has " + finding::counted(cells.size(), "cell") + ": expected " +
                   std::to_string(columns.size()));
      for (std::size_t at = 0; at < cells.size(); ++at) row.cells[columns[at]] = cells[at];
      row.place += " (" + row.cells["comm_type"] + ")";
      see_size(path, row);
      stage.rows.push_back(std::move(row));
    }
    stages_.push_back(std::move(stage));
  }

  /// "rank0 ~ rank127", or all of them in order.
  static void read_ranks(const std::string& line, Stage& stage) {
    std::vector<std::uint64_t> ranks;
    for (std::size_t at = line.find("rank"); at != std::string::npos; at = line.find("rank", at)) {
      at += 4;
      std::uint64_t rank = 0;
      const auto [last, error] = std::from_chars(line.data() + at, line.data() + line.size(), rank);
      if (error == std::errc{}) ranks.push_back(rank);
    }
    const bool is_range = line.find('~') != std::string::npos && ranks.size() == 2;
    constexpr std::uint64_t kMost = 1 << 20;
    const bool is_whole = !ranks.empty() && ranks.back() >= ranks.front() && ranks.back() < kMost &&
                          (is_range || ranks.back() - ranks.front() + 1 == ranks.size());
    if (!is_whole)
      refuse(stage.file, "line 1",
             "is '" + line.substr(0, 60) + "': expected ranks such as [rank0 ~ rank127]");
    stage.first = ranks.front();
    stage.last = ranks.back();
  }

  static std::uint64_t number(const std::string& file, const Row& row, const std::string& column) {
    const auto found = row.cells.find(column);
    const std::string text = found == row.cells.end() ? "" : found->second;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 46U;
    // pandas writes whole numbers as 8.0, too
    const double value = finding::number_in<double>(text).value_or(-1);
    if (value >= 0 && value <= double{kMost} &&
        value == static_cast<double>(static_cast<std::uint64_t>(value)))
      return static_cast<std::uint64_t>(value);
    refuse(file, row.place, "has " + column + " '" + text + "', which is no whole number");
  }

  static bool is_transfer(const std::string& type) { return type == "isend" || type == "irecv"; }

  /// Groups have one size in all files.
  void see_size(const std::string& file, const Row& row) {
    const std::string type = after_dot(row.cells.at("comm_type"));
    if (type == "computation" || type == "epoch_end" || is_transfer(type)) return;
    const std::string group = after_dot(row.cells.at("comm_group"));
    const std::uint64_t size = number(file, row, "comm_group_size");
    const auto [known, is_new] = sizes_.emplace(group, size);
    if (size == 0 || known->second != size)
      refuse(file, row.place,
             "has a " + group + " of " + finding::counted(size, "rank") +
                 ", and one before it of " + std::to_string(known->second));
  }

  [[nodiscard]] std::uint64_t size_of(const std::string& group) const {
    const auto found = sizes_.find(group);
    return found == sizes_.end() ? 1 : found->second;
  }

  /// From a member to the next.
  [[nodiscard]] std::optional<std::uint64_t> stride_of(const std::string& group) const {
    const std::uint64_t inner = size_of("tp_group") * size_of("cp_group");
    if (group == "tp_group" || group == "ep_tp_group" || group == "all") return 1;
    if (group == "cp_group") return size_of("tp_group");
    if (group == "dp_group" || group == "ep_group") return inner;
    if (group == "ep_dp_group") return inner * size_of("ep_group");
    if (group == "pp_group") return ranks_ / size_of(group);
    return std::nullopt;
  }

  std::string group_of(const Stage& stage, const Row& row) {
    std::string group = after_dot(row.cells.at("comm_group"));
    auto& groups = made_.workload.groups;
    if (std::ranges::find(groups, group, &Group::name) != groups.end()) return group;
    const auto stride = stride_of(group);
    if (!stride)
      refuse(stage.file, row.place,
             "is of group '" + group + "', of which the ranks are not known");
    const std::uint64_t size = size_of(group);
    if (*stride == 0 || ranks_ % (size * *stride) != 0)
      refuse(stage.file, row.place,
             "is of a " + group + " of " + finding::counted(size, "rank") + ", each " +
                 std::to_string(*stride) + " from the next: " + std::to_string(ranks_) +
                 " ranks are no multiple of that");
    groups.push_back(
        {.name = group, .size = {std::to_string(size)}, .stride = {std::to_string(*stride)}});
    return group;
  }

  Script script_of(const Stage& stage) {
    Script script;
    for (const Row& row : stage.rows) add(stage, row, script);
    if (stage.rows.empty()) refuse(stage.file, "line 3", "is missing: it has no operations");
    return script;
  }

  void add(const Stage& stage, const Row& row, Script& script) {
    static const std::map<std::string, Collective> kTypes{
        {"all_reduce", Collective::all_reduce},
        {"all_gather", Collective::all_gather},
        {"all_gather_into_tensor", Collective::all_gather},
        {"reduce_scatter", Collective::reduce_scatter},
        {"reduce_scatter_tensor", Collective::reduce_scatter},
        {"all_to_all", Collective::all_to_all},
        {"broadcast", Collective::broadcast},
        {"reduce", Collective::reduce},
        {"barrier", Collective::barrier}};
    const std::string type = after_dot(row.cells.at("comm_type"));
    if (type == "epoch_end") return;
    if (type == "computation") return add_compute(stage, row, script);
    if (is_transfer(type)) return add_transfer(stage, row, type == "isend", script);
    const auto found = kTypes.find(type);
    if (found == kTypes.end()) refuse(stage.file, row.place, "is of a type that is not known");
    const std::string group = group_of(stage, row);
    if (schedule::rooted(found->second))
      assumptions_.insert("The first rank of a group is the root of " + type + ".");
    script.collective(found->second, group, whole_bytes(stage, row, found->second, group));
  }

  std::string whole_bytes(const Stage& stage, const Row& row, Collective type,
                          const std::string& group) {
    if (type == Collective::barrier) return "";
    const std::uint64_t bytes = number(stage.file, row, "msg_size");
    const bool is_cut = schedule::traits(type).size == schedule::SizeRule::per_rank;
    const std::uint64_t unit =
        (is_cut || schedule::reduces(type) ? 2 : 1) * (is_cut ? size_of(group) : 1);
    const std::uint64_t whole = (bytes + unit - 1) / unit * unit;
    if (whole != bytes)
      assumptions_.insert("Sizes are filled up to whole elements of two bytes for each rank.");
    return std::to_string(whole);
  }

  void add_compute(const Stage& stage, const Row& row, Script& script) {
    const auto time = row.cells.find("_elapsed_time");
    if (time == row.cells.end() || time->second.empty() || time->second == "None") {
      assumptions_.insert("Computations without _elapsed_time take no time.");
      return;
    }
    constexpr double kMost = 1e12;
    const double microseconds = finding::number_in<double>(time->second).value_or(-1);
    if (!(microseconds >= 0 && microseconds < kMost))
      refuse(stage.file, row.place, "has _elapsed_time '" + time->second + "'");
    assumptions_.insert("Times of computations are microseconds.");
    script.compute(microseconds);
  }

  /// With the stage before or after, of which the ranks are as many.
  void add_transfer(const Stage& stage, const Row& row, bool sends, Script& script) {
    const auto found = row.cells.find("additional");
    const std::string told = found == row.cells.end() ? "" : found->second;
    const bool is_next = told.ends_with("next");
    const std::uint64_t ranks = stage.last - stage.first + 1;
    const bool has_peer = is_next ? stage.last + ranks < ranks_ : stage.first >= ranks;
    if ((!is_next && !told.ends_with("prev")) || !has_peer ||
        after_dot(row.cells.at("comm_group")) != "pp_group")
      refuse(stage.file, row.place,
             "is to or from '" + told + "', and there is no such stage: its peer is not known");
    script.transfer(sends, std::string(is_next ? "rank + " : "rank - ") + std::to_string(ranks),
                    is_next == sends ? "next" : "previous", number(stage.file, row, "msg_size"));
  }

  std::vector<Stage> stages_{};
  std::uint64_t ranks_ = 0;
  std::map<std::string, std::uint64_t> sizes_{};  // of groups
  Trace made_{};
  std::set<std::string> assumptions_{
      "Ranks of groups are in the order of Megatron-LM: tp, cp, dp (its inner part ep), pp.",
      "Nothing overlaps but sends and receives that follow each other."};
};

}  // namespace

Trace aicb(const Files& files) {
  return AicbImport(files).trace();
}

}  // namespace railgauge::workload::traces
