// Traces of PyTorch's profiler (Kineto), a file of each rank: Chrome's trace events as JSON, packed
// by gzip or not.
//
// A collective or transfer is an event of the name record_param_comms (a "cpu_op", when it was
// issued) with its arguments: "Collective name", "dtype", "In msg nelems", "Out msg nelems", "In
// split size", "Out split size", "Group size"; since about 2.3 "Process Group Name" and "Process
// Group Ranks" (a text "[0, 1]", cut after 30 ranks), since 2.4 "Process Group Description", then
// "Src Rank", "Dst Rank", "Seq" and "Is asynchronized op". A collective "wait" is where a program
// waits for one that is asynchronous. Kernels of the GPU name the event that launched them by
// "External id". "distributedInfo" has the rank, the number of ranks and, in pg_config, the groups.
// Names of collectives vary: allreduce and all_reduce, _allgather_base and all_gather_single.
// Sources: pytorch, torch/csrc/profiler/util.cpp and torch/csrc/distributed/c10d; kineto,
// libkineto/src/output_json.cpp.
//
// With kernels, a collective lasts as its kernel does; without, from its event to its wait. What
// passes outside of collectives is compute, whatever the GPU did; inside, it is what other kernels
// took. What begins after the end of a collective waits for it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "workload/traces/import.hpp"
#include "workload/traces/record.hpp"
#include "workload/traces/timeline.hpp"
#include "workload/traces/trace_input.hpp"

