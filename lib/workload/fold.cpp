#include "workload/fold.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::workload {
namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

/// [rank of the world] its number among those kept, or kGone.
std::vector<std::uint32_t> numbers_of(const std::vector<Rank>& kept, Rank world) {
  std::vector<std::uint32_t> numbers(world, kGone);
  for (std::uint32_t at = 0; at < kept.size(); ++at) numbers[kept[at]] = at;
  return numbers;
}

/// Places of members that are kept.
std::vector<std::size_t> left_of(const std::vector<Rank>& members,
                                 const std::vector<std::uint32_t>& numbers) {
  std::vector<std::size_t> left;
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (numbers[members[at]] != kGone) left.push_back(at);
  }
  return left;
}

/// Among the members that are kept.
Task folded(const Job& world, const Task& task, const std::vector<std::uint32_t>& numbers) {
  const std::vector<std::size_t> left = left_of(task.members, numbers);
  Task made{.operation = task.operation, .instance = task.instance, .bytes = task.bytes};
  for (const std::size_t at : left) made.members.push_back(numbers[task.members[at]]);
  const NamedOperation& operation = world.operations[task.operation];
  if (operation.kind != Kind::collective) return made;
  if (schedule::traits(operation.type).size == schedule::SizeRule::per_rank)
    made.bytes = task.bytes / task.members.size() * left.size();
  if (task.pairs.empty()) return made;
  for (const std::size_t from : left) {
    for (const std::size_t to : left)
      made.pairs.push_back(task.pairs[from * task.members.size() + to]);
  }
  return made;
}

/// On the wire of one of its ranks, once.
double sent_by(const Job& job, const Task& task, Rank number) {
  const NamedOperation& operation = job.operations[task.operation];
  if (operation.kind != Kind::collective) return static_cast<double>(task.bytes);
  if (task.pairs.empty())
    return schedule::bus_factor(operation.type, static_cast<Rank>(task.members.size())) *
           static_cast<double>(task.bytes);
  return static_cast<double>(task.bytes_of(number) -
                             task.pairs[number * task.members.size() + number]);
}

/// What ranks send in a step: in the world, and by themselves.
struct Sent {
  double in_world = 0;
  double alone = 0;
};

Sent sent_by(const Job& world, const std::vector<Rank>& kept) {
  const std::vector<std::uint32_t> numbers = numbers_of(kept, world.ranks);
  Sent all;
  for (const Rank rank : kept) {
    for (const RankStream& stream : world.streams[rank]) {
      for (const Entry& entry : stream.entries) {
        const bool transfer = world.operations[entry.operation].kind == Kind::send;
        if (entry.task == Entry::kNoTask || (transfer && !entry.sends)) continue;
        const Task& task = world.tasks[entry.task];
        const Rank number = world.number_of(entry, rank);
        const Task left = folded(world, task, numbers);
        const auto place = std::ranges::find(left.members, numbers[rank]) - left.members.begin();
        all.in_world += sent_by(world, task, number);
        if (left.members.size() > 1) all.alone += sent_by(world, left, static_cast<Rank>(place));
      }
    }
  }
  return all;
}

std::vector<Rank> at_distance(Rank distance, Rank ranks) {
  std::vector<Rank> kept;
  for (Rank rank = 0; rank < ranks; ++rank) kept.push_back(rank * distance);
  return kept;
}

/// Those of its ranks that are kept, by the numbers that it has for them.
std::vector<Rank> ranks_of(const JobPart& part, const std::vector<Rank>& kept) {
  std::vector<Rank> ranks;
  for (const Rank rank : kept) {
    if (rank >= part.first_rank && rank - part.first_rank < part.alone->ranks)
      ranks.push_back(rank - part.first_rank);
  }
  return ranks;
}

/// The part of a mix none of whose ranks is kept.
const JobPart* lost_part(const Job& world, const std::vector<Rank>& kept) {
  const auto found = std::ranges::find_if(world.parts, [&](const JobPart& part) {
    return part.alone != nullptr && ranks_of(part, kept).empty();
  });
  return found == world.parts.end() ? nullptr : &*found;
}

