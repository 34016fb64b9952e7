#include "benchmarks/peers/sweep.hpp"

#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "measure/histogram.hpp"
#include "measure/sizes.hpp"
#include "measure/statistics.hpp"

namespace railgauge::peers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kUsage = 2;
constexpr int kTransport = 3;
constexpr int kWrongData = 4;

struct Place {
  int rank = 0;
  int ranks = 1;
};

Place place() {
  Place here;
  MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &here.ranks);
  return here;
}

/// Bytes that cross each rank's wire per byte of size: nccl-tests, doc/PERFORMANCE.md.
double bus_factor(const std::string& collective, int ranks) {
  const double once = static_cast<double>(ranks - 1) / ranks;
  return collective == "all_reduce" ? 2 * once : once;
}

std::vector<std::uint64_t> sizes_of(const std::vector<std::string>& words) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(words.size());
  for (const std::string& word : words) sizes.push_back(measure::parse_size(word));
  return sizes;
}

void check_sizes(const Options& options, int ranks) {
  const auto unit = options.collective == "all_reduce" ? std::uint64_t{sizeof(float)}
                                                       : static_cast<std::uint64_t>(ranks);
  for (const std::uint64_t bytes : options.sizes) {
    if (bytes > 0 && bytes % unit == 0) continue;
    throw std::invalid_argument(std::to_string(bytes) + " bytes are not a multiple of " +
                                std::to_string(unit));
  }
}

/// Nothing when there is nothing to run; then `status` says how to end.
std::optional<Options> parse(const std::string& peer, const std::vector<std::string>& algorithms,
                             int argc, char** argv, int& status) {
  const Place here = place();
  Options options;
  options.algorithm = algorithms.front();
  std::vector<std::string> sizes{"8"};
  CLI::App app{"A collective of " + peer + ", timed as railgauge's are; one line of JSON a size",
               peer};
  app.option_defaults()->always_capture_default();
  app.add_option("--collective", options.collective, "What to run")
      ->check(CLI::IsMember({"all_reduce", "all_gather", "alltoall"}));
  app.add_option("--algorithm", options.algorithm, "How")->check(CLI::IsMember(algorithms));
  app.add_option("--sizes", sizes, "Sizes, with commas; K, M, G are binary")->delimiter(',');
  app.add_option("-n,--iterations", options.iterations, "Timed")->check(CLI::Range(1, 100000000));
  app.add_option("-w,--warmup", options.warmup_iterations, "Untimed, before them")
      ->check(CLI::Range(0, 100000000));
  app.add_option("--device", options.device, "RDMA device");
  app.add_option("--gid-index", options.gid_index, "Of the IPv4-mapped RoCE v2 GID");
  app.add_flag("--poll", options.polls, "Wait by polling, where the peer can do either");
  app.add_option("-T,--timeout", options.time_limit_s, "Seconds that all of it may take");
  std::string said;
  status = 0;
  try {
    app.parse(argc, argv);
    options.sizes = sizes_of(sizes);
    check_sizes(options, here.ranks);
    return options;
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream ignored;
    const bool asked = app.exit(error, out, ignored) == 0;
    if (asked && here.rank == 0) std::cout << out.str() << std::flush;
    if (asked) return std::nullopt;
    said = error.what();
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  if (here.rank == 0) std::cerr << peer << ": " << said << "\nTry " << peer << " --help\n";
  status = kUsage;
  return std::nullopt;
}

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// Small whole numbers: their sums are exact in any order.
float number(int rank, std::size_t i) {
  constexpr std::size_t kPeriod = 97;
  return static_cast<float>(static_cast<std::size_t>(rank + 1) * (i % kPeriod));
}

std::byte letter(int rank, std::size_t i) {
  constexpr std::size_t kPeriod = 251;
  return static_cast<std::byte>((static_cast<std::size_t>(rank) * 83 + i) % kPeriod);
}

void fill(const Options& options, const Place& here, Work& work) {
  std::ranges::fill(work.output(), std::byte{0xa5});
  const std::span<std::byte> input = work.input();
  if (options.collective == "all_reduce") {
    const std::span<float> numbers = floats(input);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(here.rank, i);
    return;
  }
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = letter(here.rank, i);
}

std::uint64_t wrong_sums(const Place& here, std::span<float> sums) {
  std::uint64_t wrong = 0;
  const int all = here.ranks * (here.ranks + 1) / 2;
  for (std::size_t i = 0; i < sums.size(); ++i) wrong += sums[i] == number(all - 1, i) ? 0 : 1;
  return wrong;
}

std::uint64_t wrong_elements(const Options& options, const Place& here, Work& work) {
  const std::span<std::byte> output = work.output();
  if (options.collective == "all_reduce") return wrong_sums(here, floats(output));
  std::uint64_t wrong = 0;
  const std::size_t block = output.size() / static_cast<std::size_t>(here.ranks);
  // Where the block that is for us lies in another's input.
  const std::size_t begin =
      options.collective == "alltoall" ? block * static_cast<std::size_t>(here.rank) : 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    wrong += output[i] == letter(static_cast<int>(i / block), begin + i % block) ? 0 : 1;
  }
  return wrong;
}

