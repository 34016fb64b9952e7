#include "workload/traces/record.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "finding/words.hpp"

namespace railgauge::workload::traces {
namespace {

using schedule::Collective;
using ExchangeKind = Exchange::Kind;

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

/// What operations of one name are alike in.
std::string subject(const Exchange& exchange) {
  std::string words(schedule::name(exchange.type));
  if (exchange.type == Collective::barrier) return words;
  words += " " + text(exchange.bytes);
  if (schedule::reduces(exchange.type)) words += " " + std::string(reduce::name(exchange.data));
  return words;
}

/// The collectives of a group, member by member and one after the other.
class Matching {
 public:
  explicit Matching(const Record& record) : record_(record) {
    for (const auto& [key, group] : record.groups) members_[key].resize(group.ranks.size());
    for (Rank rank = 0; rank < record.ranks.size(); ++rank) add(rank);
  }

  /// Throws for what does not fit; `matrices`: what all-to-alls of uneven parts move.
  void check(
      std::map<std::string, std::vector<std::vector<std::vector<std::uint64_t>>>>& matrices) {
    for (const auto& [key, of_member] : members_) {
      for (std::size_t at = 0; at < most(of_member); ++at) {
        const Exchange& first = check_alike(key, of_member, at);
        auto& matrix = matrices[key].emplace_back();
        if (first.type == Collective::all_to_all) matrix = matrix_of(key, of_member, at);
      }
    }
    check_transfers();
  }

 private:
  using OfMember = std::vector<std::vector<const Exchange*>>;

  void add(Rank rank) {
    for (const Exchange& exchange : record_.ranks[rank].exchanges) {
      if (exchange.kind != ExchangeKind::collective) {
        const bool sends = exchange.kind == ExchangeKind::send;
        auto& pair = transfers_[{sends ? rank : exchange.peer, sends ? exchange.peer : rank}];
        (sends ? pair.first : pair.second).push_back(&exchange);
        continue;
      }
      const auto& ranks = record_.groups.at(exchange.group).ranks;
      const auto member = std::ranges::find(ranks, rank);
      if (member == ranks.end())
        refuse(record_.ranks[rank].file, exchange.place,
               "rank " + text(rank) + " is not in its process group");
      members_.at(exchange.group)[static_cast<std::size_t>(member - ranks.begin())].push_back(
          &exchange);
    }
  }

  static std::size_t most(const OfMember& of_member) {
    std::size_t count = 0;
    for (const auto& one : of_member) count = std::max(count, one.size());
    return count;
  }

  [[nodiscard]] const std::string& file_of(const std::string& key, std::size_t member) const {
    return record_.ranks[record_.groups.at(key).ranks[member]].file;
  }

  const Exchange& check_alike(const std::string& key, const OfMember& of_member, std::size_t at) {
    std::size_t has = 0;
    while (of_member[has].size() <= at) ++has;
    const Exchange& first = *of_member[has][at];
    const auto& ranks = record_.groups.at(key).ranks;
    for (std::size_t member = 0; member < of_member.size(); ++member) {
      const std::string number = "collective " + text(at) + " of group " + key;
      if (of_member[member].size() <= at)
        refuse(file_of(key, has), first.place,
               "is " + number + " on rank " + text(ranks[has]) + ", and rank " +
                   text(ranks[member]) + " recorded only " + text(of_member[member].size()) +
                   "; record the same steps on all ranks");
      const Exchange& other = *of_member[member][at];
      const bool is_uneven = first.type == Collective::all_to_all && other.type == first.type;
      if (is_uneven || subject(other) == subject(first)) continue;
      refuse(file_of(key, member), other.place,
             "is " + number + ", " + subject(other) + " on rank " + text(ranks[member]) + " and " +
                 subject(first) + " on rank " + text(ranks[has]) + " (" + file_of(key, has) + ": " +
                 first.place + ")");
    }
    return first;
  }

  /// Empty if all parts are equal.
  std::vector<std::vector<std::uint64_t>> matrix_of(const std::string& key,
                                                    const OfMember& of_member, std::size_t at) {
    const std::size_t members = of_member.size();
    std::vector<std::vector<std::uint64_t>> matrix;
    for (const auto& of_one : of_member) {
      const Exchange& one = *of_one[at];
      matrix.push_back(!one.sent.empty() ? one.sent : std::vector(members, one.bytes / members));
    }
    for (std::size_t to = 0; to < members; ++to) {
      const Exchange& one = *of_member[to][at];
      for (std::size_t from = 0; from < one.received.size(); ++from) {
        if (matrix[from][to] == one.received[from]) continue;
        refuse(file_of(key, to), one.place,
               "has " + text(one.received[from]) + " bytes from member " + text(from) +
                   ", which sends " + text(matrix[from][to]) + " (" + file_of(key, from) + ": " +
                   of_member[from][at]->place + ")");
      }
    }
    const auto is_part = [&](std::uint64_t bytes) { return bytes == matrix[0][0]; };
    const bool is_even = std::ranges::all_of(
        matrix, [&](const auto& row) { return std::ranges::all_of(row, is_part); });
    return is_even ? decltype(matrix){} : matrix;
  }

