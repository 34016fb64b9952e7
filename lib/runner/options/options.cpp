#include "runner/options/options.hpp"

#include <optional>
#include <sstream>
#include <stdexcept>

#include "measure/sizes.hpp"
#include "runner/options/command_line.hpp"

namespace railgauge::runner {
namespace {

using Origin = results::Option::Origin;
using Sources = CommandLine::Sources;

ParsedOptions mistake(const std::string& program, const std::string& what) {
  return {std::nullopt, program + ": " + what + "\nTry " + program + " --help", true};
}

/// Every option with its value and who set it: the first source that has it.
std::map<std::string, results::Option> in_force(const CommandLine& command_line,
                                                const CommandLine& with_file,
                                                const CommandLine& with_environment) {
  auto values = with_environment.values();
  for (auto& [name, option] : values) {
    const std::string long_name = "--" + name;
    option.origin = command_line.has(long_name)       ? Origin::command_line
                    : with_file.has(long_name)        ? Origin::config_file
                    : with_environment.has(long_name) ? Origin::environment
                                                      : Origin::default_value;
  }
  return values;
}

/// Both ways of stepping at once would leave one of them out.
void check_steps(const CommandLine& all) {
  if (has_sizes(all.options().collective) && all.has("--stepbytes") && all.raw().factor > 1) {
    throw std::invalid_argument("-i and -f: sizes are either added to or multiplied");
  }
}

/// Every setting with every value, the values varying fastest.
template <class T>
void multiply(std::vector<Setting>& settings, const std::vector<T>& values, T Setting::*axis) {
  std::vector<Setting> product;
  for (const Setting& setting : settings) {
    for (const T& value : values) {
      product.push_back(setting);
      product.back().*axis = value;
    }
  }
  settings = std::move(product);
}

}  // namespace

std::vector<std::uint64_t> Options::sizes() const {
  if (max_bytes == 0) return {0};
  if (step_factor > 1) return measure::sweep(min_bytes, max_bytes, step_factor);
  return measure::steps(min_bytes, max_bytes, step_bytes);
}

std::vector<Setting> Options::settings(unsigned rail_count, unsigned ranks) const {
  std::vector<int> all_roots = roots;
  if (roots == std::vector{-1}) {
    all_roots.clear();
    for (unsigned rank = 0; rank < ranks; ++rank) all_roots.push_back(static_cast<int>(rank));
  }
  std::vector<Setting> settings{Setting{}};
  multiply(settings, rail_uses(rails, rail_count), &Setting::rails);
  multiply(settings, traffic_classes, &Setting::traffic_class);
  multiply(settings, queue_pairs, &Setting::queue_pairs);
  multiply(settings, chunks, &Setting::chunk_bytes);
  multiply(settings, types, &Setting::type);
  multiply(settings, ops, &Setting::op);
  multiply(settings, all_roots, &Setting::root);
  return settings;
}

ParsedOptions parse_options(const Program& program, int argc, char** argv) {
  CommandLine command_line(program, Sources::command_line);
  CommandLine with_file(program, Sources::config_file);
  CommandLine with_environment(program, Sources::environment);
  try {
    command_line.parse(argc, argv);
    with_file.parse(argc, argv);
    with_environment.parse(argc, argv);
    check_steps(with_environment);
    Options options = with_environment.options();
    validate(with_environment.raw(), command_line.has("--devices"), options);
    options.in_force = in_force(command_line, with_file, with_environment);
    return {std::move(options), "", false};
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream ignored;
    if (command_line.app().exit(error, out, ignored) == 0) return {std::nullopt, out.str(), false};
    return mistake(program.name(), error.what());
  } catch (const std::invalid_argument& error) {
    return mistake(program.name(), error.what());
  }
}

}  // namespace railgauge::runner
