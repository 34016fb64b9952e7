// What a collective's options say together.

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "experiments/collective/algorithm_by_size.hpp"
#include "experiments/collective/collective_options.hpp"
#include "measure/sizes.hpp"

namespace railgauge::runner {
namespace {

using options::OptionTable;

/// A size that holds no element would measure nothing, and be verified.
void check_elements(const CollectiveOptions& options) {
  for (const reduce::ElementType type : options.types) {
    const std::size_t element = reduce::size_bytes(type);
    if (options.min_bytes == 0 || options.min_bytes >= element) continue;
    throw std::invalid_argument("-b " + measure::format_size(options.min_bytes) +
                                " is less than one element of " + std::string(reduce::name(type)) +
                                " (" + std::to_string(element) + " bytes)");
  }
}

/// "DSCP 6, ECN 2" of 26.
std::string in_header(unsigned traffic_class) {
  return "DSCP " + std::to_string(traffic_class >> 2U) + ", ECN " +
         std::to_string(traffic_class & 3U);
}

/// It is set with two bits more than the DSCP that networks are configured by.
void note_traffic_classes(CollectiveOptions& options) {
  constexpr unsigned kDscps = 64;
  for (const unsigned value : options.traffic_classes) {
    const bool has_ecn = (value & 3U) != 0;
    if (value == 0 || (value >= kDscps && !has_ecn)) continue;
    std::string note = "--traffic-class " + std::to_string(value) + " sets " + in_header(value);
    if (value < kDscps) {
      note +=
          "; DSCP " + std::to_string(value) + " is --traffic-class " + std::to_string(value * 4);
    }
    options.notes.push_back(note);
  }
}

void note_checks(CollectiveOptions& options) {
  const measure::TimingRule& timing = options.timing;
  const auto& stopping = timing.stopping;
  if (stopping.duration || stopping.interval || timing.verified <= stopping.iterations) return;
  options.notes.push_back("-c " + std::to_string(timing.verified) + " with -n " +
                          std::to_string(stopping.iterations) +
                          ": only timed iterations are verified, so all " +
                          std::to_string(stopping.iterations) + " are");
}

void check_sizes(const OptionTable& table, const CollectiveOptions& options) {
  if (table.given("stepbytes") && options.step_factor > 1) {
    throw std::invalid_argument("-i and -f: give either a step or a factor");
  }
  if (options.max_bytes < options.min_bytes) {
    throw std::invalid_argument("-e " + measure::format_size(options.max_bytes) + " is below -b " +
                                measure::format_size(options.min_bytes));
  }
  if (options.step_factor == 1 && options.step_bytes == 0) {
    throw std::invalid_argument("-i 0: sizes would never grow");
  }
  check_elements(options);
  (void)options.sizes();
}

void resolve_algorithms(CollectiveOptions& options) {
  const auto& names = options.algorithm_names;
  const std::string only = names.size() == 1 ? names[0] : "";
  if (only == kBySize) {  // which of the others it will be is known with the ranks
    options.choice = CollectiveOptions::Choice::by_size;
    options.algorithms = {&schedule::algorithms(options.collective).front()};
    return;
  }
  if (only == "all" || only == "auto") {
    options.choice =
        only == "all" ? CollectiveOptions::Choice::all : CollectiveOptions::Choice::automatic;
    for (const auto& one : schedule::algorithms(options.collective)) {
      options.algorithms.push_back(&one);
    }
    return;
  }
  for (const std::string& name : names) {
    const auto* found = schedule::find_algorithm(options.collective, name);
    if (found == nullptr) throw std::invalid_argument("--algo " + name + ": must stand alone");
    if (std::ranges::count(options.algorithms, found) > 0) {
      throw std::invalid_argument("--algo " + name + ": is an alias of " +
                                  std::string(found->name) + ", which is given too");
    }
    if (found->name != name) options.family_of[std::string(found->name)] = name;
    options.algorithms.push_back(found);
  }
}

void check_timing(CollectiveOptions& options) {
  measure::StoppingRule& stopping = options.timing.stopping;
  constexpr std::chrono::seconds kLongest{10};
  if (stopping.duration == std::chrono::seconds(0)) stopping.duration.reset();
  if (stopping.interval && !stopping.duration) stopping.duration = kLongest;
  if (options.timing.skipped > 0 && !options.per_iteration) {
    throw std::invalid_argument("-K without -I 1: no columns to exclude iterations from");
  }
  if (options.timing.skipped > 0 && options.timing.skipped >= stopping.iterations) {
    throw std::invalid_argument("-K " + std::to_string(options.timing.skipped) + " excludes all " +
                                std::to_string(stopping.iterations) +
                                " iterations (-n) from the -I columns: give a smaller number");
  }
}

void check_axes(const CollectiveOptions& options) {
  const auto& roots = options.roots;
  if (roots.size() > 1 && std::ranges::count(roots, -1) > 0) {
    throw std::invalid_argument("--root: all must stand alone");
  }
  const bool own = std::ranges::count(options.rails, RailChoice::Kind::own, &RailChoice::kind) > 0;
  if (options.cross_rail && !own) {
    throw std::invalid_argument(
        "--cross-rail without --rails own: ranks that drive all rails never cross rails");
  }
  const std::size_t combinations = options.types.size() * options.ops.size() * roots.size() *
                                   options.reduce.size() * options.queue_pairs.size() *
                                   options.chunks.size() * options.traffic_classes.size() *
                                   options.memory.size() * options.rails.size();
  const bool lists_ranks = roots == std::vector{-1};
  const bool lists_rails =
      std::ranges::count(options.rails, RailChoice::Kind::each, &RailChoice::kind) > 0;
  if (options.cycles == 0 && (combinations > 1 || lists_ranks || lists_rails)) {
    throw std::invalid_argument(
        "-N 0 with a list: the first combination would run forever, the others never");
  }
}

struct Refused {
  const char* names;
  const char*
      harmless;  // values, separated by blanks: nccl-tests' default, and what is done anyway
  const char* instead;
};

constexpr std::array kRefused{
    Refused{"-g,--ngpus", "1",
            "a rank has one GPU (--memory gpu); for more ranks start more processes: mpirun -np"},
    Refused{"-t,--nthreads", "1", "a rank is a process; for more ranks start more: mpirun -np"},
    Refused{"-p,--parallel_init", "0 1", "ranks always connect at the same time"},
    Refused{"-y,--stream_null", "0", "only --memory gpu has a stream, of its own"},
    Refused{"-G,--cudagraph", "0", "every collective already runs from a prepared plan"},
    Refused{"-C,--report_cputime", "0",
            "a rank's core is always busy; --table wide shows the rank that others "
            "wait for"},
    Refused{"-R,--local_register", "0 1 2", "buffers are always registered"},
    Refused{"-x,--cta_policy", "0", "NICs move the data; --qps and --chunk split them"},
    Refused{"-D,--device_implementation", "0", "NICs move the data; --algo chooses how"},
    Refused{"-V,--device_cta_count", "", "NICs move the data; --qps sets the parallelism"},
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

/// Shared memory is one wire for all rails, which one thread drives.
void check_progress_threads(unsigned threads, SameHost same_host) {
  if (threads <= 1 || same_host == SameHost::rails) return;
  throw std::invalid_argument("--progress-threads " + std::to_string(threads) +
                              " with --same-host memory: shared memory is driven by one thread; "
                              "give one of the two");
}

/// GPUs do not map each other's memory here: what is tested is the path over the NIC.
void check_memory(const std::vector<results::MemoryKind>& memory, SameHost same_host) {
  const bool any_gpu = std::ranges::count(memory, results::MemoryKind::gpu) > 0;
  if (!any_gpu || same_host == SameHost::rails) return;
  throw std::invalid_argument(
      "--memory gpu with --same-host memory: data of GPUs go over the rails; give one of the two");
}

void check_reducers(const OptionTable& table, const std::vector<results::MemoryKind>& memory) {
  using results::MemoryKind;
  if (table.given("gpu-reduce") && std::ranges::count(memory, MemoryKind::gpu) == 0)
    throw std::invalid_argument("--gpu-reduce without --memory gpu: no data are in a GPU's memory");
  if (table.given("reduce-threads") && std::ranges::count(memory, MemoryKind::host) == 0) {
    throw std::invalid_argument(
        "--reduce-threads with --memory gpu: the GPU reduces, or one thread (--gpu-reduce host)");
  }
}

void check_collective_options(const OptionTable& table, CollectiveOptions& options) {
  if (traits(options.collective).size != schedule::SizeRule::none) check_sizes(table, options);
  if (traits(options.collective).size == schedule::SizeRule::uneven && table.given("matrix") &&
      table.given("spread")) {
    throw std::invalid_argument("--matrix and --spread: give one of the two");
  }
  resolve_algorithms(options);
  check_timing(options);
  check_axes(options);
  check_progress_threads(options.progress_threads, options.same_host);
  check_memory(options.memory, options.same_host);
  if (traits(options.collective).combining == schedule::Combining::once)
    check_reducers(table, options.memory);
  note_traffic_classes(options);
  note_checks(options);
}

void refuse_options(OptionTable& table) {
  for (const auto& [names, harmless, instead] : kRefused) {
    table.refuse(names, std::string("of nccl-tests is about GPUs: ") + instead, words_of(harmless));
  }
  table.refuse("--slice", "is now called --chunk");
}

}  // namespace railgauge::runner