namespace railgauge::workload::traces {
namespace {

using nlohmann::json;
using reduce::ElementType;
using schedule::Collective;

constexpr std::string_view kIssued = "record_param_comms";
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 44U;

struct DataType {
  std::string_view name;
  std::uint64_t bytes;
  ElementType combined;  // as what it is combined
  bool is_same = true;
};
constexpr std::array kDataTypes{DataType{"Byte", 1, ElementType::uint8},
                                DataType{"Char", 1, ElementType::int8},
                                DataType{"Bool", 1, ElementType::uint8},
                                DataType{"Short", 2, ElementType::float16, false},
                                DataType{"UInt16", 2, ElementType::float16, false},
                                DataType{"Int", 4, ElementType::int32},
                                DataType{"UInt32", 4, ElementType::uint32},
                                DataType{"Long", 8, ElementType::int64},
                                DataType{"UInt64", 8, ElementType::uint64},
                                DataType{"Half", 2, ElementType::float16},
                                DataType{"BFloat16", 2, ElementType::bfloat16},
                                DataType{"Float", 4, ElementType::float32},
                                DataType{"Double", 8, ElementType::float64},
                                DataType{"ComplexFloat", 8, ElementType::float64, false},
                                DataType{"Float8_e4m3fn", 1, ElementType::float8_e4m3},
                                DataType{"Float8_e4m3fnuz", 1, ElementType::float8_e4m3, false},
                                DataType{"Float8_e5m2", 1, ElementType::float8_e5m2},
                                DataType{"Float8_e5m2fnuz", 1, ElementType::float8_e5m2, false}};

/// In any spelling, without its underscores.
struct Name {
  std::string_view name;
  Exchange::Kind kind;
  Collective type = Collective::barrier;
};
using enum Exchange::Kind;
constexpr std::array kNames{
    Name{"allreduce", collective, Collective::all_reduce},
    Name{"allreducecoalesced", collective, Collective::all_reduce},
    Name{"allgather", collective, Collective::all_gather},
    Name{"allgatherbase", collective, Collective::all_gather},
    Name{"allgathersingle", collective, Collective::all_gather},
    Name{"allgathercoalesced", collective, Collective::all_gather},
    Name{"allgatherintotensor", collective, Collective::all_gather},
    Name{"allgatherintotensorcoalesced", collective, Collective::all_gather},
    Name{"reducescatter", collective, Collective::reduce_scatter},
    Name{"reducescatterbase", collective, Collective::reduce_scatter},
    Name{"reducescattersingle", collective, Collective::reduce_scatter},
    Name{"reducescattertensor", collective, Collective::reduce_scatter},
    Name{"reducescattertensorcoalesced", collective, Collective::reduce_scatter},
    Name{"broadcast", collective, Collective::broadcast},
    Name{"broadcastoop", collective, Collective::broadcast},
    Name{"reduce", collective, Collective::reduce},
    Name{"reduceoop", collective, Collective::reduce},
    Name{"gather", collective, Collective::gather},
    Name{"scatter", collective, Collective::scatter},
    Name{"alltoall", collective, Collective::all_to_all},
    Name{"alltoallv", collective, Collective::all_to_all},
    Name{"alltoallbase", collective, Collective::all_to_all},
    Name{"alltoallsingle", collective, Collective::all_to_all},
    Name{"barrier", collective, Collective::barrier},
    Name{"send", send},
    Name{"isend", send},
    Name{"recv", receive},
    Name{"irecv", receive}};

/// An event that is looked at.
struct Event {
  std::string place{};
  double begin = 0;  // microseconds
  double end = 0;
  json args{};
};

/// A file, before its ranks are known.
struct File {
  std::string name{};
  json about{};  // distributedInfo
  std::vector<Event> issued{};
  std::unordered_map<std::int64_t, Span> kernels{};  // of collectives, by "External id"
  std::vector<Span> busy{};                          // other kernels
  double last = 0;                                   // end of all kernels
};

std::optional<std::int64_t> number(const json& args, const char* key) {
  const auto at = args.find(key);
  if (at == args.end()) return std::nullopt;
  if (at->is_number_integer()) return at->get<std::int64_t>();
  if (!at->is_string()) return std::nullopt;
  return finding::number_in<std::int64_t>(at->get_ref<const std::string&>());
}

std::string text(const json& args, const char* key) {
  const auto at = args.find(key);
  if (at == args.end()) return "";
  return at->is_string() ? at->get<std::string>() : at->dump();
}

/// "[0, 1]", as text or not. Nothing for one that is cut: "[0, 1, ..., 63]".
std::optional<std::vector<std::uint64_t>> list(const json& args, const char* key) {
  std::string words = text(args, key);
  if (words.size() >= 2 && words.front() == '"') words = words.substr(1, words.size() - 2);
  const json parsed = json::parse(words.empty() ? "[]" : words, nullptr, false);
  if (!parsed.is_array()) return std::nullopt;
  std::vector<std::uint64_t> values;
  for (const json& one : parsed) {
    if (!one.is_number_unsigned()) return std::nullopt;
    values.push_back(one.get<std::uint64_t>());
  }
  return values;
}

/// Of a file what counts, event by event: it may be larger than memory.
class Reading {
 public:
  explicit Reading(const std::string& path) { file_.name = path; }

  File read() {
    TraceInput input(file_.name);
    try {
      const json rest =
          json::parse(input.stream(), [&](int depth, json::parse_event_t event, json& parsed) {
            return keeps(depth, event, parsed);
          });
      if (!has_events_) throw std::invalid_argument("'traceEvents' is missing");
      if (rest.contains("distributedInfo")) file_.about = rest["distributedInfo"];
    } catch (const json::parse_error& error) {
      throw std::invalid_argument(
          file_.name + ": is no JSON of PyTorch's profiler: it is cut, or wrong, at byte " +
          std::to_string(error.byte));
    } catch (const json::exception& error) {
      throw std::invalid_argument(file_.name +
                                  ": is no JSON of PyTorch's profiler: " + error.what());
    } catch (const std::invalid_argument& error) {
      const std::string why = error.what();
      if (why.starts_with(file_.name)) throw;
      throw std::invalid_argument(file_.name + ": is no JSON of PyTorch's profiler: " + why);
    }
    return std::move(file_);
  }

 private:
  static constexpr int kDeepest = 64;