  void check_transfers() const {
    for (const auto& [ranks, pair] : transfers_) {
      const auto& [sent, received] = pair;
      const std::string direction =
          "from rank " + text(ranks.first) + " to rank " + text(ranks.second);
      for (std::size_t at = 0; at < std::max(sent.size(), received.size()); ++at) {
        const bool is_sent = at < sent.size();
        const Exchange& one = is_sent ? *sent[at] : *received[at];
        const std::string& file = record_.ranks[is_sent ? ranks.first : ranks.second].file;
        if (!is_sent || at >= received.size())
          refuse(file, one.place,
                 "is transfer " + text(at) + " " + direction + ", and the other rank recorded " +
                     text(std::min(sent.size(), received.size())));
        if (one.bytes != received[at]->bytes)
          refuse(file, one.place,
                 "sends " + text(one.bytes) + " bytes " + direction + ", and " +
                     text(received[at]->bytes) + " are received (" +
                     record_.ranks[ranks.second].file + ": " + received[at]->place + ")");
      }
    }
  }

  using Transfers = std::pair<std::vector<const Exchange*>, std::vector<const Exchange*>>;
  const Record& record_;
  std::map<std::string, OfMember> members_{};
  std::map<std::pair<Rank, Rank>, Transfers> transfers_{};
};

/// Groups of the workload: process groups of one name, if no rank is in two of them.
std::map<std::string, std::string> names_of(const Record& record) {
  std::map<std::string, std::set<Rank>> ranks_of;
  std::set<std::string> overlapping;
  for (const auto& [key, group] : record.groups) {
    for (const Rank rank : group.ranks) {
      if (!ranks_of[group.name].insert(rank).second) overlapping.insert(group.name);
    }
  }
  std::map<std::string, std::string> names;
  for (const auto& [key, group] : record.groups)
    names[key] = overlapping.contains(group.name) ? group.name + " " + key : group.name;
  return names;
}

class Writer {
 public:
  Writer(const Record& record, const std::string& name)
      : record_(record), names_(names_of(record)) {
    Matching(record).check(matrices_);
    workload_.name = name;
    workload_.assumptions = record.assumptions;
    add_groups();
  }

  Workload written() {
    for (Rank rank = 0; rank < record_.ranks.size(); ++rank) add(rank);
    for (const auto& [of, bytes] : bytes_) workload_.closed_forms.push_back({of, {text(bytes)}});
    return std::move(workload_);
  }

 private:
  static constexpr const char* kCompute = "compute";

  void add_groups() {
    for (const auto& [key, group] : record_.groups) {
      const std::string& name = names_.at(key);
      auto there = std::ranges::find(workload_.groups, name, &Group::name);
      if (there == workload_.groups.end())
        there = workload_.groups.insert(there, Group{.name = name});
      there->lists.push_back(group.ranks);
    }
  }

  void add(Rank rank) {
    rank_ = rank;
    const RankRecord& record = record_.ranks[rank];
    RankClass& made = workload_.classes.emplace_back(
        RankClass{.name = "rank " + text(rank), .when = {"rank == " + text(rank)}});
    streams_.clear();
    streams_.push_back({.name = kCompute});
    open_.clear();
    done_.clear();
    compute_us_ = 0;
    written_us_ = 0;
    find_inline(record);
    operations_.assign(record.exchanges.size(), {});
    for (const Moment& moment : record.moments) {
      if (moment.kind == Moment::Kind::compute) compute_us_ += moment.microseconds;
      if (moment.kind == Moment::Kind::begin)
        begin(record.exchanges[moment.exchange], moment.exchange);
      if (moment.kind == Moment::Kind::end) end(record.exchanges[moment.exchange], moment.exchange);
    }
    for (auto& [stream, open] : open_) end_until(stream, open.empty() ? 0 : open.back());
    if (has_compute()) add_compute(kCompute);
    std::erase_if(streams_, [](const Stream& stream) { return stream.operations.empty(); });
    made.streams = std::move(streams_);
  }

  /// Groups of which no collective is overlapped.
  void find_inline(const RankRecord& record) {
    overlapped_.clear();
    for (std::size_t at = 0; at < record.moments.size(); ++at) {
      const Moment& moment = record.moments[at];
      if (moment.kind != Moment::Kind::begin) continue;
      const Exchange& exchange = record.exchanges[moment.exchange];
      const bool is_over = at + 1 < record.moments.size() &&
                           record.moments[at + 1].kind == Moment::Kind::end &&
                           record.moments[at + 1].exchange == moment.exchange;
      if (!is_over || exchange.kind != ExchangeKind::collective)
        overlapped_.insert(stream_of(exchange));
    }
  }

  Stream& stream(const std::string& key, const Exchange& exchange) {
    const std::string name =
        exchange.kind == ExchangeKind::collective ? "of " + names_.at(key) : key;
    const auto there = std::ranges::find(streams_, name, &Stream::name);
    if (there != streams_.end()) return *there;
    return streams_.emplace_back(Stream{.name = name});
  }

