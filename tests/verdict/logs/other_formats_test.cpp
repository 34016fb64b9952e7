// Formats that a site has besides nccl-tests', as their programs print them.

#include <gtest/gtest.h>

#include <string>

#include "verdict/logs/import.hpp"

namespace railgauge::verdict {
namespace {

const std::string kPrintedImb =
    "#----------------------------------------------------------------\n"
    "# Benchmarking Allreduce \n"
    "# #processes = 4 \n"
    "#----------------------------------------------------------------\n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "            0         1000         0.03         0.03         0.03\n"
    "      1048576           40        98.00       102.00       100.00\n"
    "#---------------------------------------------------\n"
    "# Benchmarking Alltoall \n"
    "# #processes = 4 \n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
    "         1024         1000        10.00        12.00        11.00\n"
    "# Benchmarking PingPong\n"
    "# #processes = 2\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         1.66         0.00\n"
    "      1048576           40       100.00     10485.76\n"
    "# Benchmarking Exchange\n"
    "# #processes = 4\n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
    "         8192         1000       109.65       110.79       110.37       282.08\n";

TEST(Imb, IsReadAsItself) {
  const Imported imported = import_log(kPrintedImb, "auto", {});
  const auto& runs = imported.reference.runs;
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].collective, "all_reduce");
  EXPECT_EQ(runs[0].ranks, 4);
  ASSERT_EQ(runs[0].points.size(), 1u);  // no bytes are no measurement
  EXPECT_DOUBLE_EQ(runs[0].points[0].busbw_gigabytes_per_second.value_or(0), 10.48576 * 1.5);
  EXPECT_EQ(runs[1].collective, "alltoall");
  EXPECT_EQ(runs[1].points[0].size_bytes, 4096u);
  EXPECT_EQ(runs[2].collective, "imb_pingpong");
  ASSERT_EQ(imported.complaints.size(), 1u);
  EXPECT_EQ(imported.complaints[0].line, 18u);
  EXPECT_EQ(imported.complaints[0].text, "no benchmark that is read: Exchange");
}

const std::string kPrintedUcc =
    "Collective:             Allgather\n"
    "Memory type:            host\n"
    "Datatype:               float32\n"
    "Reduction:              N/A\n"
    "Inplace:                0\n"
    "\n"
    "       Count        Size                Time, us                           Bandwidth, GB/s\n"
    "                                 avg         min         max         avg         max         "
    "min\n"
    "       65536      262144      100.00       90.00      110.00        7.86        8.74        "
    "7.15\n";

TEST(Ucc, KnowsByItsBandwidthWhetherSizesAreParts) {
  const Imported imported = import_log(kPrintedUcc, "auto", {.ranks = 4});
  EXPECT_TRUE(imported.complaints.empty());
  const Point& point = imported.reference.runs.at(0).points.at(0);
  EXPECT_EQ(imported.reference.runs[0].collective, "all_gather");
  EXPECT_EQ(point.size_bytes, 1048576u);
  EXPECT_EQ(point.type, "float");
  EXPECT_EQ(point.time_us, 100.0);
  EXPECT_EQ(point.buffers, BufferMode::out_of_place);
  EXPECT_THROW(import_log(kPrintedUcc, "auto", {}), NoFigures);
  EXPECT_THROW(import_log(kPrintedUcc, "auto", {.ranks = 8}), NoFigures);
}

std::string inspector(const std::string& collective, std::uint64_t size, double time, double algbw,
                      double busbw) {
  return R"({"header":{"id":"0x7f","rank":2,"n_ranks":8,"nnodes":1},"metadata":{"pid":1},)"
         R"("coll_perf":{"coll":")" +
         collective + R"(","coll_sn":1407,"coll_msg_size_bytes":)" + std::to_string(size) +
         R"(,"coll_exec_time_us":)" + std::to_string(time) + R"(,"coll_algobw_gbs":)" +
         std::to_string(algbw) + R"(,"coll_busbw_gbs":)" + std::to_string(busbw) + "}}\n";
}

