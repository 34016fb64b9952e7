#include "predict/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "schedule/algorithms.hpp"

namespace railgauge::predict {
namespace {

using fabric::number;
using schedule::Collective;

constexpr double kLatencyBand = 2;

schedule::Rank ranks_of(const Scenario& scenario) {
  return static_cast<schedule::Rank>(scenario.ranks.hosts * scenario.ranks.per_host);
}

/// Bytes that a NIC and an NVLink port move at least, in parts of a rank's data.
struct Least {
  double nic = 0;
  double nvlink = 0;
};

Least least_of(const Scenario& scenario) {
  const auto hosts = fabric::real(scenario.ranks.hosts);
  const auto local = fabric::real(scenario.ranks.per_host);
  const auto nics =
      std::min(local * fabric::real(scenario.ranks.nics_each), fabric::real(scenario.fabric.nics));
  const double n = hosts * local;
  const bool by_nics = scenario.routing.inside_by_nics;
  const double outside = by_nics ? (n - 1) / n * local : (hosts - 1) / hosts;
  const double inside = by_nics ? 0 : (local - 1) / local;
  switch (scenario.collective) {
    case Collective::all_reduce: return {2 * outside / nics, 2 * inside};
    case Collective::reduce_scatter:
    case Collective::all_gather: return {outside / nics, inside};
    case Collective::all_to_all:
    case Collective::all_to_all_v:
      return {outside * (by_nics ? 1 : local) / nics, by_nics ? 0 : (local - 1) / n};
    case Collective::barrier: return {};
    default: return {hosts > 1 ? 1 / nics : 0.0, hosts > 1 ? 0.0 : 1.0};
  }
}

void check(const Scenario& scenario) {
  if (scenario.ranks.hosts > scenario.fabric.hosts) {
    throw std::invalid_argument("ranks on " + fabric::counted(scenario.ranks.hosts) +
                                " hosts were asked for, and the fabric has " +
                                fabric::counted(scenario.fabric.hosts));
  }
  if (scenario.ranks.hosts * scenario.ranks.per_host < 2) {
    throw std::invalid_argument("a prediction needs at least two ranks");
  }
}

std::vector<const schedule::Algorithm*> wanted(const Scenario& scenario) {
  std::vector<const schedule::Algorithm*> found;
  if (scenario.algorithms.empty()) {
    for (const auto& one : schedule::algorithms(scenario.collective)) found.push_back(&one);
    return found;
  }
  for (const std::string& name : scenario.algorithms) {
    const auto* const one = schedule::find_algorithm(scenario.collective, name);
    if (one == nullptr) {
      throw std::invalid_argument(std::string(schedule::name(scenario.collective)) +
                                  " has no algorithm '" + name + "': it has " +
                                  schedule::algorithm_names(scenario.collective));
    }
    found.push_back(one);
  }
  return found;
}

std::string tier_of(const Profile& profile) {
  if (profile.counted_only) return "T0 closed form";
  if (profile.looked_at == profile.classes) return "T1 link loads";
  return "T1, " + std::to_string(profile.looked_at) + "/" + std::to_string(profile.classes) +
         " steps";
}

/// The terms of a time.
struct Terms {
  double waited_us = 0;
  double moved_us = 0;
  double worst_moved_us = 0;  // by the worst hash seed
  double reduced_us = 0;
};

Terms terms_of(const Scenario& scenario, const Profile& profile, double bytes) {
  const Work work = work_of(scenario, profile, bytes);
  const double further_us = bytes * (profile.worst_us_per_byte - profile.us_per_byte);
  return {latency_us(profile.waits, scenario.latencies), scenario.slowdown * work.moved_us,
          scenario.slowdown * (work.moved_us + further_us),
          scenario.reduce_us_per_byte * work.reduced_bytes};
}

std::string dominating(const Profile& profile, const Terms& terms) {
  const auto most = std::ranges::max_element(profile.of_kind);
  if (terms.waited_us >= std::max(terms.moved_us, terms.reduced_us)) return "latency";
  if (terms.reduced_us > terms.moved_us) return "reduction";
  return word(static_cast<LinkKind>(most - profile.of_kind.begin()));
}

Prediction row_of(const Scenario& scenario, const std::string& algorithm, const Profile& profile,
                  std::uint64_t size) {
  const auto bytes = static_cast<double>(size);
  const Terms terms = terms_of(scenario, profile, bytes);
  Prediction row{.algorithm = algorithm, .bytes = size};
  row.time_us = terms.waited_us + terms.moved_us + terms.reduced_us;
  const bool known = scenario.latencies_given || scenario.calibration_error;
  const double latency_band = known ? 1 : kLatencyBand;
  const double error = 1 + scenario.calibration_error.value_or(0);
  const bool hashed = profile.hash_step > 0 && profile.step_efficiency() < 1 - 1e-9;
  row.least_us = (terms.waited_us / latency_band + terms.moved_us + terms.reduced_us) / error;
  row.most_us = (terms.waited_us * latency_band + terms.reduced_us +
                 (hashed ? kPfcBand * terms.worst_moved_us : terms.moved_us)) *
                error;
  row.busbw =
      bytes / row.time_us / 1000 * schedule::bus_factor(scenario.collective, ranks_of(scenario));
  row.aggregate = profile.aggregate;
  row.step = profile.step_efficiency();
  row.dominates = dominating(profile, terms);
  row.tier = tier_of(profile);
  return row;
}

void remark(Forecast& forecast, const std::string& algorithm, const Profile& profile) {
  std::string text = algorithm + ": " + profile.worst;
  if (profile.hash_step > 0 && profile.hash_step < 1) {
    text += "; by E[max] of the hashes that step has " + number(100 * profile.hash_step, 3) + " %";
  }
  if (profile.seeds > 1) text += "; mean of " + std::to_string(profile.seeds) + " hash seeds";
  forecast.remarks.push_back(text + ".");
}

std::string sources(const Scenario& scenario) {
  const bool fitted = scenario.calibration_error.has_value();
  const auto given = [](bool is) { return is ? " (given)" : " (assumed, not measured)"; };
  return "Sources: fabric " + scenario.fabric_source + "; latency of a step " +
         number(scenario.latencies.network_us) + " us, inside a host " +
         number(scenario.latencies.inside_us) + " us, to post a message " +
         number(scenario.latencies.post_us) + " us" +
         (fitted ? " (calibrated)" : given(scenario.latencies_given)) + "; NVLink " +
         number(scenario.routing.nvlink_bytes_per_us / 1000) + " GB/s" +
         given(scenario.nvlink_given) + "; payload of RoCE v2 packets of " +
         std::to_string(scenario.routing.mtu_bytes) + " B by arithmetic" +
         (fitted ? ", times " + number(1 / scenario.slowdown) + " (calibrated); reduction " +
                       number(1000 * scenario.reduce_us_per_byte) + " ns per byte (calibrated)."
                 : "; reduction is free.");
}

/// What it takes for the hash of ecmp; empty: no other.
std::string hashed_alike(Balance balance) {
  switch (balance) {
    case Balance::ecmp_queue_pair:
      return "ecmp+qp: predicted as ecmp, where each queue pair has a UDP source port.";
    case Balance::wcmp:
      return "wcmp: predicted as ecmp, because all links of a tier have the same rate.";
    case Balance::flowlet:
      return "flowlet: predicted as ecmp, because a collective's flows have few gaps.";
    default: return "";
  }
}

std::string band(const Scenario& scenario) {
  std::string text = "Band: latency times 1/2 to 2";
  if (scenario.calibration_error) {
    text = "Band: the calibration's worst error, " +
           number(std::round(1000 * *scenario.calibration_error) / 10, 3) + " %";
  } else if (scenario.latencies_given) {
    text = "Band: latency as given";
  }
  if (hashes(scenario.routing.balance)) {
    text += "; where hashes collide, the worst seed times 1.15 for pause frames";
  }
  return text + ".";
}

fabric::Count nics_each(const MeasuredHosts& measured) {
  if (measured.own_rails) return std::max<fabric::Count>(1, measured.nics / measured.per_host);
  return std::clamp<fabric::Count>(measured.rails, 1, measured.nics);
}

}  // namespace

Scenario on_one_leaf(const MeasuredHosts& measured, Collective collective) {
  Scenario scenario;
  scenario.collective = collective;
  scenario.ranks = {
      .hosts = measured.hosts, .per_host = measured.per_host, .nics_each = nics_each(measured)};
  scenario.fabric = {.hosts = measured.hosts,
                     .nics = measured.nics,
                     .port_gbps = measured.nic_gbps,
                     .by_rail = false,
                     .hosts_per_leaf = measured.hosts,
                     .spines = 0};
  scenario.routing.inside_by_nics = measured.inside_by_nics;
  return scenario;
}

/// Inside a host a step keeps its ratio to one between hosts.
Work work_of(const Scenario& scenario, const Profile& profile, double bytes) {
  const Latencies& latencies = scenario.latencies;
  const double inside = latencies.network_us > 0 ? latencies.inside_us / latencies.network_us : 0;
  const double fill_us = profile.fill_links * std::min(bytes, scenario.chunk_bytes) /
                         nic_bytes_per_us(scenario.fabric, scenario.routing.mtu_bytes);
  return {.steps = profile.waits.between_hosts + inside * profile.waits.inside,
          .posts = profile.waits.posts,
          .moved_us = fill_us + bytes * profile.us_per_byte,
          .reduced_bytes = bytes * profile.reduced};
}

double bound_of(const Scenario& scenario, bool& nvlink) {
  const Least least = least_of(scenario);
  const double nic_us = least.nic / nic_bytes_per_us(scenario.fabric, scenario.routing.mtu_bytes);
  const double nvlink_us = least.nvlink / scenario.routing.nvlink_bytes_per_us;
  nvlink = nvlink_us > nic_us;
  const double most = std::max(nic_us, nvlink_us);
  if (most <= 0) return 0;
  return schedule::bus_factor(scenario.collective, ranks_of(scenario)) / most / 1000;
}

Forecast predicted(const Scenario& scenario) {
  check(scenario);
  Forecast forecast{.scenario = scenario};
  bool nvlink = false;
  forecast.bound_busbw = bound_of(scenario, nvlink);
  forecast.bound_by = nvlink ? "NVLink" : "NIC";
  for (const schedule::Algorithm* const algorithm : wanted(scenario)) {
    const std::string name(algorithm->name);
    const bool hierarchical = name.starts_with("hierarchical");
    if (hierarchical && scenario.ranks.order == Order::rail) {
      forecast.remarks.push_back(name + ": needs ranks in the order of hosts, not of rails.");
      continue;
    }
    try {
      const auto schedule = algorithm->make(
          {ranks_of(scenario), 0, static_cast<schedule::Rank>(scenario.ranks.per_host)});
      const Profile profile =
          profile_of(schedule, scenario.fabric, scenario.ranks, scenario.routing);
      for (const std::uint64_t size : scenario.sizes) {
        forecast.rows.push_back(row_of(scenario, name, profile, size));
      }
      remark(forecast, name, profile);
    } catch (const std::invalid_argument& cannot) {
      if (!scenario.algorithms.empty() || std::string(cannot.what()).starts_with("--")) throw;
      forecast.remarks.push_back(name + ": " + cannot.what() + ".");
    }
  }
  forecast.remarks.push_back(sources(scenario));
  if (std::string alike = hashed_alike(scenario.routing.balance); !alike.empty())
    forecast.remarks.push_back(std::move(alike));
  forecast.remarks.push_back(band(scenario));
  return forecast;
}

}  // namespace railgauge::predict
