#pragma once

#include <string>

#include "schedule/collective.hpp"

namespace railgauge::runner {

/// A benchmark of one collective.
struct Program {
  std::string collective;  // as in its name: "all_reduce" of all_reduce_perf
  schedule::Collective kind = schedule::Collective::all_reduce;
  std::string algorithm{};      // the only one; empty: all of the collective, by --algo
  bool algbw_of_moved = false;  // algbw leaves out what a rank need not be sent
};

}  // namespace railgauge::runner
