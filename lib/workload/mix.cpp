#include "workload/mix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "finding/words.hpp"
#include "manual/manual.hpp"

namespace railgauge::workload {
namespace {

/// Those of a part, without its name. `used` counts them.
Settings settings_of_part(const Settings& all, const std::string& part, std::size_t& used) {
  Settings settings;
  for (const auto& [name, value] : all) {
    if (!name.starts_with(part + ".")) continue;
    settings[name.substr(part.size() + 1)] = value;
    ++used;
  }
  return settings;
}

/// The part whose name the setting has not.
[[noreturn]] void refuse_settings(const Workload& mix, const Settings& settings) {
  std::vector<std::string> parts;
  for (const Workload& part : mix.parts) parts.push_back(part.name);
  for (const auto& [name, value] : settings) {
    const std::string part = name.substr(0, name.find('.'));
    if (name.find('.') != std::string::npos && std::ranges::count(parts, part) > 0) continue;
    throw std::invalid_argument("--set " + name + ": the mix " + mix.file + " has parameters of " +
                                finding::listed(parts) + ", such as " + parts.front() + ".NAME" +
                                manual::did_you_mean(part, parts));
  }
  throw std::logic_error("all settings are of parts");
}

class Joiner {
 public:
  explicit Joiner(Rank ranks) : classes_(ranks) {
    job_.ranks = ranks;
    job_.streams.resize(ranks);
  }

  void add(Job part, const std::string& name, Rank first) {
    prefix_ = name + ".";
    first_ = first;
    first_group_ = static_cast<std::uint32_t>(job_.groups.size());
    first_operation_ = static_cast<std::uint32_t>(job_.operations.size());
    first_task_ = static_cast<std::uint32_t>(job_.tasks.size());
    JobPart made = part.parts.front();
    made.name = name;
    made.first_rank = first;
    for (const auto& [parameter, value] : part.parameters)
      job_.parameters.emplace_back(prefix_ + parameter, value);
    add_groups(part);
    add_operations(part);
    for (Rank rank = 0; rank < part.ranks; ++rank) add_streams(part.streams[rank], first + rank);
    for (Rank rank = 0; rank < job_.ranks; ++rank) {
      const bool takes_part = rank >= first && rank - first < part.ranks;
      classes_[rank].push_back(takes_part ? part.class_of[rank - first] : Membership::kNone);
    }
    made.alone = std::make_shared<const Job>(std::move(part));
    job_.parts.push_back(std::move(made));
  }

  Job take() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    for (const auto& of_rank : classes_)
      job_.class_of.push_back(
          numbers.try_emplace(of_rank, static_cast<std::uint32_t>(numbers.size())).first->second);
    return std::move(job_);
  }

 private:
  void add_groups(const Job& part) {
    for (std::size_t at = 0; at < part.groups.size(); ++at) {
      Membership group{.instances = part.groups[at].instances};
      for (std::vector<Rank>& members : group.instances) shift(members);
      group.places.resize(job_.ranks);
      std::ranges::copy(part.groups[at].places,
                        group.places.begin() + static_cast<std::ptrdiff_t>(first_));
      job_.groups.push_back(std::move(group));
      job_.group_names.push_back(prefix_ + part.group_names[at]);
    }
  }

  void add_operations(const Job& part) {
    for (NamedOperation operation : part.operations) {
      operation.name = prefix_ + operation.name;
      operation.group += first_group_;
      operation.part = static_cast<std::uint32_t>(job_.parts.size());
      job_.operations.push_back(std::move(operation));
    }
    for (Task task : part.tasks) {
      task.operation += first_operation_;
      shift(task.members);
      job_.tasks.push_back(std::move(task));
    }
  }

  void add_streams(const std::vector<RankStream>& streams, Rank rank) {
    std::vector<RankStream>& all = job_.streams[rank];
    const auto first_stream = static_cast<std::uint32_t>(all.size());
    for (RankStream stream : streams) {
      stream.name = prefix_ + stream.name;
      stream.part = static_cast<std::uint32_t>(job_.parts.size());
      for (Entry& entry : stream.entries) {
        entry.operation += first_operation_;
        if (entry.task != Entry::kNoTask) entry.task += first_task_;
        for (Awaited& one : entry.after) one.stream += first_stream;
      }
      all.push_back(std::move(stream));
    }
  }

  void shift(std::vector<Rank>& members) const {
    for (Rank& rank : members) rank += first_;
  }

