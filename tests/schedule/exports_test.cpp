#include "schedule/exports.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "schedule/algorithms.hpp"
#include "schedule/program.hpp"

namespace railgauge::schedule {
namespace {

constexpr Rank kRanks[] = {1, 2, 3, 5, 6, 7, 8, 12, 13};

/// Calls `test` with every algorithm for these ranks, on hosts of a few.
template <class Test>
void for_all(Test test) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : kRanks) {
      const Rank per_host = ranks % 3 == 0 ? 3 : ranks % 2 == 0 ? 2 : 1;
      SCOPED_TRACE(std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
                   ", " + std::to_string(ranks) + " ranks");
      try {
        const Schedule schedule = algorithm.make({ranks, 0, per_host});
        test(schedule);
      } catch (const std::invalid_argument& cannot) {  // of powers of two only
        EXPECT_NE(std::string(cannot.what()).find("power"), std::string::npos) << cannot.what();
      }
    }
  }
}

/// What blocks are made of: a random number for each input, added up.
class Tokens {
 public:
  explicit Tokens(const Schedule& schedule) : schedule_(schedule) {
    std::mt19937_64 random(1);
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      inputs_.emplace_back();
      for (Block block = 0; block < schedule.all_blocks(); ++block)
        inputs_.back().push_back(is_input(schedule, rank, block) ? random() : 0);
    }
    now = inputs_;
  }

  void expect_result() const {
    if (traits(schedule_.collective).combining == Combining::repeatedly) return;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      for (Block block = 0; block < schedule_.blocks; ++block) {
        if (!is_output(schedule_, rank, block)) continue;
        EXPECT_EQ(now[rank][block], expected(rank, block)) << "rank " << rank << " block " << block;
      }
    }
  }

  std::vector<std::vector<std::uint64_t>> now;  // [rank][block]

 private:
  [[nodiscard]] std::uint64_t expected(Rank rank, Block block) const {
    if (!reduces(schedule_.collective)) {
      const Place source = source_of(schedule_, rank, block);
      return inputs_[source.rank][source.block];
    }
    std::uint64_t sum = 0;
    for (const auto& one : inputs_) sum += one[block];
    return sum;
  }

  const Schedule& schedule_;
  std::vector<std::vector<std::uint64_t>> inputs_;
};

using Chunks = std::vector<std::uint64_t>;

/// Takes the ones that are ready, from any place on, until none is left, or none is ready.
template <class Ready, class Take>
bool all_taken(std::size_t count, unsigned seed, Ready ready, Take take) {
  std::vector<std::size_t> left(count);
  for (std::size_t i = 0; i < count; ++i) left[i] = i;
  std::mt19937 random(seed);
  while (!left.empty()) {
    const auto middle = left.begin() + static_cast<std::ptrdiff_t>(random() % left.size());
    auto found = std::find_if(middle, left.end(), ready);
    if (found == left.end()) found = std::find_if(left.begin(), middle, ready);
    if (found == left.end() || !ready(*found)) return false;
    take(*found);
    *found = left.back();
    left.pop_back();
  }
  return true;
}

// GOAL.

struct GoalOp {
  Rank rank = 0;
  std::string kind{};  // send, recv, calc
  std::uint64_t bytes = 0;
  Rank peer = 0;
  std::uint64_t tag = 0;
  std::set<std::size_t> after{};
  std::size_t nth = 0;  // of its rank
};

struct Goal {
  Rank ranks = 0;
  std::vector<GoalOp> ops{};
};

