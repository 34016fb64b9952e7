// Benchmarks of vendors, and variants of the known ones.

#include <gtest/gtest.h>

#include <utility>

#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

struct VendorCase {
  std::string log;
  std::string collective;
  std::uint64_t size_bytes;
  double time_us;
  double busbw;
};

TEST(Vendors, AreRead) {
  const std::vector<VendorCase> cases{
      {"$ mpirun -n 4 ./bin/all_reduce_test -b 8K -e 64M\n"
       "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n"
       "1048576           | 100.00         | 10.48576             | success\n",
       "all_reduce", 1048576, 100, 15.72864},
      {"$ nccom-test -r 4 allr\n"
       "     size(B)    count(elems)     type    time(us)    algbw(GB/s)    busbw(GB/s)\n"
       "    33554432        33554432    uint8         768          40.69          61.04\n"
       "Avg bus bandwidth:      61.04GB/s\n",
       "all_reduce", 33554432, 768, 65.5360},  // its gigabytes have 2^30 bytes
      {"mpirun -np 4 ./test/mscclpp-test/allgather_test_perf -b 1m\n"
       "#                                        in-place                       out-of-place\n"
       "#       size         count     time   algbw   busbw  #wrong     time   algbw   busbw  "
       "#wrong\n"
       "     1048576         65536   100.0   10.49    7.86      0\n",
       "all_gather", 1048576, 100, 7.86432},
      {"\tCOMMS-RES\tsize (B)\t num-elements\t Latency(us):p50\tp75\t\tp95\tmin\tmax\t "
       "algBW(GB/s)\t busBW(GB/s)\n"
       "\tCOMMS-RES-all_reduce-float32  1048576  262144  100.0  101.0  102.0  90.0  110.0  10.486  "
       "15.729\n",
       "all_reduce", 1048576, 100, 15.72864},
      {"# Benchmarking: allreduce\n# #processes: 4\n"
       "        #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]  stddev[%]\n"
       "       1048576            16         90.00        110.00        100.00       1.20\n",
       "all_reduce", 1048576, 100, 15.72864},
      {"# OSU NCCL Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n"
       "1048576                 100.00\n",
       "all_reduce", 1048576, 100, 15.72864}};
  for (const VendorCase& one : cases) {
    const Imported imported = import_log(one.log, "auto", {.ranks = 4});
    EXPECT_TRUE(imported.complaints.empty()) << imported.complaints[0].text;
    const auto& runs = imported.reference.runs;
    ASSERT_EQ(runs.size(), 1u) << one.log;
    EXPECT_EQ(runs[0].collective, one.collective);
    const Point& point = runs[0].points.at(0);
    EXPECT_EQ(point.size_bytes, one.size_bytes);
    EXPECT_EQ(point.time_us, one.time_us);
    EXPECT_NEAR(point.busbw_gigabytes_per_second.value_or(0), one.busbw, 0.01) << one.log;
  }
}

std::string hccl(const std::string& program, const std::string& algbw = "10.48576") {
  return "mpirun -n 4 ./bin/" + program +
         " -b 8K\n"
         "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n"
         "1048576           | 100.00         | " +
         algbw + "             | success\n";
}

/// Sizes of all programs of hccl_test are nccl-tests'. What it measures and railgauge does not know
/// is not read as the collective before it.
TEST(Hccl, CountsSizesOfAllRanks) {
  for (const auto& [name, busbw] :
       std::vector<std::pair<std::string, double>>{{"all_gather", 7.86432},
                                                   {"reduce_scatter", 7.86432},
                                                   {"alltoall", 7.86432},
                                                   {"alltoallv", 7.86432},
                                                   {"scatter", 7.86432},
                                                   {"broadcast", 10.48576}}) {
    const auto runs = import_log(hccl(name + "_test"), "auto", {.ranks = 4}).reference.runs;
    ASSERT_EQ(runs.size(), 1u) << name;
    EXPECT_EQ(runs[0].collective, name);
    EXPECT_EQ(runs[0].points.at(0).size_bytes, 1048576U);
    EXPECT_NEAR(runs[0].points.at(0).busbw_gigabytes_per_second.value_or(0), busbw, 1e-5) << name;
  }
  EXPECT_THROW(import_log(hccl("all_gather_test", "41.94304"), "auto", {.ranks = 4}), NoFigures);
  EXPECT_THROW(import_log(hccl("gdr_test"), "auto", {.ranks = 4}), NoFigures);
  EXPECT_EQ(import_log(hccl(""), "auto", {.collective = "all_reduce"}).reference.runs.size(), 1u);
  const auto runs =
      import_log(hccl("all_reduce_test") + hccl("all_gather_v_test"), "auto", {}).reference.runs;
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].collective, "all_reduce");
}

