#include <filesystem>
#include <stdexcept>

#include "benchmarks/railgauge/commands.hpp"
#include "benchmarks/railgauge/word_list.hpp"
#include "options/shared.hpp"
#include "results/input_file.hpp"
#include "validation/manifest.hpp"
#include "validation/process.hpp"
#include "validation/supervisor.hpp"

namespace railgauge::benchmarks {
namespace {

using results::ExitCode;
using validation::Journal;
using validation::Site;

std::vector<std::string> shell_words_of(const std::string& option, const std::string& text) {
  try {
    return validation::shell_words(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(option + " '" + text + "': " + error.what());
  }
}

class ValidateCommand final : public Command {
 public:
  ValidateCommand();

  [[nodiscard]] ExitCode run(std::ostream& out, std::ostream& remarks) const override;

 private:
  [[nodiscard]] ExitCode verify(std::ostream& out) const;
  [[nodiscard]] validation::Launch launch() const;
  [[nodiscard]] ExitCode validate(const validation::Plan& plan, std::ostream& out,
                                  std::ostream& remarks) const;

  std::string plan_;
  std::string folder_;
  std::string launch_;
  std::string launch_hosts_;
  std::string arguments_;
  std::vector<std::string> only_;
  std::string from_;
  std::string waivers_;
  bool print_ = false;
  std::string verify_;
};

ValidateCommand::ValidateCommand()
    : Command(
          {.program = "railgauge validate",
           .about = "Run the tests of a plan, and report causes before symptoms",
           .examples =
               {{"launchers/mpirun --hosts node1,node2 --ppn 8 railgauge validate --plan quick "
                 "-o site",
                 "Run a plan on two hosts; the launcher starts each test with its own options"},
                {"launchers/mpirun -np 2 railgauge validate --plan ci --arguments '--device "
                 "soft:2' -o site",
                 "Without RDMA hardware"},
                {"railgauge validate --verify site", "Check that no file was changed since"}},
           .sections = {
               {"Plans",
                "quick, acceptance, new-rail and ci come with railgauge. A plan is a JSON file "
                "(railgauge/plan/1); see results-schema/README.md."},
               {"Exit status",
                "0 PASS; 1 FAIL or INCONCLUSIVE, or --verify found a difference; 2 usage error, or "
                "a plan with a mistake; 5 a file cannot be read or written; 130 interrupted. The "
                "same command continues after any end."}}}) {
  table().scalar("--plan", plan_, options::text("NAME"),
                 "Plan: quick, acceptance, new-rail, ci, or a file");
  table().scalar("-o,--output", folder_, options::text("DIR"),
                 "Folder for documents, journal and report. If it has a journal, the validation "
                 "continues");
  table().scalar("--launch", launch_, options::text("COMMAND"),
                 "Command that starts a program on all ranks, such as 'launchers/mpirun -np 8' "
                 "(launchers/mpirun in front of railgauge validate sets it)");
  table().scalar("--launch-hosts", launch_hosts_, options::text("COMMAND"),
                 "The same with one rank per host, for doctor, reachability_perf, pairs_perf and "
                 "isolate_perf (default: --launch)");
  table().scalar("--arguments", arguments_, options::text("OPTIONS"),
                 "Options of every program that drives NICs, such as '--device soft:2'");
  table().repeated("--only", only_, "STAGE[,...]", "Run only these stages");
  table().scalar("--from", from_, options::text("STAGE"),
                 "Run this stage and all later ones again, for example after a repair");
  table().scalar("--waivers", waivers_, options::text("FILE"),
                 "Findings to accept, each with reason and last day (railgauge/waivers/1). They "
                 "stay in the report");
  table().flag("--print", print_, "Print the commands, and run nothing");
  table().scalar("--verify", verify_, options::text("DIR"),
                 "Check the files of a validation against its SHA256SUMS, and run nothing");
}

ExitCode ValidateCommand::verify(std::ostream& out) const {
  const auto wrong = validation::verified(Site{verify_});
  for (const std::string& sentence : wrong) out << verify_ << ": " << sentence << "\n";
  if (wrong.empty()) out << verify_ << ": all files are as SHA256SUMS has them\n";
  return wrong.empty() ? ExitCode::ok : ExitCode::verdict_failed;
}

validation::Launch ValidateCommand::launch() const {
  validation::Launch launch{.ranks = shell_words_of("--launch", launch_),
                            .hosts = shell_words_of("--launch-hosts", launch_hosts_),
                            .arguments = shell_words_of("--arguments", arguments_)};
  if (launch.ranks.empty())
    throw std::invalid_argument(
        "--launch is missing: give the command that starts ranks, such as 'launchers/mpirun -np "
        "8', or run launchers/mpirun OPTIONS railgauge validate");
  if (launch.hosts.empty()) launch.hosts = launch.ranks;
  return launch;
}

/// The verdict rests on them, so the manifest has them.
void keep_waivers(const Site& site, const std::string& text) {
  const std::filesystem::path file = site.folder / "waivers.json";
  if (text.empty())
    std::filesystem::remove(file);
  else
    validation::replace_file(file, text);
}

ExitCode ValidateCommand::validate(const validation::Plan& plan, std::ostream& out,
                                   std::ostream& remarks) const {
  const Site site{std::filesystem::absolute(folder_)};  // ranks on other hosts find it, too
  const validation::Selection selection{.only = words_of(only_), .from = from_};
  check_selection(plan, selection);
  const validation::Launch started = launch();
  const std::string accepted = waivers_.empty() ? "" : results::read_input(waivers_);
  const validation::Waivers waivers =
      accepted.empty() ? validation::Waivers{} : validation::waivers_in(accepted, waivers_);
  if (print_) {
    announce(out, continued(site, plan, started), site, selection, true);
    return ExitCode::ok;
  }
  const validation::SiteLock lock(site);
  const Journal journal = continued(site, plan, started);
  announce(remarks, journal, site, selection, false);
  const validation::Run run = run_stages(journal, site, selection, waivers, remarks);
  keep_waivers(site, accepted);
  write_report(run.report, site);
  write_manifest(site);
  out << text(run.report) << "\nreport: " << (site.folder / "report.html").string() << "\n";
  if (run.interrupted) return ExitCode::interrupted;
  return run.report.outcome == finding::Outcome::pass ? ExitCode::ok : ExitCode::verdict_failed;
}

ExitCode ValidateCommand::run(std::ostream& out, std::ostream& remarks) const {
  if (!verify_.empty()) return verify(out);
  if (plan_.empty())
    throw std::invalid_argument("--plan is missing: quick, acceptance, new-rail, ci, or a file");
  const validation::Plan plan = validation::plan_of(plan_);
  if (folder_.empty())
    throw std::invalid_argument("--output is missing: a folder for all that is measured");
  return validate(plan, out, remarks);
}

}  // namespace

std::unique_ptr<Command> validate_command() {
  return std::make_unique<ValidateCommand>();
}

}  // namespace railgauge::benchmarks
