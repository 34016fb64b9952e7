#include "job/communicator.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include "job/failure.hpp"
#include "job/neighbour_exchange.hpp"

namespace railgauge::job {
namespace {

using measure::OverRanks;
using transport::Bytes;
using Clock = std::chrono::steady_clock;

// A wait for MPI polls first, which takes microseconds when the other ranks are close behind, and
// then sleeps, because they may be waiting for this processor.
constexpr int kPolls = 1000;
constexpr std::chrono::milliseconds kPollsEnd{1};
// Many ranks of a host that wake up often leave it no time for anything else. So where it does not
// matter when each goes on, who has waited for long sleeps for longer.
constexpr int kShareAsleep = 32;  // of the wait so far
constexpr std::chrono::microseconds kInNoHurry{5000};

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

MPI_Op operation(OverRanks which) {
  switch (which) {
    case OverRanks::mean: return MPI_SUM;
    case OverRanks::fastest: return MPI_MIN;
    case OverRanks::first:
    case OverRanks::slowest: break;
  }
  return MPI_MAX;
}

/// What each rank tells first in an all-gather of bytes. A few come along: most exchanges are of no
/// more, and where many ranks share a processor each message costs all of them a turn.
struct Head {
  int size = 0;
  std::array<std::byte, 28> bytes{};
};

/// The buffers of one all-gather of bytes.
struct Gathering {
  Gathering(std::span<const std::byte> bytes, std::size_t ranks)
      : own(bytes.begin(), bytes.end()), own_head{static_cast<int>(own.size())}, heads(ranks) {
    std::copy_n(own.begin(), std::min(own.size(), own_head.bytes.size()), own_head.bytes.begin());
  }
  [[nodiscard]] bool is_told_by_heads() const {
    return std::ranges::all_of(heads, [](const Head& head) {
      return static_cast<std::size_t>(head.size) <= head.bytes.size();
    });
  }
  [[nodiscard]] std::vector<Bytes> lists() const;

  Bytes own;
  Head own_head;
  std::vector<Head> heads;  // by rank, as all below
  std::vector<int> sizes;
  std::vector<int> begins;
  Bytes all;
};

/// What did not come along with heads is in `all`.
std::vector<Bytes> Gathering::lists() const {
  std::vector<Bytes> told;
  told.reserve(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::byte* const begin = all.empty() ? heads[i].bytes.data() : all.data() + begins[i];
    told.emplace_back(begin, begin + heads[i].size);
  }
  return told;
}

extern "C" void end_at_once(int) {
  constexpr std::string_view kText =
      "MPI did not end within the time-out (-T): is every host of the job reachable over the "
      "network "
      "that mpirun uses?\n";
  (void)!::write(STDERR_FILENO, kText.data(), kText.size());
  std::_Exit(static_cast<int>(results::ExitCode::time_out));
}

// For MPI_Abort, of which little is to be expected when the network of MPI is down.
constexpr unsigned kAbortSeconds = 3;

}  // namespace

struct Communicator::Request {
  MPI_Request raw = MPI_REQUEST_NULL;
};

Communicator::Communicator(int& argc, char**& argv, std::chrono::seconds limit)
    : limit_(limit), host_(host_name()) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rank_ = static_cast<transport::Rank>(rank);
  ranks_ = static_cast<transport::Rank>(ranks);
  abort_channel_ = std::make_unique<AbortChannel>(host_);
}

Communicator::~Communicator() {
  // MPI_Finalize takes no deadline, so the system's alarm clock ends the process.
  std::signal(SIGALRM, end_at_once);
  ::alarm(static_cast<unsigned>(limit_.count()));
  MPI_Finalize();
  ::alarm(0);
}

void Communicator::await(const std::function<bool()>& is_done,
                         const std::function<std::string()>& what,
                         const std::shared_ptr<void>& buffers,
                         std::chrono::microseconds most_sleep) {
  const auto begun = Clock::now();
  given_up_.push_back(buffers);
  for (int polls = 0; !is_done(); ++polls) {
    abort_channel_->check();
    const auto waited = Clock::now() - begun;
    if (waited > limit_) throw timed_out(limit_, what());
    if (polls < kPolls && waited < kPollsEnd) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(
          std::clamp<Clock::duration>(waited / kShareAsleep, kSleep, most_sleep));
    }
  }
  given_up_.pop_back();
}

void Communicator::await(Request& request, const char* what, const std::shared_ptr<void>& buffers,
                         std::chrono::microseconds most_sleep) {
  const auto is_done = [&request] {
    int done = 0;
    MPI_Test(&request.raw, &done, MPI_STATUS_IGNORE);
    return done != 0;
  };
  await(
      is_done, [what] { return what; }, buffers, most_sleep);
}