/// In microseconds. `times` has room for all, so that recording is a store.
void time_iterations(const Options& options, Work& work, std::vector<double>& times) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < options.warmup_iterations; ++i) work.run();
  auto begin = Clock::now();
  for (int i = 0; i < options.iterations; ++i) {
    work.run();
    const auto end = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
    begin = end;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Every iteration's slowest rank; only rank 0 gets it.
measure::Summary slowest(const std::vector<double>& mine) {
  std::vector<double> all(mine.size());
  MPI_Reduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, 0,
             MPI_COMM_WORLD);
  measure::Histogram histogram;
  for (const double us : all) {
    const std::chrono::duration<double, std::micro> time(us);
    histogram.record(std::chrono::round<std::chrono::nanoseconds>(time));
  }
  return measure::summarize(histogram);
}

std::uint64_t everybodys(std::uint64_t mine) {
  std::uint64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void print(const std::string& peer, const Options& options, int ranks, std::uint64_t bytes,
           const measure::Summary& time, std::uint64_t wrong) {
  const double algbw = measure::algbw_gigabytes_per_second(bytes, std::max(time.p50_us, 1e-3));
  const nlohmann::ordered_json line{
      {"peer", peer},
      {"collective", options.collective},
      {"algorithm", options.algorithm + (options.polls ? "+poll" : "")},
      {"ranks", ranks},
      {"bytes", bytes},
      {"iterations", time.n},
      {"median_us", time.p50_us},
      {"min_us", time.min_us},
      {"busbw_GBps", algbw * bus_factor(options.collective, ranks)},
      {"wrong", wrong}};
  std::cout << line.dump() << std::endl;
}

int run(const std::string& peer, const Options& options, const Make& make) {
  const Place here = place();
  // Never destroyed. A peer may still have to send again, and Gloo's buffers abort when a send has
  // not completed, without a call that says when it has.
  static std::vector<Work*> all;
  int status = 0;
  for (const std::uint64_t bytes : options.sizes) {
    all.push_back(make(options, bytes).release());
    if (all.back() == nullptr) {
      if (here.rank == 0) {
        std::cerr << peer << ": there is no " << options.collective << " by " << options.algorithm
                  << "\n";
      }
      return kUsage;
    }
    Work& work = *all.back();
    fill(options, here, work);
    work.filled();
    MPI_Barrier(MPI_COMM_WORLD);
    work.run();
    work.finished();
    const std::uint64_t wrong = everybodys(wrong_elements(options, here, work));
    std::vector<double> times(static_cast<std::size_t>(options.iterations));
    times.clear();
    time_iterations(options, work, times);
    const measure::Summary time = slowest(times);
    if (here.rank == 0) print(peer, options, here.ranks, bytes, time, wrong);
    if (wrong > 0) status = kWrongData;
  }
  return status;
}

}  // namespace

int sweep(const std::string& peer, const std::vector<std::string>& algorithms, int argc,
          char** argv, const Make& make) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    const std::optional<Options> options = parse(peer, algorithms, argc, argv, status);
    if (options) {
      alarm(options->time_limit_s);  // whatever hangs is ended by SIGALRM, and mpirun says so
      status = run(peer, *options, make);
    }
  } catch (const std::exception& error) {
    std::cerr << peer << ": rank " << place().rank << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, kTransport);
  }
  MPI_Finalize();
  return status;
}

}  // namespace railgauge::peers
