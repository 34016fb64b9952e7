#include "workload/job.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "manual/manual.hpp"
#include "workload/mix.hpp"

namespace railgauge::workload {
namespace {

constexpr std::int64_t kMostTimes = 10'000'000;
constexpr std::int64_t kAnything = std::numeric_limits<std::int64_t>::min();

std::vector<std::string> parameter_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const Parameter& parameter : workload.parameters) names.push_back(parameter.name);
  return names;
}

class Builder {
 public:
  Builder(const Workload& workload, Rank ranks, const Settings& settings)
      : workload_(workload), settings_(settings) {
    if (ranks == 0) throw std::invalid_argument("a workload needs at least one rank");
    job_.ranks = ranks;
    scope_.set("ranks", ranks);
  }

  Job build() {
    add_parameters();
    check_conditions();
    for (std::size_t group = 0; group < workload_.groups.size(); ++group) {
      job_.groups.push_back(membership_of(workload_, group, job_.ranks, scope_));
      job_.group_names.push_back(workload_.groups[group].name);
    }
    for (rank_ = 0; rank_ < job_.ranks; ++rank_) add_rank();
    for (std::size_t at = 0; at < workload_.closed_forms.size(); ++at) {
      const ClosedForm& form = workload_.closed_forms[at];
      job_.expected[form.of] =
          value_of(workload_, form.bytes, indexed("closed_forms", at) + ".bytes", scope_, 0);
    }
    job_.parts.push_back(
        {.name = workload_.name, .traffic_class = traffic_class(), .rails = workload_.rails});
    return std::move(job_);
  }

 private:
  void add_parameters() {
    const auto names = parameter_names(workload_);
    for (const auto& [name, value] : settings_) {
      if (std::ranges::find(names, name) != names.end()) continue;
      throw std::invalid_argument("--set " + name + ": the workload " + workload_.file + " has " +
                                  (names.empty() ? "no parameters" : finding::listed(names)) +
                                  manual::did_you_mean(name, names));
    }
    for (std::size_t at = 0; at < workload_.parameters.size(); ++at) {
      const Parameter& one = workload_.parameters[at];
      const auto set = settings_.find(one.name);
      const std::int64_t value =
          set != settings_.end()
              ? set->second
              : value_of(workload_, one.value, indexed("parameters", at) + ".value", scope_,
                         kAnything);
      scope_.set(one.name, value);
      job_.parameters.emplace_back(one.name, value);
    }
    parameters_ = scope_;
  }

  void check_conditions() {
    for (std::size_t at = 0; at < workload_.conditions.size(); ++at) {
      const Condition& one = workload_.conditions[at];
      const std::string field = indexed("conditions", at) + ".that";
      if (value_of(workload_, one.that, field, scope_, kAnything) != 0) continue;
      refuse(workload_, field,
             "(" + one.that.text + ") does not hold for " + finding::counted(job_.ranks, "rank") +
                 ": " + one.otherwise);
    }
  }

  [[nodiscard]] std::optional<std::uint8_t> traffic_class() const {
    if (!workload_.traffic_class.given()) return std::nullopt;
    constexpr std::int64_t kMost = 255;
    const std::int64_t value =
        value_of(workload_, workload_.traffic_class, "traffic_class", scope_, 0);
    if (value > kMost)
      refuse(workload_, "traffic_class", "is " + std::to_string(value) + ": the most are 255");
    return static_cast<std::uint8_t>(value);
  }

  void add_rank() {
    scope_.set("rank", rank_);
    job_.class_of.push_back(class_of_rank());
    const RankClass& of = workload_.classes[job_.class_of.back()];
    auto& streams = job_.streams.emplace_back();
    for (const Stream& stream : of.streams) {
      streams.push_back({.name = stream.name});
      for (const Operation& operation : stream.operations) add(operation, streams.back());
    }
    connect(streams);
    scope_.drop();
  }

