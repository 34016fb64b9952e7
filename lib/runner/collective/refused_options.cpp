#include "runner/collective/collective_options.hpp"

#include <array>

namespace railgauge::runner {
namespace {

struct Refused {
  const char* names;
  const char* instead;
};

constexpr std::array kRefused{
    Refused{"-g,--ngpus", "there is no GPU here; for more ranks start more processes: mpirun -np"},
    Refused{"-t,--nthreads", "a rank is a process; for more ranks start more: mpirun -np"},
    Refused{"-p,--parallel_init", "ranks always connect at the same time"},
    Refused{"-y,--stream_null", "there is no GPU, and so no stream"},
    Refused{"-G,--cudagraph", "there is no GPU; what is measured is a plan made beforehand anyway"},
    Refused{"-C,--report_cputime",
            "a rank's processor is busy all the time; --table wide names "
            "the rank that others wait for"},
    Refused{"-R,--local_register", "buffers are always registered"},
    Refused{"-x,--cta_policy", "there is no GPU; --qps and --chunk say how data are cut"},
    Refused{"-D,--device_implementation", "there is no GPU; --algo chooses the implementation"},
    Refused{"-V,--device_cta_count", "there is no GPU; --qps says how much goes on at once"},
    Refused{"-M,--memory", "there is no GPU memory to report"},
};

}  // namespace

void refuse_options(OptionTable& table) {
  for (const auto& [names, instead] : kRefused) {
    table.refuse(names, std::string("of nccl-tests is about GPUs: ") + instead);
  }
  table.refuse("--slice", "is now called --chunk");
}

}  // namespace railgauge::runner
