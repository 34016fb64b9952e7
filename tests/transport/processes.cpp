#include "transport/processes.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <stdexcept>

namespace railgauge::transport {
namespace {

void send(int file, const void* data, std::size_t bytes) {
  if (::write(file, data, bytes) != static_cast<ssize_t>(bytes)) {
    throw std::runtime_error("cannot write to a pipe");
  }
}

void receive(int file, void* data, std::size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t came = ::read(file, at, bytes);
    if (came <= 0) throw std::runtime_error("a rank has gone");
    at += came;
    bytes -= static_cast<std::size_t>(came);
  }
}

PipeExchange::Pipes make_pipes(Rank ranks) {
  PipeExchange::Pipes pipes(ranks, std::vector<PipeExchange::Pipe>(ranks));
  for (auto& row : pipes) {
    for (auto& pipe : row) {
      if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
    }
  }
  return pipes;
}

[[noreturn]] void run_child(Rank rank, const PipeExchange::Pipes& pipes,
                            const std::function<void(Exchange&)>& body) {
  alarm(60);  // whatever hangs
  try {
    PipeExchange exchange(rank, pipes);
    body(exchange);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
    _exit(2);
  }
  std::fflush(nullptr);
  _exit(testing::Test::HasFailure() ? 1 : 0);
}

std::string ending_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return "no such process";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : "exit status " + std::to_string(code);
}

}  // namespace

std::vector<Bytes> PipeExchange::all_gather(std::span<const std::byte> own) {
  for (Rank to = 0; to < ranks(); ++to) hand(to, own);
  std::vector<Bytes> everybody;
  for (Rank from = 0; from < ranks(); ++from) everybody.push_back(take(from));
  return everybody;
}

std::vector<Bytes> PipeExchange::exchange_with(std::span<const Rank> peers,
                                               std::span<const Bytes> own) {
  for (std::size_t i = 0; i < peers.size(); ++i) hand(peers[i], own[i]);
  std::vector<Bytes> theirs;
  for (const Rank peer : peers) theirs.push_back(take(peer));
  return theirs;
}

void PipeExchange::hand(Rank to, std::span<const std::byte> own) const {
  const std::size_t bytes = own.size();
  send(pipes_[rank_][to][1], &bytes, sizeof bytes);
  send(pipes_[rank_][to][1], own.data(), bytes);
}

Bytes PipeExchange::take(Rank from) const {
  std::size_t bytes = 0;
  receive(pipes_[from][rank_][0], &bytes, sizeof bytes);
  Bytes theirs(bytes);
  receive(pipes_[from][rank_][0], theirs.data(), bytes);
  return theirs;
}

Endings run_processes(Rank ranks, const std::function<void(Exchange&)>& body) {
  const PipeExchange::Pipes pipes = make_pipes(ranks);
  std::vector<pid_t> children;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) run_child(rank, pipes, body);
    children.push_back(child);
  }
  Endings endings;
  for (const pid_t child : children) endings.push_back(ending_of(child));
  for (const auto& row : pipes) {
    for (const auto& pipe : row) ::close(pipe[0]), ::close(pipe[1]);
  }
  return endings;
}

void forbid_system_calls() {
  std::array<sock_filter, 4> rules{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)}};
  const sock_fprog program{rules.size(), rules.data()};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

}  // namespace railgauge::transport