  std::uint32_t class_of_rank() {
    for (std::uint32_t at = 0; at < workload_.classes.size(); ++at) {
      const RankClass& one = workload_.classes[at];
      const std::string field = indexed("classes", at) + ".when";
      if (!one.when.given() || value_of(workload_, one.when, field, scope_, kAnything) != 0)
        return at;
    }
    refuse(workload_, "classes",
           "have none for rank " + std::to_string(rank_) +
               ": give the last one no 'when', or one without operations");
  }

  void add(const Operation& operation, RankStream& stream) {
    const std::int64_t times =
        operation.times.given()
            ? value_of(workload_, operation.times, operation.at + ".times", scope_, 0)
            : 1;
    if (times > kMostTimes)
      refuse(workload_, operation.at + ".times",
             "is " + std::to_string(times) + ": the most are " + std::to_string(kMostTimes));
    for (std::int64_t i = 0; i < times; ++i) {
      if (operation.kind != Kind::block) {
        add_entry(operation, stream);
        continue;
      }
      if (!operation.index.empty()) scope_.set(operation.index, i);
      for (const Operation& inner : operation.operations) add(inner, stream);
      if (!operation.index.empty()) scope_.drop();
    }
  }

  void add_entry(const Operation& operation, RankStream& stream) {
    if (++entries_ > kMostEntries)
      throw std::invalid_argument("workload " + workload_.file + ": " +
                                  finding::counted(job_.ranks, "rank") + " have more than " +
                                  std::to_string(kMostEntries) +
                                  " operations in a step; take fewer ranks or layers");
    Entry entry{.operation = named(operation), .source = &operation};
    if (operation.arrival.given())
      entry.arrival_us = static_cast<std::uint64_t>(
          value_of(workload_, operation.arrival, operation.at + ".arrival", scope_, 0));
    switch (operation.kind) {
      case Kind::collective: entry.task = collective(operation, entry.operation); break;
      case Kind::send:
      case Kind::receive:
        entry.task = transfer(operation, entry.operation);
        entry.sends = operation.kind == Kind::send;
        break;
      case Kind::compute:
        entry.microseconds = static_cast<std::uint64_t>(
            value_of(workload_, operation.microseconds, operation.at + ".microseconds", scope_, 0));
        break;
      default: break;
    }
    stream.entries.push_back(std::move(entry));
  }

  /// Operations of one name are one, in whichever class they stand.
  std::uint32_t named(const Operation& operation) {
    const auto [found, is_new] =
        numbers_.try_emplace(operation.name, static_cast<std::uint32_t>(job_.operations.size()));
    NamedOperation one{.name = operation.name,
                       .kind = operation.kind == Kind::receive ? Kind::send : operation.kind,
                       .arrives = operation.arrival.given(),
                       .at = operation.at};
    if (operation.kind == Kind::collective) {
      one.type = *schedule::collective(operation.type);
      one.group = static_cast<std::uint32_t>(std::ranges::find(job_.group_names, operation.group) -
                                             job_.group_names.begin());
    }
    if (!operation.data.empty()) one.data = *reduce::element_type(operation.data);
    if (is_new) {
      job_.operations.push_back(std::move(one));
      return found->second;
    }
    const NamedOperation& first = job_.operations[found->second];
    const auto meaning = [](const NamedOperation& of) {
      return std::tie(of.kind, of.group, of.type, of.data, of.arrives);
    };
    if (meaning(first) != meaning(one))
      refuse(workload_, operation.at + ".name",
             "is '" + operation.name + "', as of " + first.at + ", which is another operation");
    return found->second;
  }

  std::uint32_t collective(const Operation& operation, std::uint32_t number) {
    const std::uint32_t group = job_.operations[number].group;
    const Membership::Place place = job_.groups[group].places[rank_];
    if (place.instance == Membership::kNone)
      refuse(workload_, operation.at + ".group",
             "is '" + operation.group + "', and rank " + std::to_string(rank_) + " is in none");
    Task task{.operation = number,
              .instance = place.instance,
              .members = job_.groups[group].instances[place.instance]};
    if (job_.operations[number].type == schedule::Collective::all_to_all_v) {
      task.pairs = pairs(operation, static_cast<Rank>(task.members.size()));
    } else if (operation.bytes.given()) {
      task.bytes = bytes(operation);
      check_cut(operation, job_.operations[number], task);
    }
    return task_of({number, place.instance, 0}, std::move(task), operation);
  }

