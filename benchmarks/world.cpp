#include "benchmarks/world.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

namespace railgauge::benchmarks {
namespace {

using transport::Bytes;
using Clock = std::chrono::steady_clock;

// A wait for MPI first polls, which answers within microseconds when the others are near, and then
// sleeps, because its processor may be what they are waiting for.
constexpr int kPolls = 1000;
constexpr std::chrono::microseconds kSleep{100};

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

World::World(int& argc, char**& argv, std::chrono::seconds limit)
    : limit_(limit), host_(host_name()) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rank_ = static_cast<transport::Rank>(rank);
  ranks_ = static_cast<transport::Rank>(ranks);
  alarm_ = std::make_unique<Alarm>(MPI_COMM_WORLD, host_);
}

World::~World() {
  MPI_Finalize();
}

void World::await(MPI_Request& request, const char* what) {
  const auto give_up = Clock::now() + limit_;
  for (int polls = 0;; ++polls) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    alarm_->check();
    if (polls < kPolls) continue;
    if (Clock::now() > give_up) {
      throw RunFailure(results::Failure::Kind::time_out,
                       std::string("the other ranks did not come to ") + what + " within " +
                           std::to_string(limit_.count()) + " s");
    }
    std::this_thread::sleep_for(kSleep);
  }
}

std::vector<Bytes> World::all_gather(std::span<const std::byte> own) {
  const int size = static_cast<int>(own.size());
  std::vector<int> sizes(ranks_);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
  await(request, "an exchange");
  std::vector<int> begins(ranks_);
  int total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) begins[i] = std::exchange(total, total + sizes[i]);
  Bytes all(static_cast<std::size_t>(total));
  MPI_Iallgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE,
                  MPI_COMM_WORLD, &request);
  await(request, "an exchange");
  std::vector<Bytes> lists;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    lists.emplace_back(all.begin() + begins[i], all.begin() + begins[i] + sizes[i]);
  }
  return lists;
}

void World::barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  await(request, "a barrier");
}

std::vector<double> World::maximum(std::span<const double> own) {
  std::vector<double> most(own.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ireduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX, 0,
              MPI_COMM_WORLD, &request);
  await(request, "the gathering of times");
  return most;
}

std::uint64_t World::sum(std::uint64_t own) {
  std::uint64_t total = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&own, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  await(request, "the count of wrong elements");
  return total;
}

void World::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

}  // namespace railgauge::benchmarks
