// How a log ended: complete, cut, failed, with wrong data. It is in the document, and decides.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "verdict/comparison.hpp"
#include "verdict/logs/import.hpp"
#include "verdict/logs/log.hpp"

namespace railgauge::verdict {
namespace {

const std::string kEndHead =
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1048576 step: 2(factor)\n";
const std::string kEndRow =
    "  1048576  262144  float  sum  -1  100.0  10.49  15.73  0  100.0  10.49  15.73  0\n";
const std::string kEndTail = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 15.73\n";

struct EndCase {
  std::string log;
  Ended ended;
  finding::Outcome outcome;  // at a line rate that it reaches
};

finding::Outcome outcome_of_log(const Reference& reference) {
  return outcome_of(compared(run_set_of(Input(reference), "log"), {.line_rate = true}));
}

TEST(Ending, IsInTheDocumentAndDecides) {
  using finding::Outcome;
  std::string wrong = kEndRow;
  wrong.replace(wrong.rfind(" 0\n"), 3, " 12\n");
  std::string nan = kEndRow;
  nan.replace(nan.rfind(" 0\n"), 3, " nan\n");
  const std::vector<EndCase> cases{
      {kEndHead + kEndRow + kEndTail, Ended::complete, Outcome::pass},
      {kEndRow, Ended::unknown, Outcome::pass},  // an excerpt says nothing of its end
      {kEndHead + kEndRow, Ended::cut, Outcome::inconclusive},
      {kEndHead + kEndRow + kEndHead + kEndRow + kEndTail, Ended::cut, Outcome::inconclusive},
      {kEndHead + kEndRow + "n2: Test NCCL failure common.cu:958 'x'\n", Ended::failed,
       Outcome::fail},
      {kEndHead + kEndRow + kEndTail +
           "mpirun detected that one or more processes exited with "
           "non-zero status\n",
       Ended::failed, Outcome::fail},
      {kEndHead + kEndRow + "slurmstepd: error: *** JOB 7 CANCELLED AT x DUE TO TIME LIMIT ***\n",
       Ended::failed, Outcome::fail},
      {kEndHead + kEndRow + "# Out of bounds values : 1 FAILED\n", Ended::wrong_data,
       Outcome::fail},
      {kEndHead + kEndRow + wrong + kEndTail, Ended::wrong_data, Outcome::fail},
      {kEndHead + kEndRow + nan + kEndTail, Ended::wrong_data, Outcome::fail},
  };
  for (const EndCase& one : cases) {
    const Imported imported = import_log(one.log, "auto",
                                         {.collective = "all_reduce",
                                          .ranks = 4,
                                          .nodes = 4,
                                          .nics_per_node = 1,
                                          .line_rate_gigabits_per_second = 130});
    EXPECT_EQ(imported.reference.ending->how, one.ended) << one.log;
    EXPECT_EQ(outcome_of_log(imported.reference), one.outcome) << one.log;
  }
}

/// How launchers, schedulers, shells and libraries say that a run failed, after its table or within
/// it; and what healthy runs print.
TEST(Ending, IsFailedByWhateverEndedTheRun) {
  const std::vector<std::string> failures{
      "srun: error: node2: task 3: Killed",
      "./run.sh: line 12: 652 Killed                  ./all_reduce_perf -b 1G", "Terminated",
      "Bus error", "command terminated with exit code 137", "  Exit code:    3", "=   EXIT CODE: 9",
      "Primary job  terminated normally, but 1 process returned",
      "prterun noticed that process rank 2 with PID 4321 on node n2 exited on signal 6 (Aborted).",
      "ORTE has lost communication with a remote daemon.",
      "NCCL WARN NET/IB : Got completion from peer 10.0.0.1<41000> with status=12 opcode=0",
      "n2: Test timeout (120s) common.cu:1234", "*** Process received signal ***",
      "slurmstepd: error: *** STEP 1.0 ON n2 CANCELLED AT x DUE TO NODE FAILURE ***",
      "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:",
      "timeout: sending signal TERM to command 'mpirun'",
      "Connection to node2 closed by remote host.", "make: *** [Makefile:12: run] Error 3",
      // benchmarks, NCCL, PyTorch
      " Unable to write to socket/rdma_cm", "Failed to exchange data between server and clients",
      "node0: Test RCCL failure common.cu:10 'x'",
      "n1:7:9 [0] misc/ibvwrap.cc:252 NCCL WARN Call to ibv_modify_qp failed with 110 Connection "
      "timed out",
      "[rank3]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3476",
      "[E ProcessGroupNCCL.cpp:828] [Rank 1] Watchdog caught collective operation timeout",
      "failed (exitcode: -9) local_rank: 0 (pid: 321) of binary: /usr/bin/python3",
      // CUDA and HIP
      "RuntimeError: CUDA error: an illegal memory access was encountered",
      "RuntimeError: HIP error: invalid device function",
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
      "Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x7f. Reason: Unknown.",
      // MPI libraries and their launchers
      "[node1:12345] *** An error occurred in MPI_Allreduce",
      "[node1:12345] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,",
      "mpirun has exited due to process rank 3 with PID 0 on",
      "PRTE has lost communication with a remote daemon.",
      "===   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
      "=   KILLED BY SIGNAL: 9 (Killed)", "Fatal error in PMPI_Allreduce: Unknown error class",
      "Abort(1094543) on node 3 (rank 3 in comm 0): internal_Allreduce",
      "[n1:7:0:7] ib_mlx5_log.c:177 Transport retry count exceeded on mlx5_0:1/RoCE",
      "MPI process (rank: 0, pid: 123) terminated with signal 9 -> abort job",
      "n1: rank 3 exited with code 1",
      // schedulers, containers, Ansible
      "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
      "slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the step tasks have "
      "been OOM Killed.",
      "srun: error: n2: task 3: Out Of Memory", "srun: error: n2: task 0: Exited with exit code 1",
      "srun: error: n2: tasks 0-3: Bus error",
      "slurmstepd: error: *** JOB 1 ON n1 CANCELLED DUE TO TIME LIMIT ***",
      "=>> PBS: job killed: walltime 3610 exceeded limit 3600",
      "Memory cgroup out of memory: Killed process 7 (all_reduce_perf)",
      "error: unable to upgrade connection: container not found",
      "fatal: [node0]: FAILED! => {\"changed\": true}",
      // the C runtime and shells
      "*** stack smashing detected ***: terminated", "double free or corruption (!prev)",
      "corrupted size vs. prev_size", "free(): invalid pointer",
      "all_reduce_perf: x.c:12: run: Assertion `n > 0' failed.",
      "zsh: killed     ./all_reduce_perf -b 1G",
      "run.sh: line 3: 77 Trace/breakpoint trap   ./all_reduce_perf"};
  for (const std::string& line : failures) {
    std::string within = kEndHead + kEndRow;
    within.append(line).append("\n").append(kEndTail);
    std::string after = kEndHead + kEndRow;
    after.append(kEndTail).append(line).append("\n");
    for (const std::string& log : {within, after})
      EXPECT_EQ(import_log(log, "auto", {}).reference.ending->how, Ended::failed) << line;
  }
  const std::vector<std::string> healthy{
      "Warning: Permanently added 'node2' (ED25519) to the list of known hosts.",
      "NCCL INFO Failed to open libibverbs.so[.1]",
      "NCCL WARN Cuda failure 3 'initialization error'",
      "WARNING: There was an error initializing an OpenFabrics device.",
      "srun: job 123 queued and waiting for resources",
      "Killed 0 stale processes before the run",
      "job finished, exit code 0",
      "Exit status: 0",
      "exitcode: 0, exited with status 0",
      "n1:7:9 [0] NCCL INFO NCCL_IB_RETRY_CNT set by environment to 7.",
      "n1:7:9 [0] NCCL INFO NET/Plugin: Failed to find ncclNetPlugin_v6 symbol.",
      "n1:7:9 [0] NCCL INFO comm 0x7f rank 0 nranks 2 cudaDev 0 busId 1000 - Abort COMPLETE",
      "n1:7:9 [0] NCCL INFO Call to ibv_modify_qp failed with 110, retrying 1/34",
      "n1:7:9 [0] NCCL WARN Missing \"iommu=pt\" from kernel command line which can lead to hang!",
      "+ mpirun --mca orte_abort_on_non_zero_status 1 -x TORCH_NCCL_ASYNC_ERROR_HANDLING=1 ./x",
      "srun --kill-on-bad-exit=1 ./all_reduce_perf",
      "memory.events: low 0 high 0 max 0 oom 0 oom_kill 0",
      "CUDA errors: 0, errors: 0, failed: 0",
      "killed-node7: link is up",
      "Killed by signal 1.",  // of ssh's ProxyCommand, at the end of every connection
      "[n1:7] PMIX ERROR: ERROR in file gds_ds12_lock_pthread.c at line 168",
      "osc_ucx_component.c:379  Error: OSC UCX component priority set inside component query "
      "failed",
      "module: command not found",
      "Error response from daemon: No such container: old",
      "--- Terminated pods: none ---"};
  for (const std::string& line : healthy) {
    std::string log = line;
    log.append("\n").append(kEndHead).append(kEndRow).append(kEndTail).append(line).append("\n");
    EXPECT_EQ(import_log(log, "auto", {}).reference.ending->how, Ended::complete) << line;
  }
}

TEST(Ending, OfFiguresThatAreNoNumbersIsWrongData) {
  const auto ended = [](const std::string& from, const std::string& to) {
    std::string row = kEndRow;
    row.replace(row.rfind(from), from.size(), to);
    return import_log(kEndHead + kEndRow + row + kEndTail, "auto", {}).reference.ending->how;
  };
  EXPECT_EQ(ended("  0\n", "  inf\n"), Ended::wrong_data);
  EXPECT_EQ(ended("15.73", "-nan"), Ended::wrong_data);
  EXPECT_EQ(ended("100.0  10.49  15.73", "0.0  inf  inf"), Ended::wrong_data);
  EXPECT_EQ(ended("100.0  10.49  15.73", "-5.00  10.49  15.73"), Ended::wrong_data);
  EXPECT_EQ(ended("  0\n", "  N/A\n"), Ended::complete);
}

struct ImpossibleCase {
  std::string rows;  // the last figure of the last one is replaced
  std::string good;
  std::string end = "";
};

/// One rule for all formats: the row is named, and decides.
TEST(Ending, OfImpossibleFiguresIsWrongDataInAllFormats) {
  const std::vector<ImpossibleCase> cases{
      {"# OSU MPI Allreduce Latency Test v7.4\n# Size   Avg Latency(us)\n8    1.50\n16   ", "2.50"},
      {" #bytes #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
       " 65536      5000             393.10             392.08   0.747833\n"
       " 131072     5000             nan                392.08   ",
       "0.373917"},
      {"# Benchmarking Allreduce\n# #processes = 2\n"
       "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
       "1024 1000 9.50 10.50 10.00\n2048 1000 9.50 10.50 ",
       "10.00"},
      {"numCycle,name,ranks,size,type,redop,inPlace,#wrong,time,algBw,busBw\n"
       "0,AllReduce,4,1024,float,sum,0,0,4.096,0.25,0.375\n"
       "0,AllReduce,4,2048,float,sum,0,0,4.096,0.5,",
       "0.75"},
      {R"({"#wrong":"0","algBw":0.25,"busBw":0.375,"gpus":4,"inPlace":0,"name":"AllReduce",)"
       R"("redop":"sum","size":1024,"time":4.096,"type":"float"})"
       "\n"
       R"({"#wrong":"0","algBw":0.5,"gpus":4,"inPlace":0,"name":"AllReduce",)"
       R"("redop":"sum","size":2048,"time":4.096,"type":"float","busBw":)",
       "0.75", "}"},
      {R"({"coll_perf":{"coll":"AllReduce","coll_msg_size_bytes":1000000,"coll_algobw_gbs":10.0,)"
       R"("coll_busbw_gbs":15.0,"coll_exec_time_us":100},"header":{"n_ranks":4}})"
       "\n"
       R"({"header":{"n_ranks":4},"coll_perf":{"coll":"AllReduce","coll_msg_size_bytes":2000000,)"
       R"("coll_algobw_gbs":10.0,"coll_busbw_gbs":15.0,"coll_exec_time_us":)",
       "200", "}}"},
      {R"({"config":{},"results":[{"size":1024,"out_of_place":)"
       R"({"time":10.0,"alg_bw":0.1,"bus_bw":0.15}},{"size":2048,"out_of_place":)"
       R"({"time":10.0,"alg_bw":0.2,"bus_bw":)",
       "0.3", "}}]}"},
      {"{test_info: {test: RDMA_Write_BW_Test},\nresults: [{MsgSize: 65536, n_iterations: 5000,"
       " BW_peak: 7.36, BW_average: 7.34, MsgRate: 0.014003},\n{MsgSize: 131072, n_iterations: "
       "5000, BW_peak: 7.36, BW_average: 7.34, MsgRate: ",
       "0.007001", "}]}"}};
  for (const ImpossibleCase& one : cases) {
    const auto ended = [&](const std::string& figure) {
      return *import_log(one.rows + figure + one.end + "\n", "auto", {}).reference.ending;
    };
    EXPECT_LT(ended(one.good).how, Ended::failed) << one.rows;
    EXPECT_EQ(ended(one.good).skipped_lines, 0u) << one.rows;
    for (const std::string bad : {"nan", "-nan", "inf", "-5.5"}) {
      if (one.rows.starts_with(R"({"config")") && bad != "-5.5") continue;  // it quotes them
      EXPECT_EQ(ended(bad).how, Ended::wrong_data) << one.rows << bad;
      ASSERT_EQ(ended(bad).reasons.size(), 1u) << one.rows << bad;
      EXPECT_NE(ended(bad).reasons[0].find(" is " + bad), std::string::npos) << one.rows << bad;
    }
  }
  const ImpossibleCase& json = cases[6];
  EXPECT_EQ(import_log(json.rows + "\"nan\"" + json.end, "auto", {}).reference.ending->reasons,
            std::vector<std::string>{"result 2: out_of_place: bus_bw is nan"});
}

TEST(Ending, IsKnownOfOtherFormats) {
  const auto ended = [](const std::string& log) {
    return import_log(log, "auto", {.ranks = 2}).reference.ending->how;
  };
  const std::string osu =
      "# OSU MPI Allreduce Latency Test v7.4\n# Size   Avg Latency(us)\n"
      "8    1.50\n";
  EXPECT_EQ(ended(osu), Ended::unknown);
  EXPECT_EQ(ended(osu + "srun: error: n1: task 1: Exited with exit code 1\n"), Ended::failed);
  EXPECT_EQ(
      ended(osu + "DATA VALIDATION ERROR: osu_allreduce exited with status 1 on message size 8.\n"),
      Ended::wrong_data);
  const std::string perftest =
      " local address: LID 0\n #bytes #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   "
      "MsgRate[Mpps]\n 65536      5000             393.10             392.08   0.747833\n";
  EXPECT_EQ(ended(perftest), Ended::cut);
  EXPECT_EQ(ended(perftest + "--------------\n"), Ended::complete);
  EXPECT_EQ(ended(perftest + " Failed status 12: wr_id 0 syndrom 0x81\n"), Ended::failed);
  const std::string imb =
      "# List of Benchmarks to run:\n# Benchmarking Allreduce\n# #processes = 2\n"
      "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
      "1024 1000 9.50 10.50 10.00 0.00\n";
  EXPECT_EQ(ended(imb), Ended::cut);
  EXPECT_EQ(ended(imb + "# All processes entering MPI_Finalize\n"), Ended::complete);
  EXPECT_EQ(ended(imb + "2048 1000 9.50 10.50 10.00 3.00\n"), Ended::wrong_data);
}

TEST(Ending, IsKeptInTheDocument) {
  const Imported imported = import_log(kEndHead + kEndRow, "auto", {});
  const nlohmann::ordered_json json = imported.reference;
  const Reference read = reference_of(json);
  EXPECT_EQ(read.ending->how, Ended::cut);
  EXPECT_EQ(read.ending->reasons, imported.reference.ending->reasons);
}

/// Its table never began: that its end is not open does not make it complete.
TEST(Ending, OfALogWithoutATableIsCut) {
  LogContent content;
  read_end(" local address: LID 0000 QPN 0x0011\n", "perftest", content);
  EXPECT_EQ(content.ended, Ended::cut);
}

}  // namespace
}  // namespace railgauge::verdict