Goal read_goal(const std::string& text) {
  Goal goal;
  std::map<std::string, std::size_t> labels;
  Rank rank = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "num_ranks") {
      goal.ranks = static_cast<Rank>(std::stoul(second));
    } else if (first == "rank") {
      rank = static_cast<Rank>(std::stoul(second));
      labels.clear();
    } else if (second == "requires") {
      std::string other;
      words >> other;
      EXPECT_TRUE(labels.contains(first) && labels.contains(other)) << line;
      goal.ops[labels[first]].after.insert(labels[other]);
    } else if (first.ends_with(":")) {
      GoalOp op{.rank = rank, .kind = second, .nth = labels.size()};
      if (op.kind == "calc") {
        EXPECT_EQ(line.substr(first.size()), " calc 0");
      } else {
        std::string unit;
        std::string direction;
        std::string tag;
        words >> op.bytes >> unit >> direction >> op.peer >> tag >> op.tag;
        EXPECT_TRUE(words && unit == "b" && tag == "tag") << line;
        EXPECT_EQ(direction, op.kind == "send" ? "to" : "from") << line;
      }
      EXPECT_TRUE(labels.emplace(first.substr(0, first.size() - 1), goal.ops.size()).second);
      goal.ops.push_back(op);
    } else {
      EXPECT_TRUE(first.empty() || first == "}") << line;
    }
  }
  return goal;
}

using Ends = std::tuple<Rank, Rank, std::uint64_t>;  // from, to, tag

Ends ends_of(const GoalOp& op) {
  return op.kind == "send" ? Ends{op.rank, op.peer, op.tag} : Ends{op.peer, op.rank, op.tag};
}

/// Runs it in a random order that the file allows, with what the schedule's ops do to blocks.
void run_goal(const Goal& goal, const Schedule& schedule, unsigned seed) {
  std::vector<std::vector<ProgramOp>> programs;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) programs.push_back(program_of(schedule, rank));
  Tokens tokens(schedule);
  std::set<std::size_t> done;
  std::map<Ends, Chunks> sent;
  const auto ready = [&](std::size_t at) {
    const GoalOp& op = goal.ops[at];
    return std::ranges::all_of(op.after, [&](std::size_t one) { return done.contains(one); }) &&
           (op.kind != "recv" || sent.contains(ends_of(op)));
  };
  const auto take = [&](std::size_t at) {
    done.insert(at);
    const GoalOp& line = goal.ops[at];
    if (programs[line.rank].empty()) return;
    const Op& op = programs[line.rank][line.nth].op;
    Chunks& own = tokens.now[line.rank];
    for (Block i = 0; i < op.blocks.count; ++i) {
      const std::uint64_t read = op.action == Action::receive ? 0 : own[op.read().first + i];
      if (op.action == Action::send) sent[ends_of(line)].push_back(read);
      if (op.action == Action::copy) own[op.blocks.first + i] = read;
      if (arrives(op.action)) own[op.blocks.first + i] = read + sent[ends_of(line)][i];
    }
  };
  ASSERT_TRUE(all_taken(goal.ops.size(), seed, ready, take)) << "a circle of requirements";
  tokens.expect_result();
}

TEST(Goal, ReadsAsLogGopsimTakesIt) {
  EXPECT_EQ(as_goal(ring_all_gather(2), 100),
            "num_ranks 2\n"
            "\n"
            "rank 0 {\n"
            "l1: send 50b to 1 tag 0\n"
            "l2: recv 50b from 1 tag 0\n"
            "}\n"
            "\n"
            "rank 1 {\n"
            "l1: send 50b to 0 tag 0\n"
            "l2: recv 50b from 0 tag 0\n"
            "}\n");
  EXPECT_NE(as_goal(ring_all_reduce(3), 300).find("l3 requires l2\n"), std::string::npos);
  EXPECT_EQ(as_goal(ring_all_reduce(1), 8), "num_ranks 1\n\nrank 0 {\nl1: calc 0\n}\n");
}

