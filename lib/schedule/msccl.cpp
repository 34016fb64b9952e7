#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <vector>

#include "schedule/exports.hpp"
#include "schedule/program.hpp"

namespace railgauge::schedule {
namespace {

// Of the interpreter.
constexpr std::size_t kMostSteps = 256;   // of a thread block
constexpr std::size_t kMostBlocks = 216;  // thread blocks of a GPU
constexpr Block kMostChunks = 71;         // of a step

struct Named {
  Collective collective;
  std::string_view name;
};

constexpr std::array kNames{
    Named{Collective::all_reduce, "allreduce"},          Named{Collective::all_gather, "allgather"},
    Named{Collective::reduce_scatter, "reduce_scatter"}, Named{Collective::reduce, "reduce"},
    Named{Collective::broadcast, "broadcast"},           Named{Collective::all_to_all, "alltoall"}};

std::string_view name_in_msccl(const Schedule& schedule) {
  for (const Named& one : kNames) {
    if (one.collective == schedule.collective) return one.name;
  }
  throw std::invalid_argument("MSCCL has no " + std::string(name(schedule.collective)));
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ").append(name).append("=\"").append(value).append("\"");
}

std::string attribute(const char* name, std::int64_t value) {
  return attribute(name, std::to_string(value));
}

struct Chunk {
  char buffer = 'i';
  Block offset = 0;
};

/// In place the one buffer is that which holds all blocks.
Chunk chunk_of(const Schedule& schedule, Block block) {
  if (block >= schedule.first_scratch()) return {'s', block - schedule.first_scratch()};
  if (separate_buffers(schedule.collective))
    return block < schedule.blocks ? Chunk{'o', block} : Chunk{'i', block - schedule.blocks};
  const bool from_others =
      schedule.collective == Collective::all_gather || schedule.collective == Collective::broadcast;
  return {from_others ? 'o' : 'i', block};
}

/// A step of another thread block.
struct Awaited {
  std::int64_t block = -1;
  std::int64_t step = -1;
};

struct Transfer {
  std::string_view type = "nop";
  Chunk source{'i', 0};
  Chunk target{'o', 0};
  Block count = 0;
  Awaited after{};
  bool awaited = false;
};

struct ThreadBlock {
  std::int64_t send = -1;
  std::int64_t receive = -1;
  std::uint8_t channel = 0;
  std::vector<Transfer> steps{};
  std::map<std::int64_t, std::int64_t> seen{};  // the last step that it has waited for, by block
};

/// One GPU: the thread blocks of its program.
class Gpu {
 public:
  Gpu(const Schedule& schedule, Rank rank) : schedule_(schedule) {
    for (const ProgramOp& op : program_of(schedule, rank)) add(op);
    if (blocks_.size() > kMostBlocks)
      throw std::invalid_argument("MSCCL has at most " + std::to_string(kMostBlocks) +
                                  " thread blocks, and the schedule needs more: use fewer ranks");
  }

  [[nodiscard]] const std::vector<ThreadBlock>& blocks() const { return blocks_; }
  [[nodiscard]] int channels() const { return channels_; }

 private:
  void add(const ProgramOp& next) {
    const Op& op = next.op;
    const std::int64_t at = block_of(op);
    Transfer step{.count = op.blocks.count};
    step.source =
        chunk_of(schedule_, op.action == Action::receive ? op.blocks.first : op.read().first);
    step.target = chunk_of(schedule_, op.blocks.first);
    switch (op.action) {
      case Action::send: step.type = "s"; break;
      case Action::receive: step.type = "r"; break;
      case Action::reduce: step.type = "rrc"; break;
      case Action::copy: step.type = "cpy"; break;
    }
    wait(at, next.after, step);
    auto& steps = blocks_[static_cast<std::size_t>(at)].steps;
    places_.push_back({at, static_cast<std::int64_t>(steps.size())});
    steps.push_back(step);
    if (steps.size() > kMostSteps || op.blocks.count > kMostChunks)
      throw std::invalid_argument("MSCCL has at most " + std::to_string(kMostSteps) + " steps of " +
                                  std::to_string(kMostChunks) +
                                  " chunks each, and the schedule needs more: use fewer ranks");
  }

