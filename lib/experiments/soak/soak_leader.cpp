#include "experiments/soak/soak_leader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "job/failure.hpp"
#include "telemetry/meaning.hpp"

namespace railgauge::runner {
namespace {

using results::ExitCode;

[[noreturn]] void refuse_to_resume(const std::string& path, const std::string& why) {
  job::refuse_use("--resume " + path + ": " + why);
}

bool is_event(const std::string& name) {
  const auto meaning = telemetry::meaning_of(name);
  return meaning && meaning->counted != telemetry::Counted::traffic;
}

/// What else than traffic a port has counted. Of a process that is gone, or after a reboot,
/// counters start at 0 again, and nothing is known.
std::map<std::string, std::int64_t> counted(const results::PortCounters& before,
                                            const results::PortCounters& now) {
  auto moved = telemetry::moved(before.after, now.before);
  std::erase_if(moved, [](const auto& one) { return one.second <= 0 || !is_event(one.first); });
  return moved;
}

std::vector<results::PortEvents> counted_meanwhile(const std::vector<results::PortCounters>& before,
                                                   const std::vector<results::PortCounters>& now) {
  std::vector<results::PortEvents> all;
  for (const results::PortCounters& port : now) {
    const auto found = std::ranges::find_if(before, [&](const results::PortCounters& one) {
      return one.host == port.host && one.device == port.device && one.port == port.port &&
             one.address == port.address;
    });
    if (found == before.end()) continue;
    auto moved = counted(*found, port);
    if (moved.empty()) continue;
    all.push_back({.host = port.host,
                   .device = port.device,
                   .port = port.port,
                   .rail = port.rail,
                   .plane = port.plane,
                   .address = port.address,
                   .moved = std::move(moved)});
  }
  return all;
}

std::vector<std::string> rebooted(const soak::Header& before, const soak::Header& now) {
  std::vector<std::string> hosts;
  for (const auto& [host, boot] : now.boots) {
    const auto found = before.boots.find(host);
    if (found != before.boots.end() && found->second != boot) hosts.push_back(host);
  }
  return hosts;
}

/// Options that were not given are as the record has them.
void take_over(const soak::Header& recorded, soak::Header& now) {
  for (auto& [name, option] : now.options) {
    const auto found = recorded.options.find(name);
    const bool given = option.origin != results::Option::Origin::default_value;
    if (!given && found != recorded.options.end()) option = found->second;
  }
}

/// launchers/mpirun --supervise counts its restarts. It may have begun with a record that was
/// there.
std::string resumed_by(const std::string& host) {
  const char* const restart = std::getenv("RAILGAUGE_RESTART");
  const std::string by = restart == nullptr || std::string_view(restart) == "0"
                             ? "--resume"
                             : "--supervise, restart " + std::string(restart);
  return by + " on " + host;
}

std::uint64_t windows_in(std::chrono::system_clock::duration time, double window_s) {
  const std::chrono::duration<double> seconds = time;
  return static_cast<std::uint64_t>(std::max(0.0, std::floor(seconds.count() / window_s)));
}

bool is_of_fabric_or_data(const std::optional<ExitCode>& code) {
  return code == ExitCode::ok || code == ExitCode::verdict_failed || code == ExitCode::wrong_data;
}

}  // namespace

SoakLeader::SoakLeader(const soak::Header& header, const std::string& path,
                       results::Writer::Existing existing, SoakDisplay* display,
                       RunExporter* metrics)
    : path_(path),
      header_(header),
      duration_s_(header.duration_s),
      display_(display),
      record_(path, header, existing),
      summary_(header) {
  if (metrics != nullptr) metrics_.emplace(*metrics);
  record_.sync(state({}));
  show(header_);
  publish();
  if (display_ != nullptr) display_->plan(header_, path_, 0);
}

SoakLeader::SoakLeader(const soak::Header& recorded, soak::Header now, const std::string& path,
                       const std::vector<results::PortCounters>& counters, SoakDisplay* display,
                       RunExporter* metrics)
    : path_(path),
      header_(recorded),
      duration_s_(now.duration_s),
      display_(display),
      record_(path),
      summary_(header_) {
  if (metrics != nullptr) metrics_.emplace(*metrics);
  take_over(header_, now);
  if (const std::string differs = difference(header_, now); !differs.empty()) {
    refuse_to_resume(path, differs);
  }
  soak::End last{.why = "it exited without reporting: killed, or its host went down"};
  const std::string unknown = last.why;
  const auto remarks = soak::read_record(path, [&](soak::Line line) {
    if (const auto* const end = std::get_if<soak::End>(&line)) {
      last = *end;
    } else if (!std::holds_alternative<finding::Finding>(line)) {
      last = {.why = unknown};
    }
    show(line);
    summary_.take_again(std::move(line));
  });
  for (const std::string& remark : remarks) std::cerr << remark << std::endl;
  if (is_over()) refuse_to_resume(path, "the soak is over; a longer --duration goes on with it");
  if (display_ != nullptr) display_->plan(header_, path_, summary_.last_window());
  add_gap(counters, last, now);
}

void SoakLeader::add_gap(const std::vector<results::PortCounters>& counters, const soak::End& last,
                         const soak::Header& now) {
  soak::Gap gap{.from = summary_.until(),
                .to = std::chrono::system_clock::now(),
                .after_window = summary_.last_window(),
                .why = last.complete ? "the soak was complete, and is prolonged" : last.why,
                .resumed_by = resumed_by(now.ranks.front().host),
                .rebooted = rebooted(header_, now)};
  gap.lost_windows = windows_in(gap.to - gap.from, header_.window_s);
  if (const auto before = soak::read_state(path_)) {
    gap.counted = counted_meanwhile(before->ports, counters);
    ports_ = before->ports;
  }
  const std::vector<finding::Finding> findings = summary_.take(gap);
  show(gap);
  record_.add(std::move(gap));
  add(findings);
  if (display_ != nullptr) {
    for (const finding::Finding& one : findings) display_->finding(one);
  }
  record_.sync(state(ports_));
  publish();
  tell_if_stopped();
}

void SoakLeader::take(soak::Window window, std::vector<results::PortCounters> ports) {
  window.number = summary_.last_window() + 1;
  const std::vector<finding::Finding> findings = summary_.take(window);
  record_.add(window);
  if (!record_.stopped().empty()) summary_.miss_record();
  show(window);
  add(findings);
  record_.sync(state(std::move(ports)));
  publish();
  if (display_ != nullptr) display_->window(window, findings, outcome(report()));
  tell_if_stopped();
}

void SoakLeader::add(const std::vector<finding::Finding>& findings) {
  for (const finding::Finding& one : findings) {
    record_.add(one);
    show(one);
  }
}

void SoakLeader::show(const soak::Line& line) {
  if (metrics_) metrics_->take(line);
}

void SoakLeader::publish() {
  if (metrics_) metrics_->publish(outcome(report()), summary_.figures());
}

void SoakLeader::tell_if_stopped() {
  if (record_.stopped().empty() || std::exchange(told_, true)) return;
  std::cerr << "soak_perf: " << record_.stopped() << std::endl;
}

soak::State SoakLeader::state(std::vector<results::PortCounters> ports) const {
  soak::State state{.written = std::chrono::system_clock::now(), .ports = std::move(ports)};
  summary_.fill(state);
  return state;
}

void SoakLeader::fill(results::SoakBody& body) const {
  body.record = path_;
  body.window_s = header_.window_s;
  body.load_percent = header_.load_percent;
  summary_.fill(body);
}

void SoakLeader::end(const results::Document& document) {
  if (std::exchange(ended_, true)) return;
  soak::End end{.when = std::chrono::system_clock::now(),
                .complete = is_over() && is_of_fabric_or_data(document.exit_code),
                .outcome = outcome_of(document),
                .reason = in_short(document.report)};
  if (!end.complete && !document.reasons.empty()) end.why = document.reasons.front();
  if (!end.complete && !document.failures.empty()) end.why = document.failures.front().text;
  const auto& body = std::get<results::SoakBody>(document.body);
  if (display_ != nullptr) display_->outcome(body, document.report);
  record_.add(std::move(end));
  tell_if_stopped();
}

}  // namespace railgauge::runner