// What all are to know, bytes or a number, goes by way of rank 0: an all-gather of Open MPI that
// does not block has each rank send to every other, n^2 messages (NBC_ALLGATHER_LINEAR of
// coll/libnbc), and 64 ranks on few processors, or thousands anywhere, then do little else when
// they start.
std::vector<Bytes> Communicator::all_gather(std::span<const std::byte> own) {
  const auto gathered = std::make_shared<Gathering>(own, ranks_);
  constexpr int kHead = sizeof(Head);
  Request request;
  MPI_Igather(&gathered->own_head, kHead, MPI_BYTE, gathered->heads.data(), kHead, MPI_BYTE, 0,
              MPI_COMM_WORLD, &request.raw);
  await(request, "an exchange", gathered, kInNoHurry);
  MPI_Ibcast(gathered->heads.data(), kHead * static_cast<int>(ranks_), MPI_BYTE, 0, MPI_COMM_WORLD,
             &request.raw);
  await(request, "an exchange", gathered, kInNoHurry);
  if (gathered->is_told_by_heads()) return gathered->lists();
  int total = 0;
  for (const Head& head : gathered->heads) {
    gathered->sizes.push_back(head.size);
    gathered->begins.push_back(std::exchange(total, total + head.size));
  }
  gathered->all.resize(static_cast<std::size_t>(total));
  MPI_Igatherv(gathered->own.data(), gathered->own_head.size, MPI_BYTE, gathered->all.data(),
               gathered->sizes.data(), gathered->begins.data(), MPI_BYTE, 0, MPI_COMM_WORLD,
               &request.raw);
  await(request, "an exchange", gathered, kInNoHurry);
  MPI_Ibcast(gathered->all.data(), total, MPI_BYTE, 0, MPI_COMM_WORLD, &request.raw);
  await(request, "an exchange", gathered, kInNoHurry);
  return gathered->lists();
}

std::vector<Bytes> Communicator::exchange_with(std::span<const transport::Rank> peers,
                                               std::span<const Bytes> own) {
  if (peers.empty()) return {};
  const auto exchange = std::make_shared<NeighbourExchange>(peers, own);
  const auto what = [&] { return exchange_without(exchange->unanswered(), hosts_); };
  exchange->begin();
  await([&] { return exchange->sizes_came(); }, what, exchange);
  exchange->receive_bytes();
  await([&] { return exchange->is_done(); }, what, exchange);
  return exchange->take();
}

std::vector<std::string> Communicator::all_gather_text(std::string_view own) {
  std::vector<std::string> texts;
  for (const Bytes& bytes : all_gather(std::as_bytes(std::span(own)))) {
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

std::vector<double> Communicator::all_gather(double own) {
  std::vector<double> values;
  values.reserve(ranks_);
  for (const auto& of_rank : transport::all_gather(*this, std::vector{own}))
    values.push_back(of_rank.at(0));
  return values;
}

void Communicator::barrier() {
  Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request.raw);
  await(request, "a barrier", nullptr);
}

std::vector<double> Communicator::reduce(std::span<const double> own, OverRanks which) {
  const auto values = std::make_shared<std::vector<double>>(own.begin(), own.end());
  if (which != OverRanks::first) {
    Request request;
    MPI_Ireduce(is_leader() ? MPI_IN_PLACE : values->data(), is_leader() ? values->data() : nullptr,
                static_cast<int>(own.size()), MPI_DOUBLE, operation(which), 0, MPI_COMM_WORLD,
                &request.raw);
    await(request, "the gathering of times", values);
  }
  if (!is_leader()) return {};
  if (which == OverRanks::mean) {
    for (double& value : *values) value /= static_cast<double>(ranks_);
  }
  return *values;
}

std::uint64_t Communicator::broadcast(std::uint64_t value) {
  const auto told = std::make_shared<std::uint64_t>(value);
  Request request;
  MPI_Ibcast(told.get(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request.raw);
  await(request, "rank 0's decision", told);
  return *told;
}

std::uint64_t Communicator::sum(std::uint64_t own, const char* what) {
  const auto total = std::make_shared<std::uint64_t>(own);
  Request request;
  MPI_Iallreduce(MPI_IN_PLACE, total.get(), 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request.raw);
  await(request, what, total);
  return *total;
}

void Communicator::abort(int status) {
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(kAbortSeconds);
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

/// The library says "Open MPI v4.1.4, package: ...".
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view whole(text.data(), static_cast<std::size_t>(length));
  return std::string(whole.substr(0, whole.find_first_of(",\n")));
}

}  // namespace railgauge::job
