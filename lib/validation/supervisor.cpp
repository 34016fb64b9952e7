#include "validation/supervisor.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "finding/words.hpp"
#include "manual/manual.hpp"
#include "options/syntax.hpp"
#include "results/document.hpp"
#include "results/table.hpp"
#include "soak/record.hpp"
#include "validation/commands.hpp"
#include "validation/process.hpp"
#include "verdict/library.hpp"

namespace railgauge::validation {
namespace {

namespace fs = std::filesystem;
using SystemClock = std::chrono::system_clock;
using finding::Outcome;

std::string minutes(std::chrono::seconds time) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 3600;
  const auto seconds = time.count();
  if (seconds < 2 * kMinute) return std::to_string(seconds) + " s";
  if (seconds < 2 * kHour) return std::to_string((seconds + kMinute - 1) / kMinute) + " min";
  return results::printed("%.1f h", static_cast<double>(seconds) / static_cast<double>(kHour));
}

bool is_selected(const Selection& selection, const Stage& stage) {
  return selection.only.empty() ||
         std::ranges::find(selection.only, stage.name) != selection.only.end();
}

Progress progress_of(const Journal& journal, const std::string& stage) {
  const auto state = journal.stages.find(stage);
  return state == journal.stages.end() ? Progress::waiting : state->second.progress;
}

/// That stage and what comes after it have not been run.
void forget_from(Journal& journal, const std::string& name) {
  bool forget = false;
  for (const Stage& stage : journal.plan.stages) {
    forget = forget || stage.name == name;
    if (forget) journal.stages.erase(stage.name);
  }
}

/// A document that says how its run ended: it was the supervisor that was killed.
std::optional<int> exit_status_in(const fs::path& file) try {
  if (!fs::exists(file)) return std::nullopt;
  const auto json = verdict::read_json(file);
  if (!results::is_result(json)) return std::nullopt;
  const auto code = results::read_document(json).exit_code;
  if (!code || *code == results::ExitCode::interrupted) return std::nullopt;
  return static_cast<int>(*code);
} catch (const std::exception&) {
  return std::nullopt;
}

class Supervisor {
 public:
  Supervisor(Journal journal, const Site& site, const Selection& selection, const Waivers& waivers,
             std::ostream& remarks)
      : journal_(std::move(journal)),
        site_(site),
        selection_(selection),
        waivers_(waivers),
        remarks_(remarks) {}

  Run run() {
    if (!selection_.from.empty()) forget_from(journal_, selection_.from);
    write_journal(site_, journal_);
    for (std::size_t at = 0; at < journal_.plan.stages.size(); ++at) {
      assessments_.push_back(assessment_of_stage(at));
      tell(at);
    }
    return {site_report_of(journal_, site_, std::move(assessments_), waivers_, today_),
            interrupted_};
  }

 private:
  [[nodiscard]] const Stage& stage(std::size_t at) const { return journal_.plan.stages[at]; }

  /// Why it is not run, if it is not.
  [[nodiscard]] std::optional<Assessment> reason_not_to_run(std::size_t at) const {
    const Stage& one = stage(at);
    if (interrupted_) return not_run(Standing::skipped, "the validation was interrupted before");
    if (!is_selected(selection_, one)) return not_run(Standing::skipped, "--only leaves it out");
    for (const std::string& need : one.needs) {
      const Assessment& needed = assessment_named(need);
      if (needed.standing == Standing::skipped)
        return not_run(Standing::skipped, "it needs " + need + ", which was skipped");
      if (needed.outcome == Outcome::fail)
        return not_run(Standing::skipped, "it needs " + need + ", which failed");
    }
    if (one.when == When::suspect && std::ranges::none_of(assessments_, is_suspect))
      return not_run(Standing::not_needed, "no stage before it found a slow or lossy component");
    if (one.when == When::network && std::ranges::any_of(assessments_, was_on_one_host))
      return not_run(Standing::not_needed, "all ranks are on one host: no network is between them");
    if (!path_of_program(program_of(one)))
      return not_run(Standing::skipped, program_of(one) + " is not installed");
    return std::nullopt;
  }

