#pragma once

#include <cstdint>
#include <string>

#include "metrics/registry.hpp"
#include "results/document.hpp"

namespace railgauge::runner {

/// A collective at one size, as it was measured last.
struct Operation {
  std::string collective{};
  std::string algorithm{};
  std::uint64_t bytes = 0;
  double time_us = 0;
  double gigabytes_per_second = 0;
};

/// What NVIDIA's NCCL Inspector writes for Prometheus, for the dashboards that read it:
/// nccl_bus_bandwidth_gbs and nccl_collective_exec_time_microseconds; of sendrecv nccl_p2p_..., for
/// both ends. After plugins/profiler/inspector of NCCL 2.30 (inspector_prom.cc, its README and its
/// Grafana template), where also is said:
/// - labels version, slurm_job_id, node, gpu, comm_name, n_nodes, nranks, collective or
///   p2p_operation, message_size, algo_proto; what is not known is "unknown";
/// - message_size is a range of one unit, "4-5GB", with units of 1024;
/// - the time is the mean over operations, the bandwidth their geometric mean.
///
/// Different here: figures are of the slowest rank, once for the job and not for each GPU, so node
/// is rank 0's host and gpu is "unknown"; the size is that of nccl-tests' table; there is no
/// protocol, and algo_proto is "Ring_rdma".
class InspectorMetrics {
 public:
  /// Before the first row: the ranks are known.
  void begin(const results::Document& document);
  /// The document's last row.
  void row(const results::Document& document);
  /// Of an experiment whose rows are no collectives.
  void operation(const Operation& operation);
  [[nodiscard]] metrics::Snapshot snapshot() const { return registry_.snapshot(); }

 private:
  metrics::Registry registry_;
  metrics::Labels job_;  // that all series have
};

/// "4-5KB", "0B".
[[nodiscard]] std::string inspector_size(std::uint64_t bytes);
/// "AllReduce" of "all_reduce".
[[nodiscard]] std::string inspector_collective(const std::string& collective);

}  // namespace railgauge::runner