/// Rank 0 writes "success" of its own data only.
TEST(Hccl, HasWrongDataOfAnyRank) {
  const std::string log = hccl("all_reduce_test");
  EXPECT_EQ(import_log(log, "auto", {}).reference.ending->how, Ended::unknown);
  const std::string rank =
      "rank id 3, check result failed, 1048576           | 100.00         | 10.48576 | failed\n";
  EXPECT_EQ(import_log(log + rank, "auto", {}).reference.ending->how, Ended::wrong_data);
}

std::string param(const std::string& rows) {
  return "\t Running on host: a g-rank: 0, l-rank: 0 world_size: 4 master_ip: 127.0.0.1\n\n"
         "\tCOMMS-RES       size (B)  nElementsPerRank   Latency(us):p50         p75         p95"
         "         Min         Max    AlgBW(GB/s) BusBW(GB/s)\n" +
         rows;
}

/// With 262144 floats of each of 4 ranks a size of 4 MiB is that of all; one of 1 MiB is one
/// rank's, or all ranks' of a version that does not divide the count.
TEST(Param, KnowsByItsCountWhetherASizeIsOfAllRanks) {
  for (const auto& [name, collective] :
       std::vector<std::pair<std::string, std::string>>{{"all_gather", "all_gather"},
                                                        {"all_gather_base-float32", "all_gather"},
                                                        {"reduce_scatter", "reduce_scatter"},
                                                        {"reduce_scatter_base", "reduce_scatter"},
                                                        {"all_to_all-float32-tag", "alltoall"}}) {
    std::string row = "\tCOMMS-RES-" + name;
    row += "  4194304  262144  400.0  401.0  402.0  390.0  410.0  10.486  7.864\n";
    std::string part = "\tCOMMS-RES-" + name;
    part += "  1048576  262144  400.0  401.0  402.0  390.0  410.0  2.621  1.966\n";
    const verdict::Run run = import_log(param(row), "auto", {}).reference.runs.at(0);
    EXPECT_EQ(run.ranks, 4) << name;
    EXPECT_EQ(run.collective, collective);
    const Point& point = run.points.at(0);
    EXPECT_EQ(point.size_bytes, 4194304U);
    EXPECT_EQ(point.type, name.find("float32") == std::string::npos ? "" : "float");
    EXPECT_NEAR(point.busbw_gigabytes_per_second.value_or(0), 7.864, 1e-3);
    EXPECT_THROW(import_log(param(part), "auto", {}), NoFigures) << name;
  }
}

/// Two ranks of 4 bytes are one rank of 8.
TEST(Param, DoesNotGuessWithoutTheType) {
  const auto log = [](const std::string& name) {
    return "\tCOMMS-RES  size (B)  nElementsPerRank  Latency(us):p50  p75  p95  Min  Max  "
           "AlgBW(GB/s)  BusBW(GB/s)\n\tCOMMS-RES-" +
           name + "  1048576  131072  100.0  100.0  100.0  100.0  100.0  10.486  5.243\n";
  };
  EXPECT_THROW(import_log(log("all_gather"), "auto", {.ranks = 2}), NoFigures);
  EXPECT_THROW(import_log(log("all_gather-float32"), "auto", {}), NoFigures);
  EXPECT_THROW(import_log(log("all_gather-float64"), "auto", {.ranks = 2}), NoFigures);
  EXPECT_EQ(import_log(log("all_gather-float32"), "auto", {.ranks = 2}).reference.runs.size(), 1u);
}

