#include "benchmarks/reachability/probed_nic.hpp"

#include "verbs/device.hpp"

namespace railgauge::benchmarks {
namespace {

// More than one probe has outstanding, even with what the one before has left.
constexpr int kCompletions = 256;

}  // namespace

ProbedNic::ProbedNic(const verbs::Port& of)
    : port(of),
      context(verbs::open_device(of.device)),
      domain(verbs::allocate_domain(*context)),
      completions(*context, kCompletions),
      memory(kBytes),
      region(verbs::register_memory(*domain, memory)) {}

}  // namespace railgauge::benchmarks
