#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "softfabric/control.hpp"
#include "softfabric/softswitch/control_socket.hpp"
#include "softfabric/softswitch/host_ports.hpp"
#include "softfabric/softswitch/options.hpp"
#include "softfabric/softswitch/packet_ring.hpp"
#include "softfabric/telemetry.hpp"

namespace railgauge::softfabric {
namespace {

constexpr std::size_t kRingFrames = 4096;
constexpr unsigned kFramesPerTurn = 256;
constexpr Time kControlEvery = std::chrono::milliseconds(2);  // where there is no time to sleep
constexpr int kPriority = -15;                                // where nothing better may be had
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kEnvironment = 5;

std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free, "for signal handlers");

void stop(int /*signal*/) {
  stopped = true;
}

Time clock_now(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::size_t largest_frame(const Fabric& fabric) {
  int mtu = 0;
  for (const Link& link : fabric.links) mtu = std::max(mtu, link.mtu_bytes);
  return kEthernetBytes + static_cast<std::size_t>(mtu);
}

/// The model, what it is connected to, and the time.
class Softswitch {
 public:
  Softswitch(const Options& options, const Fabric& fabric)
      : options_(options),
        ring_(kRingFrames, largest_frame(fabric)),
        ports_(fabric, ring_.descriptor()),
        model_(fabric, ports_, {.late_after = options.late}),
        control_(options.control) {
    if (options.metrics.empty()) return;
    metrics_.open(options.metrics, std::ios::app);
    if (!metrics_) throw std::runtime_error(options.metrics + ": cannot be written");
  }

  int run();

 private:
  unsigned take_frames(Time now);
  void turn();
  void count_lost();
  void keep_records(Time now);
  void sleep(Time now);
  void write_metrics();
  int conclude();

  const Options& options_;
  PacketRing ring_;
  HostPorts ports_;
  Model model_;
  ControlSocket control_;
  std::ofstream metrics_;
  std::vector<pollfd> descriptors_;
  Time next_metrics_{};
  Time next_control_{};
};

int Softswitch::run() {
  std::puts("ready");
  std::fflush(stdout);
  next_metrics_ = clock_now(CLOCK_MONOTONIC) + options_.interval;
  while (!stopped) turn();
  return conclude();
}

void Softswitch::turn() {
  const Time now = clock_now(CLOCK_MONOTONIC);
  model_.set_clock(now);
  const unsigned taken = take_frames(now);
  if (taken < kFramesPerTurn) model_.advance(now);
  ports_.flush();
  model_.release();
  keep_records(now);
  if (taken == 0) sleep(now);
}

/// Each at the time at which it came, so that how late we are does not make bursts of it.
unsigned Softswitch::take_frames(Time now) {
  const Time since_epoch = clock_now(CLOCK_REALTIME);
  unsigned taken = 0;
  for (; taken < kFramesPerTurn; ++taken) {
    const auto frame = ring_.front();
    if (!frame) break;
    const Time age = std::max(since_epoch - frame->came, Time{});
    const auto link = ports_.link_of_netdev(frame->netdev);
    if (link) model_.receive(*link, frame->bytes, std::max(now - age, model_.now()));
    ring_.pop();
  }
  return taken;
}

void Softswitch::count_lost() {
  model_.count_unread(ring_.take_lost());
  model_.count_refused(ports_.take_refused());
}

void Softswitch::keep_records(Time now) {
  if (now >= next_control_) {
    next_control_ = now + kControlEvery;
    count_lost();
    control_.serve([this](std::string_view line) { return answer(model_, line); });
  }
  if (now < next_metrics_) return;
  next_metrics_ = std::max(next_metrics_ + options_.interval, now);
  write_metrics();
}

void Softswitch::sleep(Time now) {
  Time wake = metrics_.is_open() ? next_metrics_ : now + options_.interval;
  if (const auto next = model_.next_event()) wake = std::min(wake, *next);
  const Time wait = std::max(wake - now, options_.tick);
  descriptors_.assign({{.fd = ring_.descriptor(), .events = POLLIN, .revents = 0}});
  control_.add_to(descriptors_);
  const timespec limit{.tv_sec = static_cast<time_t>(wait.count() / 1'000'000'000),
                       .tv_nsec = static_cast<long>(wait.count() % 1'000'000'000)};
  if (ppoll(descriptors_.data(), descriptors_.size(), &limit, nullptr) <= 0) return;
  const bool asked = std::any_of(descriptors_.begin() + 1, descriptors_.end(),
                                 [](const pollfd& one) { return one.revents != 0; });
  if (asked) next_control_ = {};
}

void Softswitch::write_metrics() {
  if (metrics_.is_open()) metrics_ << counters_of(model_).dump() << std::endl;
}

int Softswitch::conclude() {
  count_lost();
  write_metrics();
  if (!kept_up(model_.lateness(), model_.totals())) {
    const Lateness& lateness = model_.lateness();
    const std::string text = std::to_string(lateness.late_packets) + " of " +
                             std::to_string(model_.totals().delivered) + " packets late, " +
                             std::to_string(lateness.unread_packets + lateness.refused_packets) +
                             " lost";
    std::fprintf(stderr,
                 "softswitch: this machine was too slow for the fabric, so what was measured on it "
                 "is invalid: %s; lower the links' rates\n",
                 text.c_str());
  }
  const auto error = model_.conservation_error();
  if (error) std::fprintf(stderr, "softswitch: lost track of packets: %s\n", error->c_str());
  return error ? kFailed : 0;
}

/// A switch has a processor of its own: where the user may ask for it, this one waits for nobody.
void come_first() {
  const sched_param lowest{.sched_priority = sched_get_priority_min(SCHED_RR)};
  if (sched_setscheduler(0, SCHED_RR, &lowest) != 0) setpriority(PRIO_PROCESS, 0, kPriority);
}

int forward(const Options& options) {
  std::signal(SIGTERM, stop);
  std::signal(SIGINT, stop);
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_TIMERSLACK, 1000UL);
  come_first();
  const Fabric fabric = read_fabric(options.fabric);
  return Softswitch(options, fabric).run();
}

int run(const Options& options) {
  if (options.help) return std::fputs(help_text().c_str(), stdout) < 0 ? kEnvironment : 0;
  if (options.version)
    return std::puts("softswitch " RAILGAUGE_SOFTFABRIC_VERSION) < 0 ? kEnvironment : 0;
  if (options.question.empty()) return forward(options);
  const std::string text = ask(options.control, options.question);
  std::fputs(text.c_str(), stdout);
  return text.starts_with("{\"error\"") ? kFailed : 0;
}

}  // namespace
}  // namespace railgauge::softfabric

int main(int count, char** arguments) {
  using namespace railgauge::softfabric;
  try {
    return run(parse_options(count, arguments));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "softswitch: %s\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "softswitch: %s\n", error.what());
    return kEnvironment;
  }
}
