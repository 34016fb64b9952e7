#include "workload/critical_path.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

namespace railgauge::workload {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// An entry that is over, or has come to its task.
struct Moment {
  double us = 0;
  std::size_t cause = kNone;  // the entry that was over at that moment; none: the step began
  double begin_us = 0;        // of an entry that is over
};

/// Runs a step once, in any order that its dependencies allow.
class Replay {
 public:
  Replay(const Job& job, std::span<const double> task_us)
      : job_(job), task_us_(task_us), come_(job.tasks.size()), sent_(job.tasks.size()) {
    for (Rank rank = 0; rank < job.ranks; ++rank) {
      first_stream_.push_back(streams_.size());
      for (const RankStream& stream : job.streams[rank]) {
        streams_.push_back({rank, &stream, moments_.size()});
        moments_.resize(moments_.size() + stream.entries.size());
      }
    }
    for (std::size_t stream = 0; stream < streams_.size(); ++stream) to_look_at_.push_back(stream);
  }

  std::vector<std::vector<std::vector<Span>>> spans() {
    run();
    std::vector<std::vector<std::vector<Span>>> all(job_.ranks);
    for (const Stream& stream : streams_) {
      std::vector<Span>& spans = all[stream.rank].emplace_back();
      for (std::size_t at = 0; at < stream.of->entries.size(); ++at) {
        const Moment& moment = moments_[stream.first + at];
        spans.push_back({moment.begin_us, moment.us});
      }
    }
    return all;
  }

  CriticalPath path() {
    run();
    CriticalPath path{.time_us = 0, .operation_us = std::vector<double>(job_.operations.size())};
    if (moments_.empty()) return path;
    const auto last = std::ranges::max_element(moments_, {}, &Moment::us);
    path.time_us = last->us;
    auto at = static_cast<std::size_t>(last - moments_.begin());
    while (at != kNone) {
      const std::size_t cause = moments_[at].cause;
      const double begin_us = cause == kNone ? 0 : moments_[cause].us;
      path.operation_us[operation_of(at)] += moments_[at].us - begin_us;
      at = cause;
    }
    return path;
  }

 private:
  struct Stream {
    Rank rank = 0;
    const RankStream* of = nullptr;
    std::size_t first = 0;  // of its moments
    std::size_t done = 0;   // entries
    bool waits = false;     // its entry has come to its task
  };
  struct Comer {
    std::size_t stream = 0;
    Moment begin{};
  };

  void run() {
    while (!to_look_at_.empty()) {
      const std::size_t stream = to_look_at_.front();
      to_look_at_.pop_front();
      advance(stream);
    }
  }

  /// When the next entry of a stream can begin; empty: not yet.
  [[nodiscard]] std::optional<Moment> begin_of(const Stream& stream) const {
    Moment begin;
    const auto wait_for = [&](std::size_t at) {
      if (moments_[at].us >= begin.us) begin = {moments_[at].us, at};
    };
    if (stream.done > 0) wait_for(stream.first + stream.done - 1);
    for (const Awaited& one : stream.of->entries[stream.done].after) {
      const Stream& other = streams_[first_stream_[stream.rank] + one.stream];
      if (other.done <= one.position) return std::nullopt;
      wait_for(other.first + one.position);
    }
    const auto arrival = static_cast<double>(stream.of->entries[stream.done].arrival_us);
    if (arrival > begin.us) begin = {.us = arrival};
    return begin;
  }

  void advance(std::size_t number) {
    Stream& stream = streams_[number];
    while (!stream.waits && stream.done < stream.of->entries.size()) {
      const Entry& entry = stream.of->entries[stream.done];
      const auto begin = begin_of(stream);
      if (!begin) return;
      if (entry.task == Entry::kNoTask) {
        end(number, *begin, static_cast<double>(entry.microseconds));
      } else if (job_.operations[entry.operation].kind == Kind::send) {
        transfer(number, entry, *begin);
      } else {
        come(number, entry.task, *begin);
      }
    }
  }

