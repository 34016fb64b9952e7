#include "benchmarks/alarm.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "benchmarks/interruption.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using results::Failure;
using Clock = std::chrono::steady_clock;

constexpr int kReportTag = 1;
constexpr int kStopTag = 2;
constexpr std::chrono::milliseconds kLook{1};

// Long enough for rank 0 to gather everybody's report and write the document, which it does within
// three seconds; short enough that all processes are gone five seconds after the first failure.
constexpr std::chrono::milliseconds kWaitForTheEnd{4500};

// How long rank 0 still waits for last words once a signal has come.
constexpr std::chrono::milliseconds kAfterSignal{300};

std::string packed(Failure::Kind kind, const std::string& host, const std::string& text) {
  return std::string(1, static_cast<char>('0' + static_cast<int>(kind))) + host + '\n' + text;
}

Failure unpacked(int rank, const std::string& message) {
  const auto line = message.find('\n');
  return {rank, message.substr(1, line - 1), static_cast<Failure::Kind>(message[0] - '0'),
          message.substr(line + 1)};
}

void nap() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

}  // namespace

ExitCode exit_code_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::time_out:
    case Failure::Kind::transport: return ExitCode::time_out;
    case Failure::Kind::wrong_data: return ExitCode::wrong_data;
    case Failure::Kind::usage: return ExitCode::usage;
    case Failure::Kind::verdict: return ExitCode::verdict_failed;
    case Failure::Kind::interrupted: return ExitCode::interrupted;
    case Failure::Kind::environment:
    case Failure::Kind::stopped: break;
  }
  return ExitCode::environment;
}

Alarm::Alarm(MPI_Comm world, std::string host) : host_(std::move(host)) {
  MPI_Comm_dup(world, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
}

bool Alarm::rings() {
  if (ringing_ || caught_signal() != 0) return true;
  const auto now = Clock::now();
  if (now < next_look_) return false;
  next_look_ = now + kLook;
  int there = 0;
  MPI_Status envelope;
  const int tag = rank_ == 0 ? kReportTag : kStopTag;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &there, &envelope);
  if (there == 0) return false;
  take_report(envelope);
  return ringing_ = true;
}

void Alarm::check() {
  if (!rings()) return;
  if (const int signal = caught_signal(); signal != 0) {
    throw RunFailure(Failure::Kind::interrupted, "interrupted by signal " + std::to_string(signal) +
                                                     " (" +
                                                     (signal == SIGINT    ? "SIGINT"
                                                      : signal == SIGTERM ? "SIGTERM"
                                                                          : "SIGHUP") +
                                                     ")");
  }
  throw RunFailure(Failure::Kind::stopped, "stopped because another rank failed");
}

void Alarm::take_report(const MPI_Status& envelope) {
  int bytes = 0;
  MPI_Get_count(&envelope, MPI_CHAR, &bytes);
  std::string message(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(message.data(), bytes, MPI_CHAR, envelope.MPI_SOURCE, envelope.MPI_TAG, comm_,
           MPI_STATUS_IGNORE);
  if (rank_ == 0) reports_.push_back(unpacked(envelope.MPI_SOURCE, message));
}

std::vector<Failure> Alarm::gather(const RunFailure& own, std::chrono::milliseconds limit) {
  reports_.insert(reports_.begin(), {rank_, host_, own.kind, own.what()});
  for (int rank = 1; rank < ranks_; ++rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_CHAR, rank, kStopTag, comm_, &request);
    MPI_Request_free(&request);
  }
  auto give_up = Clock::now() + limit;
  bool signalled = caught_signal() != 0;
  while (static_cast<int>(reports_.size()) < ranks_ && Clock::now() < give_up) {
    if (!signalled && caught_signal() != 0) {
      signalled = true;  // whoever sent it will not wait long
      give_up = std::min(give_up, Clock::now() + kAfterSignal);
    }
    int there = 0;
    MPI_Status envelope;
    MPI_Iprobe(MPI_ANY_SOURCE, kReportTag, comm_, &there, &envelope);
    if (there != 0) {
      take_report(envelope);
    } else {
      nap();
    }
  }
  std::stable_partition(reports_.begin(), reports_.end(),
                        [](const Failure& one) { return one.kind != Failure::Kind::stopped; });
  return reports_;
}

void Alarm::tell(const RunFailure& own) {
  const std::string message = packed(own.kind, host_, own.what());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, kReportTag, comm_,
            &request);
  const auto give_up = Clock::now() + kWaitForTheEnd;
  const auto status = static_cast<int>(exit_code_of(own.kind));
  // When rank 0 has ended the run, the launcher tells the rest with SIGTERM.
  const bool signalled_before = caught_signal() != 0;
  int sent = 0;
  while (Clock::now() < give_up) {
    if (sent == 0) MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
    if (sent != 0 && !signalled_before && caught_signal() != 0) std::_Exit(status);
    nap();
  }
  std::fprintf(stderr, "rank %d (%s), which could not tell rank 0: %s\n", rank_, host_.c_str(),
               own.what());
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

}  // namespace railgauge::benchmarks
