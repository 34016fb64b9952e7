#pragma once

#include <memory>

#include "benchmarks/railgauge/command.hpp"
#include "workload/traces/import.hpp"

namespace railgauge::benchmarks {

/// Judges results against references, line rate, earlier results and policies: ok if every
/// criterion of every result passes; else verdict_failed, also for a criterion that could not be
/// evaluated, unless --allow-no-reference.
[[nodiscard]] std::unique_ptr<Command> compare_command();

/// A fabric sized in seven steps, as a table, JSON, a picture, a bill of materials or a list of
/// links.
[[nodiscard]] std::unique_ptr<Command> design_command();

/// Slow or lossy ports, paths and hosts in a result: ok if there are none, else verdict_failed.
[[nodiscard]] std::unique_ptr<Command> diagnose_command();

/// Whether this host, or recorded ones, are fit to be measured: ok if every check passes or is
/// waived, else verdict_failed, also for what could not be read.
[[nodiscard]] std::unique_ptr<Command> doctor_command();

/// A log of another benchmark, or of one's own, as a reference document. Lines that could not be
/// read are remarks, also if nothing was read.
[[nodiscard]] std::unique_ptr<Command> import_command();

/// Traces of a job as a workload; what is assumed is a remark. What is wrong with a trace, or not
/// known, is a std::invalid_argument with the event.
[[nodiscard]] std::unique_ptr<Command> import_trace_command(
    const workload::traces::TraceFormat& format);

/// The switches that flows to a peer pass, and source ports that spread queue pairs. verdict_failed
/// if source ports have no path of their own (paths::Told::none), time_out if the peer does not
/// answer, or no switch that could tell. Throws std::system_error when probes cannot be sent.
[[nodiscard]] std::unique_ptr<Command> paths_command();

/// The times of collectives on a fabric that is sized or read, with bound, efficiencies and band.
[[nodiscard]] std::unique_ptr<Command> predict_command();

/// Published systems: all of them; one, with its caveats; those that resemble one's own.
[[nodiscard]] std::unique_ptr<Command> reference_list_command();
[[nodiscard]] std::unique_ptr<Command> reference_show_command();
[[nodiscard]] std::unique_ptr<Command> reference_suggest_command();

/// Results and their verdict as a page, a comment or a test report. Ends as compare does; without
/// criteria ok, unless a run is not whole and right. The report is written in any case.
[[nodiscard]] std::unique_ptr<Command> report_command();

/// One schedule as a table, as JSON or as a picture; all algorithms with their costs and the lower
/// bounds.
[[nodiscard]] std::unique_ptr<Command> schedule_show_command();
[[nodiscard]] std::unique_ptr<Command> schedule_list_command();

/// A soak so far, or when it is over: ok if the verdict is PASS, else verdict_failed.
[[nodiscard]] std::unique_ptr<Command> soak_status_command();

/// This host, or recorded ones, as a table, a tree or JSON; their rails, and where ranks belong.
/// verdict_failed if hosts do not fit together.
[[nodiscard]] std::unique_ptr<Command> topo_command();

/// The tests of a plan, each in processes of its own: ok if all stages pass, else verdict_failed;
/// interrupted after SIGINT, SIGTERM and SIGHUP. The same call goes on with what had not ended.
[[nodiscard]] std::unique_ptr<Command> validate_command();

/// A job as data: one of the kinds there are, as a file to change; a table of what its ranks do;
/// its proof, of which a flaw is a std::invalid_argument.
[[nodiscard]] std::unique_ptr<Command> workload_make_command();
[[nodiscard]] std::unique_ptr<Command> workload_mix_command();
[[nodiscard]] std::unique_ptr<Command> workload_show_command();
[[nodiscard]] std::unique_ptr<Command> workload_check_command();

}  // namespace railgauge::benchmarks
