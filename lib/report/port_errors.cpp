#include "report/port_errors.hpp"

#include <algorithm>
#include <array>

namespace railgauge::report {
namespace {

/// Parts of the names that drivers give to what should not happen (the kernel's
/// Documentation/ABI/stable/sysfs-class-infiniband, mlx5's and rdma_rxe's hw_counters).
constexpr std::array kErrors{"err",       "discard",    "drop",    "timeout",   "nak",
                             "retry",     "retrans",    "out_of_", "duplicate", "rnr",
                             "malformed", "unexpected", "downed"};

}  // namespace

bool counts_errors(const std::string& name) {
  return std::ranges::any_of(
      kErrors, [&](const char* part) { return name.find(part) != std::string::npos; });
}

}  // namespace railgauge::report
