#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "verdict/logs/formats.hpp"
#include "verdict/logs/table.hpp"

namespace railgauge::verdict {
namespace {

std::uint64_t bytes_of(const std::string& type) {
  static const std::map<std::string, std::uint64_t> kBytes{
      {"int8", 1}, {"half", 2}, {"float", 4}, {"double", 8}};
  const auto found = kBytes.find(type);
  if (found != kBytes.end()) return found->second;
  throw std::invalid_argument(
      "Gloo's table counts elements and does not say of which type they are: say --type int8, "
      "half, float or double");
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

/// "processes=4, inputs=1": the number behind a name.
std::optional<int> option(std::string_view line, std::string_view name) {
  const auto value = after(line, name);
  return value ? small_number(value->substr(0, value->find_first_of(", "))) : std::nullopt;
}

class GlooReader final : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  bool statement(std::string_view line) override {
    const bool ruled = std::exchange(ruled_, line.starts_with("===="));
    if (const auto name = after(line, "Algorithm:")) {
      begin_test(std::string(*name));
    } else if (ruled && words_of(line).size() == 1) {
      begin_test(lower(first_word(line)));  // since 2021 the title, in capital letters
    } else if (const auto processes = option(line, "processes=")) {
      run().ranks = processes;
      alone_ =
          option(line, "inputs=").value_or(1) == 1 && option(line, "threads=").value_or(1) == 1;
    } else {
      return ruled_;
    }
    return true;
  }

  void begin_test(const std::string& name) {
    Run next{.library = "Gloo"};
    common_ = {.type = stated_.type};
    read_algorithm(name, next, common_.algorithm);
    begin(next, is_another_thing(name) ? name + " is no collective as others measure it" : "");
    alone_ = true;
  }

  [[nodiscard]] std::string why_other_head() const override {
    constexpr std::size_t kFewest = 6;  // elements, four times, samples
    if (head().size() < kFewest) return "the head lacks columns";
    return alone_ ? "" : "several inputs or threads go at the same time";
  }

  /// As nccl-tests counts: all ranks' parts. Gloo's all-to-all has 8 bytes an element, whatever it
  /// prints (benchmark/main.cc, AllToAllBenchmark).
  std::string complete(TableRow& row) override {
    const std::string& collective = run().collective;
    Point& point = row.point;
    if (!point.size_bytes) point.size_bytes = *row.count * bytes_of(stated_.type);
    if (collective == "alltoall") point.size_bytes = *row.count * sizeof(std::uint64_t);
    const bool a_part =
        collective == "all_gather" || collective == "scatter" || collective == "alltoall";
    if (a_part) *point.size_bytes *= static_cast<std::uint64_t>(run().ranks.value_or(1));
    work_out_bandwidths(point, run());
    return "";
  }

  bool alone_ = true;  // one input, one thread
  bool ruled_ = false;
};

}  // namespace

const Format kGloo{"gloo", has_line<is_head>, read_by<GlooReader>};

}  // namespace railgauge::verdict