  bool keeps(int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) throw std::invalid_argument("it is nested too deeply");
    if (depth == 1 && event == json::parse_event_t::key) {
      in_events_ = parsed == "traceEvents";
      has_events_ = has_events_ || in_events_;
    }
    if (depth != 2 || event != json::parse_event_t::object_end || !in_events_) return true;
    add(parsed);
    ++number_;
    return false;
  }

  void add(json& event) {
    if (event.value("ph", json()) != "X") return;
    const std::string name = text(event, "name");
    const bool is_issued = name == kIssued;
    const std::string category = text(event, "cat");
    const bool is_kernel =
        category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
    if (!is_issued && !is_kernel) return;
    const std::string place = "traceEvents[" + std::to_string(number_) + "] '" + name + "'";
    const double begin = time(event, "ts", place);
    const Span whole{begin, begin + (event.contains("dur") ? time(event, "dur", place) : 0)};
    if (is_kernel) file_.last = std::max(file_.last, whole.end);
    json args = event.value("args", json::object());
    if (!args.is_object()) refuse(file_.name, place, "has arguments that are no object");
    if (is_issued) {
      file_.issued.push_back({place, whole.begin, whole.end, std::move(args)});
    } else if (args.contains("Collective name") || name.starts_with("nccl") ||
               name.starts_with("rccl")) {
      if (const auto id = number(args, "External id")) file_.kernels.emplace(*id, whole);
    } else {
      file_.busy.push_back(whole);
    }
  }

  [[nodiscard]] double time(const json& event, const char* key, const std::string& place) const {
    const auto at = event.find(key);
    if (at != event.end() && at->is_number() && at->get<double>() >= 0 &&
        std::isfinite(at->get<double>()))
      return at->get<double>();
    refuse(file_.name, place, std::string("has no '") + key + "' in microseconds");
  }

  File file_{};
  bool in_events_ = false;
  bool has_events_ = false;
  std::size_t number_ = 0;
};

/// Files of all ranks, one after the other.
class KinetoImport {
 public:
  explicit KinetoImport(const Files& files) : files_(files) {
    if (files.empty()) throw std::invalid_argument("no files: give the trace of each rank");
  }

  Record record() {
    for (const std::string& path : files_) add(Reading(path).read());
    for (Rank rank = 0; rank < ranks_; ++rank) {
      if (record_.ranks[rank].file.empty())
        throw std::invalid_argument("the trace of rank " + std::to_string(rank) + " of " +
                                    std::to_string(ranks_) + " is missing: there are " +
                                    finding::counted(files_.size(), "file"));
    }
    record_.assumptions.assign(assumptions_.begin(), assumptions_.end());
    return std::move(record_);
  }

 private:
  void add(const File& file) {
    const auto rank = static_cast<Rank>(rank_of(file));
    RankRecord& made = record_.ranks[rank];
    if (!made.file.empty())
      throw std::invalid_argument(file.name + ": is of rank " + std::to_string(rank) + ", as " +
                                  made.file + " is");
    made.file = file.name;
    configured_ = groups_in(file.about);
    Timeline timeline(made);
    const bool has_kernels = std::ranges::any_of(
        file.issued, [&](const Event& event) { return kernel_of(file, event).has_value(); });
    const auto order = in_order(file.issued);
    if (has_kernels) {
      add_by_kernels(file, order, timeline);
    } else {
      add_by_issue(file, order, timeline);
    }
    if (made.exchanges.empty())
      throw std::invalid_argument(file.name +
                                  ": has no record_param_comms event: record CPU activities, with "
                                  "PyTorch 2.2 or later");
    timeline.write(has_kernels ? file.busy : paused(file), !has_kernels);
  }

  /// Threads write their events one after the other; what counts is when they were.
  static std::vector<const Event*> in_order(const std::vector<Event>& events) {
    std::vector<const Event*> order;
    order.reserve(events.size());
    for (const Event& event : events) order.push_back(&event);
    std::ranges::stable_sort(order, {}, &Event::begin);
    return order;
  }

  static bool is_wait(const Event& event) { return text(event.args, "Collective name") == "wait"; }

