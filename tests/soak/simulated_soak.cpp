#include "soak/simulated_soak.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "soak/watcher.hpp"

namespace railgauge::soak {
namespace {

constexpr std::uint64_t kSmall = 8192;
constexpr std::uint64_t kLarge = 4194304;
constexpr std::size_t kSeriesOfPhase = 64;
constexpr double kWindowSeconds = 60;
constexpr double kDayWindows = 1440;

/// Large messages take so many times the small ones' time; a chunk of theirs is larger, too.
double factor(const Phase& phase, double of_large) {
  return phase.size_bytes == kLarge ? of_large : 1;
}

}  // namespace

Machine quiet_hardware() {
  return {
      .noise = 0.0015, .descheduled_us = 2000, .slowest = 3, .chunk_us = 12, .iteration_us = 60};
}

Machine busy_machine() {
  return {.software = true,
          .noise = 0.1,
          .burst = 0.05,
          .descheduled_us = 3e6,
          .slowest = 20,
          .chunk_us = 300,
          .iteration_us = 1500};
}

SimulatedSoak::SimulatedSoak(const Machine& machine, unsigned seed)
    : machine_(machine), random_(seed) {
  header_.run = "simulated";
  header_.tool = {.version = "0.1.0", .commit = "unknown"};
  header_.window_s = kWindowSeconds;
  header_.fail_on = failing_causes();
  if (machine.software) header_.outage_percent = Header::kOutagePercentOfSoftware;
  for (const char* collective : {"all_reduce", "alltoall"}) {
    for (const std::uint64_t size : {kSmall, kLarge}) {
      header_.plan.push_back({collective, "ring", size, {0, 1}});
    }
  }
  for (int host = 0; host < kHosts; ++host) {
    results::Rank rank{.rank = host, .host = "host" + std::to_string(host)};
    for (int rail = 0; rail < kRails; ++rail) {
      rank.rails.push_back(
          {.rail = rail,
           .device = "mlx5_" + std::to_string(rail),
           .netdev = "eth" + std::to_string(rail),
           .address = "10." + std::to_string(rail) + ".0." + std::to_string(host),
           .gid = "::ffff:10." + std::to_string(rail) + ".0." + std::to_string(host),
           .gid_index = 3,
           .mtu_bytes = 4096,
           .link_gigabits_per_second = 400});
      if (machine.software) rank.rails.back().kind = results::DeviceKind::software;
    }
    header_.ranks.push_back(rank);
  }
  noise_.resize(header_.plan.size() * kSeriesOfPhase);
}

/// Heavy tails, and half of it stays from one window to the next.
double SimulatedSoak::noisy(double level, std::size_t series) {
  std::student_t_distribution<double> tails(4);
  noise_[series] = 0.5 * noise_[series] + 0.6 * tails(random_);
  return level * std::exp(machine_.noise * noise_[series]);
}

PhaseSample SimulatedSoak::phase(std::size_t number, double day) {
  const Phase& phase = header_.plan[number];
  PhaseSample sample{.phase = number, .iterations = 1000, .verified = 100};
  const std::size_t series = number * kSeriesOfPhase;
  const double level = day * machine_.iteration_us * factor(phase, 20);
  for (int rail = 0; rail < kRails; ++rail) {
    const double us = noisy(level, series + static_cast<std::size_t>(rail));
    sample.p50_us = std::max(sample.p50_us, us);
    sample.rails.push_back(
        {.rail = static_cast<unsigned>(rail), .bytes = 1000 * phase.size_bytes, .p50_us = us});
  }
  for (int host = 0; host < kHosts; ++host) {
    const double burst = host == busy_host_ ? 2 : 1;
    sample.rank_own_us.push_back(burst *
                                 noisy(level / 10, series + 8 + static_cast<std::size_t>(host)));
  }
  std::exponential_distribution<double> tail(1);
  sample.slowest = {.us = sample.p50_us * (1 + machine_.slowest * (1 + tail(random_)) / 2)};
  sample.p99_us = sample.p50_us * 1.5;
  sample.p999_us = sample.slowest.us * 0.9;
  return sample;
}

PortTimes SimulatedSoak::times(int host, int rail, std::size_t phase, double day) {
  const std::size_t series =
      phase * kSeriesOfPhase + 16 + static_cast<std::size_t>(2 * (host * kRails + rail));
  const double burst = host == busy_host_ ? 2 : 1;
  const double level = day * burst * machine_.chunk_us * factor(header_.plan[phase], 5);
  return {.phase = phase, .sent_us = noisy(level, series), .received_us = noisy(level, series + 1)};
}

/// What moves on a fabric where nothing is wrong; and, of a busy machine, time-outs.
void SimulatedSoak::count(PortSample& port) {
  std::poisson_distribution<std::int64_t> marks(200);
  port.moved = {{"port_xmit_packets", 1'000'000 + marks(random_)},
                {"port_rcv_packets", 1'000'000 + marks(random_)},
                {"np_ecn_marked_roce_packets", marks(random_)},
                {"rp_cnp_handled", marks(random_)},
                {"rx_prio3_pause", marks(random_) / 100},
                {"rx_corrected_bits_phy", 1000 * marks(random_)}};
  if (!machine_.software) return;
  std::poisson_distribution<std::int64_t> few(1);
  port.moved["duplicate_request"] = few(random_);
  port.moved["local_ack_timeout_err"] = few(random_);
}

PortSample SimulatedSoak::port_sample(int host, int rail) {
  PortSample port{.host = "host" + std::to_string(host),
                  .device = "mlx5_" + std::to_string(rail),
                  .rail = rail,
                  .address = "10." + std::to_string(rail) + ".0." + std::to_string(host),
                  .state = "ACTIVE",
                  .link_gigabits_per_second = 400};
  count(port);
  return port;
}

RankSample SimulatedSoak::rank(int number) {
  std::gamma_distribution<double> descheduled(4, machine_.descheduled_us / 4);
  RankSample rank;
  rank.load.rank = number;
  rank.load.wall_us = kWindowSeconds * 1e6;
  rank.load.descheduled_us = descheduled(random_) * (number == busy_host_ ? 1.5 : 1);
  return rank;
}

Window SimulatedSoak::window() {
  std::uniform_real_distribution<double> chance;
  busy_host_ = chance(random_) < machine_.burst ? static_cast<int>(windows_ % kHosts) : -1;
  const double day =
      1 + 0.2 * std::sin(2 * std::numbers::pi * static_cast<double>(windows_) / kDayWindows);
  Window window{.number = ++windows_,
                .start = std::chrono::system_clock::from_time_t(1'769'860'800) +
                         std::chrono::minutes(windows_),
                .length_s = kWindowSeconds};
  for (std::size_t at = 0; at < header_.plan.size(); ++at) window.phases.push_back(phase(at, day));
  for (int host = 0; host < kHosts; ++host) {
    for (int rail = 0; rail < kRails; ++rail) {
      PortSample port = port_sample(host, rail);
      for (std::size_t at = 0; at < header_.plan.size(); ++at) {
        port.times.push_back(times(host, rail, at, day));
      }
      window.ports.push_back(std::move(port));
    }
    window.ranks.push_back(rank(host));
  }
  return window;
}

PortSample& SimulatedSoak::port(Window& window, int host, int rail) const {
  return window.ports[static_cast<std::size_t>(host * kRails + rail)];
}

void SimulatedSoak::delay(Window& window, int host, int rail, double us) const {
  const int next = (host + 1) % kHosts;
  const int before = (host + kHosts - 1) % kHosts;
  for (std::size_t at = 0; at < header_.plan.size(); ++at) {
    PortTimes& own = port(window, host, rail).times[at];
    *own.sent_us += us;
    *own.received_us += us;
    if (header_.plan[at].collective == "alltoall") continue;
    *port(window, next, rail).times[at].received_us += us;
    *port(window, before, rail).times[at].sent_us += us;
  }
}

}  // namespace railgauge::soak
