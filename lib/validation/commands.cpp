#include "validation/commands.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "finding/words.hpp"
#include "soak/record.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

bool can_be_run(const fs::path& path) {
  return fs::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
}

std::string program(const std::string& name) {
  return path_of_program(name).value_or(name);
}

/// What of a kind is the same in all plans.
Words options_of(const Plan& plan, std::size_t stage, const Site& site, bool goes_on) {
  switch (plan.stages[stage].kind) {
    case Kind::bandwidth: return Words{"--mode", "bandwidth"};
    case Kind::latency: return Words{"--mode", "write,read"};
    case Kind::soak: {
      const std::string record = site.of(plan, stage, ".jsonl");
      return {goes_on && soak::is_record(record) ? "--resume" : "--record", record};
    }
    default: return {};
  }
}

/// Hosts are recorded by their ranks, and compared here.
std::vector<Words> doctor_commands(const Plan& plan, std::size_t stage, const Launch& launch,
                                   const Site& site) {
  const std::string hosts = site.of(plan, stage, ".hosts");
  Words record = launch.hosts;
  add(record, {program("railgauge"), "doctor", "--record", hosts});
  Words check{program("railgauge"), "doctor", "--from", hosts, "--json"};
  add(check, {"--output", site.of(plan, stage, ".json"), "--force"});
  add(check, plan.stages[stage].arguments);
  return {record, check};
}

}  // namespace

std::vector<Words> commands_of(const Plan& plan, std::size_t stage, const Launch& launch,
                               const Site& site, bool goes_on) {
  const Stage& one = plan.stages.at(stage);
  if (one.kind == Kind::doctor) return doctor_commands(plan, stage, launch, site);
  Words words = facts_of(one.kind).one_rank_per_host ? launch.hosts : launch.ranks;
  words.push_back(program(program_of(one)));
  add(words, options_of(plan, stage, site, goes_on));
  add(words, {"-J", site.of(plan, stage, ".json"), "--force"});
  add(words, launch.arguments);
  add(words, one.arguments);
  return {words};
}

std::optional<std::string> path_of_program(const std::string& name) {
  std::error_code unknown;
  const fs::path self = fs::read_symlink("/proc/self/exe", unknown);
  if (const fs::path beside = self.parent_path() / name; !unknown && can_be_run(beside))
    return beside;
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : finding::split(path == nullptr ? "" : path, ':')) {
    if (const fs::path there = fs::path(folder) / name; can_be_run(there)) return there;
  }
  return std::nullopt;
}

}  // namespace railgauge::validation