  [[nodiscard]] const Assessment& assessment_named(const std::string& name) const {
    const auto found = std::ranges::find(journal_.plan.stages, name, &Stage::name);
    return assessments_.at(static_cast<std::size_t>(found - journal_.plan.stages.begin()));
  }

  Assessment assessment_of_stage(std::size_t at) {
    if (progress_of(journal_, stage(at).name) != Progress::ended) {
      if (auto skipped = reason_not_to_run(at)) return *skipped;
      run_stage(at);
    }
    return validation::assessment_of(journal_.plan, at, site_, journal_.stages[stage(at).name],
                                     in_force(waivers_, today_));
  }

  void run_stage(std::size_t at) {
    StageState& state = journal_.stages[stage(at).name];
    const bool half_done = state.progress == Progress::running;
    if (const auto status = exit_status_in(site_.of(journal_.plan, at, ".json"));
        half_done && status) {
      remarks_ << stage(at).name << ": its document is whole, so it is not run again\n";
      end(state, *status, *status == 0 ? "" : "exit status " + std::to_string(*status));
      return;
    }
    begin(at, state, half_done);
    Ending ending;
    try {
      ending = run_commands(at, half_done);
    } catch (const std::exception& error) {
      throw std::runtime_error(stage(at).name + ": " + error.what() +
                               "; what has ended is kept: mend it and give the same command again");
    }
    interrupted_ = ending.how == Ending::How::interrupted;
    if (ending.leftovers > 0)
      ending.why += (ending.why.empty() ? "" : "; ") +
                    finding::counted(ending.leftovers, "process", "processes") +
                    " that it left on this host had to be killed";
    if (!interrupted_ && !was_killed(ending)) return end(state, ending.status, ending.why);
    leave_half_done(state, ending);
  }

  /// The launcher, or a rank, by something else than its limit.
  static bool was_killed(const Ending& ending) {
    constexpr int kSignalStatus = 128;
    return ending.how != Ending::How::timed_out && ending.status > kSignalStatus;
  }

  void leave_half_done(StageState& state, const Ending& ending) {
    state.why = ending.why + (interrupted_ ? "" : "; the same command runs it again");
    state.exit_status = ending.status;
    write_journal(site_, journal_);
  }

  void begin(std::size_t at, StageState& state, bool half_done) {
    ++state.attempts;
    state = {
        .progress = Progress::running, .attempts = state.attempts, .started = SystemClock::now()};
    write_journal(site_, journal_);
    const fs::path record = site_.of(journal_.plan, at, ".jsonl");
    const bool goes_on = half_done && stage(at).kind == Kind::soak && soak::is_record(record);
    remarks_ << stage(at).name << ": started"
             << (!half_done ? ""
                 : goes_on  ? "; it was half done and goes on"
                            : "; it was half done and is run again")
             << ", at most " << minutes(limit_of(stage(at))) << std::endl;
    fs::remove(site_.of(journal_.plan, at, ".json"));
    fs::remove(site_.of(journal_.plan, at, ".html"));
    if (goes_on) return;
    fs::remove(site_.of(journal_.plan, at, ".log"));
    remove_record(record);
    if (stage(at).kind != Kind::doctor) return;
    fs::remove_all(site_.of(journal_.plan, at, ".hosts"));
    fs::create_directories(site_.of(journal_.plan, at, ".hosts"));
  }

  /// With its packed parts and its state.
  static void remove_record(const fs::path& record) {
    for (const auto& entry : fs::directory_iterator(record.parent_path())) {
      if (entry.path().filename().string().starts_with(record.filename().string()))
        fs::remove(entry.path());
    }
  }

