// Execution traces of MLCommons Chakra 1.0, a file of each rank ("NAME.RANK.et", packed by gzip or
// not): messages of protobuf, each after its length: GlobalMetadata, then Nodes. A node has an id
// (1), a name (2), a type (3), the nodes that have to be over (4, 5), a duration in microseconds
// (7) and attributes (10) with a name (1) and one value, of which the number of the field is its
// type. comm_type, comm_size, comm_src, comm_dst and pg_name say what is communicated; who is in a
// group is in another file, JSON: {"0": [0, 1]}. Sources: mlcommons/chakra,
// schema/protobuf/et_def.proto; astra-sim, its documentation of --comm-group-configuration.
//
// A reader of a few fields, rather than libprotobuf: that would need its compiler, a generated
// library and two packages more, for varints and lengths.
//
// A rank issues its nodes by their dependencies, and of several by their ids, without waiting for
// exchanges. What depends on an exchange waits for it, and with it what is issued later. Exchanges
// of one group or direction stay in that order.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string_view>

#include "finding/number_in.hpp"
#include "finding/words.hpp"
#include "workload/traces/import.hpp"
#include "workload/traces/record.hpp"
#include "workload/traces/trace_input.hpp"

namespace railgauge::workload::traces {
namespace {

using reduce::ElementType;
using schedule::Collective;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 46U;

/// A message of protobuf, field by field.
class Message {
 public:
  explicit Message(std::string_view bytes) : bytes_(bytes) {}

  struct Field {
    std::uint64_t number = 0;
    std::uint64_t value = 0;     // of a number
    std::string_view content{};  // of text, and of a message
  };

  [[nodiscard]] bool is_over() const { return bytes_.empty(); }

  /// Throws std::invalid_argument at what is no message.
  Field next() {
    const std::uint64_t key = varint();
    Field field{.number = key >> 3U};
    switch (key & 7U) {
      case 0: field.value = varint(); break;
      case 1: field.value = fixed(8); break;
      case 2: field.content = part(); break;
      case 5: field.value = fixed(4); break;
      default: throw std::invalid_argument("it is no message of protobuf");
    }
    return field;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(taken(1).front());
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    throw std::invalid_argument("a number in it has more than 64 bits");
  }

  /// What its length stands before.
  std::string_view part() { return taken(varint()); }

 private:
  std::string_view taken(std::uint64_t count) {
    if (count > bytes_.size()) throw std::invalid_argument("it ends within a message");
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  std::uint64_t fixed(std::size_t count) {
    std::uint64_t value = 0;
    const std::string_view bytes = taken(count);
    for (std::size_t at = count; at-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes[at]);
    return value;
  }

  std::string_view bytes_;
};

struct Node {
  enum class Type : std::uint64_t {
    metadata = 1,
    compute = 4,
    send = 5,
    receive = 6,
    collective = 7
  };

