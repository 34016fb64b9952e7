// Workloads of SimAI as text. Line 1: "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2
// ep: 16 pp: 12 vpp: 8 ga: 24 all_gpus: 9216 ...". Line 2: the number of rows. A row has 12
// columns: name, -1, then time (ns), collective and bytes of the forward pass, the same of input
// gradients, of weight gradients, and the time of an update. Bytes are of the whole collective.
// Collectives are ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or NONE; of the tensor-parallel
// group, and those of weight gradients of the data-parallel one, unless _EP or _DP_EP is appended.
// Sources: aliyun/SimAI, astra-sim/workload/Workload.cc; aliyun/aicb,
// workload_generator/SimAI_training_workload_generator.py.
//
// It serves any number of ranks that tp * ep * pp divides.

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <sstream>
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

class SimaiImport {
 public:
  explicit SimaiImport(const Files& files) : file_(files.front()) {
    if (files.size() != 1)
      throw std::invalid_argument(files[1] + ": is a second file: SimAI has one of all ranks");
    TraceInput input(file_);
    read(input.stream());
  }

  Trace trace() {
    Script script;
    for (const Row& row : rows_) add(row, row.phases[0], script);
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
      add(*row, row->phases[1], script);
      add(*row, row->phases[2], script);
      script.compute(row->update_ns / kNanoseconds);
    }
    Trace made;
    made.workload = {
        .name = "import of SimAI",
        .description = "Rows of SimAI's workload: forward from the first, backward from the last.",
        .parameters = {{"tp", {std::to_string(tp_)}, "ranks of a tensor-parallel group"},
                       {"ep", {std::to_string(ep_)}, "ranks of an expert-parallel group"},
                       {"pp", {std::to_string(pp_)}, "pipeline stages"},
                       {"dp", {"ranks / (tp * pp)"}},
                       {"dp_ep", {"dp / ep"}}},
        .conditions = {
            {{"ranks % (tp * ep * pp) == 0"}, "take a number of ranks that tp * ep * pp divides"}}};
    for (const auto& [of, counted] : script.counted()) {
      made.workload.groups.push_back(group(of));
      made.workload.closed_forms.push_back({of, {sum_of(counted, "ranks")}});
    }
    made.workload.classes = {{.name = "rank", .streams = script.streams()}};
    add_ranks(made);
    return made;
  }

 private:
  struct Phase {
    double compute_ns = 0;
    std::optional<Collective> type{};
    std::string group{};
    std::uint64_t bytes = 0;
  };
  struct Row {
    std::string place{};
    std::array<Phase, 3> phases{};  // forward, input gradients, weight gradients
    double update_ns = 0;
  };
  static constexpr double kNanoseconds = 1000;  // in a microsecond
  static constexpr std::size_t kColumns = 12;

  void read(std::istream& in) {
    std::string line;
    std::getline(in, line);
    read_header(line);
    std::getline(in, line);
    const std::uint64_t rows = number("line 2", line.substr(0, line.find_last_not_of(" \t\r") + 1));
    for (std::size_t at = 3; std::getline(in, line); ++at) {
      std::istringstream words(line);
      std::vector<std::string> cells;
      for (std::string word; words >> word;) cells.push_back(word);
      if (!cells.empty()) rows_.push_back(row("line " + std::to_string(at), cells));
    }
    if (rows_.size() == rows && rows > 0) return;
    refuse(file_, "line 2",
           "says that there are " + finding::counted(rows, "row") + ", and there are " +
               std::to_string(rows_.size()));
  }

  [[nodiscard]] std::uint64_t number(const std::string& place, const std::string& text) const {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 46U;
    const auto value = finding::number_in<std::uint64_t>(text);
    if (value && *value <= kMost) return *value;
    refuse(file_, place, "has '" + text + "' where a whole number is expected");
  }

  /// "ep: 16", anywhere in the line.
  [[nodiscard]] std::uint64_t value_in(const std::string& line, const std::string& name) const {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word != name + ":") continue;
      words >> word;
      const std::uint64_t value = number("line 1", word);
      if (value > 0 && value <= kMostRanks) return value;
      break;
    }
    refuse(file_, "line 1", "has no '" + name + ": NUMBER' above 0");
  }

  void read_header(const std::string& line) {
    if (!line.starts_with("HYBRID_TRANSFORMER"))
      refuse(file_, "line 1",
             "does not begin with HYBRID_TRANSFORMER_FWD_IN_BCKWD: it is of "
             "another parallelism, or no workload of SimAI");
    tp_ = value_in(line, "model_parallel_NPU_group");
    ep_ = value_in(line, "ep");
    pp_ = value_in(line, "pp");
    ranks_ = value_in(line, "all_gpus");
    if (ranks_ % (tp_ * ep_ * pp_) != 0)
      refuse(file_, "line 1",
             "has " + std::to_string(ranks_) + " GPUs, which tp " + std::to_string(tp_) + " * ep " +
                 std::to_string(ep_) + " * pp " + std::to_string(pp_) + " does not divide");
    if (pp_ > 1)
      assumptions_.insert(
          "All pipeline stages do the same, without transfers: the rows are of one stage.");
    if (value_in(line, "ga") > 1)
      assumptions_.insert("Every row occurs once, whatever ga and vpp are.");
  }

  Row row(const std::string& place, const std::vector<std::string>& cells) {
    Row made{.place = place + " (" + cells[0] + ")"};
    if (cells.size() != kColumns)
      refuse(file_, made.place,
             "has " + finding::counted(cells.size(), "column") + ": expected " +
                 std::to_string(kColumns));
    for (std::size_t at = 0; at < made.phases.size(); ++at) {
      Phase& phase = made.phases[at];
      phase.compute_ns = static_cast<double>(number(made.place, cells[2 + 3 * at]));
      phase.bytes = number(made.place, cells[4 + 3 * at]);
      read_collective(made.place, cells[3 + 3 * at], at == 2 ? "dp" : "tp", phase);
    }
    made.update_ns = static_cast<double>(number(made.place, cells.back()));
    return made;
  }

  void read_collective(const std::string& place, const std::string& word, const std::string& group,
                       Phase& phase) const {
    if (word == "NONE") return;
    struct Spelling {
      std::string_view name;
      Collective type;
    };
    static constexpr std::array kTypes{Spelling{"ALLREDUCE", Collective::all_reduce},
                                       Spelling{"ALLGATHER", Collective::all_gather},
                                       Spelling{"REDUCESCATTER", Collective::reduce_scatter},
                                       Spelling{"ALLTOALL", Collective::all_to_all}};
    const std::string name = word.substr(0, word.find('_'));
    const std::string suffix = word.substr(name.size());
    const auto* const found = std::ranges::find(kTypes, name, &Spelling::name);
    if (found == kTypes.end() || (!suffix.empty() && suffix != "_EP" && suffix != "_DP_EP"))
      refuse(file_, place, "has '" + word + "', which is no collective that is known");
    phase.type = found->type;
    phase.group = suffix.empty() ? group : suffix == "_EP" ? "ep" : "dp_ep";
  }

  void add(const Row& row, const Phase& phase, Script& script) {
    script.compute(phase.compute_ns / kNanoseconds);
    if (!phase.type) return;
    if (phase.bytes == 0) refuse(file_, row.place, "has a collective of 0 bytes");
    const bool is_cut = schedule::traits(*phase.type).size == schedule::SizeRule::per_rank;
    const std::string size = std::to_string(phase.bytes);
    const std::string unit = is_cut ? "(2 * " + phase.group + ")" : "2";
    if (phase.bytes % (2 * (is_cut ? members(phase.group) : 1)) != 0)
      assumptions_.insert("Sizes are filled up to whole elements of two bytes for each rank.");
    script.collective(*phase.type, phase.group, "ceil(" + size + ", " + unit + ") * " + unit, size);
  }

  [[nodiscard]] std::uint64_t members(const std::string& group) const {
    if (group == "tp") return tp_;
    if (group == "ep") return ep_;
    return ranks_ / (tp_ * pp_ * (group == "dp" ? 1 : ep_));
  }

  static Group group(const std::string& name) {
    const std::string stride = name == "tp" ? "1" : name == "dp_ep" ? "tp * ep" : "tp";
    return {.name = name, .size = {name}, .stride = {stride}};
  }

  /// Those of the file, or the fewest, if the proof of those would take too long.
  void add_ranks(Trace& made) {
    constexpr std::uint64_t kMostProved = 4'000'000;
    constexpr std::uint64_t kPerRow = 7;  // operations, at most
    const bool is_small = ranks_ * rows_.size() * kPerRow <= kMostProved;
    made.ranks = static_cast<Rank>(is_small ? ranks_ : tp_ * ep_ * pp_);
    if (made.ranks != ranks_)
      assumptions_.insert("Bytes are those of " + finding::counted(made.ranks, "rank") +
                          ", for which it is proved; the file is of " + std::to_string(ranks_) +
                          ".");
    made.workload.assumptions.assign(assumptions_.begin(), assumptions_.end());
  }

  static constexpr std::uint64_t kMostRanks = 1 << 20;
  std::string file_;
  std::vector<Row> rows_{};
  std::uint64_t tp_ = 1;
  std::uint64_t ep_ = 1;
  std::uint64_t pp_ = 1;
  std::uint64_t ranks_ = 1;
  std::set<std::string> assumptions_{
      "Nothing overlaps: a rank does forward passes from the first row, then backward from the "
      "last.",
      "Ranks of groups are in the order of Megatron-LM: tp, dp (its inner part ep), pp."};
};

}  // namespace

Trace simai(const Files& files) {
  return SimaiImport(files).trace();
}

}  // namespace railgauge::workload::traces
