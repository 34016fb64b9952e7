#include "validation/journal.hpp"

#include <stdexcept>

#include "json/text.hpp"
#include "results/codec.hpp"
#include "results/input_file.hpp"
#include "validation/process.hpp"

namespace railgauge::validation {
namespace {

using json::Json;

constexpr int kIndent = 1;

/// The first field of two plans that differs: "stages[2].limit".
std::string difference(const Json& one, const Json& other) {
  for (const Json& step : Json::diff(one, other)) return step.at("path").get<std::string>();
  return "";
}

void check_same(const std::string& option, const std::vector<std::string>& before,
                const std::vector<std::string>& now, const Site& site) {
  if (before == now) return;
  throw std::invalid_argument(site.folder.string() + " was started with " + option + " '" +
                              shell_line(before) + "', and now it is '" + shell_line(now) +
                              "': give the same, or another folder");
}

}  // namespace

std::string_view word(Progress progress) {
  switch (progress) {
    case Progress::waiting: return "waiting";
    case Progress::running: return "running";
    case Progress::ended: return "ended";
  }
  return "";
}

std::optional<Journal> read_journal(const Site& site) {
  if (!std::filesystem::exists(site.journal())) return std::nullopt;
  try {
    Journal journal;
    json::decode(json::json_of_text(results::read_input(site.journal())), journal);
    return journal;
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot read " + site.journal().string() + ": " + error.what());
  }
}

void write_journal(const Site& site, const Journal& journal) {
  replace_file(site.journal(), json::encode(journal).dump(kIndent) + "\n");
}

Journal continued(const Site& site, const Plan& plan, const Launch& launch) {
  const std::optional<Journal> before = read_journal(site);
  if (!before) return {.plan = plan, .launch = launch};
  const std::string differs = difference(as_json(before->plan), as_json(plan));
  if (!differs.empty())
    throw std::invalid_argument(site.folder.string() + " is of the plan " + before->plan.name +
                                ", which differs from this one at " + differs +
                                ": give that plan, or another folder");
  check_same("--launch", before->launch.ranks, launch.ranks, site);
  check_same("--launch-hosts", before->launch.hosts, launch.hosts, site);
  check_same("--arguments", before->launch.arguments, launch.arguments, site);
  return *before;
}

}  // namespace railgauge::validation
