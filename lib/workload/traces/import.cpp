#include "workload/traces/import.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "workload/check.hpp"
#include "workload/job.hpp"

namespace railgauge::workload::traces {
namespace {

constexpr std::array kFormats{
    TraceFormat{"kineto", "traces of PyTorch's profiler, one of each rank", "rank*.json.gz",
                kineto},
    TraceFormat{"chakra", "execution traces of Chakra, one of each rank, and their groups",
                "job.*.et groups.json", chakra},
    TraceFormat{"aicb", "AICB's CSV, one of each pipeline stage", "stage*.csv", aicb},
    TraceFormat{"simai", "SimAI's workload, one file of all ranks", "workload.txt", simai},
    TraceFormat{"nixl", "traffic of NIXL's kvbench, its YAML or the matrices in it",
                "metadata.yaml", nixl},
    TraceFormat{"mooncake", "requests of Mooncake's open traces, JSON lines", "requests.jsonl",
                mooncake}};

/// As as_json() has it, one class after the other: of a large trace they are most of memory.
std::string text_of(Workload& workload) {
  const std::vector<RankClass> classes = std::exchange(workload.classes, {RankClass{}});
  const std::string around = as_json(workload).dump(1) + "\n";
  const std::string before = "\n \"classes\": [";
  const std::size_t at = around.find(before) + before.size();
  std::string text = around.substr(0, at);
  for (const RankClass& one : classes) {
    workload.classes = {one};
    const std::string document = as_json(workload).dump(1);
    const std::size_t begin = document.find(before) + before.size();
    text += (&one == classes.data() ? "" : ",") +
            document.substr(begin, document.find("\n ]", begin) - begin);
  }
  return text + around.substr(around.find("\n ]", at));
}

/// The bytes of a step.
std::map<std::string, std::uint64_t> proved(const Workload& workload, Rank ranks) {
  const Job job = job_of(workload, ranks);
  check(workload, job);
  return bytes_by_name(job);
}

}  // namespace

std::span<const TraceFormat> formats() {
  return kFormats;
}

Document document_of(const TraceFormat& format, const Files& files) {
  auto [workload, ranks] = format.read(files);
  workload.sources = files;
  workload.file = "import of " + files.front();
  check_document(workload);
  Document made{
      .ranks = ranks, .assumptions = workload.assumptions, .bytes = proved(workload, ranks)};
  made.text = text_of(workload);
  return made;
}

}  // namespace railgauge::workload::traces