  [[nodiscard]] Ending run_commands(std::size_t at, bool half_done) const {
    Ending ending;
    auto left = limit_of(stage(at));
    for (auto& words : commands_of(journal_.plan, at, journal_.launch, site_, half_done)) {
      const auto since = std::chrono::steady_clock::now();
      ending = validation::run(
          {.words = std::move(words), .log = site_.of(journal_.plan, at, ".log"), .limit = left});
      if (ending.how != Ending::How::exited || ending.status != 0) break;
      left -= std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                               since);
      left = std::max(left, std::chrono::seconds(1));
    }
    if (ending.how == Ending::How::timed_out)
      ending.why = "it was ended at its limit of " + stage(at).limit;
    return ending;
  }

  void end(StageState& state, int status, const std::string& why) {
    state.progress = Progress::ended;
    state.ended = SystemClock::now();
    state.exit_status = status;
    state.why = why;
    write_journal(site_, journal_);
  }

  void tell(std::size_t at) const {
    const StageReport one{.stage = stage(at), .assessment = assessments_.back()};
    const Assessment& assessment = one.assessment;
    const std::string& text =
        assessment.outcome == Outcome::pass && assessment.standing == Standing::assessed
            ? assessment.measured
            : assessment.headline;
    remarks_ << one.stage.name << ": " << verdict_of(one) << (text.empty() ? "" : ": " + text)
             << std::endl;
  }

  Journal journal_;
  const Site& site_;
  const Selection& selection_;
  const Waivers& waivers_;
  std::string today_ = today();
  std::ostream& remarks_;
  std::vector<Assessment> assessments_{};
  bool interrupted_ = false;
};

std::string words_of_stage(const Journal& journal, const Selection& selection, const Stage& stage) {
  if (progress_of(journal, stage.name) == Progress::ended) return "ended before";
  if (!is_selected(selection, stage)) return "left out by --only";
  const std::string limit = "at most " + minutes(limit_of(stage));
  if (stage.when == When::network) return limit + ", if a network is between the ranks";
  return stage.when == When::suspect ? limit + ", if something was slow or lossy" : limit;
}

}  // namespace

void check_selection(const Plan& plan, const Selection& selection) {
  std::vector<std::string> known;
  for (const Stage& stage : plan.stages) known.push_back(stage.name);
  const auto check = [&](const std::string& option, const std::string& name) {
    if (std::ranges::find(known, name) != known.end()) return;
    throw std::invalid_argument(option + ": the plan " + plan.name + " has no stage '" + name +
                                "': it has " + finding::joined(known) +
                                manual::did_you_mean(name, known));
  };
  for (const std::string& name : selection.only) check("--only", name);
  if (!selection.from.empty()) check("--from", selection.from);
}

void announce(std::ostream& out, const Journal& planned, const Site& site,
              const Selection& selection, bool commands) {
  Journal journal = planned;
  if (!selection.from.empty()) forget_from(journal, selection.from);
  std::chrono::seconds sum{0};
  for (const Stage& stage : journal.plan.stages) {
    const bool runs = progress_of(journal, stage.name) != Progress::ended;
    if (runs && is_selected(selection, stage)) sum += limit_of(stage);
  }
  out << "plan " << journal.plan.name << ", "
      << finding::counted(journal.plan.stages.size(), "stage") << ", at most " << minutes(sum)
      << " in all; results in " << site.folder.string() << "\n";
  for (std::size_t at = 0; at < journal.plan.stages.size(); ++at) {
    const Stage& stage = journal.plan.stages[at];
    out << "  " << at + 1 << " " << stage.name << " (" << facts_of(stage.kind).title
        << "): " << words_of_stage(journal, selection, stage) << "\n";
    if (!commands) continue;
    const bool goes_on = progress_of(journal, stage.name) == Progress::running;
    for (const auto& words : commands_of(journal.plan, at, journal.launch, site, goes_on))
      out << "      " << shell_line(words) << "\n";
  }
  out << std::flush;
}

Run run_stages(Journal journal, const Site& site, const Selection& selection,
               const Waivers& waivers, std::ostream& remarks) {
  return Supervisor(std::move(journal), site, selection, waivers, remarks).run();
}

}  // namespace railgauge::validation
