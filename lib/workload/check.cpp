#include "workload/check.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::workload {
namespace {

using finding::counted;

/// Everyone as often as the others.
class Counts {
 public:
  Counts(const Workload& workload, const Job& job) : workload_(workload), job_(job) {
    for (const Task& task : job.tasks)
      counts_.push_back({.of = std::vector<std::uint64_t>(task.members.size())});
    for (Rank rank = 0; rank < job.ranks; ++rank) {
      for (const RankStream& stream : job.streams[rank]) add(rank, stream);
    }
  }

  void check() const {
    for (std::size_t number = 0; number < counts_.size(); ++number) {
      const Count& count = counts_[number];
      const auto least = std::ranges::min_element(count.of);
      const auto most = std::ranges::max_element(count.of);
      if (*least == *most) continue;
      const Task& task = job_.tasks[number];
      const auto member = [&](auto at) {
        return task.members[static_cast<std::size_t>(at - count.of.begin())];
      };
      refuse(workload_, count.source->at,
             "is " + uneven(task, count, member(least), *least, member(most), *most));
    }
  }

 private:
  struct Count {
    std::vector<std::uint64_t> of{};  // [member]
    const Operation* source = nullptr;
  };

  void add(Rank rank, const RankStream& stream) {
    for (const Entry& entry : stream.entries) {
      if (entry.task == Entry::kNoTask) continue;
      ++counts_[entry.task].of[job_.number_of(entry, rank)];
      counts_[entry.task].source = entry.source;
    }
  }

  [[nodiscard]] std::string uneven(const Task& task, const Count& count, Rank less,
                                   std::uint64_t least, Rank more, std::uint64_t most) const {
    const std::string what = job_.describe(task);
    if (job_.operations[task.operation].kind != Kind::send)
      return what + ": rank " + std::to_string(more) + " does it " + counted(most, "time") +
             ", rank " + std::to_string(less) + " " + counted(least, "time");
    return what + ": it is sent " + counted(count.of[0], "time") + " and received " +
           counted(count.of[1], "time");
  }

  const Workload& workload_;
  const Job& job_;
  std::vector<Count> counts_{};  // [task]
};

/// Does what can be done until nothing can.
class Order {
 public:
  Order(const Workload& workload, const Job& job)
      : workload_(workload), job_(job), waiting_(job.tasks.size()) {
    for (Rank rank = 0; rank < job.ranks; ++rank) {
      done_.emplace_back(job.streams[rank].size());
      has_come_.emplace_back(job.streams[rank].size());
      to_look_at_.push_back(rank);
    }
  }

  void check() {
    while (!to_look_at_.empty()) {
      const Rank rank = to_look_at_.front();
      to_look_at_.pop_front();
      look_at(rank);
    }
    for (Rank rank = 0; rank < job_.ranks; ++rank) {
      for (std::uint32_t stream = 0; stream < done_[rank].size(); ++stream) {
        if (!is_over({rank, stream})) tell_circle({rank, stream});
      }
    }
  }

 private:
  struct At {
    Rank rank = 0;
    std::uint32_t stream = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what the compiler writes
    friend auto operator<=>(const At&, const At&) = default;
  };

  [[nodiscard]] bool is_over(const At& at) const {
    return done_[at.rank][at.stream] == job_.streams[at.rank][at.stream].entries.size();
  }
  [[nodiscard]] const Entry& entry(const At& at) const {
    return job_.streams[at.rank][at.stream].entries[done_[at.rank][at.stream]];
  }

  /// As far as its streams come without others.
  void look_at(Rank rank) {
    for (bool went_on = true; went_on;) {
      went_on = false;
      for (std::uint32_t stream = 0; stream < done_[rank].size(); ++stream) {
        while (!is_over({rank, stream}) && !has_come_[rank][stream] && go_on({rank, stream}))
          went_on = true;
      }
    }
  }

  /// Whether the stream is one further.
  bool go_on(const At& at) {
    const Entry& next = entry(at);
    const auto is_done = [&](const Awaited& one) {
      return done_[at.rank][one.stream] > one.position;
    };
    if (!std::ranges::all_of(next.after, is_done)) return false;
    if (next.task == Entry::kNoTask) {
      ++done_[at.rank][at.stream];
      return true;
    }
    has_come_[at.rank][at.stream] = true;
    std::vector<At>& waiting = waiting_[next.task];
    waiting.push_back(at);
    if (waiting.size() < job_.tasks[next.task].members.size()) return false;
    for (const At& one : std::exchange(waiting, {})) {
      has_come_[one.rank][one.stream] = false;
      ++done_[one.rank][one.stream];
      if (one.rank != at.rank) to_look_at_.push_back(one.rank);
    }
    return true;
  }