  std::vector<std::vector<std::uint32_t>> classes_;  // [rank][part]
  Job job_{};
  std::string prefix_{};
  Rank first_ = 0;
  std::uint32_t first_group_ = 0;
  std::uint32_t first_operation_ = 0;
  std::uint32_t first_task_ = 0;
};

/// The last entries of all streams of the part, as often as they have been done.
std::vector<Awaited> ends_of(const std::vector<RankStream>& streams,
                             const std::vector<RankStream>& once, std::uint32_t part) {
  std::vector<Awaited> ends;
  for (std::uint32_t at = 0; at < streams.size(); ++at) {
    if (once[at].part == part && !streams[at].entries.empty())
      ends.push_back({at, static_cast<std::uint32_t>(streams[at].entries.size() - 1)});
  }
  return ends;
}

/// Adds a part's step to what its streams do.
void repeat(std::vector<RankStream>& streams, const std::vector<RankStream>& once,
            std::uint32_t part) {
  const std::vector<Awaited> ends = ends_of(streams, once, part);
  std::vector<std::uint32_t> done;
  done.reserve(streams.size());
  for (const RankStream& stream : streams)
    done.push_back(static_cast<std::uint32_t>(stream.entries.size()));
  for (std::uint32_t at = 0; at < streams.size(); ++at) {
    if (once[at].part != part) continue;
    bool is_first = true;
    for (Entry entry : once[at].entries) {
      for (Awaited& one : entry.after) one.position += done[one.stream];
      if (std::exchange(is_first, false)) {
        for (const Awaited& end : ends) {
          if (end.stream != at) entry.after.push_back(end);
        }
      }
      streams[at].entries.push_back(std::move(entry));
    }
  }
}

}  // namespace

Workload mixed(std::vector<Workload> parts, const std::vector<std::string>& names) {
  if (parts.size() < 2) throw std::invalid_argument("a mix needs two workloads at least");
  Workload mix;
  mix.description = "Workloads that run at the same time.";
  for (std::size_t at = 0; at < parts.size(); ++at) {
    if (!parts[at].parts.empty())
      throw std::invalid_argument("the workload " + parts[at].file + " is a mix: take its parts");
    mix.description += " " + names[at] + ": " + parts[at].name + ".";
    parts[at].name = names[at];
  }
  mix.name = finding::joined(names, " and ");
  mix.parts = std::move(parts);
  mix.file = mix.name;
  check_document(mix);
  return mix;
}

Job mix_of(const Workload& mix, Rank ranks, const Settings& settings) {
  Joiner joiner(ranks);
  std::size_t used = 0;
  Scope scope;
  scope.set("ranks", ranks);
  for (const Workload& part : mix.parts) {
    const auto number = [&](const Expression& given, const char* field, std::int64_t otherwise,
                            std::int64_t least) {
      return given.given() ? value_of(part, given, field, scope, least) : otherwise;
    };
    const std::int64_t first = number(part.first_rank, "first_rank", 0, 0);
    const std::int64_t count = number(part.rank_count, "rank_count", ranks - first, 1);
    if (first >= ranks)
      refuse(part, "first_rank",
             "is rank " + std::to_string(first) + ": there are " + finding::counted(ranks, "rank"));
    if (count > ranks - first)
      refuse(part, "rank_count",
             "makes the part of ranks " + std::to_string(first) + " to " +
                 std::to_string(static_cast<std::uint64_t>(first) +
                                static_cast<std::uint64_t>(count - 1)) +
                 ", and there are " + finding::counted(ranks, "rank"));
    joiner.add(job_of(part, static_cast<Rank>(count), settings_of_part(settings, part.name, used)),
               part.name, static_cast<Rank>(first));
  }
  if (used < settings.size()) refuse_settings(mix, settings);
  return joiner.take();
}

Job repeated(const Job& job, std::span<const unsigned> times) {
  Job made = job;
  for (Rank rank = 0; rank < job.ranks; ++rank) {
    for (RankStream& stream : made.streams[rank]) stream.entries.clear();
    for (std::uint32_t part = 0; part < times.size(); ++part) {
      for (unsigned i = 0; i < times[part]; ++i)
        repeat(made.streams[rank], job.streams[rank], part);
    }
  }
  return made;
}

std::vector<unsigned> as_long(std::span<const double> step_us, unsigned most) {
  constexpr unsigned kMostOfLongest = 4;
  const double longest_us = std::ranges::max(step_us);
  std::vector<unsigned> best(step_us.size(), 1);
  double least_mismatch = 0;
  for (unsigned number = 1; number <= std::min(kMostOfLongest, most); ++number) {
    std::vector<unsigned> times;
    double mismatch = 0;
    for (const double us : step_us) {
      const double exact = us > 0 ? number * longest_us / us : 1;
      times.push_back(
          static_cast<unsigned>(std::clamp(std::round(exact), 1.0, static_cast<double>(most))));
      mismatch = std::max(mismatch, std::abs(times.back() / exact - 1));
    }
    if (number > 1 && mismatch >= least_mismatch) continue;
    least_mismatch = mismatch;
    best = std::move(times);
  }
  return best;
}

}  // namespace railgauge::workload