  /// Blocks for each rank are equal, and elements are whole.
  void check_cut(const Operation& operation, const NamedOperation& named, const Task& task) {
    std::uint64_t unit = schedule::reduces(named.type) ? reduce::size_bytes(named.data) : 1;
    if (schedule::traits(named.type).size == schedule::SizeRule::per_rank)
      unit *= task.members.size();
    if (task.bytes % unit == 0) return;
    refuse(workload_, operation.at + ".bytes",
           "is " + std::to_string(task.bytes) + ": of " + operation.type + " of " +
               finding::counted(task.members.size(), "rank") + " it has to be a multiple of " +
               std::to_string(unit));
  }

  std::uint64_t bytes(const Operation& operation) {
    return static_cast<std::uint64_t>(
        value_of(workload_, operation.bytes, operation.at + ".bytes", scope_, 0));
  }

  /// Of parameters, `from` and `to` only: every rank has to find the same.
  const std::vector<std::uint64_t>& pairs(const Operation& operation, Rank members) {
    auto& all = pairs_[{&operation, members}];
    if (!all.empty()) return all;
    all.reserve(std::size_t{members} * members);
    if (!operation.matrix.empty()) {
      add_matrix(operation, members, all);
      return all;
    }
    for (Rank from = 0; from < members; ++from) {
      for (Rank to = 0; to < members; ++to) {
        parameters_.set("from", from);
        parameters_.set("to", to);
        all.push_back(static_cast<std::uint64_t>(
            value_of(workload_, operation.bytes, operation.at + ".bytes", parameters_, 0)));
        parameters_.drop(2);
      }
    }
    return all;
  }

  void add_matrix(const Operation& operation, Rank members, std::vector<std::uint64_t>& all) {
    const auto is_whole = [&](const auto& row) { return row.size() == members; };
    if (!is_whole(operation.matrix) || !std::ranges::all_of(operation.matrix, is_whole))
      refuse(workload_, operation.at + ".matrix",
             "has to have " + finding::counted(members, "row") + " of as many numbers");
    for (const auto& row : operation.matrix) all.insert(all.end(), row.begin(), row.end());
  }

  std::uint32_t transfer(const Operation& operation, std::uint32_t number) {
    const bool sends = operation.kind == Kind::send;
    const std::string field = operation.at + (sends ? ".to" : ".from");
    const std::int64_t peer =
        value_of(workload_, sends ? operation.to : operation.from, field, scope_, 0);
    if (peer >= job_.ranks || peer == rank_)
      refuse(workload_, field,
             "is rank " + std::to_string(peer) + " for rank " + std::to_string(rank_) +
                 ": expected another of " + std::to_string(job_.ranks) + " ranks");
    const auto other = static_cast<Rank>(peer);
    const Rank from = sends ? rank_ : other;
    const Rank to = sends ? other : rank_;
    Task task{.operation = number, .members = {from, to}, .bytes = bytes(operation)};
    return task_of({number, from, to}, std::move(task), operation);
  }

  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  std::uint32_t task_of(const Key& key, Task task, const Operation& operation) {
    const auto [found, is_new] =
        tasks_.try_emplace(key, static_cast<std::uint32_t>(job_.tasks.size()));
    if (is_new) {
      job_.tasks.push_back(std::move(task));
      return found->second;
    }
    const Task& known = job_.tasks[found->second];
    if (known.bytes != task.bytes || known.pairs != task.pairs)
      refuse(workload_, operation.at + ".bytes",
             "is " + std::to_string(task.bytes) + " for rank " + std::to_string(rank_) + " and " +
                 std::to_string(known.bytes) + " before: " + job_.describe(known) +
                 " is always of one size");
    return found->second;
  }