/// Since v4.3 the marker in front of a dump has the header of all its records.
TEST(Inspector, RecordsOfADumpHaveTheHeaderInFrontOfIt) {
  const auto dump = [](int ranks) {
    return R"({"header":{"id":"0x)" + std::to_string(ranks) + R"(","rank":0,"n_ranks":)" +
           std::to_string(ranks) +
           R"(,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.3"},)"
           R"("dump_stats":{"coll_records":1,"coll_dropped_since_last_dump":0}})"
           "\n"
           R"({"coll_perf":{"coll":"AllReduce","coll_algo":"RING","coll_sn":1407,)"
           R"("coll_msg_size_bytes":17179869184,"coll_exec_time_us":61974,)"
           R"("coll_algobw_gbs":277.210914,"coll_busbw_gbs":485.119099}})"
           "\n"
           R"({"proxy_trace":{"record_type":"proxy_op","record_sn":42,"rank":2}})"
           "\n";
  };
  const Imported imported = import_log(dump(8), "auto", {});
  ASSERT_EQ(imported.reference.runs.size(), 1U);
  EXPECT_TRUE(imported.complaints.empty());
  EXPECT_EQ(imported.reference.runs[0].ranks, 8);
  EXPECT_EQ(imported.reference.runs[0].points.at(0).algorithm, "ring");
  // The figures are of 8 ranks.
  EXPECT_EQ(import_log(dump(8) + dump(4), "auto", {}).complaints.size(), 1U);
}

TEST(Inspector, GivesTheMedianOfEverySize) {
  const std::string log = inspector("AllReduce", 17179869184, 61974, 277.210914, 485.119099) +
                          inspector("AllReduce", 17179869184, 60000, 286.33, 501.08) +
                          inspector("AllReduce", 17179869184, 70000, 245.43, 429.5) +
                          inspector("ReduceScatter", 2147483648, 41057, 418.439467, 366.134533) +
                          inspector("AllReduce", 1048576, 100, 99.0, 99.0);
  const Imported imported = import_log(log, "auto", {});
  const auto& runs = imported.reference.runs;
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].ranks, 8);
  EXPECT_EQ(runs[0].nodes, 1);
  ASSERT_EQ(runs[0].points.size(), 1u);
  EXPECT_EQ(runs[0].points[0].time_us, 61974.0);
  EXPECT_EQ(runs[1].collective, "reduce_scatter");
  EXPECT_EQ(runs[1].points[0].size_bytes, 2147483648ULL * 8);  // it prints one rank's part
  ASSERT_EQ(imported.complaints.size(), 1u);
  EXPECT_EQ(imported.complaints[0].line, 5u);
}

TEST(PerftestJson, TakesTheUnitFromTheRateOfMessages) {
  const auto bandwidth = [](const std::string& average, const std::string& rate) {
    return import_log(
               "{\n\"test_info\": {\n\"test\": \"RDMA_Write BW Test\"\n},\n\"results\": {\n"
               "\"MsgSize\": 65536,\n\"n_iterations\": 5000,\n\"BW_peak\": 0.00,\n"
               "\"BW_average\": " +
                   average + ",\n\"MsgRate\": " + rate + "\n}\n}\n",
               "auto", {})
        .reference.runs.at(0)
        .points.at(0)
        .algbw_gigabytes_per_second.value_or(0);
  };
  EXPECT_DOUBLE_EQ(bandwidth("392.08", "0.747833"), 49.01);
  EXPECT_DOUBLE_EQ(bandwidth("392.08", "0.006273"), 392.08 * (1 << 20) / 1e9);
  EXPECT_THROW(bandwidth("392.08", "0.5"), NoFigures);
}

TEST(PerftestJson, IsReadWithoutQuotationMarks) {
  const Imported imported = import_log(
      "{\ntest_info: {\ntest: \"Send_Lat\",\nDual_port: \"OFF\",\n},\nresults: {\nMsgSize: 2,\n"
      "n_iterations: 1000,\nt_min: 4.70,\nt_max: 13.20,\nt_typical: 4.83,\nt_avg: 4.82,\n}\n}\n",
      "auto", {});
  EXPECT_EQ(imported.reference.runs.at(0).collective, "ib_send_lat");
  EXPECT_EQ(imported.reference.runs[0].points.at(0).time_us, 4.83);
}

TEST(Nvbandwidth, IsRefusedByItsName) {
  try {
    import_log(
        "nvbandwidth Version: v0.8\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
        "           0         1\n 0     26.03     25.94\n",
        "auto", {});
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 26), "line 1: it is nvbandwidth'");
  }
}

