#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/members.hpp"
#include "validation/files.hpp"
#include "validation/plan.hpp"

namespace railgauge::validation {

/// How far a stage has come.
enum class Progress : std::uint8_t {
  waiting,  ///< not started
  running,  ///< started; if no supervisor runs, it is half done
  ended,    ///< it has an ending; it is not run again
};
[[nodiscard]] std::string_view word(Progress progress);

struct StageState {
  Progress progress = Progress::waiting;
  int attempts = 0;
  std::optional<std::chrono::system_clock::time_point> started{};
  std::optional<std::chrono::system_clock::time_point> ended{};
  int exit_status = 0;
  std::string why{};  ///< how it ended, if not with exit status 0

  RAILGAUGE_FIELDS(progress, attempts, started, ended, exit_status, why)
};

/// What starts the programs.
struct Launch {
  std::vector<std::string> ranks{};      ///< words before a program of all ranks
  std::vector<std::string> hosts{};      ///< before one that has a rank on each host
  std::vector<std::string> arguments{};  ///< of every program of ranks, before the plan's

  friend bool operator==(const Launch&, const Launch&) = default;

  RAILGAUGE_FIELDS(ranks, hosts, arguments)
};

/// What a folder is for, and how far it has come: railgauge/journal/1.
struct Journal {
  Plan plan{};
  Launch launch{};
  std::map<std::string, StageState> stages{};  ///< by name

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit.schema("railgauge/journal/1");
    RAILGAUGE_VISIT((plan), launch, stages);
  }
};

/// That of a folder; empty if it has none. Throws std::runtime_error, which names the file, if it
/// cannot be read.
[[nodiscard]] std::optional<Journal> read_journal(const Site& site);

/// Replaces it on the disk. Throws std::system_error.
void write_journal(const Site& site, const Journal& journal);

/// Goes on with a folder, or begins one. Throws std::invalid_argument if the folder is of another
/// plan or was started in another manner, with the difference.
[[nodiscard]] Journal continued(const Site& site, const Plan& plan, const Launch& launch);

}  // namespace railgauge::validation