TEST(Goal, HasEveryMessageOnceAtBothEnds) {
  for_all([](const Schedule& schedule) {
    const Goal goal = read_goal(as_goal(schedule, 1000));
    EXPECT_EQ(goal.ranks, schedule.ranks);
    std::map<Ends, std::uint64_t> sends;
    std::map<Ends, std::uint64_t> receives;
    std::uint64_t bytes = 0;
    for (const GoalOp& op : goal.ops) {
      if (op.kind == "calc") continue;
      EXPECT_TRUE((op.kind == "send" ? sends : receives).emplace(ends_of(op), op.bytes).second);
      if (op.kind == "send") bytes += op.bytes;
    }
    EXPECT_EQ(sends, receives);
    std::uint64_t expected = 0;
    for (Rank rank = 0; rank < schedule.ranks; ++rank) {
      for (const ProgramOp& op : program_of(schedule, rank)) {
        if (op.op.action == Action::send)
          expected += std::max<std::uint64_t>(1, bytes_of(schedule, op.op.blocks, 1000));
      }
    }
    EXPECT_EQ(bytes, expected);
  });
}

TEST(Goal, ComesToTheResultInEveryOrderThatItAllows) {
  for_all([](const Schedule& schedule) {
    const Goal goal = read_goal(as_goal(schedule, 1000));
    run_goal(goal, schedule, schedule.ranks);
  });
}

// htsim.

struct HtsimFlow {
  Rank from = 0;
  Rank to = 0;
  std::map<std::string, std::uint64_t> fields{};  // "size", "trigger", ...
};

struct Htsim {
  std::map<std::string, std::uint64_t> head{};
  std::vector<HtsimFlow> flows{};
  std::map<std::uint64_t, std::uint64_t> counts{};  // of triggers
};

Htsim read_htsim(const std::string& text) {
  Htsim read;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    const std::size_t arrow = first.find("->");
    if (arrow != std::string::npos) {
      HtsimFlow flow{static_cast<Rank>(std::stoul(first)),
                     static_cast<Rank>(std::stoul(first.substr(arrow + 2)))};
      std::string word;
      for (std::uint64_t value = 0; words >> word >> value;) flow.fields[word] = value;
      EXPECT_NE(flow.fields.contains("start"), flow.fields.contains("trigger")) << line;
      read.flows.push_back(flow);
    } else if (first == "trigger") {
      std::string word;
      std::uint64_t id = 0;
      std::uint64_t count = 0;
      words >> word >> id >> word >> word >> count;
      EXPECT_EQ(line,
                "trigger id " + std::to_string(id) + " barrier count " + std::to_string(count));
      EXPECT_TRUE(id > 0 && read.counts.emplace(id, count).second);
    } else {
      words >> read.head[first];
    }
  }
  return read;
}

/// The steps of flows in the order of the file; a flow begins when all that its rank did before has
/// ended, in any order of ends.
void run_htsim(const Htsim& read, const std::vector<Step>& steps, unsigned seed) {
  std::map<std::uint64_t, std::uint64_t> left = read.counts;
  std::set<std::size_t> ended;
  const auto ready = [&](std::size_t at) {
    const auto trigger = read.flows[at].fields.find("trigger");
    return trigger == read.flows[at].fields.end() || left.at(trigger->second) == 0;
  };
  const auto take = [&](std::size_t at) {
    const HtsimFlow& flow = read.flows[at];
    for (std::size_t other = 0; other < read.flows.size(); ++other) {
      const bool touches = read.flows[other].to == flow.from || read.flows[other].from == flow.from;
      if (touches && steps[other] < steps[at]) {
        EXPECT_TRUE(ended.contains(other)) << at << " before " << other;
      }
    }
    for (const char* const word : {"send_done_trigger", "recv_done_trigger"}) {
      if (flow.fields.contains(word)) {
        EXPECT_GT(left.at(flow.fields.at(word))--, 0);
      }
    }
    ended.insert(at);
  };
  ASSERT_TRUE(all_taken(read.flows.size(), seed, ready, take)) << "triggers that never fire";
  for (const auto& [id, count] : left) EXPECT_EQ(count, 0) << "trigger " << id;
}

