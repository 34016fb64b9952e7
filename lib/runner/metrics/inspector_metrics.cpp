#include "runner/metrics/inspector_metrics.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

#include "results/collective.hpp"

namespace railgauge::runner {
namespace {

using metrics::Labels;
using metrics::Metric;
using metrics::with;

constexpr Metric kInspectorBandwidth{.name = "nccl_bus_bandwidth_gbs",
                                     .help = "Bus bandwidth in GB/s (10^9 bytes).",
                                     .passing = true};
constexpr Metric kInspectorTime{.name = "nccl_collective_exec_time_microseconds",
                                .help = "Mean time of the collective in microseconds.",
                                .passing = true};
constexpr Metric kInspectorPeerBandwidth{.name = "nccl_p2p_bus_bandwidth_gbs",
                                         .help = "Bus bandwidth of sendrecv in GB/s (10^9 bytes).",
                                         .passing = true};
constexpr Metric kInspectorPeerTime{.name = "nccl_p2p_exec_time_microseconds",
                                    .help = "Mean time of sendrecv in microseconds.",
                                    .passing = true};

constexpr const char* kUnknown = "unknown";

std::string slurm_job_id() {
  const char* id = std::getenv("SLURM_JOB_ID");
  return id == nullptr ? kUnknown : id;
}

std::string capitalised(std::string word) {
  if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

/// Of all iterations, over both buffer modes: bandwidth goes with the inverse of time, so its
/// geometric mean follows from that of the times.
struct Means {
  double mean_us = 0;
  double gigabytes_per_second = 0;
};

Means means_of(const results::CollectiveRow& row) {
  double iterations = 0;
  double sum_us = 0;
  double sum_of_logarithms = 0;  // of bandwidths
  for (const auto& [mode, measurement] : results::measurements_of(row)) {
    const double at_one_us = measurement.busbw_gigabytes_per_second * measurement.time.p50_us;
    for (const measure::Histogram::Bin& bin : measurement.histogram) {
      const auto count = static_cast<double>(bin.count);
      const double us = (bin.lower_us + bin.upper_us) / 2;
      iterations += count;
      sum_us += us * count;
      if (at_one_us > 0 && us > 0) sum_of_logarithms += std::log(at_one_us / us) * count;
    }
  }
  if (iterations == 0) return {};
  const bool moves_data = sum_of_logarithms != 0;
  return {sum_us / iterations, moves_data ? std::exp(sum_of_logarithms / iterations) : 0};
}

}  // namespace

std::string inspector_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KB", "MB", "GB", "TB"};
  constexpr std::uint64_t kStep = 1024;
  std::size_t unit = 0;
  for (; bytes >= kStep && unit + 1 < kUnits.size(); ++unit) bytes /= kStep;
  if (bytes == 0) return "0B";
  return std::to_string(bytes) + "-" + std::to_string(bytes + 1) + kUnits.at(unit);
}

std::string inspector_collective(const std::string& collective) {
  if (collective == "alltoall") return "AlltoAll";
  if (collective == "alltoallv") return "AlltoAllv";
  std::string name;
  for (std::size_t begin = 0; begin < collective.size();) {
    const std::size_t end = std::min(collective.find('_', begin), collective.size());
    name += capitalised(collective.substr(begin, end - begin));
    begin = end + 1;
  }
  return name;
}

void InspectorMetrics::begin(const results::Document& document) {
  std::set<std::string> hosts;
  for (const results::Rank& rank : document.ranks) hosts.insert(rank.host);
  job_ = {{"version", document.tool.name + " " + document.tool.version},
          {"slurm_job_id", slurm_job_id()},
          {"node", document.ranks.empty() ? kUnknown : document.ranks.front().host},
          {"gpu", kUnknown},
          {"comm_name", document.tool.name},
          {"n_nodes", std::to_string(hosts.size())},
          {"nranks", std::to_string(document.ranks.size())}};
}

void InspectorMetrics::row(const results::Document& document) {
  const auto* body = std::get_if<results::CollectiveBody>(&document.body);
  if (body == nullptr) return;  // no collectives: the Inspector has no words for it
  const results::CollectiveRow& row = body->rows.back();
  const Means means = means_of(row);
  operation(
      {body->collective, row.algorithm, row.size_bytes, means.mean_us, means.gigabytes_per_second});
}

void InspectorMetrics::operation(const Operation& operation) {
  const std::string size = inspector_size(operation.bytes);
  if (operation.collective == "sendrecv") {
    for (const char* end : {"Send", "Recv"}) {
      const Labels labels = with(with(job_, "p2p_operation", end), "message_size", size);
      registry_.set(kInspectorPeerBandwidth, labels, operation.gigabytes_per_second);
      registry_.set(kInspectorPeerTime, labels, operation.time_us);
    }
    return;
  }
  const Labels labels =
      with(with(with(job_, "collective", inspector_collective(operation.collective)),
                "message_size", size),
           "algo_proto", capitalised(operation.algorithm) + "_rdma");
  registry_.set(kInspectorBandwidth, labels, operation.gigabytes_per_second);
  registry_.set(kInspectorTime, labels, operation.time_us);
}

}  // namespace railgauge::runner