  /// Whole microseconds are written; what is left goes to the next.
  std::string whole_microseconds() {
    const auto total = static_cast<std::int64_t>(std::llround(compute_us_));
    return text(static_cast<std::uint64_t>(total - std::exchange(written_us_, total)));
  }
  [[nodiscard]] bool has_compute() const { return std::llround(compute_us_) > written_us_; }

  void add_compute(const std::string& name) {
    streams_.front().operations.push_back(
        {.name = name, .kind = Kind::compute, .microseconds = {whole_microseconds()}});
  }

  Operation operation(const Exchange& exchange) {
    Operation made;
    if (exchange.kind != ExchangeKind::collective) {
      const bool sends = exchange.kind == ExchangeKind::send;
      made.kind = sends ? Kind::send : Kind::receive;
      const Rank from = sends ? rank_ : exchange.peer;
      const Rank to = sends ? exchange.peer : rank_;
      made.name = "send " + text(exchange.bytes) + " from " + text(from) + " to " + text(to);
      (sends ? made.to : made.from).text = text(exchange.peer);
      made.bytes.text = text(exchange.bytes);
      if (sends) bytes_[made.name] += exchange.bytes;
      return made;
    }
    const std::string& group = names_.at(exchange.group);
    const auto& matrix = matrices_.at(exchange.group)[done_[exchange.group]++];
    made.group = group;
    bytes_[group] += exchange.bytes;
    if (!matrix.empty()) {
      made.type = schedule::name(Collective::all_to_all_v);
      made.matrix = matrix;
      const auto number = numbers_.try_emplace({group, matrix}, numbers_.size() + 1).first->second;
      made.name = made.type + " " + text(number) + " of " + group;
      return made;
    }
    made.type = schedule::name(exchange.type);
    made.name = subject(exchange) + " of " + group;
    if (exchange.type == Collective::barrier) return made;
    made.bytes.text = text(exchange.bytes);
    if (schedule::reduces(exchange.type)) made.data = reduce::name(exchange.data);
    return made;
  }

  void begin(const Exchange& exchange, std::uint32_t number) {
    Operation made = operation(exchange);
    const std::string key = stream_of(exchange);
    if (!overlapped_.contains(key)) {
      if (has_compute()) add_compute(kCompute);
      streams_.front().operations.push_back(std::move(made));
      return;
    }
    add_compute("before " + made.name);
    made.after = {"before " + made.name};
    operations_[number] = made.name;
    open_[key].push_back(number);
    stream(key, exchange).operations.push_back(std::move(made));
  }

  void end(const Exchange& exchange, std::uint32_t number) {
    const std::string key = stream_of(exchange);
    if (overlapped_.contains(key)) end_until(key, number);
  }

  /// What began before it in its stream is over, too.
  void end_until(const std::string& key, std::uint32_t number) {
    auto& open = open_[key];
    if (open.empty() || open.front() > number) return;
    if (has_compute()) add_compute(kCompute);
    for (; !open.empty() && open.front() <= number; open.pop_front()) {
      const std::string& name = operations_[open.front()];
      streams_.front().operations.push_back({.name = "wait for " + name,
                                             .kind = Kind::compute,
                                             .microseconds = {"0"},
                                             .after = {name}});
    }
  }

  using Matrix = std::vector<std::vector<std::uint64_t>>;
  const Record& record_;
  std::map<std::string, std::string> names_;               // of keys of groups
  std::map<std::string, std::vector<Matrix>> matrices_{};  // of each collective of a group
  std::map<std::pair<std::string, Matrix>, std::size_t> numbers_{};
  std::map<std::string, std::uint64_t> bytes_{};  // of groups and sends
  Workload workload_{};

  // Of the rank that is written:
  Rank rank_ = 0;
  std::vector<Stream> streams_{};
  std::set<std::string> overlapped_{};
  std::map<std::string, std::deque<std::uint32_t>> open_{};  // of streams
  std::map<std::string, std::size_t> done_{};                // collectives of a group
  std::vector<std::string> operations_{};                    // names, of exchanges
  double compute_us_ = 0;
  std::int64_t written_us_ = 0;
};

}  // namespace

std::string stream_of(const Exchange& exchange) {
  if (exchange.kind == ExchangeKind::collective) return exchange.group;
  return (exchange.kind == ExchangeKind::send ? "to " : "from ") + text(exchange.peer);
}

void RankRecord::compute(double microseconds) {
  if (microseconds > 0) moments.push_back({.microseconds = microseconds});
}

void RankRecord::begin(std::size_t exchange) {
  moments.push_back(
      {.kind = Moment::Kind::begin, .exchange = static_cast<std::uint32_t>(exchange)});
}

void RankRecord::end(std::size_t exchange) {
  moments.push_back({.kind = Moment::Kind::end, .exchange = static_cast<std::uint32_t>(exchange)});
}

void refuse(const std::string& file, const std::string& place, const std::string& why) {
  throw std::invalid_argument(file + ": " + place + " " + why);
}

Workload workload_of(const Record& record, const std::string& name) {
  return Writer(record, name).written();
}

}  // namespace railgauge::workload::traces