  /// One that the stream waits for.
  [[nodiscard]] At awaited_by(const At& at) const {
    const Entry& next = entry(at);
    for (const Awaited& one : next.after) {
      if (done_[at.rank][one.stream] <= one.position) return {at.rank, one.stream};
    }
    const std::vector<At>& waiting = waiting_[next.task];
    for (const Rank member : job_.tasks[next.task].members) {
      if (std::ranges::find(waiting, member, &At::rank) != waiting.end()) continue;
      return {member, stream_of(member, next.task)};
    }
    return at;
  }

  /// The stream in which the rank will do it.
  [[nodiscard]] std::uint32_t stream_of(Rank rank, std::uint32_t task) const {
    for (std::uint32_t stream = 0; stream < done_[rank].size(); ++stream) {
      const auto& entries = job_.streams[rank][stream].entries;
      const auto left = entries.begin() + static_cast<std::ptrdiff_t>(done_[rank][stream]);
      if (std::find_if(left, entries.end(), [&](const Entry& one) { return one.task == task; }) !=
          entries.end())
        return stream;
    }
    return 0;
  }

  [[noreturn]] void tell_circle(At at) const {
    std::set<At> seen;
    while (seen.insert(at).second) at = awaited_by(at);
    constexpr std::size_t kMostTold = 6;
    std::vector<std::string> chain;
    const At first = at;
    do {
      chain.push_back("rank " + std::to_string(at.rank) + " (" +
                      job_.streams[at.rank][at.stream].name + ") waits at '" +
                      entry(at).source->name + "'");
      at = awaited_by(at);
    } while (at != first);
    refuse(workload_, entry(first).source->at,
           "is part of a deadlock: " + finding::first_of(std::move(chain), kMostTold) +
               ", each for the next, and the last one for the first");
  }

  const Workload& workload_;
  const Job& job_;
  std::vector<std::vector<At>> waiting_{};        // [task] who has come
  std::vector<std::vector<std::size_t>> done_{};  // [rank][stream] entries
  std::vector<std::vector<bool>> has_come_{};     // [rank][stream] to its task
  std::deque<Rank> to_look_at_{};
};

void check_bytes(const Workload& workload, const Job& job) {
  const auto all = bytes_by_name(job);
  for (std::size_t at = 0; at < workload.closed_forms.size(); ++at) {
    const std::string& of = workload.closed_forms[at].of;
    const std::string field = "closed_forms[" + std::to_string(at) + "].";
    const auto form = job.expected.find(of);
    if (form == job.expected.end()) continue;  // of a larger world (fold.hpp)
    const auto expected = static_cast<std::uint64_t>(form->second);
    const auto found = all.find(of);
    const std::uint64_t bytes = found == all.end() ? 0 : found->second;
    if (bytes != expected)
      refuse(workload, field + "bytes",
             "is " + std::to_string(expected) + ", and the operations of " + of + " have " +
                 std::to_string(bytes) + " in a step of " + finding::counted(job.ranks, "rank"));
  }
}

}  // namespace

std::map<std::string, std::uint64_t> bytes_by_name(const Job& job) {
  std::vector<std::uint64_t> of_operation(job.operations.size());
  for (Rank rank = 0; rank < job.ranks; ++rank) {
    for (const RankStream& stream : job.streams[rank]) {
      for (const Entry& entry : stream.entries) {
        if (entry.task == Entry::kNoTask) continue;
        if (job.operations[entry.operation].kind == Kind::send && !entry.sends) continue;
        of_operation[entry.operation] += job.tasks[entry.task].bytes_of(job.number_of(entry, rank));
      }
    }
  }
  std::map<std::string, std::uint64_t> bytes;
  for (const std::string& group : job.group_names) bytes[group] = 0;
  for (std::size_t at = 0; at < of_operation.size(); ++at) {
    const NamedOperation& one = job.operations[at];
    if (one.kind == Kind::collective) bytes[job.group_names[one.group]] += of_operation[at];
    if (one.kind == Kind::send) bytes[one.name] += of_operation[at];
  }
  return bytes;
}

void check(const Workload& workload, const Job& job) {
  for (std::size_t part = 0; part < workload.parts.size(); ++part)
    check(workload.parts[part], *job.parts[part].alone);
  if (!workload.parts.empty()) return;
  Counts(workload, job).check();
  Order(workload, job).check();
  check_bytes(workload, job);
}

}  // namespace railgauge::workload
