#include <stdexcept>
#include <string>

#include "benchmarks/railgauge/commands.hpp"
#include "finding/words.hpp"
#include "options/shared.hpp"
#include "results/output_file.hpp"
#include "workload/traces/import.hpp"

namespace railgauge::benchmarks {
namespace {

using workload::traces::Document;
using workload::traces::TraceFormat;

class ImportTraceCommand final : public Command {
 public:
  explicit ImportTraceCommand(const TraceFormat& format)
      : Command({.program = "railgauge import " + std::string(format.name),
                 .about = "Convert " + std::string(format.about) + ", to a workload",
                 .examples = {{"railgauge import " + std::string(format.name) + " " +
                                   std::string(format.example) + " -o job.workload",
                               "For railgauge workload show, and job_perf"}}}),
        format_(format) {
    table().arguments("traces", files_);
    table().scalar(options::output_file(), output_.path);
    table().flag(options::force(), output_.overwrite);
  }

  [[nodiscard]] results::ExitCode run(std::ostream& out, std::ostream& remarks) const override {
    output_.check();
    const Document made = document_of(format_, files_);
    output_.write(made.text, out);
    remarks << finding::counted(made.ranks, "rank") << "; bytes in a step, of all ranks:\n";
    for (const auto& [of, bytes] : made.bytes) remarks << "  " << of << ": " << bytes << "\n";
    for (const std::string& one : made.assumptions) remarks << "assumed: " << one << "\n";
    return results::ExitCode::ok;
  }

 private:
  const TraceFormat& format_;
  std::vector<std::string> files_;
  results::OutputFile output_;
};

}  // namespace

std::unique_ptr<Command> import_trace_command(const workload::traces::TraceFormat& format) {
  return std::make_unique<ImportTraceCommand>(format);
}

}  // namespace railgauge::benchmarks
