#include "job/job_leader.hpp"

#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace railgauge::job {
namespace {

bool is_first(std::initializer_list<const char*> rank_variables) {
  for (const char* name : rank_variables) {
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  }
  return true;
}

}  // namespace

bool speaks_for_job() {
  return is_first({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"});
}

bool speaks_for_host() {
  return is_first({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
}

}  // namespace railgauge::job