  std::uint64_t id = 0;
  std::string place{};
  Type type{};
  std::vector<std::uint64_t> after{};
  std::uint64_t microseconds = 0;
  std::map<std::string, std::uint64_t, std::less<>> numbers{};  // attributes
  std::string group{};
  bool is_partial = false;  // it involves some dimensions, not all
};

/// One or several, packed or not.
void add_numbers(const Message::Field& field, std::vector<std::uint64_t>& all) {
  if (field.content.empty()) return all.push_back(field.value);
  for (Message packed(field.content); !packed.is_over();) all.push_back(packed.varint());
}

bool has_false(std::string_view list) {
  for (Message message(list); !message.is_over();) {
    std::vector<std::uint64_t> values;
    add_numbers(message.next(), values);
    if (std::ranges::count(values, 0U) > 0) return true;
  }
  return false;
}

void add_attribute(std::string_view content, Node& node) {
  constexpr std::uint64_t kSigned32 = 15;
  constexpr std::uint64_t kSigned64 = 17;
  std::string_view name;
  for (Message message(content); !message.is_over();) {
    const Message::Field field = message.next();
    if (field.number == 1) {
      name = field.content;
    } else if (name == "pg_name") {
      node.group = field.content;
    } else if (name == "involved_dim") {
      node.is_partial = has_false(field.content);
    } else if (field.content.empty()) {
      const bool zigzags = field.number == kSigned32 || field.number == kSigned64;
      node.numbers[std::string(name)] =
          zigzags ? field.value >> 1U ^ (~(field.value & 1U) + 1U) : field.value;
    }
  }
}

Node node_of(std::string_view content) {
  Node node;
  std::string name;
  for (Message message(content); !message.is_over();) {
    const Message::Field field = message.next();
    switch (field.number) {
      case 1: node.id = field.value; break;
      case 2: name = field.content; break;
      case 3: node.type = static_cast<Node::Type>(field.value); break;
      case 4:
      case 5: add_numbers(field, node.after); break;
      case 7: node.microseconds = field.value; break;
      case 10: add_attribute(field.content, node); break;
      default: break;
    }
  }
  node.place = "node " + std::to_string(node.id) + " '" + name + "'";
  return node;
}

std::vector<Node> nodes_in(const std::string& path) {
  const std::string text = TraceInput(path).rest();
  std::vector<Node> nodes;
  try {
    Message file(text);
    (void)file.part();  // GlobalMetadata
    while (!file.is_over()) nodes.push_back(node_of(file.part()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path + ": is no execution trace of Chakra: after " +
                                finding::counted(nodes.size(), "node") + ", " + error.what());
  }
  return nodes;
}

/// 3 of "folder/name.3.et" and "name.3.et.gz".
Rank rank_of(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (const char* const end : {".gz", ".et"}) {
    if (name.ends_with(end)) name.resize(name.size() - 3);
  }
  if (const auto rank = finding::number_in<Rank>(name.substr(name.rfind('.') + 1))) return *rank;
  throw std::invalid_argument(path + ": has no rank in its name: expected NAME.RANK.et");
}

class ChakraImport {
 public:
  explicit ChakraImport(const Files& files) {
    for (const std::string& path : files) {
      if (path.ends_with(".json")) {
        read_groups(path);
      } else if (const auto [known, is_new] = files_.emplace(rank_of(path), path); !is_new) {
        throw std::invalid_argument(path + ": is of rank " + std::to_string(known->first) +
                                    ", as " + known->second + " is");
      }
    }
    if (files_.empty()) throw std::invalid_argument("no traces: give one of each rank");
  }

  Record record() {
    record_.ranks.resize(files_.size());
    Rank expected = 0;
    for (const auto& [rank, path] : files_) {
      if (rank != expected)
        throw std::invalid_argument("the trace of rank " + std::to_string(expected) +
                                    " is missing: there are those of " +
                                    finding::counted(files_.size(), "rank") + ", to rank " +
                                    std::to_string(files_.rbegin()->first));
      ++expected;
      nodes_.push_back(nodes_in(path));
      record_.ranks[rank].file = path;
    }
    find_groups();
    for (rank_ = 0; rank_ < nodes_.size(); ++rank_) issue();
    record_.assumptions.assign(assumptions_.begin(), assumptions_.end());
    return std::move(record_);
  }

 private:
  void read_groups(const std::string& path) {
    const auto groups = nlohmann::json::parse(TraceInput(path).rest(), nullptr, false);
    const auto is_list = [](const auto& ranks) {
      return ranks.is_array() && !ranks.empty() &&
             std::ranges::all_of(ranks, [](const auto& one) { return one.is_number_unsigned(); });
    };
    if (!groups.is_object() || !std::ranges::all_of(groups, is_list))
      throw std::invalid_argument(path + ": is no list of groups such as {\"0\": [0, 1]}");
    for (const auto& [name, ranks] : groups.items())
      record_.groups[name] = {"group " + name, ranks.get<std::vector<Rank>>()};
  }

  /// Who is in a group that no file has: those who name it.
  void find_groups() {
    std::map<std::string, std::set<Rank>> named;
    for (Rank rank = 0; rank < nodes_.size(); ++rank) {
      for (const Node& node : nodes_[rank]) {
        if (node.type != Node::Type::collective) continue;
        if (!node.group.empty()) named[node.group].insert(rank);
        if (node.group.empty()) named[kAll] = {};
      }
    }
    for (const auto& [name, ranks] : named) {
      if (record_.groups.contains(name)) continue;
      ProcessGroup& made = record_.groups[name];
      made.name = name == kAll ? name : "group " + name;
      made.ranks.assign(ranks.begin(), ranks.end());
      if (name != kAll) {
        assumptions_.insert("Ranks of group " + name + " are those whose traces name it.");
        continue;
      }
      for (Rank rank = 0; rank < nodes_.size(); ++rank) made.ranks.push_back(rank);
    }
    std::erase_if(record_.groups, [&](const auto& one) { return !named.contains(one.first); });
  }

  [[noreturn]] void refuse_node(const Node& node, const std::string& why) const {
    refuse(record_.ranks[rank_].file, node.place, why);
  }

  /// The nodes of a rank, by their dependencies.
  void issue() {
    const std::vector<Node>& nodes = nodes_[rank_];
    std::map<std::uint64_t, std::size_t> numbers;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      if (!numbers.emplace(nodes[at].id, at).second)
        refuse_node(nodes[at], "has the id of another");
    }
    std::vector<std::vector<std::size_t>> dependents(nodes.size());
    std::vector<std::size_t> missing(nodes.size());
    using Ready = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      for (const std::uint64_t id : nodes[at].after) {
        const auto found = numbers.find(id);
        if (found == numbers.end())
          refuse_node(nodes[at], "waits for node " + std::to_string(id) + ", which is not there");
        dependents[found->second].push_back(at);
        ++missing[at];
      }
      if (missing[at] == 0) ready.emplace(nodes[at].id, at);
    }
    exchanges_.assign(nodes.size(), std::nullopt);
    std::size_t issued = 0;
    for (; !ready.empty(); ++issued) {
      const std::size_t at = ready.top().second;
      ready.pop();
      wait_for(nodes[at], numbers);
      issue(nodes[at], at);
      for (const std::size_t next : dependents[at]) {
        if (--missing[next] == 0) ready.emplace(nodes[next].id, next);
      }
    }
    if (issued == nodes.size()) return;
    const auto stuck = std::ranges::find_if(missing, [](std::size_t count) { return count > 0; });
    refuse_node(nodes[static_cast<std::size_t>(stuck - missing.begin())],
                "waits for itself in a circle");
  }