TEST(Rccl, IsReadPrettyPrintedAndByItsArithmetic) {
  const auto record = [](const std::string& time) {
    return "{\n  \"numCycle\": 0,\n  \"name\": \"AllReduce\",\n  \"nodes\": 2,\n  \"ranks\": 4,\n"
           "  \"gpusPerRank\": 1,\n  \"size\": 1048576,\n  \"type\": \"float\",\n"
           "  \"redop\": \"sum\",\n  \"inPlace\": 0,\n  \"time\": " +
           time + ",\n  \"algBw\": 10.49,\n  \"busBw\": 15.73,\n  \"#wrong\": \"0\"\n}";
  };
  const Imported imported =
      import_log("[\n" + record("100.0") + ",\n" + record("50.0") + "\n]\n", "auto", {});
  ASSERT_EQ(imported.reference.runs.at(0).points.size(), 1u);
  ASSERT_EQ(imported.complaints.size(), 1u);
  EXPECT_EQ(imported.complaints[0].text, "algbw is not size over time");
  EXPECT_EQ(imported.complaints[0].line, 17u);
}

TEST(Osu, IsReadInAllItsTitles) {
  const auto collective = [](const std::string& title, const std::string& head,
                             const std::string& row) {
    return import_log("# OSU " + title + " v7.4\n# " + head + "\n" + row + "\n", "auto",
                      {.ranks = 4})
        .reference.runs.at(0)
        .collective;
  };
  const std::string mean = "Size       Avg Latency(us)";
  EXPECT_EQ(collective("MPI All-to-All Personalized Exchange Latency Test", mean, "8   1.50"),
            "alltoall");
  EXPECT_EQ(collective("MPI-CUDA Allreduce Latency Test", mean, "8   1.50"), "all_reduce");
  EXPECT_EQ(collective("MPI-ROCM Broadcast Latency Test", mean, "8   1.50"), "broadcast");
  EXPECT_EQ(collective("MPI Barrier Latency Test", "Avg Latency(us)", "   1.50"), "barrier");
  const auto pair = [](const std::string& title, const std::string& head) {
    return import_log("# OSU " + title + " v7.4\n# Size   " + head + "\n8   1.50\n", "auto", {})
        .reference.runs.at(0)
        .collective;
  };
  EXPECT_EQ(pair("MPI_Put Latency Test", "Latency (us)"), "osu_put_latency");
  EXPECT_EQ(pair("MPI_Get Bandwidth Test", "Bandwidth (MB/s)"), "osu_get_bw");
  EXPECT_EQ(pair("MPI_Put-CUDA Bi-directional Bandwidth Test", "Bandwidth (MB/s)"), "osu_put_bibw");
  EXPECT_EQ(pair("MPI-CUDA Bi-Directional Bandwidth Test", "Bandwidth (MB/s)"), "osu_bibw");
}

TEST(Osu, LeavesOutWhatIsNoLatency) {
  EXPECT_THROW(import_log("# OSU MPI Non-blocking Allreduce Latency Test v7.4\n"
                          "# Size      Overall(us)    Compute(us)    Pure Comm.(us)  Overlap(%)\n"
                          "8      10.00    5.00    6.00    80.00\n",
                          "auto", {.ranks = 4}),
               NoFigures);
  EXPECT_THROW(import_log("# OSU MPI Allreduce Latency Test v7.4\n# Size    Latency (us)\n8  1.5\n",
                          "auto", {.ranks = 4}),
               NoFigures);
}

TEST(Perftest, ReadsLatenciesOfAllVersions) {
  const auto time = [](const std::string& head, const std::string& row) {
    const Imported imported = import_log(
        "                    Send Latency Test\n " + head + "\n " + row + "\n", "auto", {});
    EXPECT_TRUE(imported.complaints.empty());
    return imported.reference.runs.at(0).points.at(0).time_us;
  };
  EXPECT_EQ(time("#bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]",
                 "2       1000          0.91           5.57         0.97"),
            0.97);
  EXPECT_EQ(time("#bytes        #iterations       t_avg[usec]", "2       1000          0.97"),
            0.97);
  EXPECT_EQ(time("#bytes        #iterations       t_avg[usec]    tps average",
                 "2       1000          0.97     515463.92"),
            0.97);
}

}  // namespace
}  // namespace railgauge::verdict