/// Old versions print rank 0's bandwidth next to the median of the ranks' times.
TEST(Param, HasABandwidthOfOneRanksTime) {
  const auto row = [](const std::string& algbw) {
    return param("\tCOMMS-RES-all_reduce  1048576  262144  100.0  101.0  102.0  90.0  110.0  " +
                 algbw + "  17.0\n");
  };
  EXPECT_EQ(import_log(row("11.000"), "auto", {}).reference.runs.at(0).points.at(0).time_us, 100.0);
  EXPECT_THROW(import_log(row("12.000"), "auto", {}), NoFigures);
}

TEST(Param, LeavesOutWhatRailgaugeDoesNotKnow) {
  const std::string figures =
      "  1048576  262144  100.0  101.0  102.0  90.0  110.0  10.486  15.729\n";
  const Imported imported = import_log(
      param("\tCOMMS-RES-all_reduce-float32" + figures + param("\tCOMMS-RES-incast" + figures)),
      "auto", {});
  ASSERT_EQ(imported.reference.runs.size(), 1u);
  EXPECT_EQ(imported.reference.runs[0].collective, "all_reduce");
  EXPECT_EQ(imported.complaints.size(), 1u);
  EXPECT_THROW(
      import_log(param("\tCOMMS-RES-incast" + figures), "auto", {.collective = "all_reduce"}),
      NoFigures);
}

TEST(Osu, CountsMessagesOfSeveralPairs) {
  const Imported imported = import_log(
      "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.2\n"
      "# [ pairs: 36 ] [ window size: 64 ]\n"
      "# Size                  MB/s        Messages/s\n"
      "4096                 8192.00        2000000.00\n"
      "8192                 8192.00        2000000.00\n",
      "auto", {});
  const verdict::Run& run = imported.reference.runs.at(0);
  EXPECT_EQ(run.collective, "osu_mbw_mr");
  EXPECT_EQ(run.ranks, 72);
  ASSERT_EQ(run.points.size(), 1u);
  EXPECT_DOUBLE_EQ(run.points[0].algbw_gigabytes_per_second.value_or(0), 8.192);
  ASSERT_EQ(imported.complaints.size(), 1u);  // not size times messages
}

TEST(Osu, IsReadAsASuite) {
  const std::string suite =
      "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n"
      "4194304             23982.18\n\n"
      "# OSU MPI Allgather Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
      "# Size       Avg Latency(us)\n1048576                 104.30\n";
  EXPECT_EQ(import_log(suite, "auto", {}).reference.runs.size(), 1u);
  const auto runs = import_log(suite, "auto", {.ranks = 4}).reference.runs;
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].ranks, 2);
  EXPECT_EQ(runs[1].points.at(0).size_bytes, 4U << 20U);
}

TEST(Imb, CountsPartsOfReduceScatterByVersion) {
  const auto size = [](const std::string& version, const std::string& title) {
    return import_log(version + "# Benchmarking " + title +
                          "\n# #processes = 4\n"
                          "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                          "1024 1000 9.50 10.50 10.00\n",
                      "auto", {})
        .reference.runs.at(0)
        .points.at(0)
        .size_bytes;
  };
  EXPECT_EQ(size("#    Intel(R) MPI Benchmarks 2018 Update 1, MPI-1 part\n", "Reduce_scatter"),
            1024u);
  EXPECT_EQ(size("#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n", "Reduce_scatter"), 4096u);
  EXPECT_EQ(size("", "Reduce_scatter_block"), 4096u);
  EXPECT_EQ(size("", "Alltoallv"), 4096u);
}

