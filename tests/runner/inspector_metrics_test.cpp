#include "runner/metrics/inspector_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "runner/metrics_fixture.hpp"

namespace railgauge::runner {
namespace {

TEST(InspectorMetrics, HaveSizesInRangesOfAUnit) {
  const std::pair<std::uint64_t, const char*> cases[] = {
      {0, "0B"},
      {1, "1-2B"},
      {1023, "1023-1024B"},
      {1024, "1-2KB"},
      {4096, "4-5KB"},
      {(5U << 20U) - 1, "4-5MB"},
      {std::uint64_t{4} << 30U, "4-5GB"},
      {std::uint64_t{2048} << 40U, "2048-2049TB"}};
  for (const auto& [bytes, range] : cases) EXPECT_EQ(inspector_size(bytes), range) << bytes;
}

TEST(InspectorMetrics, HaveNamesAsNccl) {
  const std::pair<const char*, const char*> cases[] = {
      {"all_reduce", "AllReduce"}, {"reduce_scatter", "ReduceScatter"}, {"all_gather", "AllGather"},
      {"alltoall", "AlltoAll"},    {"alltoallv", "AlltoAllv"},          {"broadcast", "Broadcast"}};
  for (const auto& [ours, theirs] : cases) EXPECT_EQ(inspector_collective(ours), theirs);
}

TEST(InspectorMetrics, HaveTheLabelsThatTheTemplateAsksFor) {
  ::setenv("SLURM_JOB_ID", "4711", 1);
  InspectorMetrics metrics;
  results::Document document = two_hosts();
  metrics.begin(document);
  ::unsetenv("SLURM_JOB_ID");
  results::CollectiveRow row = collective_row(4096);
  row.in_place->busbw_gigabytes_per_second = 40;
  rows_of(document).push_back(row);
  metrics.row(document);
  const metrics::Labels labels{{"version", "railgauge 0.1.0"},
                               {"slurm_job_id", "4711"},
                               {"node", "host0"},
                               {"gpu", "unknown"},
                               {"comm_name", "railgauge"},
                               {"n_nodes", "2"},
                               {"nranks", "2"},
                               {"collective", "AllReduce"},
                               {"message_size", "4-5KB"},
                               {"algo_proto", "Ring_rdma"}};
  const auto snapshot = metrics.snapshot();
  ASSERT_EQ(count_of(snapshot, "nccl_bus_bandwidth_gbs"), 1U);
  // 40 iterations of 100 us at 40 GB/s and 2 of 200 us at 20 GB/s.
  EXPECT_NEAR(value_of(snapshot, "nccl_bus_bandwidth_gbs", labels).value(),
              std::exp((40 * std::log(40) + 2 * std::log(20)) / 42), 1e-9);
  EXPECT_NEAR(value_of(snapshot, "nccl_collective_exec_time_microseconds", labels).value(),
              4400.0 / 42, 1e-9);
  EXPECT_EQ(count_of(snapshot, "nccl_p2p_bus_bandwidth_gbs"), 0U);
}

TEST(InspectorMetrics, OfSendrecvAreOfBothEnds) {
  InspectorMetrics metrics;
  results::Document document = two_hosts();
  document.body = results::CollectiveBody{.collective = "sendrecv"};
  metrics.begin(document);
  rows_of(document).push_back(collective_row(4096));
  metrics.row(document);
  for (const char* end : {"Send", "Recv"}) {
    for (const char* name : {"nccl_p2p_bus_bandwidth_gbs", "nccl_p2p_exec_time_microseconds"}) {
      EXPECT_GT(value_of(metrics.snapshot(), name, {{"p2p_operation", end}}), 0) << name << end;
    }
  }
  EXPECT_EQ(count_of(metrics.snapshot(), "nccl_bus_bandwidth_gbs"), 0U);
}

TEST(InspectorMetrics, OfABarrierHaveNoBandwidth) {
  InspectorMetrics metrics;
  results::Document document = two_hosts();
  document.body = results::CollectiveBody{.collective = "barrier"};
  metrics.begin(document);
  results::CollectiveRow row = collective_row(0);
  row.out_of_place = row.in_place = measurement(0, 0);
  rows_of(document).push_back(row);
  metrics.row(document);
  EXPECT_EQ(value_of(metrics.snapshot(), "nccl_bus_bandwidth_gbs", {{"message_size", "0B"}}), 0);
}

TEST(InspectorMetrics, HaveOperationsThatAreNoRows) {
  InspectorMetrics metrics;
  metrics.begin(two_hosts());
  metrics.operation({"all_reduce", "ring", 1U << 20U, 120, 33});
  EXPECT_EQ(value_of(metrics.snapshot(), "nccl_bus_bandwidth_gbs",
                     {{"collective", "AllReduce"}, {"message_size", "1-2MB"}}),
            33);
  EXPECT_EQ(value_of(metrics.snapshot(), "nccl_collective_exec_time_microseconds"), 120);
}

}  // namespace
}  // namespace railgauge::runner