TEST(Htsim, ReadsAsItTakesIt) {
  EXPECT_EQ(as_htsim(ring_all_gather(3), 300),
            "Nodes 3\nConnections 6\nTriggers 3\n"
            "0->1 id 1 start 0 size 100 send_done_trigger 1 recv_done_trigger 2\n"
            "1->2 id 2 start 0 size 100 send_done_trigger 2 recv_done_trigger 3\n"
            "2->0 id 3 start 0 size 100 send_done_trigger 3 recv_done_trigger 1\n"
            "0->1 id 4 trigger 1 size 100\n"
            "1->2 id 5 trigger 2 size 100\n"
            "2->0 id 6 trigger 3 size 100\n"
            "trigger id 1 barrier count 2\n"
            "trigger id 2 barrier count 2\n"
            "trigger id 3 barrier count 2\n");
}

TEST(Htsim, BeginsEveryFlowAfterAllThatItsRankDidBefore) {
  for_all([](const Schedule& schedule) {
    if (schedule.ranks == 1) {
      EXPECT_THROW(static_cast<void>(as_htsim(schedule, 1000)), std::invalid_argument);
      return;
    }
    const Htsim read = read_htsim(as_htsim(schedule, 1000));
    std::vector<Step> steps;
    std::map<std::pair<Rank, Rank>, std::uint64_t> expected;
    for (Step step = 0; step < schedule.steps; ++step) {
      for (Rank rank = 0; rank < schedule.ranks; ++rank) {
        std::map<Rank, std::uint64_t> sent;
        for (const Op& op : schedule.ops(rank, step)) {
          if (op.action == Action::send) sent[op.peer] += bytes_of(schedule, op.blocks, 1000);
        }
        for (const auto& [peer, bytes] : sent) {
          expected[{rank, peer}] += std::max<std::uint64_t>(1, bytes);
          steps.push_back(step);
        }
      }
    }
    std::map<std::pair<Rank, Rank>, std::uint64_t> found;
    std::set<std::uint64_t> started;
    for (const HtsimFlow& flow : read.flows) {
      found[{flow.from, flow.to}] += flow.fields.at("size");
      if (flow.fields.contains("trigger")) started.insert(flow.fields.at("trigger"));
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(read.head.at("Nodes"), schedule.ranks);
    EXPECT_EQ(read.head.at("Connections"), read.flows.size());
    EXPECT_EQ(read.head.at("Triggers"), read.counts.size());
    EXPECT_EQ(started.size(), read.counts.size());  // htsim wants none without a flow
    run_htsim(read, steps, schedule.ranks);
  });
}

// MSCCL.

using Fields = std::map<std::string, std::string>;

struct MscclStep {
  std::string type{};
  char source = 0;
  char target = 0;
  int from = 0;
  int to = 0;
  int count = 0;
  int after_block = 0;
  int after_step = 0;
  bool awaited = false;
};

struct MscclBlock {
  Rank gpu = 0;
  int id = 0;
  int send = 0;
  int receive = 0;
  int channel = 0;
  std::vector<MscclStep> steps{};
};

struct Msccl {
  Fields algo{};
  std::vector<Fields> gpus{};
  std::vector<MscclBlock> blocks{};
};

/// name="value" of a line.
Fields fields_of(const std::string& line) {
  Fields fields;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const std::size_t at = word.find("=\"");
    if (at == std::string::npos) continue;
    const std::size_t end = word.find('"', at + 2);
    EXPECT_TRUE(fields.emplace(word.substr(0, at), word.substr(at + 2, end - at - 2)).second);
  }
  return fields;
}

Msccl read_msccl(const std::string& text) {
  Msccl read;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Fields fields = fields_of(line);
    const auto number = [&](const char* field) { return std::stoi(fields.at(field)); };
    if (line.find("<algo") != std::string::npos) read.algo = fields;
    if (line.find("<gpu") != std::string::npos) read.gpus.push_back(fields);
    if (line.find("<tb") != std::string::npos) {
      read.blocks.push_back({static_cast<Rank>(read.gpus.size() - 1), number("id"), number("send"),
                             number("recv"), number("chan")});
    }
    if (line.find("<step") == std::string::npos) continue;
    MscclBlock& block = read.blocks.back();
    EXPECT_EQ(number("s"), block.steps.size());
    block.steps.push_back({fields.at("type"), fields.at("srcbuf")[0], fields.at("dstbuf")[0],
                           number("srcoff"), number("dstoff"), number("cnt"), number("depid"),
                           number("deps"), number("hasdep") == 1});
  }
  return read;
}

