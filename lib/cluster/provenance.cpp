#include "cluster/provenance.hpp"

#include <link.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "job/exchanged_values.hpp"

namespace railgauge::cluster {
namespace {

constexpr std::array<std::string_view, 7> kPrefixes{
    "RAILGAUGE_", "SOFTROCE_", "OMPI_MCA_btl", "RDMAV_", "IBV_FORK", "MLX5_", "SLURM_JOB_NUM"};
constexpr std::array<std::string_view, 5> kNames{"SLURM_JOB_ID", "SLURM_NTASKS", "OMP_NUM_THREADS",
                                                 "OMPI_COMM_WORLD_SIZE", "LD_PRELOAD"};

bool tells(std::string_view name) {
  return std::ranges::count(kNames, name) > 0 ||
         std::ranges::any_of(kPrefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

/// The file of a loaded library tells its version: libibverbs.so.1 is a link to
/// libibverbs.so.1.14.44.0.
int note_libibverbs(dl_phdr_info* library, std::size_t, void* path) {
  const std::string_view name = library->dlpi_name;
  if (name.find("libibverbs.so") != std::string_view::npos) {
    *static_cast<std::string*>(path) = name;
  }
  return 0;
}

std::string libibverbs_version() {
  std::string path;
  ::dl_iterate_phdr(note_libibverbs, &path);
  std::error_code unknown;
  const std::string file = std::filesystem::canonical(path, unknown).filename();
  constexpr std::string_view kBefore = "libibverbs.so.";
  return file.starts_with(kBefore) ? file.substr(kBefore.size()) : "";
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(": ") + 2));
  }
  return "";
}

results::Host describe(const std::string& name) {
  utsname system{};
  ::uname(&system);
  return {name,        system.release,       system.machine,
          processor(), libibverbs_version(), job::mpi_version()};
}

}  // namespace

std::map<std::string, std::string> relevant_environment() {
  std::map<std::string, std::string> telling;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !tells(text.substr(0, equals))) continue;
    telling.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return telling;
}

std::vector<results::Host> describe_hosts(job::Communicator& communicator,
                                          const std::vector<results::Rank>& ranks) {
  std::vector<results::Host> own;
  if (ranks[communicator.rank()].local_rank == 0) own = {describe(communicator.host())};
  return job::all_gather_list(communicator, own);
}

}  // namespace railgauge::cluster