  /// When a rank issues something or waits, it computes nothing.
  static std::vector<Span> paused(const File& file) {
    std::vector<Span> spans;
    for (const Event& event : file.issued) spans.push_back({event.begin, event.end});
    return spans;
  }

  static std::optional<Span> kernel_of(const File& file, const Event& event) {
    const auto id = number(event.args, "External id");
    const auto found = id ? file.kernels.find(*id) : file.kernels.end();
    if (found == file.kernels.end()) return std::nullopt;
    return found->second;
  }

  /// Of several that are issued as one, the last has the kernel of all.
  void add_by_kernels(const File& file, const std::vector<const Event*>& events,
                      Timeline& timeline) {
    std::vector<Span> spans(events.size());
    std::optional<Span> next;
    for (std::size_t at = events.size(); at-- > 0;) {
      if (const auto own = kernel_of(file, *events[at])) next = own;
      spans[at] = next.value_or(Span{file.last, file.last});
    }
    for (std::size_t at = 0; at < events.size(); ++at) {
      if (!is_wait(*events[at])) (void)timeline.add(exchange_of(file, *events[at]), spans[at]);
    }
  }

  void add_by_issue(const File& file, const std::vector<const Event*>& events, Timeline& timeline) {
    std::map<std::string, std::vector<Waited>> waited;
    for (const Event* const event : events) {
      if (is_wait(*event)) {
        add_wait(*event, waited, timeline);
      } else {
        add(file, *event, waited, timeline);
      }
    }
  }

  /// Of the file, which also says how many there are.
  std::int64_t rank_of(const File& file) {
    const auto rank = number(file.about, "rank");
    const auto ranks = number(file.about, "world_size");
    constexpr std::int64_t kMost = 1 << 20;
    if (!rank || !ranks || *ranks < 1 || *ranks > kMost || *rank < 0 || *rank >= *ranks)
      throw std::invalid_argument(file.name +
                                  ": 'distributedInfo' has no rank and world_size: it is written "
                                  "if torch.distributed was initialized before profiling");
    if (ranks_ == 0) {
      ranks_ = static_cast<Rank>(*ranks);
      record_.ranks.resize(ranks_);
    }
    if (*ranks != ranks_)
      throw std::invalid_argument(file.name + ": is of a job of " + std::to_string(*ranks) +
                                  " ranks, and " + files_.front() + " of " +
                                  std::to_string(ranks_));
    return *rank;
  }

  static std::map<std::string, std::vector<std::uint64_t>> groups_in(const json& about) {
    std::map<std::string, std::vector<std::uint64_t>> groups;
    const auto config = about.find("pg_config");
    if (config == about.end() || !config->is_array()) return groups;
    for (const json& one : *config) {
      if (!one.is_object()) continue;
      const auto ranks = list(one, "ranks");
      if (ranks && !ranks->empty()) groups[text(one, "pg_name")] = *ranks;
    }
    return groups;
  }

  struct Waited {
    std::size_t exchange;
    std::optional<std::int64_t> sequence;
  };

  /// Ends the exchange that it waits for: of the same number, or the first there is.
  static void add_wait(const Event& event, std::map<std::string, std::vector<Waited>>& waited,
                       Timeline& timeline) {
    auto& of_group = waited[text(event.args, "Process Group Name")];
    const auto sequence = number(event.args, "Seq");
    auto found = std::ranges::find(of_group, sequence, &Waited::sequence);
    if (found == of_group.end() && !sequence) found = of_group.begin();
    if (found == of_group.end()) return;
    timeline.end(found->exchange, event.end);
    of_group.erase(found);
  }

  void add(const File& file, const Event& event, std::map<std::string, std::vector<Waited>>& waited,
           Timeline& timeline) {
    const std::size_t exchange =
        timeline.add(exchange_of(file, event), Span{event.begin, event.end});
    const json& args = event.args;
    if (!args.contains("Is asynchronized op")) {
      assumptions_.insert(
          "Without 'Is asynchronized op' and kernels, a rank waits for each operation where it "
          "issues it.");
    } else if (is_true(args["Is asynchronized op"])) {
      timeline.go_on(exchange);
      waited[text(args, "Process Group Name")].push_back({exchange, number(args, "Seq")});
    }
  }