/// The interpreter of every GPU: a thread block does one step after the other, waits for the flag
/// of another block, and passes chunks through queues of one message.
class Interpreter {
 public:
  Interpreter(const Msccl& algorithm, const Schedule& schedule)
      : algorithm_(algorithm), schedule_(schedule), tokens_(schedule) {
    next_.resize(algorithm.blocks.size());
    for (const MscclBlock& block : algorithm.blocks) flags_[{block.gpu, block.id}] = -1;
  }

  void run(unsigned seed) {
    std::mt19937 random(seed);
    for (;;) {
      std::vector<std::size_t> ready;
      std::size_t left = 0;
      for (std::size_t at = 0; at < next_.size(); ++at) {
        const MscclBlock& block = algorithm_.blocks[at];
        if (next_[at] == block.steps.size()) continue;
        ++left;
        if (is_ready(block, block.steps[next_[at]])) ready.push_back(at);
      }
      if (left == 0) break;
      ASSERT_FALSE(ready.empty()) << "a deadlock";
      const std::size_t at = ready[random() % ready.size()];
      take(algorithm_.blocks[at], next_[at]++);
    }
    for (const auto& [ends, queue] : queues_) EXPECT_TRUE(queue.empty());
    tokens_.expect_result();
  }

 private:
  using Queue = std::tuple<Rank, Rank, int>;  // from, to, channel

  [[nodiscard]] bool is_ready(const MscclBlock& block, const MscclStep& step) {
    if (step.after_block >= 0 && flags_.at({block.gpu, step.after_block}) < step.after_step)
      return false;
    if (step.type == "s")
      return queues_[{block.gpu, static_cast<Rank>(block.send), block.channel}].empty();
    if (step.type == "r" || step.type == "rrc")
      return !queues_[{static_cast<Rank>(block.receive), block.gpu, block.channel}].empty();
    return true;
  }

  std::uint64_t& chunk(Rank gpu, char buffer, int offset) {
    Block block = static_cast<Block>(offset);
    if (buffer == 's') block += schedule_.first_scratch();
    if (buffer == 'i' && separate_buffers(schedule_.collective)) block += schedule_.blocks;
    return tokens_.now[gpu].at(block);
  }

  void take(const MscclBlock& block, std::size_t number) {
    const MscclStep& step = block.steps[number];
    Chunks values;
    if (step.type == "r" || step.type == "rrc") {
      auto& queue = queues_[{static_cast<Rank>(block.receive), block.gpu, block.channel}];
      values = queue.front();
      queue.pop_front();
      EXPECT_EQ(values.size(), step.count);
    }
    for (int i = 0; i < step.count; ++i) {
      const std::uint64_t source = chunk(block.gpu, step.source, step.from + i);
      std::uint64_t& target = chunk(block.gpu, step.target, step.to + i);
      if (step.type == "s") values.push_back(source);
      if (step.type == "r") target = values.at(static_cast<std::size_t>(i));
      if (step.type == "rrc") target = source + values.at(static_cast<std::size_t>(i));
      if (step.type == "cpy") target = source;
    }
    if (step.type == "s")
      queues_[{block.gpu, static_cast<Rank>(block.send), block.channel}].push_back(values);
    if (step.awaited) flags_[{block.gpu, block.id}] = static_cast<int>(number);
  }

  const Msccl& algorithm_;
  const Schedule& schedule_;
  Tokens tokens_;
  std::vector<std::size_t> next_{};
  std::map<std::pair<Rank, int>, int> flags_{};
  std::map<Queue, std::deque<Chunks>> queues_{};
};

