#include "job/start_up.hpp"

#include <link.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "job/failure.hpp"
#include "verbs/error.hpp"

namespace railgauge::job {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libsoftroce.so";
constexpr const char* kPreload = "LD_PRELOAD";
constexpr rlim_t kLeastDescriptors = 64;
constexpr const char* kStartedAgain = "RAILGAUGE_SOFTROCE_PRELOADED";

bool is_first(std::initializer_list<const char*> rank_variables) {
  for (const char* name : rank_variables) {
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  }
  return true;
}

[[noreturn]] void refuse(const std::string& why) {
  throw RunFailure(results::Failure::Kind::environment, "--device soft: " + why);
}

bool is_loaded() {
  const auto is_softroce = [](dl_phdr_info* object, std::size_t, void*) {
    return fs::path(object->dlpi_name).filename() == kLibrary ? 1 : 0;
  };
  return dl_iterate_phdr(is_softroce, nullptr) != 0;
}

/// Beside this program, as an installation has it or as a build folder has it.
fs::path find_library(const fs::path& program) {
  const fs::path installed = (program.parent_path() / RAILGAUGE_SOFTROCE_FOLDER).lexically_normal();
  const fs::path built = (program.parent_path() / "../lib").lexically_normal();
  for (const fs::path& folder : {installed, built}) {
    if (fs::exists(folder / kLibrary)) return folder / kLibrary;
  }
  refuse("there is no " + std::string(kLibrary) + " in " + installed.string() + " or " +
         built.string() + "; cmake --build build/release --target softroce");
}

/// Behind what is there: a sanitizer's runtime has to come first.
void add_to_preload(const fs::path& library) {
  // LD_PRELOAD's separators (ld.so(8)); it has no way to quote them.
  if (library.string().find_first_of(": ") != std::string::npos) {
    refuse("the loader cannot take a path with a space or a colon: " + library.string());
  }
  const char* before = std::getenv(kPreload);
  const std::string all = before == nullptr || *before == '\0' ? "" : std::string(before) + ":";
  setenv(kPreload, (all + library.string()).c_str(), 1);
}

}  // namespace

bool speaks_for_job() {
  return is_first({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"});
}

bool speaks_for_host() {
  return is_first({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
}

void load_soft_devices(int rails, char** argv) {
  setenv("SOFTROCE_RAILS", std::to_string(rails).c_str(), 1);
  if (is_loaded()) return;
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path library = find_library(program);
  if (std::getenv(kStartedAgain) != nullptr) {
    refuse("the loader does not take " + library.string() +
           " into this program; is it setuid, or has it capabilities?");
  }
  add_to_preload(library);
  setenv(kStartedAgain, "1", 1);
  execv(program.c_str(), argv);
  refuse("cannot start " + program.string() + " again: " + std::strerror(errno));
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  if (limit.rlim_max < kLeastDescriptors) {
    throw RunFailure(
        results::Failure::Kind::environment,
        "this process may have " + std::to_string(limit.rlim_max) +
            " file descriptors (`ulimit -Hn`), and MPI and one device alone take up to " +
            std::to_string(kLeastDescriptors) + "; " + std::string(verbs::descriptor_remedy()));
  }
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string launcher(std::string_view name) {
  const std::string installed = "railgauge-" + std::string(name);
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  return fs::exists(folder / installed) ? installed : "launchers/" + std::string(name);
}

}  // namespace railgauge::job