  /// Turns names into places, now that it is known how often each operation occurs.
  void connect(std::vector<RankStream>& streams) {
    std::map<std::string, std::vector<Awaited>> places;
    for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
      for (std::uint32_t at = 0; at < streams[stream].entries.size(); ++at) {
        auto& of_name = places[streams[stream].entries[at].source->name];
        if (!of_name.empty() && of_name.back().stream != stream)
          refuse(workload_, streams[stream].entries[at].source->at + ".name",
                 "is of an operation of another stream, too: give it a name of its own");
        of_name.push_back({stream, at});
      }
    }
    for (RankStream& stream : streams) {
      for (Entry& entry : stream.entries) {
        const Operation& source = *entry.source;
        const std::uint64_t number = counts_[source.name]++;
        for (std::size_t at = 0; at < source.after.size(); ++at) {
          if (const auto one = awaited(source, at, number, places)) entry.after.push_back(*one);
        }
      }
    }
    counts_.clear();
  }

  std::optional<Awaited> awaited(const Operation& source, std::size_t at, std::uint64_t number,
                                 const std::map<std::string, std::vector<Awaited>>& places) {
    const std::string field = indexed(source.at + ".after", at);
    const auto found = places.find(source.after[at]);
    if (found == places.end()) return std::nullopt;  // it occurs 0 times
    const std::uint64_t theirs = found->second.size();
    const std::uint64_t ours = places.at(source.name).size();
    if (theirs % ours != 0 && ours % theirs != 0)
      refuse(workload_, field,
             "is '" + source.after[at] + "', which occurs " + std::to_string(theirs) +
                 " times to " + std::to_string(ours) + " of '" + source.name +
                 "': one has to be a multiple of the other");
    return found->second[((number + 1) * theirs + ours - 1) / ours - 1];
  }

  const Workload& workload_;
  const Settings& settings_;
  Scope scope_{};
  Scope parameters_{};  // and nothing else
  Rank rank_ = 0;
  std::size_t entries_ = 0;
  std::map<std::string, std::uint32_t> numbers_{};  // of operations
  std::map<Key, std::uint32_t> tasks_{};
  std::map<std::pair<const Operation*, Rank>, std::vector<std::uint64_t>> pairs_{};
  std::map<std::string, std::uint64_t> counts_{};  // of a name, so far
  Job job_{};
};

}  // namespace

std::uint64_t Task::bytes_of(Rank number) const {
  if (pairs.empty()) return bytes;
  const auto begin = pairs.begin() + static_cast<std::ptrdiff_t>(number * members.size());
  return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(members.size()),
                         std::uint64_t{0});
}

Rank Job::number_of(const Entry& entry, Rank rank) const {
  const NamedOperation& operation = operations[entry.operation];
  if (operation.kind == Kind::send) return entry.sends ? 0 : 1;
  return groups[operation.group].places[rank].number;
}

std::string Job::describe(const Task& task) const {
  const NamedOperation& operation = operations[task.operation];
  const std::string name = "'" + operation.name + "'";
  if (operation.kind == Kind::collective)
    return name + " of " + group_names[operation.group] + "[" + std::to_string(task.instance) + "]";
  return name + " from rank " + std::to_string(task.members[0]) + " to rank " +
         std::to_string(task.members[1]);
}

Settings settings_of(const std::vector<std::string>& words) {
  Settings settings;
  for (const std::string& list : words) {
    for (const std::string& word : finding::split(list)) {
      const std::string name = word.substr(0, word.find('='));
      const auto value = finding::number_in<std::int64_t>(
          std::string_view(word).substr(std::min(name.size() + 1, word.size())));
      if (!value)
        throw std::invalid_argument("--set '" + word +
                                    "': expected a parameter and a whole number, such as tp=8");
      settings[name] = *value;
    }
  }
  return settings;
}

Job job_of(const Workload& workload, Rank ranks, const Settings& settings) {
  return workload.parts.empty() ? Builder(workload, ranks, settings).build()
                                : mix_of(workload, ranks, settings);
}

}  // namespace railgauge::workload