/// `ranks` at equal distances that send most, of those that do every part.
std::vector<Rank> chosen(const Job& world, Rank ranks) {
  const Rank share = world.ranks / ranks;
  std::vector<Rank> best;
  double most = -1;
  for (Rank distance = share; distance > 0; --distance) {
    if (share % distance != 0) continue;
    std::vector<Rank> kept = at_distance(distance, ranks);
    if (lost_part(world, kept) != nullptr) continue;
    const double sent = sent_by(world, kept).alone;
    if (sent <= most) continue;
    most = sent;
    best = std::move(kept);
  }
  if (best.empty())
    throw std::invalid_argument("none of " + finding::counted(ranks, "rank") + " does the part " +
                                lost_part(world, at_distance(share, ranks))->name +
                                ": take more ranks");
  return best;
}

/// One rank's streams, without operations that are gone. Who waited for one of these waits for the
/// entry before it and for what it waited for.
class FoldedStreams {
 public:
  /// `kept(entry)`: whether it stays. The streams have to come to an end, as check() proves.
  template <class Kept>
  FoldedStreams(const std::vector<RankStream>& streams, const Kept& kept)
      : streams_(streams), reached_(streams.size()), made_(streams.size()) {
    for (std::size_t at = 0; at < streams.size(); ++at) {
      made_[at].name = streams[at].name;
      made_[at].part = streams[at].part;
    }
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t at = 0; at < streams.size(); ++at) {
        for (; is_next(at); moves = true) take(at, kept);
      }
    }
  }

  std::vector<RankStream> made() && { return std::move(made_); }

 private:
  /// [stream] how many of its entries are over: what an entry stands for to who waits for it.
  using Reach = std::vector<std::uint32_t>;

  [[nodiscard]] bool is_next(std::size_t stream) const {
    const auto& entries = streams_[stream].entries;
    const std::size_t next = reached_[stream].size();
    return next < entries.size() && std::ranges::all_of(entries[next].after, [&](const auto& one) {
             return one.position < reached_[one.stream].size();
           });
  }

  template <class Kept>
  void take(std::size_t stream, const Kept& kept) {
    std::vector<Reach>& reached = reached_[stream];
    const Entry& entry = streams_[stream].entries[reached.size()];
    Reach reach = reached.empty() ? Reach(streams_.size()) : reached.back();
    for (const Awaited& one : entry.after) {
      const Reach& of_it = reached_[one.stream][one.position];
      std::ranges::transform(reach, of_it, reach.begin(), std::ranges::max);
    }
    if (kept(entry)) {
      add(stream, entry, reach);
      std::ranges::fill(reach, 0);
      reach[stream] = static_cast<std::uint32_t>(made_[stream].entries.size());
    }
    reached.push_back(std::move(reach));
  }

  void add(std::size_t stream, Entry entry, const Reach& reach) {
    entry.after.clear();
    for (std::uint32_t other = 0; other < reach.size(); ++other) {
      if (other != stream && reach[other] > 0) entry.after.push_back({other, reach[other] - 1});
    }
    made_[stream].entries.push_back(std::move(entry));
  }

  const std::vector<RankStream>& streams_;
  std::vector<std::vector<Reach>> reached_;  // [stream][position]
  std::vector<RankStream> made_;
};

class Folder {
 public:
  Folder(const Job& world, const std::vector<Rank>& kept)
      : world_(world), kept_(kept), numbers_(numbers_of(kept, world.ranks)) {
    made_.ranks = static_cast<Rank>(kept.size());
    made_.parameters = world.parameters;
    made_.group_names = world.group_names;
  }

  Job fold() {
    for (const Membership& group : world_.groups) add_group(group);
    add_tasks();
    add_streams();
    for (const JobPart& part : world_.parts) add_part(part);
    return std::move(made_);
  }

