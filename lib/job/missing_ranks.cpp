#include "job/missing_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "finding/number_in.hpp"
#include "job/process_state.hpp"

namespace railgauge::job {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kJob = "PMIX_NAMESPACE";
constexpr std::string_view kRank = "PMIX_RANK";

/// The value of a variable in what PROC/PID/environ holds: "NAME=value", each with a zero behind.
std::string value_of(const std::string& environment, std::string_view name) {
  std::size_t at = 0;
  while (at < environment.size()) {
    const std::string_view entry(environment.c_str() + at);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) {
      return std::string(entry.substr(name.size() + 1));
    }
    at += entry.size() + 1;
  }
  return "";
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The name of the program that a process runs; "" if that cannot be read.
std::string program_of(const fs::path& process) {
  std::error_code unreadable;
  return fs::read_symlink(process / "exe", unreadable).filename().string();
}

/// What a process says for its rank.
LocalRank seen(int rank, int pid, const std::string& own_program, const fs::path& proc) {
  LocalRank found{.rank = rank, .pid = pid};
  const std::string program = program_of(proc / std::to_string(pid));
  const std::string process = "its process " + std::to_string(pid);
  if (program != own_program) {
    found.state = process + " runs " + program + ", not " + own_program;
  } else if (state_of_process(pid, proc) == ProcessState::stopped) {
    found.state = process + " is stopped: by SIGSTOP, a terminal or a debugger";
  } else {
    found.started = true;
  }
  return found;
}

/// Of a rank's processes the one that runs the program counts, whatever state it is in; of others
/// the last, which is the innermost of wrappers.
bool says_more(const LocalRank& one, const LocalRank& other) {
  const auto runs_other = [](const LocalRank& rank) {
    return rank.state.find(" runs ") != std::string::npos;
  };
  if (runs_other(one) != runs_other(other)) return runs_other(other);
  return one.pid > other.pid;
}

/// -1 if it has not said, or no number.
int said_by_launcher(std::string_view variable) {
  const char* const said = std::getenv(std::string(variable).c_str());
  return said == nullptr ? -1 : finding::number_in<int>(said).value_or(-1);
}

/// The number of a rank of this job in what PROC/PID/environ holds.
std::optional<int> rank_in(const std::string& environment, const char* job) {
  if (value_of(environment, kJob) != job) return std::nullopt;
  return finding::number_in<int>(value_of(environment, kRank));
}

}  // namespace

int own_rank() {
  return said_by_launcher(kRank);
}

int ranks_of_job() {
  return said_by_launcher("OMPI_COMM_WORLD_SIZE");
}

int ranks_of_host() {
  return said_by_launcher("OMPI_COMM_WORLD_LOCAL_SIZE");
}

bool earlier_ranks_live(const std::vector<LocalRank>& ranks) {
  const char* const local = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  const auto is_earlier = [](const LocalRank& one) { return one.rank < own_rank(); };
  return local != nullptr &&
         finding::number_in<int>(local) == std::ranges::count_if(ranks, is_earlier);
}

bool earlier_rank_runs(const fs::path& proc) {
  const char* const job = std::getenv(std::string(kJob).c_str());
  if (job == nullptr) return false;
  const std::string own_program = program_of("/proc/self");
  std::error_code unreadable;
  return std::ranges::any_of(fs::directory_iterator(proc, unreadable), [&](const auto& entry) {
    const auto pid = finding::number_in<int>(entry.path().filename().string());
    if (!pid || program_of(entry.path()) != own_program) return false;
    const auto rank = rank_in(content(entry.path() / "environ"), job);
    return rank && *rank < own_rank() && seen(*rank, *pid, own_program, proc).started;
  });
}

std::vector<LocalRank> local_ranks(const fs::path& proc) {
  const char* const job = std::getenv(std::string(kJob).c_str());
  if (job == nullptr) return {};
  const std::string own_program = program_of("/proc/self");
  std::map<int, LocalRank> ranks;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(proc, unreadable)) {
    const auto pid = finding::number_in<int>(entry.path().filename().string());
    if (!pid) continue;
    const auto rank = rank_in(content(entry.path() / "environ"), job);
    if (!rank) continue;
    LocalRank found = seen(*rank, *pid, own_program, proc);
    const auto [known, is_new] = ranks.try_emplace(*rank, found);
    if (!is_new && says_more(found, known->second)) known->second = std::move(found);
  }
  std::vector<LocalRank> all;
  std::ranges::transform(ranks, std::back_inserter(all), [](auto& one) { return one.second; });
  return all;
}

}  // namespace railgauge::job