  /// Exchanges in its own stream keep their order by themselves.
  void wait_for(const Node& node, const std::map<std::uint64_t, std::size_t>& numbers) {
    RankRecord& rank = record_.ranks[rank_];
    for (const std::uint64_t id : node.after) {
      auto& awaited = exchanges_[numbers.at(id)];
      if (!awaited) continue;
      const Exchange& exchange = rank.exchanges[*awaited];
      if (is_exchange(node) && stream_of(exchange_of(node)) == stream_of(exchange)) continue;
      rank.end(*awaited);
      awaited.reset();
    }
  }

  static bool is_exchange(const Node& node) {
    return node.type == Node::Type::send || node.type == Node::Type::receive ||
           node.type == Node::Type::collective;
  }

  void issue(const Node& node, std::size_t at) {
    RankRecord& rank = record_.ranks[rank_];
    if (is_exchange(node)) {
      rank.exchanges.push_back(exchange_of(node));
      exchanges_[at] = rank.exchanges.size() - 1;
      rank.begin(rank.exchanges.size() - 1);
      return;
    }
    constexpr std::uint64_t kLastType = 10;
    if (node.type == Node::Type::metadata) return;
    if (node.type == Node::Type{} || static_cast<std::uint64_t>(node.type) > kLastType)
      refuse_node(node, "has a type that Chakra 1.0 has not");
    if (node.microseconds == 0)
      assumptions_.insert("Computes without duration_micros take no time.");
    rank.compute(static_cast<double>(node.microseconds));
  }

