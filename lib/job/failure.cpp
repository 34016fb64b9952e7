#include "job/failure.hpp"

#include "finding/words.hpp"

namespace railgauge::job {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string name_of(transport::Rank rank, const std::vector<std::string>& hosts) {
  const std::string name = "rank " + std::to_string(rank);
  return rank < hosts.size() ? name + " (" + hosts[rank] + ")" : name;
}

}  // namespace

using results::ExitCode;
using results::Failure;

void refuse_use(const std::string& why) {
  throw RunFailure(Failure::Kind::usage, why);
}

RunFailure timed_out(std::chrono::seconds limit, const std::string& what) {
  constexpr std::chrono::seconds kShort{10};
  const std::string time = std::to_string(limit.count()) + " s";
  std::string text = "timed out after " + time + " waiting for other ranks at " + what;
  if (limit < kShort) {
    text +=
        "; -T " + std::to_string(limit.count()) +
        " is short: in that time ranks also set up devices and memory, which may take seconds on "
        "a busy host";
  }
  return {Failure::Kind::time_out, text};
}

std::string exchange_without(const std::vector<transport::Rank>& unanswered,
                             const std::vector<std::string>& hosts) {
  std::vector<std::string> names;
  for (const transport::Rank rank : unanswered) {
    if (names.size() < kMostNamed) names.push_back(name_of(rank, hosts));
  }
  const std::size_t more = unanswered.size() - names.size();
  if (more > 0) names.push_back(std::to_string(more) + " more");
  if (names.empty()) return "an exchange with neighbours";
  return "an exchange with neighbours, of which " + finding::listed(names) +
         (unanswered.size() == 1 ? " has" : " have") + " not answered";
}

ExitCode exit_code_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::time_out:
    case Failure::Kind::transport: return ExitCode::time_out;
    case Failure::Kind::wrong_data: return ExitCode::wrong_data;
    case Failure::Kind::usage: return ExitCode::usage;
    case Failure::Kind::verdict: return ExitCode::verdict_failed;
    case Failure::Kind::interrupted: return ExitCode::interrupted;
    case Failure::Kind::environment:
    case Failure::Kind::lost:
    case Failure::Kind::stopped: break;
  }
  return ExitCode::environment;
}

}  // namespace railgauge::job
