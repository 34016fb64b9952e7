#include "runner/collective/collective_options.hpp"

#include <array>
#include <iterator>
#include <sstream>

namespace railgauge::runner {
namespace {

struct Refused {
  const char* names;
  const char*
      harmless;  // values, separated by blanks: nccl-tests' default, and what is done anyway
  const char* instead;
};

constexpr std::array kRefused{
    Refused{"-g,--ngpus", "1",
            "there is no GPU here; for more ranks start more processes: mpirun -np"},
    Refused{"-t,--nthreads", "1", "a rank is a process; for more ranks start more: mpirun -np"},
    Refused{"-p,--parallel_init", "0 1", "ranks always connect at the same time"},
    Refused{"-y,--stream_null", "0", "there is no GPU, and so no stream"},
    Refused{"-G,--cudagraph", "0",
            "there is no GPU; what is measured is a plan made beforehand anyway"},
    Refused{"-C,--report_cputime", "0",
            "a rank's processor is busy all the time; --table wide names "
            "the rank that others wait for"},
    Refused{"-R,--local_register", "0 1 2", "buffers are always registered"},
    Refused{"-x,--cta_policy", "0", "there is no GPU; --qps and --chunk say how data are cut"},
    Refused{"-D,--device_implementation", "0",
            "there is no GPU; --algo chooses the implementation"},
    Refused{"-V,--device_cta_count", "", "there is no GPU; --qps says how much goes on at once"},
    Refused{"-M,--memory", "0", "there is no GPU memory to report"},
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

void refuse_options(OptionTable& table) {
  for (const auto& [names, harmless, instead] : kRefused) {
    table.refuse(names, std::string("of nccl-tests is about GPUs: ") + instead, words_of(harmless));
  }
  table.refuse("--slice", "is now called --chunk");
}

}  // namespace railgauge::runner