  [[nodiscard]] std::uint64_t number(const Node& node, std::string_view name) const {
    const auto found = node.numbers.find(name);
    if (found == node.numbers.end()) refuse_node(node, "has no " + std::string(name));
    return found->second;
  }

  Exchange exchange_of(const Node& node) {
    Exchange made{.bytes = 0, .place = node.place};
    if (node.type != Node::Type::collective) {
      made.kind = node.type == Node::Type::send ? Exchange::Kind::send : Exchange::Kind::receive;
      made.bytes = bytes(node);
      const bool sends = made.kind == Exchange::Kind::send;
      const std::uint64_t peer = number(node, sends ? "comm_dst" : "comm_src");
      if (peer >= nodes_.size() || peer == rank_)
        refuse_node(node, "has peer " + std::to_string(peer) + ": expected another of " +
                              finding::counted(nodes_.size(), "rank"));
      made.peer = static_cast<Rank>(peer);
      return made;
    }
    static constexpr std::array kTypes{Collective::all_reduce,     Collective::reduce,
                                       Collective::all_gather,     Collective::gather,
                                       Collective::scatter,        Collective::broadcast,
                                       Collective::all_to_all,     Collective::reduce_scatter,
                                       Collective::reduce_scatter, Collective::barrier};
    const std::uint64_t type = number(node, "comm_type");
    if (type >= kTypes.size()) refuse_node(node, "has comm_type " + std::to_string(type));
    made.type = kTypes[type];
    if (node.group.empty() && node.is_partial)
      refuse_node(node,
                  "involves some dimensions of a topology, and names no group: its ranks are "
                  "not known");
    made.group = node.group.empty() ? kAll : node.group;
    if (made.type != Collective::barrier) add_size(node, made);
    return made;
  }

  [[nodiscard]] std::uint64_t bytes(const Node& node) const {
    const std::uint64_t size = number(node, "comm_size");
    if (size > kMostBytes) refuse_node(node, "has comm_size " + std::to_string(size));
    return size;
  }

  void add_size(const Node& node, Exchange& made) {
    const std::uint64_t members = record_.groups.at(made.group).ranks.size();
    made.bytes = bytes(node);
    if (made.type == Collective::all_gather || made.type == Collective::gather) {
      made.bytes *= members;
      assumptions_.insert("comm_size of a gather is what each rank puts in, as in ASTRA-sim.");
    }
    if (schedule::rooted(made.type))
      assumptions_.insert("The first rank of a group is the root of " +
                          std::string(schedule::name(made.type)) + ".");
    const bool is_cut = schedule::traits(made.type).size == schedule::SizeRule::per_rank;
    if (is_cut && made.bytes % members != 0)
      refuse_node(node, "has comm_size " + std::to_string(made.bytes) +
                            ", which is no multiple of " + finding::counted(members, "rank"));
    if (!schedule::reduces(made.type)) return;
    const bool is_even = made.bytes % (2 * (is_cut ? members : 1)) == 0;
    made.data = is_even ? ElementType::bfloat16 : ElementType::uint8;
    assumptions_.insert(is_even ? "What is combined is bfloat16: Chakra has no types."
                                : "What is combined, and of an odd size, is uint8.");
  }

  static constexpr const char* kAll = "all";
  std::map<Rank, std::string> files_{};
  std::vector<std::vector<Node>> nodes_{};  // [rank]
  Record record_{};
  std::set<std::string> assumptions_{
      "A rank issues what is ready in the order of ids; what waits for an exchange delays what is "
      "issued later."};
  Rank rank_ = 0;
  std::vector<std::optional<std::size_t>> exchanges_{};  // of nodes, which nothing waited for yet
};

}  // namespace

Trace chakra(const Files& files) {
  const Record record = ChakraImport(files).record();
  return {workload_of(record, "import of Chakra traces"), static_cast<Rank>(record.ranks.size())};
}

}  // namespace railgauge::workload::traces