  void transfer(std::size_t number, const Entry& entry, const Moment& begin) {
    auto& sent = sent_[entry.task];
    auto& come = come_[entry.task];
    if (entry.sends) {
      sent.push_back(begin);
      end(number, begin, task_us_[entry.task]);
    } else {
      come.push_back({number, begin});
      streams_[number].waits = true;
    }
    if (sent.empty() || come.empty()) return;
    const Comer receiver = come.front();
    const Moment later = std::max(receiver.begin, sent.front(), earlier);
    come.clear();
    sent.pop_front();
    streams_[receiver.stream].waits = false;
    end(receiver.stream, later, task_us_[entry.task]);
    to_look_at_.push_back(receiver.stream);
  }

  void come(std::size_t number, std::uint32_t task, const Moment& begin) {
    auto& come = come_[task];
    come.push_back({number, begin});
    streams_[number].waits = true;
    if (come.size() < job_.tasks[task].members.size()) return;
    const std::vector<Comer> all = std::exchange(come, {});
    const Moment last = std::ranges::max(all, earlier, &Comer::begin).begin;
    for (const Comer& one : all) {
      streams_[one.stream].waits = false;
      end(one.stream, last, task_us_[task]);
      to_look_at_.push_back(one.stream);
    }
  }

  /// The entry of a stream; those that wait for it may go on.
  void end(std::size_t number, const Moment& begin, double lasts_us) {
    Stream& stream = streams_[number];
    moments_[stream.first + stream.done] = {begin.us + lasts_us, begin.cause, begin.us};
    ++stream.done;
    const std::size_t first = first_stream_[stream.rank];
    for (std::size_t other = 0; other < job_.streams[stream.rank].size(); ++other) {
      if (first + other != number) to_look_at_.push_back(first + other);
    }
  }

  [[nodiscard]] static bool earlier(const Moment& one, const Moment& other) {
    return one.us < other.us;
  }

  [[nodiscard]] std::uint32_t operation_of(std::size_t moment) const {
    const auto behind = std::ranges::upper_bound(streams_, moment, {}, &Stream::first);
    const Stream& stream = *std::prev(behind);
    return stream.of->entries[moment - stream.first].operation;
  }

  const Job& job_;
  std::span<const double> task_us_;
  std::vector<std::vector<Comer>> come_;     // [task] who waits there
  std::vector<std::deque<Moment>> sent_;     // [task] not yet received
  std::vector<std::size_t> first_stream_{};  // [rank]
  std::vector<Stream> streams_{};
  std::vector<Moment> moments_{};  // [entry] its end
  std::deque<std::size_t> to_look_at_{};
};

}  // namespace

std::uint64_t received_bytes(const Task& task, Rank number) {
  const std::size_t members = task.members.size();
  std::uint64_t bytes = 0;
  for (std::size_t from = 0; from < members; ++from) {
    if (from != number) bytes += task.pairs[from * members + number];
  }
  return bytes;
}

double line_rate_us(const Job& job, const Task& task, double bytes_per_us) {
  const NamedOperation& operation = job.operations[task.operation];
  if (operation.kind == Kind::send) return static_cast<double>(task.bytes) / bytes_per_us;
  const auto members = static_cast<Rank>(task.members.size());
  if (task.pairs.empty())
    return schedule::bus_factor(operation.type, members) * static_cast<double>(task.bytes) /
           bytes_per_us;
  std::uint64_t most = 0;
  for (Rank number = 0; number < members; ++number) {
    const std::uint64_t sent =
        task.bytes_of(number) - task.pairs[std::size_t{number} * members + number];
    most = std::max({most, sent, received_bytes(task, number)});
  }
  return static_cast<double>(most) / bytes_per_us;
}

CriticalPath critical_path(const Job& job, std::span<const double> task_us) {
  return Replay(job, task_us).path();
}

std::vector<std::vector<std::vector<Span>>> spans_of(const Job& job,
                                                     std::span<const double> task_us) {
  return Replay(job, task_us).spans();
}

}  // namespace railgauge::workload
