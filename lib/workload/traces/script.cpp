#include "workload/traces/script.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace railgauge::workload::traces {

void Script::compute(double microseconds) {
  settle();
  compute_us_ += microseconds;
}

void Script::flush() {
  const auto total = static_cast<std::uint64_t>(std::llround(compute_us_));
  const std::uint64_t whole = total - std::exchange(written_us_, total);
  if (whole > 0)
    main_.operations.push_back(
        {.name = "compute", .kind = Kind::compute, .microseconds = {std::to_string(whole)}});
}

/// Equal ones that follow each other are one, several times.
void Script::add(Operation operation) {
  flush();
  if (!main_.operations.empty() && main_.operations.back().name == operation.name &&
      operation.kind == Kind::collective) {
    std::string& times = main_.operations.back().times.text;
    times = std::to_string(times.empty() ? 2 : std::stoull(times) + 1);
    return;
  }
  main_.operations.push_back(std::move(operation));
}

void Script::collective(schedule::Collective type, const std::string& group,
                        const std::string& bytes, const std::string& label) {
  settle();
  Operation made{.type = std::string(schedule::name(type)), .group = group};
  const bool has_bytes = type != schedule::Collective::barrier;
  if (has_bytes) {
    made.bytes.text = bytes;
    ++counted_[group][bytes];
    if (schedule::reduces(type)) made.data = "bfloat16";
  }
  made.name = made.type + (has_bytes ? " " + (label.empty() ? bytes : label) : "") + " of " + group;
  add(std::move(made));
}

void Script::transfer(bool sends, const std::string& peer, const std::string& direction,
                      std::uint64_t bytes) {
  const std::string size = std::to_string(bytes);
  Operation made{.name = "send " + size + " to " + direction,
                 .kind = sends ? Kind::send : Kind::receive};
  made.bytes.text = size;
  (sends ? made.to : made.from).text = peer;
  made.after = {"before " + made.name};
  if (sends) ++counted_[made.name][size];
  add({.name = made.after.front(), .kind = Kind::compute, .microseconds = {"0"}});
  under_way_.push_back(made.name);
  const std::string name = "to " + direction;
  auto there = std::ranges::find(transfers_, name, &Stream::name);
  if (there == transfers_.end()) there = transfers_.insert(there, Stream{.name = name});
  there->operations.push_back(std::move(made));
}

void Script::settle() {
  for (const std::string& name : std::exchange(under_way_, {}))
    add({.name = "wait for " + name,
         .kind = Kind::compute,
         .microseconds = {"0"},
         .after = {name}});
}

std::vector<Stream> Script::streams() {
  settle();
  flush();
  if (main_.operations.empty()) throw std::invalid_argument("there is nothing in it to be done");
  std::vector<Stream> all{std::move(main_)};
  all.insert(all.end(), transfers_.begin(), transfers_.end());
  return all;
}

std::string sum_of(const std::map<std::string, std::uint64_t>& counted, const std::string& ranks) {
  std::string sum;
  for (const auto& [bytes, times] : counted)
    sum += (sum.empty() ? "" : " + ") + std::to_string(times) + " * (" + bytes + ")";
  return sum.empty() ? "0" : ranks + " * (" + sum + ")";
}

}  // namespace railgauge::workload::traces
