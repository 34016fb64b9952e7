#include "job/abort_channel.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "job/communicator.hpp"
#include "job/process_state.hpp"

namespace railgauge::job {
namespace {

using results::Failure;
using Clock = std::chrono::steady_clock;

constexpr int kReportTag = 1;
constexpr int kStopTag = 2;
constexpr int kAttachmentTag = 3;
constexpr std::chrono::milliseconds kPollInterval{1};

// Long enough for rank 0 to collect every report and write the document, which takes it at most
// three seconds; short enough that all processes are gone five seconds after the first failure.
constexpr std::chrono::milliseconds kWaitForTheEnd{4500};

// How long rank 0 keeps collecting once a signal has arrived.
constexpr std::chrono::milliseconds kAfterSignal{300};

struct Envelope {
  int source = 0;
  int bytes = 0;
};

/// The next message with this tag, if one has arrived.
std::optional<Envelope> probe(MPI_Comm comm, int tag) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &there, &status);
  if (there == 0) return std::nullopt;
  Envelope envelope{status.MPI_SOURCE, 0};
  MPI_Get_count(&status, MPI_CHAR, &envelope.bytes);
  return envelope;
}

std::string received(MPI_Comm comm, int source, int tag, int bytes) {
  std::string message(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(message.data(), bytes, MPI_CHAR, source, tag, comm, MPI_STATUS_IGNORE);
  return message;
}

/// Starts to send; `message` has to live until the request is done.
MPI_Request begin_to_send(const std::string& message, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, tag, comm, &request);
  return request;
}

/// Ends Open MPI's daemon of this host, if this process is its child: with the network of MPI down
/// it waits for mpirun until TCP gives up, a quarter of an hour. It ends the other ranks of the
/// host.
void end_daemon() {
  const std::string name = name_of_process(getppid());
  if (name == "orted" || name == "prted") kill(getppid(), SIGTERM);
}

void nap() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

struct AbortChannel::Mpi {
  MPI_Comm comm = MPI_COMM_NULL;
};

AbortChannel::AbortChannel(std::string host)
    : mpi_(std::make_unique<Mpi>()), host_(std::move(host)) {
  MPI_Comm_dup(MPI_COMM_WORLD, &mpi_->comm);
  MPI_Comm_rank(mpi_->comm, &rank_);
  MPI_Comm_size(mpi_->comm, &ranks_);
}

AbortChannel::~AbortChannel() = default;

bool AbortChannel::raised() {
  if (raised_ || caught_signal() != 0) return true;
  const auto now = Clock::now();
  if (now < next_poll_) return false;
  next_poll_ = now + kPollInterval;
  const int tag = rank_ == 0 ? kReportTag : kStopTag;
  const auto envelope = probe(mpi_->comm, tag);
  if (!envelope) return false;
  receive_report(envelope->source, tag, envelope->bytes);
  return raised_ = true;
}

void AbortChannel::check() {
  if (!raised()) return;
  if (caught_signal() != 0) throw RunFailure(Failure::Kind::interrupted, signal_text());
  throw RunFailure(Failure::Kind::stopped, "stopped because another rank failed");
}

results::Failure AbortChannel::failure_of(const RunFailure& own) const {
  return {rank_, host_, own.kind, own.what(), own.findings};
}

void AbortChannel::receive_report(int source, int tag, int bytes) {
  const std::string message = received(mpi_->comm, source, tag, bytes);
  if (rank_ == 0) reports_.failures.push_back(results::unpacked_failure(message));
}

bool AbortChannel::receive_attachment() {
  const auto envelope = probe(mpi_->comm, kAttachmentTag);
  if (!envelope) return false;
  reports_.attachments.push_back(
      received(mpi_->comm, envelope->source, kAttachmentTag, envelope->bytes));
  return true;
}

bool AbortChannel::all_have_reported() const {
  return static_cast<int>(reports_.failures.size()) >= ranks_ &&
         static_cast<int>(reports_.attachments.size()) >= ranks_ - 1;
}

AbortChannel::Reports AbortChannel::collect_reports(const RunFailure& own,
                                                    std::chrono::milliseconds limit) {
  auto& failures = reports_.failures;
  failures.insert(failures.begin(), failure_of(own));
  for (int rank = 1; rank < ranks_; ++rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_CHAR, rank, kStopTag, mpi_->comm, &request);
    MPI_Request_free(&request);
  }
  auto give_up = Clock::now() + limit;
  bool signalled = caught_signal() != 0;
  while (!all_have_reported() && Clock::now() < give_up) {
    if (!signalled && caught_signal() != 0) {
      signalled = true;  // whoever sent it will not wait long
      give_up = std::min(give_up, Clock::now() + kAfterSignal);
    }
    if (const auto envelope = probe(mpi_->comm, kReportTag)) {
      receive_report(envelope->source, kReportTag, envelope->bytes);
    } else if (!receive_attachment()) {
      nap();
    }
  }
  std::stable_partition(failures.begin(), failures.end(),
                        [](const Failure& one) { return one.kind != Failure::Kind::stopped; });
  return reports_;
}

void AbortChannel::report(const RunFailure& own, const std::function<std::string()>& attach) {
  const auto give_up = Clock::now() + kWaitForTheEnd;
  const std::string message = results::packed(failure_of(own));
  std::string attached;
  MPI_Request request = begin_to_send(message, kReportTag, mpi_->comm);
  const auto status = static_cast<int>(exit_code_of(own.kind));
  // When rank 0 has ended the job, the launcher sends the other ranks SIGTERM.
  const bool signalled_before = caught_signal() != 0;
  bool sent = false;
  while (Clock::now() < give_up) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0 && !sent) {
      sent = true;
      attached = attach();
      request = begin_to_send(attached, kAttachmentTag, mpi_->comm);
    }
    if (sent && !signalled_before && caught_signal() != 0) std::_Exit(status);
    nap();
  }
  std::fprintf(stderr, "rank %d (%s) could not report to rank 0: %s\n", rank_, host_.c_str(),
               own.what());
  end_daemon();
  Communicator::abort(status);
}

}  // namespace railgauge::job