  std::int64_t block_of(const Op& op) {
    const auto [found, is_new] = numbers_.try_emplace(
        {op.action == Action::copy, arrives(op.action), op.peer, op.channel}, blocks_.size());
    if (is_new) {
      ThreadBlock made{.channel = op.channel};
      if (op.action == Action::send) made.send = op.peer;
      if (arrives(op.action)) made.receive = op.peer;
      blocks_.push_back(std::move(made));
      channels_ = std::max(channels_, op.channel + 1);
    }
    return static_cast<std::int64_t>(found->second);
  }

  /// The last step is enough of each other thread block, and one that was waited for is done. A
  /// step waits for one: others are those of steps before it that do nothing.
  void wait(std::int64_t at, const std::vector<std::uint32_t>& after, Transfer& step) {
    ThreadBlock& own = blocks_[static_cast<std::size_t>(at)];
    std::map<std::int64_t, std::int64_t> last;
    for (const std::uint32_t number : after) {
      const Awaited& place = places_[number];
      const auto seen = own.seen.find(place.block);
      const bool done = seen != own.seen.end() && seen->second >= place.step;
      if (place.block != at && !done) last[place.block] = std::max(last[place.block], place.step);
    }
    for (const auto& [block, number] : last) {
      own.seen[block] = number;
      blocks_[static_cast<std::size_t>(block)].steps[static_cast<std::size_t>(number)].awaited =
          true;
      if (step.after.block >= 0) own.steps.push_back({.after = step.after});
      step.after = {block, number};
    }
  }

  const Schedule& schedule_;
  std::map<std::tuple<bool, bool, Rank, std::uint8_t>, std::size_t> numbers_{};
  std::vector<ThreadBlock> blocks_{};
  std::vector<Awaited> places_{};  // of every op of the program
  int channels_ = 1;
};

std::string text_of(const Transfer& step, std::size_t number) {
  return "      <step" + attribute("s", static_cast<std::int64_t>(number)) +
         attribute("type", std::string(step.type)) +
         attribute("srcbuf", std::string(1, step.source.buffer)) +
         attribute("srcoff", step.source.offset) +
         attribute("dstbuf", std::string(1, step.target.buffer)) +
         attribute("dstoff", step.target.offset) + attribute("cnt", step.count) +
         attribute("depid", step.after.block) + attribute("deps", step.after.step) +
         attribute("hasdep", step.awaited ? 1 : 0) + "/>\n";
}

std::string text_of(const Schedule& schedule, Rank rank, const Gpu& gpu) {
  const Block own = schedule.blocks / std::max<Rank>(1, schedule.ranks);
  const bool gathers = schedule.collective == Collective::all_gather;
  const bool scatters = schedule.collective == Collective::reduce_scatter;
  std::string text = "  <gpu" + attribute("id", rank) +
                     attribute("i_chunks", gathers ? own : schedule.blocks) +
                     attribute("o_chunks", scatters ? own : schedule.blocks) +
                     attribute("s_chunks", schedule.scratch) + ">\n";
  for (std::size_t i = 0; i < gpu.blocks().size(); ++i) {
    const ThreadBlock& block = gpu.blocks()[i];
    text += "    <tb" + attribute("id", static_cast<std::int64_t>(i)) +
            attribute("send", block.send) + attribute("recv", block.receive) +
            attribute("chan", block.channel) + ">\n";
    for (std::size_t step = 0; step < block.steps.size(); ++step)
      text += text_of(block.steps[step], step);
    text += "    </tb>\n";
  }
  return text + "  </gpu>\n";
}

}  // namespace

std::string as_msccl(const Schedule& schedule) {
  const std::string coll(name_in_msccl(schedule));
  const bool in_place = !separate_buffers(schedule.collective);
  std::string gpus;
  int channels = 1;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    const Gpu gpu(schedule, rank);
    channels = std::max(channels, gpu.channels());
    gpus += text_of(schedule, rank, gpu);
  }
  return "<algo" + attribute("name", schedule.name) + attribute("proto", "Simple") +
         attribute("nchannels", channels) + attribute("nchunksperloop", schedule.blocks) +
         attribute("ngpus", schedule.ranks) + attribute("coll", coll) +
         attribute("inplace", in_place ? 1 : 0) + attribute("outofplace", in_place ? 0 : 1) +
         attribute("minBytes", std::int64_t{0}) + attribute("maxBytes", std::int64_t{1} << 40) +
         ">\n" + gpus + "</algo>\n";
}

}  // namespace railgauge::schedule
