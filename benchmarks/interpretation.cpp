#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "benchmarks/words.hpp"
#include "measure/sizes.hpp"

namespace railgauge::benchmarks {
namespace {

constexpr int kMostSoftRails = 64;  // what softroce has addresses for

[[noreturn]] void refuse(const std::string& option, const std::string& word,
                         const std::string& choices) {
  throw std::invalid_argument(option + " does not know '" + word + "': it takes " + choices);
}

[[noreturn]] void refuse_twice(std::string option, const std::string& word) {
  throw std::invalid_argument(option.append(" has '").append(word).append("' twice"));
}

/// A whole number, all of the word.
std::optional<int> number(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::uint64_t size_of(const std::string& option, const std::string& word) {
  try {
    return measure::parse_size(word);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(option + ": " + error.what());
  }
}

/// Each once, in order; all that there are for the word all.
template <class All, class Find>
auto named(const std::string& option, const std::vector<std::string>& words, const All& all,
           const Find& find) {
  std::vector<typename All::value_type> values;
  if (words == std::vector<std::string>{"all"}) return std::vector(all.begin(), all.end());
  std::string choices;
  for (const auto value : all) choices += std::string(reduce::name(value)) + ", ";
  for (const std::string& word : words) {
    const auto found = find(word);
    if (!found) refuse(option, word, choices + "or all");
    if (std::ranges::count(values, *found) > 0) refuse_twice(option, word);
    values.push_back(*found);
  }
  if (values.empty()) refuse(option, "", choices + "or all");
  return values;
}

const schedule::Algorithm* algorithm(schedule::Collective collective, const std::string& name) {
  const schedule::Algorithm* found = schedule::find_algorithm(collective, name);
  if (found != nullptr) return found;
  refuse("--algo", name, schedule::algorithm_names(collective) + ", all or auto");
}

void choose_algorithms(const std::vector<std::string>& words, Options& options) {
  const std::string only = words.size() == 1 ? words[0] : "";
  if (only == "all" || only == "auto") {
    options.choice = only == "all" ? Options::Choice::all : Options::Choice::automatic;
    for (const auto& one : schedule::algorithms(options.collective)) {
      options.algorithms.push_back(&one);
    }
    return;
  }
  for (const std::string& name : words) {
    const schedule::Algorithm* found = algorithm(options.collective, name);
    if (std::ranges::count(options.algorithms, found) > 0) refuse_twice("--algo", name);
    options.algorithms.push_back(found);
  }
  if (options.algorithms.empty()) (void)algorithm(options.collective, "");
}

std::uint32_t slice_of(const std::string& word) {
  constexpr std::uint64_t kLeast = 256;
  constexpr std::uint64_t kMost = 16 << 20;
  const std::uint64_t bytes = size_of("--slice", word);
  if (bytes >= kLeast && bytes <= kMost && bytes % 64 == 0) {
    return static_cast<std::uint32_t>(bytes);
  }
  throw std::invalid_argument("--slice " + word + " is not a multiple of 64 from 256 to 16M");
}

std::vector<int> roots_of(const std::vector<std::string>& words) {
  std::vector<int> roots;
  for (const std::string& word : words) {
    const std::optional<int> root = word == "all" ? -1 : number(word);
    if (!root || *root < -1) refuse("--root", word, "ranks from 0 on, or all");
    if (*root == -1 && words.size() > 1) {
      throw std::invalid_argument("--root " + word + " is all of them, and stands alone");
    }
    roots.push_back(*root);
  }
  return roots;
}

void interpret_sizes(const Words& words, Options& options) {
  options.min_bytes = size_of("-b", words.min);
  options.max_bytes = size_of("-e", words.max);
  options.step_bytes = size_of("-i", words.step);
  options.step_factor = words.factor;
  if (options.max_bytes < options.min_bytes) {
    throw std::invalid_argument("-e " + words.max + " is below -b " + words.min);
  }
  if (options.step_factor == 0) throw std::invalid_argument("-f 0: a factor is at least 1");
  if (options.step_factor == 1 && options.step_bytes == 0) {
    throw std::invalid_argument("-i 0: sizes would never grow");
  }
  (void)options.sizes();
}

void interpret_axes(const Words& words, Options& options) {
  choose_algorithms(words.algorithms, options);
  options.types = named("--datatype", words.types, reduce::kElementTypes,
                        [](const std::string& word) { return reduce::element_type(word); });
  options.ops = named("--op", words.ops, reduce::kOperators,
                      [](const std::string& word) { return reduce::reduction_operator(word); });
  options.roots = roots_of(words.roots);
  options.queue_pairs = words.queue_pairs;
  options.slices.clear();
  for (const std::string& word : words.slices) options.slices.push_back(slice_of(word));
  options.traffic_classes.assign(words.traffic_classes.begin(), words.traffic_classes.end());
  options.rails.clear();
  for (const std::string& word : words.rails) options.rails.push_back(parse_rail_choice(word));
}

/// "1%", "0.5%" or "1", as a part.
double part_of(const std::string& word) {
  std::string_view digits = word;
  if (digits.ends_with('%')) digits.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  if (error == std::errc{} && end == digits.data() + digits.size() && percent > 0 &&
      percent <= 100) {
    return percent / 100;
  }
  throw std::invalid_argument("--ci " + word + " is no percentage above 0 up to 100, as in 1%");
}

void interpret_measurement(const Words& words, Options& options) {
  using measure::Separation;
  const std::string& mode = words.separation;
  options.timing.separation = mode == "1"                        ? Separation::barrier_inside
                              : mode == "3" || mode == "barrier" ? Separation::barrier_outside
                                                                 : Separation::none;
  options.over_ranks = static_cast<OverRanks>(words.average);
  options.limit = std::chrono::seconds(words.limit);
  measure::StoppingRule& stopping = options.timing.stopping;
  if (words.duration > 0) stopping.duration = std::chrono::seconds(words.duration);
  if (!words.interval.empty()) {
    stopping.interval = part_of(words.interval);
    constexpr std::chrono::seconds kLongest{10};
    if (!stopping.duration) stopping.duration = kLongest;
  }
  if (options.timing.skipped > 0 && !options.per_iteration) {
    throw std::invalid_argument("-K without -I 1: there are no columns in which to skip");
  }
}

int soft_rails(const std::string& word) {
  if (word == "soft") return 1;
  constexpr std::string_view kPrefix = "soft:";
  if (word.starts_with(kPrefix)) {
    const auto rails = number(std::string_view(word).substr(kPrefix.size()));
    if (rails && *rails >= 1 && *rails <= kMostSoftRails) return *rails;
  }
  refuse("--device", word,
         "soft, or soft:RAILS with 1 to " + std::to_string(kMostSoftRails) +
             " rails; names of devices are for --devices");
}

void choose_soft_devices(const Words& words, bool devices_named, Options& options) {
  options.soft_rails = soft_rails(*words.device);
  if (devices_named) throw std::invalid_argument("--device and --devices: give one of the two");
  if (options.connect == transport::Connect::rdmacm) {
    throw std::invalid_argument(
        "--connect rdmacm with --device soft: librdmacm asks the kernel, which has no soft "
        "device");
  }
  options.devices.clear();  // in place of those that the environment names
  for (int rail = 0; rail < options.soft_rails; ++rail) {
    options.devices.push_back("soft" + std::to_string(rail));
  }
}

std::optional<topology::PortPattern> ports_of(const std::string& option, const std::string& word) {
  if (word.empty()) return std::nullopt;
  try {
    return topology::PortPattern(word);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(option + ": " + error.what());
  }
}

void choose_nics(const Words& words, Options& options) {
  options.nics.include = ports_of("--include", words.include);
  options.nics.exclude = ports_of("--exclude", words.exclude);
  if (!words.rail_map.empty()) options.nics.rail_map = topology::load_rail_map(words.rail_map);
  const bool any = options.nics.include || options.nics.exclude || !options.nics.rail_map.empty();
  if (!any || options.devices.empty()) return;
  throw std::invalid_argument("--include, --exclude and --rail-map choose rails, and " +
                              std::string(options.soft_rails > 0 ? "--device" : "--devices") +
                              " has named them already");
}

void check_combinations(const Options& options) {
  if (options.overwrite && options.output_file.empty() && options.lines_file.empty() &&
      options.csv_file.empty()) {
    throw std::invalid_argument("--force without -J, --jsonl or --csv: no file to replace");
  }
  const bool own = std::ranges::count(options.rails, RailChoice::Kind::own, &RailChoice::kind) > 0;
  if (options.cross_rail && !own) {
    throw std::invalid_argument(
        "--cross-rail without --rails own: where every rank drives all rails, data keep to theirs");
  }
  const std::size_t settings = options.types.size() * options.ops.size() * options.roots.size() *
                               options.queue_pairs.size() * options.slices.size() *
                               options.traffic_classes.size() * options.rails.size();
  if (options.cycles == 0 && settings > 1) {
    throw std::invalid_argument(
        "-N 0 with a list of settings: the first would be run for ever, and no other");
  }
}

}  // namespace

bool has_sizes(schedule::Collective collective) {
  return collective != schedule::Collective::barrier;
}

bool has_operator(schedule::Collective collective) {
  return has_sizes(collective) && schedule::reduces(collective);
}

void interpret(const Words& words, bool devices_named, Options& options) {
  if (has_sizes(options.collective)) {
    interpret_sizes(words, options);
  } else {
    options.min_bytes = options.max_bytes = 0;
  }
  interpret_axes(words, options);
  interpret_measurement(words, options);
  options.connect =
      words.connect == "rdmacm" ? transport::Connect::rdmacm : transport::Connect::exchange;
  options.same_host = words.same_host == "memory" ? SameHost::memory : SameHost::rails;
  if (words.gid_index >= 0) options.gid_index = words.gid_index;
  options.table = words.table == "wide"   ? TableForm::wide
                  : words.table == "none" ? TableForm::none
                                          : TableForm::nccl;
  if (words.device) choose_soft_devices(words, devices_named, options);
  choose_nics(words, options);
  check_combinations(options);
}

}  // namespace railgauge::benchmarks