  static bool is_true(const json& value) {
    return value == true || value == "True" || value == "true" || value == 1;
  }

  Exchange exchange_of(const File& file, const Event& event) {
    const json& args = event.args;
    Exchange made{.place = event.place};
    const Name& name = name_of(file, event);
    made.kind = name.kind;
    made.type = name.type;
    made.place += " (" + text(args, "Collective name") + ")";
    if (name.kind != collective) {
      made.bytes = elements(file, made, args, "In msg nelems") * data_type(file, made, args).bytes;
      made.peer = peer(file, made, args);
      return made;
    }
    made.group = group(file, made, args);
    if (made.type != Collective::barrier) add_size(file, args, made);
    return made;
  }

  static const Name& name_of(const File& file, const Event& event) {
    std::string name = text(event.args, "Collective name");
    if (name.empty())
      refuse(file.name, event.place, "has no 'Collective name': record with PyTorch 2.2 or later");
    const std::string told = name;
    std::erase(name, '_');
    const auto* const found = std::ranges::find(kNames, name, &Name::name);
    if (found == kNames.end())
      refuse(file.name, event.place, "is '" + told + "', which is no collective that is known");
    return *found;
  }

  static std::uint64_t elements(const File& file, const Exchange& made, const json& args,
                                const char* key) {
    const auto count = number(args, key);
    if (count && *count >= 0 && static_cast<std::uint64_t>(*count) <= kMostElements)
      return static_cast<std::uint64_t>(*count);
    refuse(file.name, made.place, std::string("has no '") + key + "': its size is not known");
  }

  const DataType& data_type(const File& file, const Exchange& made, const json& args) {
    const std::string name = text(args, "dtype");
    const auto* const found = std::ranges::find(kDataTypes, name, &DataType::name);
    if (found != kDataTypes.end()) return *found;
    refuse(file.name, made.place,
           name.empty() ? "has no 'dtype': its bytes are not known"
                        : "has dtype '" + name + "', of which the size is not known");
  }

  Rank peer(const File& file, const Exchange& made, const json& args) const {
    const char* const key = made.kind == send ? "Dst Rank" : "Src Rank";
    const auto rank = number(args, key);
    if (rank && *rank >= 0 && *rank < ranks_) return static_cast<Rank>(*rank);
    refuse(file.name, made.place,
           std::string("has no '") + key + "' below " + std::to_string(ranks_) +
               ": its peer is not known");
  }

  /// The key of its process group.
  std::string group(const File& file, const Exchange& made, const json& args) {
    const std::string name = text(args, "Process Group Name");
    const auto size = number(args, "Group size");
    std::vector<std::uint64_t> ranks;
    if (const auto told = list(args, "Process Group Ranks")) ranks = *told;
    if (ranks.empty() && configured_.contains(name)) ranks = configured_[name];
    if (ranks.empty() && size == ranks_) {
      for (std::uint64_t rank = 0; rank < ranks_; ++rank) ranks.push_back(rank);
    }
    if (ranks.empty())
      refuse(file.name, made.place,
             "has no whole 'Process Group Ranks': the ranks of its group are not known");
    if (size && static_cast<std::size_t>(*size) != ranks.size())
      refuse(file.name, made.place,
             "has group size " + std::to_string(*size) + ", and " +
                 finding::counted(ranks.size(), "rank") + " in its group");
    if (std::set(ranks.begin(), ranks.end()).size() != ranks.size() ||
        std::ranges::any_of(ranks, [&](std::uint64_t rank) { return rank >= ranks_; }))
      refuse(file.name, made.place,
             "has ranks in its group twice, or not below " + std::to_string(ranks_));
    return known_group(name, text(args, "Process Group Description"), ranks);
  }