TEST(Refusal, NamesTheLineAndTheNearestFormat) {
  const auto why = [](const std::string& log) -> std::string {
    try {
      import_log(log, "auto", {});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why("x\nTransferBench v1.50\n").substr(0, 8), "line 2: ");
  EXPECT_NE(why("x\nbytes   #sent   #ack     total\n").find("perftest"), std::string::npos);
  EXPECT_NE(why("#bytes #repetitions  t[usec]\n1024 1000 9.50\n"), "");
  EXPECT_NE(why("hello\n").find("railgauge reads"), std::string::npos);
}

TEST(Transcript, UnpacksLinesOfJson) {
  const std::string table =
      "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n8 2000.50\n16 4000.25\n";
  const auto wrapped = [&](const std::string& before, const std::string& after) {
    std::string all = "{\n";
    for (const std::string_view line : lines_of(table))
      all += before + std::string(line) + after + "\n";
    return import_log(all + "}\n", "auto", {}).reference.runs.at(0).points.size();
  };
  EXPECT_EQ(wrapped("{\"log\":\"", "\\n\",\"stream\":\"stdout\"}"), 2u);
  EXPECT_EQ(wrapped("{\"stream\":\"stdout\",\"log\":\"", "\\n\"}"), 2u);
  EXPECT_EQ(wrapped("{\"MESSAGE\":\"", "\",\"PRIORITY\":\"6\"}"), 2u);
  EXPECT_EQ(wrapped("      \"", "\\n\","), 2u);  // a notebook
  const std::string ansible =
      "{\"stdout_lines\": [\"# OSU MPI Bandwidth Test v7.4\", \"# Size      Bandwidth (MB/s)\", "
      "\"8 2000.50\"]}\n";
  EXPECT_EQ(import_log(ansible, "auto", {}).reference.runs.size(), 1u);
  const std::string stdout_text =
      "    \"stdout\": \"# OSU MPI Bandwidth Test v7.4\\n# Size      Bandwidth (MB/s)\\n8 "
      "2000.50\",\n";
  EXPECT_EQ(import_log(stdout_text, "auto", {}).reference.runs.size(), 1u);
}

/// Records of Debian 12's perftest 6.06 (names without quotation marks) and of a later one.
TEST(PerftestJson, IsReadOfAllVersions) {
  const auto run = [](const std::string& text) {
    return import_log(text, "auto", {}).reference.runs.at(0);
  };
  const std::string write =
      "{\ntest_info: {\ntest: RDMA_Write_BW_Test,\nTX_depth : 50,\n},\nresults: {\nMsgSize: "
      "65536,\n"
      "n_iterations: 50,\nBW_peak: 7.36,\nBW_average: 7.34,\nMsgRate: 0.014003,\n},\n}\n";
  EXPECT_EQ(run(write).collective, "ib_write_bw");
  EXPECT_DOUBLE_EQ(run(write).points.at(0).algbw_gigabytes_per_second.value_or(0), 0.9175);
  const std::string quoted =
      "{\"test_info\": {\"test\": \"Send_Bidirectional_Post_List_BW_Test\"}, \"results\": "
      "{\"MsgSize\": "
      "65536, \"n_iterations\": 5000, \"BW_average\": 2229.27, \"MsgRate\": 0.035668}}\n";
  EXPECT_EQ(run(quoted).collective, "ib_send_bw_bidirectional");
  EXPECT_NEAR(run(quoted).points.at(0).algbw_gigabytes_per_second.value_or(0), 2.3376, 1e-4);
  EXPECT_EQ(import_log(quoted.substr(0, quoted.size() - 2), "auto", {}).reference.ending->how,
            Ended::cut);
}

TEST(NcclTable, DoesNotInventHostsOfTornLines) {
  const std::string row =
      "  1048576  262144  float  sum  -1  100.0  10.49  15.73  0  100.0  10.49  15.73  0\n";
  const auto run = [&](const std::string& device) {
    return import_log("#  Rank  0 Group  0 Pid 101 on      hostA device  0 [0x04] NVIDIA H100\n" +
                          device + row,
                      "auto", {})
        .reference.runs.at(0);
  };
  EXPECT_EQ(run("#  Rank  1 Group  0 Pid 104 on  hostB device  0 [0x04] NVIDIA H100\n").nodes, 2);
  const verdict::Run torn =
      run("#  Rank  1 Group  0 Pid 104 on    hostA:101:101 [0] NCCL INFO x\n");
  EXPECT_EQ(torn.ranks, 2);
  EXPECT_EQ(torn.nodes, std::nullopt);
  EXPECT_EQ(run("#  Rank 2147483647 Group 0 Pid 1 on h device  0 [0x04] GPU\n").ranks, 1);
}

}  // namespace
}  // namespace railgauge::verdict