 private:
  void add_group(const Membership& group) {
    std::vector<std::uint32_t>& instances = instances_.emplace_back();
    Membership made{.places = std::vector<Membership::Place>(kept_.size())};
    for (const std::vector<Rank>& members : group.instances) {
      const std::vector<std::size_t> left = left_of(members, numbers_);
      const bool stays = left.size() > 1;
      const auto number = static_cast<std::uint32_t>(made.instances.size());
      instances.push_back(stays ? number : kGone);
      if (!stays) continue;
      std::vector<Rank>& of_it = made.instances.emplace_back();
      for (const std::size_t at : left) {
        made.places[numbers_[members[at]]] = {number, static_cast<Rank>(of_it.size())};
        of_it.push_back(numbers_[members[at]]);
      }
    }
    made_.groups.push_back(std::move(made));
  }

  void add_tasks() {
    for (const Task& task : world_.tasks) {
      Task made = folded(world_, task, numbers_);
      const bool stays = made.members.size() > 1;
      tasks_.push_back(stays ? static_cast<std::uint32_t>(made_.tasks.size()) : kGone);
      if (!stays) continue;
      const NamedOperation& operation = world_.operations[task.operation];
      if (operation.kind == Kind::collective)
        made.instance = instances_[operation.group][task.instance];
      made.operation = number_of(task.operation);
      made_.tasks.push_back(std::move(made));
    }
  }

  /// Of an operation that stays.
  std::uint32_t number_of(std::uint32_t operation) {
    operations_.resize(world_.operations.size(), kGone);
    if (operations_[operation] == kGone) {
      operations_[operation] = static_cast<std::uint32_t>(made_.operations.size());
      made_.operations.push_back(world_.operations[operation]);
    }
    return operations_[operation];
  }

  void add_streams() {
    const auto kept = [&](const Entry& entry) {
      return entry.task == Entry::kNoTask || tasks_[entry.task] != kGone;
    };
    for (const Rank rank : kept_) {
      made_.class_of.push_back(world_.class_of[rank]);
      auto streams = FoldedStreams(world_.streams[rank], kept).made();
      for (RankStream& stream : streams) {
        for (Entry& entry : stream.entries) {
          entry.operation = number_of(entry.operation);
          if (entry.task != Entry::kNoTask) entry.task = tasks_[entry.task];
        }
      }
      made_.streams.push_back(std::move(streams));
    }
  }

  void add_part(JobPart part) {
    if (part.alone != nullptr) {
      const std::vector<Rank> of_part = ranks_of(part, kept_);
      part.first_rank = numbers_[part.first_rank + of_part.front()];
      part.alone = std::make_shared<const Job>(Folder(*part.alone, of_part).fold());
    }
    made_.parts.push_back(std::move(part));
  }

  const Job& world_;
  const std::vector<Rank>& kept_;
  std::vector<std::uint32_t> numbers_;                   // [rank of the world]
  std::vector<std::vector<std::uint32_t>> instances_{};  // [group][instance]
  std::vector<std::uint32_t> tasks_{};
  std::vector<std::uint32_t> operations_{};
  Job made_{};
};

Rank most_members(const Membership& group) {
  std::size_t most = 0;
  for (const auto& members : group.instances) most = std::max(most, members.size());
  return static_cast<Rank>(most);
}

}  // namespace

FoldedJob folded(const Job& world, Rank ranks) {
  if (ranks == 0 || ranks >= world.ranks)
    throw std::invalid_argument("a world of " + finding::counted(world.ranks, "rank") +
                                " cannot be folded onto " + std::to_string(ranks));
  FoldedJob made{.kept = chosen(world, ranks)};
  made.job = Folder(world, made.kept).fold();
  for (std::size_t at = 0; at < world.groups.size(); ++at)
    made.groups.push_back({.name = world.group_names[at],
                           .members = most_members(made.job.groups[at]),
                           .of = most_members(world.groups[at])});
  constexpr double kPercent = 100;
  const Sent sent = sent_by(world, made.kept);
  if (sent.in_world > 0) made.sent_percent = kPercent * sent.alone / sent.in_world;
  return made;
}

}  // namespace railgauge::workload
