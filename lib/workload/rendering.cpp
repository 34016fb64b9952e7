#include "workload/rendering.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "finding/words.hpp"
#include "workload/check.hpp"

namespace railgauge::workload {
namespace {

constexpr int kName = 28;
constexpr int kColumn = 16;

template <class... Cells>
void line(std::ostream& out, const std::string& name, const Cells&... cells) {
  out << std::left << std::setw(kName) << name << std::right;
  ((out << std::setw(kColumn) << cells), ...);
  out << "\n";
}

std::string sizes_of(const Membership& group) {
  const auto [least, most] =
      std::ranges::minmax(group.instances, {}, [](const auto& members) { return members.size(); });
  const std::string text = std::to_string(least.size());
  return least.size() == most.size() ? text : text + "-" + std::to_string(most.size());
}

void add_groups(std::ostream& out, const Job& job) {
  auto bytes = bytes_by_name(job);
  line(out, "group", "instances", "ranks each", "bytes, all", "bytes a rank");
  for (std::size_t at = 0; at < job.groups.size(); ++at) {
    const auto node = bytes.extract(job.group_names[at]);
    const auto& instances = job.groups[at].instances;
    if (instances.empty()) continue;
    std::uint64_t ranks = 0;
    for (const auto& members : instances) ranks += members.size();
    line(out, node.key(), instances.size(), sizes_of(job.groups[at]), node.mapped(),
         node.mapped() / ranks);
  }
  for (const auto& [transfer, all] : bytes) line(out, transfer + " (send)", "", "", all, "");
}

/// How often each operation occurs in a stream, what it takes each time, and when it arrives.
void add_stream(std::ostream& out, const Job& job, Rank rank, const RankStream& stream) {
  struct Occurrences {
    const Entry* first = nullptr;
    const Entry* last = nullptr;
    std::uint64_t times = 1;
  };
  std::vector<Occurrences> found;
  for (const Entry& entry : stream.entries) {
    const auto known = std::ranges::find_if(found, [&](const auto& one) {
      return one.first->operation == entry.operation && one.first->sends == entry.sends;
    });
    if (known != found.end()) {
      known->last = &entry;
      ++known->times;
    } else {
      found.push_back({.first = &entry, .last = &entry});
    }
  }
  for (const auto& [entry, last, times] : found) {
    const NamedOperation& operation = job.operations[entry->operation];
    const bool is_collective = operation.kind == Kind::collective;
    const std::string kind(is_collective ? schedule::name(operation.type)
                                         : word(entry->source->kind));
    const std::string size =
        entry->task != Entry::kNoTask
            ? std::to_string(job.tasks[entry->task].bytes_of(job.number_of(*entry, rank))) + " B"
        : operation.kind == Kind::compute ? std::to_string(entry->microseconds) + " us"
                                          : "";
    line(out, "    " + operation.name, kind, is_collective ? job.group_names[operation.group] : "",
         times, size,
         operation.arrives
             ? std::to_string(entry->arrival_us) + "-" + std::to_string(last->arrival_us)
             : "");
  }
}

std::string class_of(const JobPart& part) {
  return part.traffic_class ? ", traffic class " + std::to_string(*part.traffic_class) : "";
}

}  // namespace

std::string as_table(const Workload& workload, const Job& job) {
  std::ostringstream out;
  for (std::size_t part = 0; part < workload.parts.size(); ++part)
    out << (part == 0 ? "" : "\n") << "from rank " << job.parts[part].first_rank
        << " on: " << as_table(workload.parts[part], *job.parts[part].alone);
  if (!workload.parts.empty()) return out.str();
  std::vector<std::string> parameters;
  for (const auto& [name, value] : job.parameters)
    parameters.push_back(name + "=" + std::to_string(value));
  out << workload.name << ", " << finding::counted(job.ranks, "rank") << ", in a step"
      << class_of(job.parts.front()) << "\n"
      << finding::joined(parameters, " ") << "\n\n";
  add_groups(out, job);
  for (std::uint32_t number = 0; number < workload.classes.size(); ++number) {
    const auto first = std::ranges::find(job.class_of, number);
    if (first == job.class_of.end()) continue;
    const auto rank = static_cast<Rank>(first - job.class_of.begin());
    out << "\n";
    line(out, "class " + workload.classes[number].name,
         std::to_string(std::ranges::count(job.class_of, number)) + " ranks", "group", "times",
         "each", "arrival, us");
    for (const RankStream& stream : job.streams[rank]) {
      out << "  " << stream.name << ", of rank " << rank << "\n";
      add_stream(out, job, rank, stream);
    }
  }
  return out.str();
}

}  // namespace railgauge::workload
