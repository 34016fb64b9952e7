#include "experiments/congestion/switch_counters.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "experiments/congestion/congestion_sampler.hpp"

namespace railgauge::runner {
namespace {

using congestion::LinkSeries;
using Json = nlohmann::json;

constexpr std::chrono::milliseconds kLimit{2000};
constexpr int kMostOfMachine = 20;  // of this machine's time, which softswitch needs, too

SwitchReading::Counts counts_of(const Json& priority) {
  SwitchReading::Counts counts{.packets = priority.at("sent_packets"),
                               .marks = priority.at("ce_marks"),
                               .pauses_received = priority.at("pauses_received"),
                               .pauses_sent = priority.at("pauses_sent")};
  for (const auto& [reason, count] : priority.at("drops").items()) counts.drops[reason] = count;
  return counts;
}

class Socket {
 public:
  explicit Socket(std::chrono::milliseconds limit)
      : descriptor_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    check(descriptor_ >= 0);
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const std::chrono::microseconds rest = limit - whole;
    const timeval time{.tv_sec = whole.count(), .tv_usec = rest.count()};
    for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
      check(setsockopt(descriptor_, SOL_SOCKET, option, &time, sizeof time) == 0);
  }
  ~Socket() { close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void connect_to(const std::string& path) const {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    if (path.size() >= sizeof address.sun_path) errno = ENAMETOOLONG;
    check(path.size() < sizeof address.sun_path);
    std::copy(path.begin(), path.end(), std::begin(address.sun_path));
    check(connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  void say(std::string_view text) const {
    check(send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string all() const {
    std::string text;
    std::array<char, 65536> buffer{};
    while (true) {
      const ssize_t bytes = read(descriptor_, buffer.data(), buffer.size());
      check(bytes >= 0);
      if (bytes == 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(bytes));
    }
  }

 private:
  static void check(bool good) {
    if (!good) throw std::system_error(errno, std::generic_category());
  }

  int descriptor_;
};

std::int64_t sum(const std::map<std::string, std::int64_t>& drops) {
  std::int64_t total = 0;
  for (const auto& [reason, count] : drops) total += count;
  return total;
}

LinkSeries::Sample between(const SwitchReading::Counts& before,
                           const SwitchReading::Counts& after) {
  return {.packets = after.packets - before.packets,
          .marks = after.marks - before.marks,
          .pauses_received = after.pauses_received - before.pauses_received,
          .pauses_sent = after.pauses_sent - before.pauses_sent,
          .drops = sum(after.drops) - sum(before.drops)};
}

bool is_anything(const LinkSeries::Sample& one) {
  return one.packets + one.marks + one.pauses_received + one.pauses_sent + one.drops != 0;
}

SwitchReading::Counts counts_at(const SwitchReading& reading, const SwitchReading::Line& line) {
  const auto found = reading.lines.find(line);
  return found == reading.lines.end() ? SwitchReading::Counts{} : found->second;
}

}  // namespace

SwitchReading read_switch_counters(std::string_view json) {
  try {
    const Json document = Json::parse(json);
    SwitchReading reading;
    for (const Json& direction : document.at("directions")) {
      for (const Json& priority : direction.at("priorities"))
        reading.lines[{direction.at("from"), direction.at("to"), priority.at("priority")}] =
            counts_of(priority);
    }
    const Json& lateness = document.at("lateness");
    reading.delivered = document.at("packets").at("delivered");
    reading.late = lateness.at("late_packets");
    reading.lost = lateness.at("unread_packets").get<std::int64_t>() +
                   lateness.at("refused_packets").get<std::int64_t>();
    return reading;
  } catch (const Json::exception& error) {
    throw std::runtime_error(std::string("not railgauge/fabric-counters/1: ") + error.what());
  }
}

std::vector<LinkSeries> series_of(const std::vector<TimedReading>& readings,
                                  const std::vector<std::string>& hosts) {
  std::vector<LinkSeries> all;
  if (readings.empty()) return all;
  for (const auto& [line, last] : readings.back().reading.lines) {
    LinkSeries series{.from = line.from,
                      .to = line.to,
                      .priority = line.priority,
                      .from_host = std::ranges::count(hosts, line.from) > 0,
                      .to_host = std::ranges::count(hosts, line.to) > 0};
    bool any = false;
    for (std::size_t at = 1; at < readings.size(); ++at) {
      LinkSeries::Sample sample =
          between(counts_at(readings[at - 1].reading, line), counts_at(readings[at].reading, line));
      sample.begin_s = readings[at - 1].asked_s;
      sample.end_s = readings[at].answered_s;
      any = any || is_anything(sample);
      series.samples.push_back(sample);
    }
    const SwitchReading::Counts first = counts_at(readings.front().reading, line);
    for (const auto& [reason, count] : last.drops) {
      const auto before = first.drops.find(reason);
      series.drops[reason] = count - (before == first.drops.end() ? 0 : before->second);
    }
    if (any) all.push_back(std::move(series));
  }
  return all;
}

std::string late_text(const SwitchReading& first, const SwitchReading& last) {
  // As softswitch's own rule: one packet of a hundred.
  constexpr std::int64_t kMost = 100;
  const std::int64_t late = last.late - first.late;
  const std::int64_t delivered = last.delivered - first.delivered;
  const std::int64_t lost = last.lost - first.lost;
  if (lost == 0 && late * kMost <= delivered) return "";
  return "this machine was too slow for the switches: " + std::to_string(late) + " of " +
         std::to_string(delivered) + " packets late, " + std::to_string(lost) + " lost";
}

std::string ask_switch(const std::string& socket, std::chrono::milliseconds limit) {
  const Socket connection(limit);
  connection.connect_to(socket);
  connection.say("congestion\n");
  return connection.all();
}

SwitchSampler::SwitchSampler(std::string socket, std::chrono::milliseconds interval,
                             Clock::time_point origin)
    : socket_(std::move(socket)), interval_(interval), origin_(origin) {
  take();
  thread_ = std::thread([this] { loop(); });
}

void SwitchSampler::stop() {
  if (!thread_.joinable()) return;
  stopped_ = true;
  thread_.join();
  try {
    take();
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

void SwitchSampler::loop() {
  try {
    while (!stopped_) {
      wait_for_next(interval_, asking_ / readings_.size(), kMostOfMachine);
      take();
    }
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

void SwitchSampler::take() {
  const auto now_s = [this] {
    return std::chrono::duration<double>(Clock::now() - origin_).count();
  };
  const double asked_s = now_s();
  const auto began = Clock::now();
  SwitchReading reading = read_switch_counters(ask_switch(socket_, kLimit));
  readings_.push_back({asked_s, now_s(), std::move(reading)});
  asking_ += Clock::now() - began;
}

}  // namespace railgauge::runner
