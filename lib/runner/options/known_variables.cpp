#include "runner/options/known_variables.hpp"

namespace railgauge::runner {

std::vector<std::string> variables_of_others() {
  std::vector<std::string> names;
  // launchers/mpirun, launchers/slurm/job; launchers/lab
  for (const char* name :
       {"MANAGEMENT_IF", "RESTART", "START", "AGENT_PORT", "DEVICES", "HOSTFILE", "LAB", "RESULTS",
        "RSH", "SHARE",
        // what a program tells itself when it starts again
        "SOFTROCE_PRELOADED",
        // options that not all programs have; tests/benchmarks/manual_test
        // compares them with the programs
        "ALGO", "AGG_ITERS", "AVERAGE", "BLOCKING", "CHECK", "CHUNK", "CI", "COLLECTIVES",
        "BIDIRECTIONAL", "COLOURS", "CONNECT", "LINE_RATE", "LOAD", "MAX_TIME", "MEDIAN_SHARE",
        "MODE", "PAIRS", "PLAN", "REPETITIONS", "SEED", "SIZE", "RECORD", "RESUME", "SIZES",
        "VERIFY", "CROSS_RAIL", "DATATYPE", "DURATION", "INLINE", "ITERS", "MATRIX", "MAXBYTES",
        "MINBYTES", "OP", "PER_ITER_SKIP", "PER_ITER_TIMING", "PROGRESS_THREADS", "QPS", "RAILS",
        "REDUCE", "REDUCE_THREADS", "REPORT_TIMESTAMPS", "RETRIES", "ROOT", "RUN_CYCLES",
        "SAME_HOST", "SAME_RAIL_ONLY", "SPREAD", "SPREAD_PATHS", "STEPBYTES", "STEPFACTOR", "SVG",
        "TIME", "TRAFFIC_CLASS", "UNALIGN", "WARMUP_ITERS", "WINDOW", "EVIDENCE", "LABELS", "PORTS",
        "PROBE_RATE", "PATH_LABELS", "ROUNDS"}) {
    names.push_back(std::string("RAILGAUGE_") + name);
  }
  return names;
}

}  // namespace railgauge::runner
