#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/snapshot.hpp"
#include "results/document.hpp"

namespace railgauge::runner {

/// Labels by name, in any order: those that are asked for.
inline bool has_labels(const metrics::Series& series, const metrics::Labels& labels) {
  return std::ranges::all_of(
      labels, [&](const auto& label) { return std::ranges::count(series.labels, label) == 1; });
}

/// How many series of that name have those labels.
inline std::size_t count_of(const metrics::Snapshot& snapshot, std::string_view name,
                            const metrics::Labels& labels = {}) {
  std::size_t count = 0;
  for (const metrics::Family& family : snapshot) {
    if (family.metric.name != name) continue;
    count += static_cast<std::size_t>(std::ranges::count_if(
        family.series, [&](const auto& series) { return has_labels(series, labels); }));
  }
  return count;
}

/// The value of the only series of that name with those labels; empty if there is none, or several.
inline std::optional<double> value_of(const metrics::Snapshot& snapshot, std::string_view name,
                                      const metrics::Labels& labels = {}) {
  std::optional<double> value;
  if (count_of(snapshot, name, labels) != 1) return value;
  for (const metrics::Family& family : snapshot) {
    if (family.metric.name != name) continue;
    for (const metrics::Series& series : family.series) {
      if (has_labels(series, labels)) value = series.value;
    }
  }
  return value;
}

/// Two ranks on two hosts with two rails each, as it is before the first row of an all-reduce.
inline results::Document two_hosts() {
  results::Document document;
  document.tool = {.version = "0.1.0", .commit = "0123456789ab"};
  document.body = results::CollectiveBody{.collective = "all_reduce"};
  document.start = std::chrono::system_clock::time_point(std::chrono::seconds(1'772'366'400));
  document.command_line = {"/opt/bin/all_reduce_perf", "-b", "1M"};
  document.report.coverage = {{.check = "collective", .planned = 1, .tested = 1}};
  for (int number = 0; number < 2; ++number) {
    const std::string host = "host" + std::to_string(number);
    document.hosts.push_back({.name = host});
    results::Rank rank{.rank = number, .host = host};
    for (int rail = 0; rail < 2; ++rail) {
      const std::string device = "mlx5_" + std::to_string(rail);
      rank.rails.push_back({.rail = rail, .device = device, .link_gigabits_per_second = 400});
      document.counters.push_back({.host = host,
                                   .device = device,
                                   .rail = rail,
                                   .plane = 0,
                                   .before = {{"packet_seq_err", 5},
                                              {"link_downed", 1},
                                              {"port_xmit_packets", 100},
                                              {"rx_prio3_pause_duration", 7}}});
    }
    document.ranks.push_back(rank);
  }
  return document;
}

/// Twenty iterations of 100 us and one of 200 us, on two rails.
inline results::Measurement measurement(double gigabytes_per_second,
                                        std::optional<std::uint64_t> wrong) {
  results::Measurement made;
  made.time.n = 21;
  made.time.p50_us = 100;
  made.histogram = {{99.5, 100.5, 20}, {199.5, 200.5, 1}};
  made.busbw_gigabytes_per_second = gigabytes_per_second;
  made.line_rate_percent = 80;
  made.rails = {{.rail = 0, .busbw_gigabytes_per_second = gigabytes_per_second / 2},
                {.rail = 1, .busbw_gigabytes_per_second = gigabytes_per_second / 2}};
  made.wrong = wrong;
  made.verified_iterations = wrong ? 1 : 0;
  return made;
}

inline results::CollectiveRow collective_row(std::uint64_t bytes) {
  results::CollectiveRow row;
  row.size_bytes = bytes;
  row.type = "float";
  row.op = "sum";
  row.algorithm = "ring";
  row.point.rails = {0, 1};
  row.out_of_place = measurement(40, 0);
  row.in_place = measurement(50, 0);
  return row;
}

inline std::vector<results::CollectiveRow>& rows_of(results::Document& document) {
  return std::get<results::CollectiveBody>(document.body).rows;
}

/// Eight hosts with eight NICs, each of which can count all classes there are, before the first
/// row.
inline results::Document document_of_64_nics() {
  results::Document document = two_hosts();
  document.ranks.clear();
  document.counters.clear();
  for (int host = 0; host < 8; ++host) {
    results::Rank rank{.rank = host, .host = "gpu-node-0" + std::to_string(host)};
    for (int rail = 0; rail < 8; ++rail) {
      rank.rails.push_back({.rail = rail, .device = "mlx5_" + std::to_string(rail)});
      document.counters.push_back(
          {.host = rank.host, .device = rank.rails.back().device, .rail = rail, .plane = 0});
      for (const char* name :
           {"packet_seq_err", "max_retry_exceeded", "icrc_err", "duplicate_request", "np_cnp_sent",
            "cnpIgnored", "port_xmit_wait", "link_downed", "port_rcv_errors",
            "rx_corrected_bits_phy", "outbound_pci_stalled_rd_events", "out_of_buffer",
            "InTruncatedPkts", "bad_resp_err", "rx_prio3_pause_duration",
            "tx_prio3_pause_duration"}) {
        document.counters.back().before[name] = 0;
      }
    }
    document.ranks.push_back(rank);
  }
  return document;
}

/// Their sweep: all sizes from 8 bytes to 64 GiB by two algorithms, in place and out of place, on
/// eight rails.
inline std::vector<results::CollectiveRow> rows_of_64_nics() {
  results::Measurement made = measurement(40, 0);
  made.rails.clear();
  for (unsigned rail = 0; rail < 8; ++rail) made.rails.push_back({.rail = rail});
  std::vector<results::CollectiveRow> rows;
  for (const char* algorithm : {"ring", "tree"}) {
    for (unsigned power = 3; power <= 36; ++power) {
      results::CollectiveRow row = collective_row(std::uint64_t{1} << power);
      row.algorithm = algorithm;
      row.out_of_place = row.in_place = made;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace railgauge::runner
