// Exchanges with neighbours over MPI, for neighbours_test.
// usage: neighbours rounds    ranks exchange in rounds; exit status 1 if anything comes wrong
//        neighbours silent    rank 1 of two names nobody: what rank 0 is told
//        neighbours failing FILE
//                             rank 1 names nobody, rank 2 of three fails: FILE has what rank 0 is
//                             told, since the launcher mixes its own words with those of an abort

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "job/communicator.hpp"
#include "job/missing_ranks.hpp"
#include "transport/neighbour_rounds.hpp"

namespace {

using namespace railgauge;
using job::Communicator;
using transport::Bytes;
using transport::Rank;

constexpr std::chrono::seconds kLong{100};
constexpr int kEnded = 42;

Bytes bytes_of(Rank rank, std::size_t length) {
  return Bytes(length, static_cast<std::byte>(rank + length));
}

/// Around the 28 bytes that come along with a size: from all ranks, and from the last alone.
std::string gather_lengths(Communicator& communicator) {
  for (const std::size_t length : {0, 1, 27, 28, 29, 1000}) {
    for (const bool from_all : {true, false}) {
      std::vector<Bytes> expected;
      for (Rank rank = 0; rank < communicator.ranks(); ++rank) {
        const bool has_some = from_all || rank + 1 == communicator.ranks();
        expected.push_back(bytes_of(rank, has_some ? length : 0));
      }
      if (communicator.all_gather(expected[communicator.rank()]) != expected)
        return "gathering " + std::to_string(length) + " bytes";
    }
  }
  return "";
}

int exchange(Communicator& communicator) {
  std::string wrong = transport::exchange_in_rounds(communicator);
  if (wrong.empty()) wrong = gather_lengths(communicator);
  if (!wrong.empty()) std::printf("%s\n", wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

void exchange_with(Communicator& communicator, Rank peer) {
  const std::vector<Rank> peers{peer};
  communicator.exchange_with(peers, std::vector<Bytes>(1));
}

/// What rank 0 is told that waits for rank 1.
void wait_in_vain(Communicator& communicator) {
  try {
    exchange_with(communicator, 1);
    std::printf("answered\n");
  } catch (const job::RunFailure& failure) {
    std::printf("%s\n", failure.what());
  }
  std::fflush(stdout);
}

/// Rank 1 comes after all, but only when rank 0 has given up, so that MPI can end.
int be_silent(Communicator& communicator) {
  communicator.know_hosts({"here", "there"});
  if (communicator.is_leader()) wait_in_vain(communicator);
  if (!communicator.is_leader()) communicator.exchange_with({}, {});
  communicator.barrier();
  if (!communicator.is_leader()) exchange_with(communicator, 0);
  return 0;
}

[[noreturn]] void report(Communicator& communicator, const job::RunFailure& failure) {
  communicator.abort_channel().report(failure, [] { return std::string(); });
}

[[noreturn]] void wait_for_all(Communicator& communicator) {
  try {
    communicator.barrier();
  } catch (const job::RunFailure& stop) {
    report(communicator, stop);
  }
  std::abort();
}

int fail(Communicator& communicator) {
  if (communicator.rank() == 1) wait_for_all(communicator);
  if (communicator.rank() == 2) {
    report(communicator, {results::Failure::Kind::transport, "the cable"});
  }
  wait_in_vain(communicator);
  const auto reports = communicator.abort_channel().collect_reports(
      {results::Failure::Kind::stopped, ""}, std::chrono::milliseconds(100));
  for (const auto& one : reports.failures) std::printf("rank %d: %s\n", one.rank, one.text.c_str());
  std::fflush(stdout);
  Communicator::abort(kEnded);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool gives_up = what == "silent" && job::own_rank() == 0;
  Communicator communicator(argc, argv, gives_up ? std::chrono::seconds(1) : kLong);
  if (what == "silent") return be_silent(communicator);
  if (what == "failing" && argc > 2) {
    if (communicator.is_leader() && std::freopen(argv[2], "w", stdout) == nullptr) return 1;
    return fail(communicator);
  }
  return exchange(communicator);
}
