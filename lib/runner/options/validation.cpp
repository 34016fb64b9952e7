#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "measure/sizes.hpp"
#include "runner/options/raw_options.hpp"

namespace railgauge::runner {
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
auto named(const std::string& option, const std::vector<std::string>& raw, const All& all,
           const Find& find) {
  std::vector<typename All::value_type> values;
  if (raw == std::vector<std::string>{"all"}) return std::vector(all.begin(), all.end());
  std::string choices;
  for (const auto value : all) choices += std::string(reduce::name(value)) + ", ";
  for (const std::string& word : raw) {
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

void choose_algorithms(const std::vector<std::string>& raw, Options& options) {
  const std::string only = raw.size() == 1 ? raw[0] : "";
  if (only == "all" || only == "auto") {
    options.choice = only == "all" ? Options::Choice::all : Options::Choice::automatic;
    for (const auto& one : schedule::algorithms(options.collective)) {
      options.algorithms.push_back(&one);
    }
    return;
  }
  for (const std::string& name : raw) {
    const schedule::Algorithm* found = algorithm(options.collective, name);
    if (std::ranges::count(options.algorithms, found) > 0) refuse_twice("--algo", name);
    options.algorithms.push_back(found);
  }
  if (options.algorithms.empty()) (void)algorithm(options.collective, "");
}

std::uint32_t chunk_of(const std::string& word) {
  constexpr std::uint64_t kLeast = 256;
  constexpr std::uint64_t kMost = 16 << 20;
  const std::uint64_t bytes = size_of("--chunk", word);
  if (bytes >= kLeast && bytes <= kMost && bytes % 64 == 0) {
    return static_cast<std::uint32_t>(bytes);
  }
  throw std::invalid_argument("--chunk " + word + " is not a multiple of 64 from 256 to 16M");
}

std::vector<int> roots_of(const std::vector<std::string>& raw) {
  std::vector<int> roots;
  for (const std::string& word : raw) {
    const std::optional<int> root = word == "all" ? -1 : number(word);
    if (!root || *root < -1) refuse("--root", word, "ranks from 0 on, or all");
    if (*root == -1 && raw.size() > 1) {
      throw std::invalid_argument("--root " + word + " is all of them, and stands alone");
    }
    roots.push_back(*root);
  }
  return roots;
}

void interpret_sizes(const RawOptions& raw, Options& options) {
  options.min_bytes = size_of("-b", raw.min);
  options.max_bytes = size_of("-e", raw.max);
  options.step_bytes = size_of("-i", raw.step);
  options.step_factor = raw.factor;
  if (options.max_bytes < options.min_bytes) {
    throw std::invalid_argument("-e " + raw.max + " is below -b " + raw.min);
  }
  if (options.step_factor == 0) throw std::invalid_argument("-f 0: a factor is at least 1");
  if (options.step_factor == 1 && options.step_bytes == 0) {
    throw std::invalid_argument("-i 0: sizes would never grow");
  }
  (void)options.sizes();
}

void interpret_axes(const RawOptions& raw, Options& options) {
  choose_algorithms(raw.algorithms, options);
  options.types = named("--datatype", raw.types, reduce::kElementTypes,
                        [](const std::string& word) { return reduce::element_type(word); });
  options.ops = named("--op", raw.ops, reduce::kOperators,
                      [](const std::string& word) { return reduce::reduction_operator(word); });
  options.roots = roots_of(raw.roots);
  options.queue_pairs = raw.queue_pairs;
  options.chunks.clear();
  for (const std::string& word : raw.chunks) options.chunks.push_back(chunk_of(word));
  options.traffic_classes.assign(raw.traffic_classes.begin(), raw.traffic_classes.end());
  options.rails.clear();
  for (const std::string& word : raw.rails) options.rails.push_back(parse_rail_choice(word));
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

void interpret_measurement(const RawOptions& raw, Options& options) {
  using measure::Separation;
  const std::string& mode = raw.separation;
  options.timing.separation = mode == "1"                        ? Separation::barrier_inside
                              : mode == "3" || mode == "barrier" ? Separation::barrier_outside
                                                                 : Separation::none;
  options.timing.over_ranks = static_cast<measure::OverRanks>(raw.average);
  options.limit = std::chrono::seconds(raw.limit);
  measure::StoppingRule& stopping = options.timing.stopping;
  if (raw.duration > 0) stopping.duration = std::chrono::seconds(raw.duration);
  if (!raw.interval.empty()) {
    stopping.interval = part_of(raw.interval);
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

void choose_soft_devices(const RawOptions& raw, bool devices_named, Options& options) {
  options.device.soft_rails = soft_rails(*raw.device);
  if (devices_named) throw std::invalid_argument("--device and --devices: give one of the two");
  if (options.connect == transport::Connect::rdmacm) {
    throw std::invalid_argument(
        "--connect rdmacm with --device soft: librdmacm asks the kernel, which has no soft "
        "device");
  }
  options.device.devices.clear();  // in place of those that the environment names
  for (int rail = 0; rail < options.device.soft_rails; ++rail) {
    options.device.devices.push_back("soft" + std::to_string(rail));
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

void choose_nics(const RawOptions& raw, Options& options) {
  options.device.nics.include = ports_of("--include", raw.include);
  options.device.nics.exclude = ports_of("--exclude", raw.exclude);
  if (!raw.rail_map.empty()) options.device.nics.rail_map = topology::load_rail_map(raw.rail_map);
  const bool any = options.device.nics.include || options.device.nics.exclude ||
                   !options.device.nics.rail_map.empty();
  if (!any || options.device.devices.empty()) return;
  throw std::invalid_argument(
      "--include, --exclude and --rail-map choose rails, and " +
      std::string(options.device.soft_rails > 0 ? "--device" : "--devices") +
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
                               options.queue_pairs.size() * options.chunks.size() *
                               options.traffic_classes.size() * options.rails.size();
  if (options.cycles == 0 && settings > 1) {
    throw std::invalid_argument(
        "-N 0 with a list of settings: the first would be run for ever, and no other");
  }
}

}  // namespace

bool has_sizes(schedule::Collective collective) {
  return traits(collective).size != schedule::SizeRule::none;
}

bool has_operator(schedule::Collective collective) {
  return has_sizes(collective) && schedule::reduces(collective);
}

void validate(const RawOptions& raw, bool devices_named, Options& options) {
  if (has_sizes(options.collective)) {
    interpret_sizes(raw, options);
  } else {
    options.min_bytes = options.max_bytes = 0;
  }
  interpret_axes(raw, options);
  interpret_measurement(raw, options);
  options.connect =
      raw.connect == "rdmacm" ? transport::Connect::rdmacm : transport::Connect::exchange;
  options.same_host = raw.same_host == "memory" ? SameHost::memory : SameHost::rails;
  if (raw.gid_index >= 0) options.device.gid_index = raw.gid_index;
  options.table = raw.table == "wide"   ? TableForm::wide
                  : raw.table == "none" ? TableForm::none
                                        : TableForm::nccl;
  if (raw.device) choose_soft_devices(raw, devices_named, options);
  choose_nics(raw, options);
  check_combinations(options);
}

}  // namespace railgauge::runner