TEST(Msccl, ReadsAsItTakesIt) {
  EXPECT_EQ(as_msccl(ring_all_gather(2)),
            "<algo name=\"ring\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" "
            "coll=\"allgather\" inplace=\"1\" outofplace=\"0\" minBytes=\"0\" "
            "maxBytes=\"1099511627776\">\n"
            "  <gpu id=\"0\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\">\n"
            "    <tb id=\"0\" send=\"1\" recv=\"-1\" chan=\"0\">\n"
            "      <step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
            "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
            "    </tb>\n"
            "    <tb id=\"1\" send=\"-1\" recv=\"1\" chan=\"0\">\n"
            "      <step s=\"0\" type=\"r\" srcbuf=\"o\" srcoff=\"1\" dstbuf=\"o\" dstoff=\"1\" "
            "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
            "    </tb>\n"
            "  </gpu>\n"
            "  <gpu id=\"1\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\">\n"
            "    <tb id=\"0\" send=\"0\" recv=\"-1\" chan=\"0\">\n"
            "      <step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"1\" dstbuf=\"o\" dstoff=\"1\" "
            "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
            "    </tb>\n"
            "    <tb id=\"1\" send=\"-1\" recv=\"0\" chan=\"0\">\n"
            "      <step s=\"0\" type=\"r\" srcbuf=\"o\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "
            "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
            "    </tb>\n"
            "  </gpu>\n"
            "</algo>\n");
}

bool in_msccl(Collective collective) {
  static const std::set<Collective> kThere{Collective::all_reduce,     Collective::all_gather,
                                           Collective::reduce_scatter, Collective::reduce,
                                           Collective::broadcast,      Collective::all_to_all};
  return kThere.contains(collective);
}

TEST(Msccl, ComesToTheResultInEveryOrderThatItAllows) {
  for_all([](const Schedule& schedule) {
    if (!in_msccl(schedule.collective)) {
      EXPECT_THROW(static_cast<void>(as_msccl(schedule)), std::invalid_argument);
      return;
    }
    const Msccl read = read_msccl(as_msccl(schedule));
    ASSERT_EQ(read.gpus.size(), schedule.ranks);
    EXPECT_EQ(read.algo.at("nchunksperloop"), std::to_string(schedule.blocks));
    std::set<std::tuple<Rank, bool, int, int>> connections;
    for (const MscclBlock& block : read.blocks) {
      const bool copies = block.send < 0 && block.receive < 0;
      const bool sends = block.send >= 0;
      const int peer = sends ? block.send : block.receive;
      EXPECT_TRUE(copies || connections.insert({block.gpu, sends, peer, block.channel}).second)
          << "two thread blocks of one connection";
    }
    Interpreter(read, schedule).run(schedule.ranks);
  });
}

/// The proof proves something: without any one of its waits, an order exists that is wrong.
TEST(Msccl, WaitsForNothingInVain) {
  const Schedule schedule = ring_all_reduce(3);
  std::string text = as_msccl(schedule);
  const std::size_t at = text.find("depid=\"1\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, "depid=\"-1\"");
  bool wrong = false;
  const Msccl read = read_msccl(text);
  for (unsigned seed = 1; seed <= 50 && !wrong; ++seed) {
    testing::TestPartResultArray failures;
    {
      const testing::ScopedFakeTestPartResultReporter take(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
      Interpreter(read, schedule).run(seed);
    }
    wrong = failures.size() > 0;
  }
  EXPECT_TRUE(wrong);
}

TEST(Exports, RefuseWhatIsTooLarge) {
  EXPECT_THROW(static_cast<void>(as_goal(ring_all_reduce(10'000), 8)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(as_htsim(ring_all_reduce(10'000), 8)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(as_htsim(ring_all_reduce(2), 1ULL << 31U)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(as_msccl(ring_all_reduce(300))), std::invalid_argument);
  EXPECT_NO_THROW(static_cast<void>(as_msccl(ring_all_reduce(64))));
}

}  // namespace
}  // namespace railgauge::schedule