  std::string known_group(const std::string& name, const std::string& description,
                          const std::vector<std::uint64_t>& ranks) {
    std::vector<Rank> members(ranks.begin(), ranks.end());
    std::string& key = keys_[{name, members}];
    if (!key.empty()) return key;
    const bool is_all = members.size() == ranks_;
    key = !name.empty() ? name : is_all ? "all" : std::to_string(keys_.size());
    while (record_.groups.contains(key)) key += "'";
    const bool has_description = !description.empty() && description != "undefined";
    record_.groups[key] = {has_description ? description : "group " + key, std::move(members)};
    return key;
  }

  void add_size(const File& file, const json& args, Exchange& made) {
    const DataType& type = data_type(file, made, args);
    const std::uint64_t in = elements(file, made, args, "In msg nelems");
    const std::uint64_t out = elements(file, made, args, "Out msg nelems");
    const std::uint64_t members = record_.groups.at(made.group).ranks.size();
    made.data = type.combined;
    made.bytes = std::max(in, out) * type.bytes;
    if (schedule::reduces(made.type) && !type.is_same)
      assumptions_.insert("Elements of type " + std::string(type.name) + " are combined as " +
                          std::string(reduce::name(type.combined)) + ", which has as many bytes.");
    if (schedule::rooted(made.type))
      assumptions_.insert("The first rank of a group is the root of " +
                          std::string(schedule::name(made.type)) +
                          ": traces do not say which one is.");
    if (made.type == Collective::all_to_all) {
      add_parts(file, args, in, out, type.bytes, members, made);
      return;
    }
    const bool gathers = made.type == Collective::all_gather;
    const bool scatters = made.type == Collective::reduce_scatter;
    if ((gathers && in * members != out) || (scatters && out * members != in))
      refuse(file.name, made.place,
             "has " + std::to_string(in) + " elements in and " + std::to_string(out) + " out of " +
                 finding::counted(members, "rank") + ": its parts are not equal");
  }

  /// Of an all-to-all what goes to each member, and comes from it.
  static void add_parts(const File& file, const json& args, std::uint64_t in, std::uint64_t out,
                        std::uint64_t element_bytes, std::uint64_t members, Exchange& made) {
    made.bytes = in * element_bytes;
    const auto parts = [&](const char* key, std::uint64_t elements) {
      const auto split = list(args, key);
      if (!split)
        refuse(file.name, made.place,
               std::string("has no whole '") + key + "': '" + text(args, key) +
                   "'; its parts are not known");
      std::vector<std::uint64_t> all = *split;
      if (all.empty()) all.assign(members, 1);
      std::uint64_t sum = 0;
      for (const std::uint64_t one : all) sum += std::min(one, kMostElements);
      if (all.size() != members || (sum == 0 ? elements != 0 : elements % sum != 0))
        refuse(file.name, made.place,
               std::string("has '") + key + "' that does not cut " + std::to_string(elements) +
                   " elements for " + finding::counted(members, "rank"));
      for (std::uint64_t& one : all) one = sum == 0 ? 0 : one * (elements / sum) * element_bytes;
      return all;
    };
    made.sent = parts("In split size", in);
    made.received = parts("Out split size", out);
  }

  const Files& files_;
  Rank ranks_ = 0;
  Record record_{};
  std::map<std::string, std::vector<std::uint64_t>> configured_{};
  std::map<std::pair<std::string, std::vector<Rank>>, std::string> keys_{};
  std::set<std::string> assumptions_{
      "Between collectives all time is compute; during one it is what the rank does meanwhile.",
      "What begins after the end of a collective waits for it."};
};

}  // namespace

Trace kineto(const Files& files) {
  const Record record = KinetoImport(files).record();
  Trace made{workload_of(record, "import of Kineto traces"),
             static_cast<Rank>(record.ranks.size())};
  made.workload.description = "What PyTorch's profiler recorded of " +
                              finding::counted(files.size(), "rank") + ", as one step.";
  return made;
}

}  // namespace railgauge::workload::traces
